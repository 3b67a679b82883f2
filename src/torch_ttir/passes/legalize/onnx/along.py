"""What several ONNX rules compute: products with a matrix along an axis, saturating casts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from torch_ttir.ir.constants import NUMPY_DTYPES
from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering


def apply_matrix(low: Lowering, x: Tensor, dim: int, matrix: np.ndarray[Any, Any]) -> Tensor:
    """Return x with each line along `dim` multiplied by the constant `matrix` [made, size]."""
    order = [axis for axis in range(x.rank) if axis != dim] + [dim]
    last = low.permute(x, order)
    rows = low.reshape(last, (math.prod(last.shape[:-1]), x.shape[dim]))
    made = low.matmul(rows, low.constant(matrix.T.copy(), x.dtype))
    back = low.reshape(made, (*last.shape[:-1], matrix.shape[0]))
    return low.permute(back, [order.index(axis) for axis in range(x.rank)])


def limits(dtype: str) -> tuple[int, int]:
    """Return the least and the largest value of an integer type."""
    info = np.iinfo(NUMPY_DTYPES[dtype])
    return int(info.min), int(info.max)


def saturate(low: Lowering, x: Tensor, dtype: str) -> Tensor:
    """Return x, of whole numbers, in an integer type, cut off at its ends; or in a float type."""
    if is_float(dtype):
        return low.cast(x, dtype)
    least, most = limits(dtype)
    low.expect(most < 2**31, f"saturation to {dtype}")
    bounded = low.maximum(x, low.full((), least, x.dtype))
    return low.cast(low.minimum(bounded, low.full((), most, x.dtype)), dtype)
