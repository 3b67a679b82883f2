"""Loading an ONNX model: its graph as a small proto, its weights as views of the file."""

from __future__ import annotations

import mmap
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import numpy_helper

from torch_ttir.importers.onnx.wire import KEEP_BYTES, WireError, strip_weights
from torch_ttir.ir.diagnostics import CompileError, error

Array = np.ndarray[Any, Any]


@dataclass
class Model:
    """A model whose large weights are beside it.

    `weights` maps names to arrays that share memory with the file; `proto` holds none of their
    bytes. `source` is what error messages call the model.
    """

    proto: onnx.ModelProto
    source: str
    weights: dict[str, Array] = field(default_factory=dict)


def load_model(source: str | os.PathLike[str] | onnx.ModelProto) -> Model:
    """Return the model of a file or a proto, with its weights memory-mapped and never copied.

    External data is found relative to the model's file. Raises `CompileError` for a file that is
    missing, is not ONNX, or ends early, and for external data that is not there.
    """
    if isinstance(source, onnx.ModelProto):
        return _take_weights(source, "<model>", None, {})
    path = Path(source)
    try:
        with path.open("rb") as file:
            # Private: a program's parameters may be written, and the file must not change.
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    except ValueError:
        raise error("the file is empty", str(path)) from None
    except OSError as reason:
        raise error(f"cannot read the model: {reason.strerror or reason}", str(path)) from None
    try:
        stripped = strip_weights(data)
        proto = onnx.ModelProto.FromString(stripped.model)
    except (WireError, DecodeError) as reason:
        raise error(f"not an ONNX model: {reason}", str(path)) from None
    if not proto.graph.node and not proto.graph.output:
        raise error("not an ONNX model: it has no graph", str(path))
    spans = {name: memoryview(data)[start:end] for name, (start, end) in stripped.spans.items()}
    return _take_weights(proto, str(path), path.parent, spans)


def _take_weights(
    proto: onnx.ModelProto, source: str, folder: Path | None, raw: dict[str, memoryview]
) -> Model:
    """Move the large initializers of the main graph out of a copy of the proto."""
    graph = proto.graph
    small: list[onnx.TensorProto] = []
    weights: dict[str, Array] = {}
    faults: list[str] = []
    for tensor in graph.initializer:
        try:
            array = _array(tensor, folder, raw.get(tensor.name))
        except (OSError, ValueError, TypeError) as reason:
            faults.append(f"initializer `{tensor.name}`: {reason}")
            continue
        if array.nbytes > KEEP_BYTES:
            weights[tensor.name] = array
        else:
            small.append(
                numpy_helper.from_array(array, tensor.name) if _is_external(tensor) else tensor
            )
    if faults:
        raise CompileError([d for f in faults for d in error(f, source).diagnostics])
    light = onnx.ModelProto()
    for descriptor, value in proto.ListFields():
        if descriptor.name != "graph":
            target = getattr(light, descriptor.name)
            if descriptor.is_repeated:
                target.extend(value)
            elif descriptor.message_type:
                target.CopyFrom(value)
            else:
                setattr(light, descriptor.name, value)
    for descriptor, value in graph.ListFields():
        if descriptor.name == "initializer":
            light.graph.initializer.extend(small)
        elif descriptor.is_repeated:
            getattr(light.graph, descriptor.name).extend(value)
        else:
            setattr(light.graph, descriptor.name, value)
    known = {value.name for value in light.graph.input}
    for tensor in graph.initializer:
        if tensor.name in weights and tensor.name not in known:
            light.graph.input.append(
                onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            )
    return Model(light, source, weights)


def _is_external(tensor: onnx.TensorProto) -> bool:
    return bool(tensor.data_location == onnx.TensorProto.EXTERNAL)


def _array(tensor: onnx.TensorProto, folder: Path | None, raw: memoryview | None) -> Array:
    """Return a tensor's values, as a view of where they lie wherever that is possible."""
    if _is_external(tensor):
        return _external(tensor, folder)
    data = raw if raw is not None else tensor.raw_data
    if not data:
        return np.asarray(numpy_helper.to_array(tensor))
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    shape = tuple(tensor.dims)
    if _packed(tensor.data_type):
        return np.asarray(numpy_helper.to_array(tensor))
    if len(data) != int(np.prod(shape, dtype=np.int64)) * dtype.itemsize:
        raise ValueError(f"holds {len(data)} bytes, which does not fit its shape {list(shape)}")
    return np.frombuffer(data, dtype=dtype).reshape(shape)


def _external(tensor: onnx.TensorProto, folder: Path | None) -> Array:
    entries = {entry.key: entry.value for entry in tensor.external_data}
    if folder is None:
        raise ValueError("has external data, but the model has no folder; load it from its file")
    path = folder / entries.get("location", "")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"external data `{entries.get('location')}` is outside the model's folder")
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    shape = tuple(tensor.dims)
    offset = int(entries.get("offset", 0))
    expected = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if not path.is_file():
        raise ValueError(f"external data file `{path}` is missing")
    if path.stat().st_size < offset + expected:
        raise ValueError(
            f"external data file `{path}` has {path.stat().st_size} bytes, "
            f"but {offset + expected} are needed"
        )
    if expected == 0:
        return np.zeros(shape, dtype)
    return np.memmap(path, dtype=dtype, mode="c", offset=offset, shape=shape)


def _packed(data_type: int) -> bool:
    """Say whether several values share a byte."""
    names = ("UINT4", "INT4", "FLOAT4E2M1", "UINT2", "INT2")
    return any(data_type == getattr(onnx.TensorProto, name, None) for name in names)
