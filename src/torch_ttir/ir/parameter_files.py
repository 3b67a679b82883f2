"""Parameters as `.safetensors` files, written from the arrays' own memory and read by mapping it.

The format: 8 bytes with the little-endian length of a JSON header, the header (for each name dtype,
shape, and the span of its bytes), then the bytes without gaps. https://github.com/huggingface/safetensors
"""

from __future__ import annotations

import json
import mmap
import os
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np

from torch_ttir.ir.diagnostics import CompileError, Diagnostic, error

Array = np.ndarray[Any, Any]

DTYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype(np.float64),
    "F32": np.dtype(np.float32),
    "F16": np.dtype(np.float16),
    "BF16": np.dtype(ml_dtypes.bfloat16),
    "F8_E4M3": np.dtype(ml_dtypes.float8_e4m3fn),
    "F8_E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "I64": np.dtype(np.int64),
    "I32": np.dtype(np.int32),
    "I16": np.dtype(np.int16),
    "I8": np.dtype(np.int8),
    "U64": np.dtype(np.uint64),
    "U32": np.dtype(np.uint32),
    "U16": np.dtype(np.uint16),
    "U8": np.dtype(np.uint8),
    "BOOL": np.dtype(np.bool_),
}
"""The numpy dtype of each element type of the format."""

_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_LARGEST_HEADER = 100_000_000


def write_parameters(parameters: Mapping[str, Any], file: BinaryIO) -> None:
    """Write arrays or tensors to `file`; no contiguous one is copied.

    Raises `CompileError` that names every parameter which the format has no type for, or which has
    no data.
    """
    arrays: dict[str, Array] = {}
    faults = []
    for name, value in parameters.items():
        try:
            array = as_numpy(value)
        except ValueError as reason:
            faults.append(Diagnostic(f"parameter `{name}` cannot be written: {reason}"))
            continue
        if array.dtype not in _NAMES:
            message = f"parameter `{name}` cannot be written: `{array.dtype}` is not in the format"
            faults.append(Diagnostic(message))
            continue
        arrays[name] = array
    if faults:
        raise CompileError(faults)
    # The widest first, so that each starts at a multiple of its width.
    order = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))
    header: dict[str, Any] = {}
    end = 0
    for name in order:
        array = arrays[name]
        begin, end = end, end + array.nbytes
        span = {"dtype": _NAMES[array.dtype], "shape": array.shape, "data_offsets": [begin, end]}
        header[name] = span
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    for name in order:
        file.write(_bytes(arrays[name]).data)


def read_parameters(path: str | os.PathLike[str], *, private: bool = False) -> dict[str, Array]:
    """Return the arrays of a file, as read-only views of it; raises `CompileError` for a fault.

    `private` views can be written, which copies the pages that are: the file never changes.
    """
    name = os.fspath(path)
    try:
        with open(path, "rb") as file:
            access = mmap.ACCESS_COPY if private else mmap.ACCESS_READ
            data = memoryview(mmap.mmap(file.fileno(), 0, access=access))
    except ValueError:
        raise error("the file is empty", name) from None
    except OSError as reason:
        raise error(f"cannot read: {(reason.strerror or str(reason)).lower()}", name) from None
    try:
        return _decode(data)
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as reason:
        raise error(f"not a complete safetensors file: {reason}", name) from None


def as_numpy(value: Any) -> Array:
    """Return an array or a tensor as a numpy array that shares its memory.

    Raises `ValueError` for a tensor without data or with elements that numpy has no type for.
    """
    if isinstance(value, np.ndarray):
        return value
    import torch

    if value.device.type != "cpu":
        raise ValueError(f"its data is on device `{value.device}`")
    tensor = value.detach()
    dtype = str(tensor.dtype).removeprefix("torch.")
    narrow = {"bfloat16", "float8_e4m3fn", "float8_e5m2"}
    try:
        if dtype not in narrow:
            return np.asarray(tensor.resolve_conj().resolve_neg().numpy())
        same_width = torch.uint16 if dtype == "bfloat16" else torch.uint8
        return np.asarray(tensor.view(same_width).numpy()).view(getattr(ml_dtypes, dtype))
    except (TypeError, RuntimeError) as reason:
        raise ValueError(str(reason).splitlines()[0]) from None


def _bytes(array: Array) -> Array:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _decode(data: memoryview) -> dict[str, Array]:
    (length,) = struct.unpack_from("<Q", data)
    start = 8 + length
    if length > _LARGEST_HEADER or start > len(data):
        raise ValueError(f"its header has {length} bytes, and the file {len(data)}")
    arrays = {}
    for name, entry in json.loads(bytes(data[8:start])).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        if not 0 <= begin <= end <= len(data) - start:
            raise ValueError(f"the bytes of `{name}` are not in the file")
        if entry["dtype"] not in DTYPES:
            raise ValueError(f"`{name}` has the unknown element type {entry['dtype']}")
        flat = np.frombuffer(data[start + begin : start + end], dtype=DTYPES[entry["dtype"]])
        arrays[name] = flat.reshape(entry["shape"])
    return arrays
