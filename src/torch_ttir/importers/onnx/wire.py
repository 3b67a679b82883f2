"""Reading an ONNX file without its weights: where the bytes of each initializer lie in it.

Protobuf parsers copy every field that they read, so the weights' fields are cut out of the file
before it is parsed. Source of the format: protobuf.dev/programming-guides/encoding, and field
numbers from onnx.proto: ModelProto.graph = 7, GraphProto.initializer = 5, TensorProto.name = 8 and
raw_data = 9.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from typing import NamedTuple

_GRAPH, _INITIALIZER, _TENSOR_NAME, _RAW_DATA = 7, 5, 8, 9
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
KEEP_BYTES = 1024
"""Initializers of at most this many bytes stay in the model: they may be shapes or axes."""


class WireError(Exception):
    """The file is not an ONNX model: what is wrong with its encoding."""


class Field(NamedTuple):
    """A field of a message: its number, wire type, and where it and its value lie."""

    number: int
    kind: int
    start: int
    value: int
    end: int


class Stripped(NamedTuple):
    """A model without large weights, and the (start, end) of each of them in the file, by name."""

    model: bytes
    spans: dict[str, tuple[int, int]]


Buffer = bytes | mmap.mmap


def strip_weights(data: Buffer) -> Stripped:
    """Return the model without the raw data of its large initializers.

    Raises `WireError` for what is not a protobuf message or ends early.
    """
    spans: dict[str, tuple[int, int]] = {}
    model = bytearray()
    for field in fields(data, 0, len(data)):
        if field.number == _GRAPH and field.kind == _BYTES:
            graph = _strip_graph(data, field, spans)
            model += _tag(_GRAPH) + _encode(len(graph)) + graph
        else:
            model += data[field.start : field.end]
    return Stripped(bytes(model), spans)


def fields(data: Buffer, start: int, end: int) -> Iterator[Field]:
    """Yield the fields of the message in `data[start:end]`."""
    at = start
    while at < end:
        first = at
        tag, at = _varint(data, at, end)
        number, kind = tag >> 3, tag & 7
        value = at
        if kind == _VARINT:
            _, at = _varint(data, at, end)
        elif kind == _FIXED64:
            at += 8
        elif kind == _FIXED32:
            at += 4
        elif kind == _BYTES:
            size, value = _varint(data, at, end)
            at = value + size
        else:
            raise WireError(f"unknown wire type {kind} at byte {first}")
        if at > end or number == 0:
            raise WireError(f"the file ends early, or is damaged, at byte {first}")
        yield Field(number, kind, first, value, at)


def _strip_graph(data: Buffer, graph: Field, spans: dict[str, tuple[int, int]]) -> bytes:
    out = bytearray()
    for field in fields(data, graph.value, graph.end):
        if field.number == _INITIALIZER and field.end - field.value > KEEP_BYTES:
            tensor = _strip_tensor(data, field, spans)
            out += _tag(_INITIALIZER) + _encode(len(tensor)) + tensor
        else:
            out += data[field.start : field.end]
    return bytes(out)


def _strip_tensor(data: Buffer, tensor: Field, spans: dict[str, tuple[int, int]]) -> bytes:
    out = bytearray()
    name, span = "", None
    for field in fields(data, tensor.value, tensor.end):
        if field.number == _RAW_DATA and field.end - field.value > KEEP_BYTES:
            span = (field.value, field.end)
            continue
        if field.number == _TENSOR_NAME:
            name = bytes(data[field.value : field.end]).decode("utf-8", "replace")
        out += data[field.start : field.end]
    if span is not None:
        spans[name] = span
    return bytes(out)


def _varint(data: Buffer, at: int, end: int) -> tuple[int, int]:
    value = shift = 0
    while at < end and shift < 64:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise WireError(f"the file ends early, or is damaged, at byte {at}")


def _tag(number: int) -> bytes:
    return _encode(number << 3 | _BYTES)


def _encode(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
