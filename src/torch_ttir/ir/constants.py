"""Dense constants: between numpy arrays and MLIR's elements attributes, for every element type."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
from torch_mlir import ir

NUMPY_DTYPES: dict[str, np.dtype[Any]] = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f8E4M3FN": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8E5M2": np.dtype(ml_dtypes.float8_e5m2),
    "f8E4M3FNUZ": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "f8E5M2FNUZ": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "i1": np.dtype(np.bool_),
    **{f"{sign}{bits}": np.dtype(f"int{bits}") for sign in ("i", "si") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
}
"""The numpy dtype of each MLIR element type that has one."""


def is_resource(attr: ir.Attribute) -> bool:
    """Say whether an attribute is `dense_resource<...>`; the bindings have no class for it."""
    return type(attr) in (ir.Attribute, ir.DenseResourceElementsAttr) and str(attr).startswith(
        "dense_resource<"
    )


def elements_attribute(array: np.ndarray[Any, Any], type_: ir.RankedTensorType) -> ir.Attribute:
    """Return `array`, converted to the element type of `type_`, as a dense attribute."""
    dtype = NUMPY_DTYPES[str(type_.element_type)]
    data = np.ascontiguousarray(array, dtype=dtype).reshape(array.shape)
    if dtype.kind == "V" or dtype.type.__module__.startswith("ml_dtypes"):
        data = data.view(f"uint{8 * dtype.itemsize}")
    return ir.DenseElementsAttr.get(data, type=type_)


def read_elements(attr: ir.Attribute) -> np.ndarray[Any, Any]:
    """Return the values of a dense attribute, of its shape and element type.

    Raises `TypeError` for an attribute that holds no values (a resource's bytes are not in the IR).
    """
    if not isinstance(attr, ir.DenseElementsAttr):
        raise TypeError(f"{type(attr).__name__} holds no values")
    type_ = ir.RankedTensorType(attr.type)
    dtype = NUMPY_DTYPES[str(type_.element_type)]
    shape = tuple(type_.shape)
    if dtype.type.__module__.startswith("ml_dtypes"):
        values = _read_narrow_floats(str(attr), dtype)
        if values.size == 1:
            return np.broadcast_to(values.reshape(()), shape)
        return values.reshape(shape)
    return np.array(attr, dtype=dtype).reshape(shape)


_NUMBER = re.compile(r"0x[0-9A-Fa-f]+|[-+]?\d+\.\d+(?:[eE][-+]?\d+)?")


def _read_narrow_floats(text: str, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return the values of a printed attribute, whose bytes the bindings give no way to read.

    One value stands for a splat. Many values are printed as the hex digits of their bytes.
    """
    body = text[text.index("<") + 1 : text.rindex(" : ")]
    if body.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(body[3 : body.rindex('"')]), dtype=dtype)
    numbers = _NUMBER.findall(body)
    values = [_read_number(number, dtype) for number in numbers]
    return np.array(values, dtype=dtype).reshape(len(values))


def _read_number(text: str, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Read a decimal number, or the hex digits of the bits of what has none, as NaN."""
    if text.startswith("0x"):
        return np.array(int(text, 16), f"uint{8 * dtype.itemsize}").view(dtype)
    return np.array(float(text), dtype)
