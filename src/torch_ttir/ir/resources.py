"""The bytes of `dense_resource` blobs, read from MLIR text and bytecode without a copy.

MLIR's bindings take a blob but give none back, so the resource section of a file is read here.
Source of the formats: MLIR's AsmPrinter (`{-# dialect_resources ... #-}`, hex with a 4-byte
little-endian alignment first) and docs/BytecodeFormat.md (sections 5 and 6).
"""

from __future__ import annotations

import mmap
import re
import struct
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from torch_mlir import ir

from torch_ttir.ir.constants import NUMPY_DTYPES, is_resource
from torch_ttir.ir.context import current

_ELIDED = ".elided"
BYTECODE_MAGIC = b"ML\xefR"

_ENTRY = re.compile(rb'\s*(?:"((?:[^"\\]|\\.)*)"|([\w.$-]+)):\s*"0x')
_RESOURCE_SECTION, _OFFSET_SECTION, _STRING_SECTION = 5, 6, 0
_BLOB = 0
BUFFER = "torch-ttir-bytecode-"
# CPython's on 64 bits; and LLVM's MemoryBuffer reads files that are smaller than four pages.
_ALIGNMENT_OF_BYTES = 16
_MAPPED = 4 * 4096


class ResourceError(Exception):
    """A resource section that cannot be read: truncated, or not in a known form."""


class HexBlob:
    """A blob as text holds it: hex digits, decoded when its bytes are asked for."""

    def __init__(self, digits: memoryview) -> None:
        """Keep `digits`, the hex after `0x` with the alignment's 8 digits first."""
        self.digits = digits

    def __len__(self) -> int:
        """Return the number of bytes."""
        return max(0, len(self.digits) // 2 - 4)

    def decode(self) -> bytes:
        """Return the bytes; raises `ResourceError` if the digits are not hex."""
        try:
            return bytes.fromhex(str(self.digits[8:], "ascii"))
        except ValueError as reason:
            raise ResourceError(f"a resource is not valid hex: {reason}") from None


Blob = memoryview | HexBlob


def read_resources(data: bytes | mmap.mmap) -> dict[str, Blob]:
    """Return the builtin blobs of an MLIR file by their keys; text or bytecode.

    Bytecode's blobs are views of `data`; text's are decoded on use. Raises `ResourceError` for a
    section that ends early.
    """
    if bytes(data[:4]) == BYTECODE_MAGIC:
        return _read_bytecode(memoryview(data))
    return _read_text(data)


def parse_bytecode(data: bytes | mmap.mmap, context: ir.Context) -> ir.Module:
    """Return the module of bytecode; raises `MLIRError`, whose locations may name `BUFFER` files.

    MLIR refuses blobs of a wider alignment than the memory that it is given has. A file that it
    maps has that of a page, and it maps what is large enough and does not end with a page: the
    header's name of the producer, which only error messages show, is filled up with spaces.
    """
    view = memoryview(data)
    reader = _Reader(view, len(BYTECODE_MAGIC))
    reader.varint()
    reader.text()
    end_of_name = reader.at - 1
    largest = max((alignment for _, _, alignment in _sections(reader)), default=1)
    if largest <= _ALIGNMENT_OF_BYTES:
        return ir.Module.parse(bytes(data), context)
    padding = -(-max(0, _MAPPED - len(view)) // largest) * largest
    if (len(view) + padding) % mmap.PAGESIZE == 0:
        padding += largest
    with tempfile.NamedTemporaryFile(prefix=BUFFER) as file:
        for piece in (view[:end_of_name], b" " * padding, view[end_of_name:]):
            file.write(piece)
        file.flush()
        return ir.Module.parseFile(file.name, context)


def as_array(blob: Any, type_: ir.RankedTensorType) -> np.ndarray[Any, Any]:
    """Return a blob as an array of `type_`'s shape and element type, without a copy where possible.

    Raises `ResourceError` if the number of bytes does not fit the type.
    """
    if isinstance(blob, np.ndarray):
        return blob
    data = blob.decode() if isinstance(blob, HexBlob) else blob
    dtype = NUMPY_DTYPES[str(type_.element_type)]
    shape = tuple(type_.shape)
    expected = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if len(data) != expected:
        raise ResourceError(f"a resource holds {len(data)} bytes where `{type_}` takes {expected}")
    return np.frombuffer(data, dtype=dtype).reshape(shape)


def detach(module: ir.Operation) -> None:
    """Put handles without bytes in the place of resources, so that printing costs nothing.

    MLIR serializes every blob that it meets, even where the text leaves it out: 17 s for 1 GiB. A
    handle prints as `dense_resource<name.elided>`, which our reader refuses: `attach` undoes it.
    """
    context = current()
    if context.resources:
        _swap(module, lambda attr: _stub(attr, context.cache))


def attach(module: ir.Operation) -> None:
    """Put the resources back that `detach` took out; printing then has their bytes again."""
    cache = current().cache
    if current().resources:
        _swap(module, lambda attr: cache.get(("resource", attr), attr))


def resource_key(attr: ir.Attribute) -> str:
    """Return the key of a `dense_resource` attribute, detached or not."""
    attr = attr.context.cache.get(("resource", attr), attr)
    text = str(attr)
    match = re.match(r'dense_resource<(?:"((?:[^"\\]|\\.)*)"|([^>]*))>', text)
    if match is None:
        raise ResourceError(f"`{text[:60]}` is not a resource")
    return _unescape((match[1] if match[1] is not None else match[2]).encode())


_ESCAPES = {b"n": b"\n", b"t": b"\t", b'"': b'"', b"\\": b"\\"}


def _unescape(text: bytes) -> str:
    r"""Undo MLIR's string escapes: two hex digits are one byte of UTF-8, as `\C3\A9`."""
    plain = re.sub(
        rb'\\([nt"\\]|[0-9A-Fa-f]{2})',
        lambda found: _ESCAPES.get(found[1]) or bytes.fromhex(found[1].decode()),
        text,
    )
    return plain.decode("utf-8", "replace")


def _escape(text: str) -> str:
    return re.sub(r'["\\]', lambda m: f"\\{ord(m[0]):02X}", text)


def _swap(module: ir.Operation, replace: Callable[[ir.Attribute], ir.Attribute]) -> None:
    def visit(op: ir.Operation) -> ir.WalkResult:
        attributes = op.attributes
        for name in attributes:
            attr = attributes[name]
            if is_resource(attr):
                attributes[name] = replace(attr)
        return ir.WalkResult.ADVANCE

    module.walk(visit)


def _stub(attr: ir.Attribute, cache: dict[Any, Any]) -> ir.Attribute:
    if ("resource", attr) in cache:
        return attr
    if ("stub", attr) not in cache:
        key = resource_key(attr) + _ELIDED
        while key in current().resources:
            key += _ELIDED
        stub = ir.Attribute.parse(f'dense_resource<"{_escape(key)}"> : {attr.type}')
        cache["stub", attr] = stub
        cache["resource", stub] = attr
    return cache["stub", attr]


def _read_text(data: bytes | mmap.mmap) -> dict[str, Blob]:
    at = data.rfind(b"{-#")
    found: dict[str, Blob] = {}
    view = memoryview(data)
    if at < 0:
        return found
    while (match := _ENTRY.search(data, at)) is not None:
        end = data.find(b'"', match.end())
        if end < 0:
            raise ResourceError("the resource section ends inside a blob")
        name = _unescape(match[1] if match[1] is not None else match[2])
        found[name] = HexBlob(view[match.end() : end])
        at = end + 1
    return found


class _Reader:
    """A cursor over bytecode."""

    def __init__(self, data: memoryview, at: int = 0) -> None:
        self.data, self.at = data, at

    def byte(self) -> int:
        if self.at >= len(self.data):
            raise ResourceError("the bytecode ends early")
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        """Read a prefix varint: trailing zeros of the first byte count its extra bytes."""
        first = self.byte()
        if first & 1:
            return first >> 1
        if first == 0:
            return int(struct.unpack("<Q", self.take(8))[0])
        extra = (first & -first).bit_length() - 1
        return int.from_bytes(bytes([first]) + self.take(extra), "little") >> (extra + 1)

    def take(self, count: int) -> memoryview:
        if self.at + count > len(self.data):
            raise ResourceError("the bytecode ends early")
        self.at += count
        return self.data[self.at - count : self.at]

    def align(self, alignment: int) -> None:
        self.at += -self.at % alignment

    def text(self) -> str:
        start = self.at
        while self.byte() != 0:
            pass
        return str(self.data[start : self.at - 1], "utf-8", "replace")


def _read_bytecode(data: memoryview) -> dict[str, Blob]:
    reader = _Reader(data, len(BYTECODE_MAGIC))
    reader.varint()
    reader.text()
    sections = {kind: span for kind, span, _ in _sections(reader)}
    if _OFFSET_SECTION not in sections:
        return {}
    strings = _strings(data, *sections[_STRING_SECTION])
    start, size = sections[_OFFSET_SECTION]
    offsets = _Reader(data[: start + size], start)
    # Blobs are aligned within the file, so the cursor runs over the whole of it.
    blobs = _Reader(data, sections[_RESOURCE_SECTION][0])
    found: dict[str, Blob] = {}
    external = offsets.varint()
    group = 0
    while offsets.at < start + size:
        offsets.varint()
        for _ in range(offsets.varint()):
            key, length, kind = offsets.varint(), offsets.varint(), offsets.byte()
            end = blobs.at + length
            if kind == _BLOB and group >= external:
                alignment, count = blobs.varint(), blobs.varint()
                blobs.align(alignment)
                found[strings[key]] = blobs.take(count)
            blobs.at = end
        group += 1
    return found


def _sections(reader: _Reader) -> Iterator[tuple[int, tuple[int, int], int]]:
    """Give the kind of each section, its start and size, and its alignment."""
    while reader.at < len(reader.data):
        head = reader.byte()
        length = reader.varint()
        alignment = reader.varint() if head & 0x80 else 1
        reader.align(alignment)
        yield head & 0x7F, (reader.at, length), alignment
        reader.take(length)


def _strings(data: memoryview, start: int, size: int) -> list[str]:
    reader = _Reader(data[: start + size], start)
    # The sizes are written last string first; the characters follow in order, each ended by NUL.
    sizes = [reader.varint() for _ in range(reader.varint())][::-1]
    return [str(reader.take(length)[:-1], "utf-8", "replace") for length in sizes]
