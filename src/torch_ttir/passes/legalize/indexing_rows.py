"""Reading and writing slices at indices: what every indexing rule is made of.

`rows` of a tensor are its slices along one dimension, or along several adjacent dimensions taken
as one in row-major order. TTIR's gather and scatter want an index of the result's shape, so the
index is broadcast over the other dimensions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_known import is_non_negative, known_array
from torch_ttir.passes.legalize.lowering import Lowering


def wrap_index(low: Lowering, index: Tensor, size: int) -> Tensor:
    """Return `index` as i32 or i64, with negative values counted from the end of `size`."""
    dtype = index.dtype if index.dtype in ("i32", "i64") else "i64"
    known = known_array(index)
    if known is not None:
        if index.dtype == dtype and (known >= 0).all():
            return index
        known = known.astype(np.int64)
        return low.constant(np.where(known < 0, known + size, known), dtype)
    wrapped = low.cast(index, dtype)
    if is_non_negative(index):
        return wrapped
    negative = low.compare("lt", wrapped, low.full((), 0, dtype))
    return low.where(negative, low.add(wrapped, low.full((), size, dtype)), wrapped)


def gather_along(low: Lowering, x: Tensor, dim: int, index: Tensor) -> Tensor:
    """Make `ttir.gather`: the elements of `x` that `index`, of the same rank, names along `dim`."""
    index = index if index.dtype in ("i32", "i64") else low.cast(index, "i64")
    return low.op("gather", [x, index], index.shape, x.dtype, dim=dim)


def take_rows(low: Lowering, x: Tensor, axis: int, index: Tensor, end: int | None = None) -> Tensor:
    """Return the rows of `x` at `index`, an integer tensor of any rank without negative values.

    Rows are along the dimensions `axis` to `end` (exclusive; one dimension if None). The result
    has the index's shape in their place. Every element type is kept exactly.
    """
    end = axis + 1 if end is None else end
    shape = x.shape[:axis] + index.shape + x.shape[end:]
    if 0 in shape:
        return low.full(shape, 0, x.dtype)
    flat = _merge(low, x, axis, end)
    run = _as_run(known_array(index))
    if run is not None:
        return low.reshape(low.slice(flat, axis, *run), shape)
    taken = (*flat.shape[:axis], math.prod(index.shape), *flat.shape[axis + 1 :])
    spread = spread_index(low, index, axis, taken)
    return low.reshape(gather_along(low, flat, axis, spread), shape)


def put_rows(
    low: Lowering,
    x: Tensor,
    axis: int,
    index: Tensor,
    source: Tensor,
    reduce: str = "invalid",
    end: int | None = None,
) -> Tensor:
    """Return `x` with `source` written into, or reduced with, the rows at `index`.

    `source` has the shape that `take_rows` gives with the same arguments, and `x`'s dtype.
    `reduce` is TTIR's: invalid (overwrite), sum, prod, min, max.
    """
    end = axis + 1 if end is None else end
    if 0 in x.shape or 0 in source.shape:
        return x
    flat = _merge(low, x, axis, end)
    written = (*flat.shape[:axis], math.prod(index.shape), *flat.shape[axis + 1 :])
    spread = spread_index(low, index, axis, written)
    made = scatter(low, flat, axis, spread, low.reshape(source, written), reduce)
    return low.reshape(made, x.shape)


def scatter(
    low: Lowering, x: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str
) -> Tensor:
    """Make `ttir.scatter`; bools are reduced as integers, where sum is or, and prod is and."""
    if x.dtype == "i1" and reduce != "invalid":
        x, source = low.cast(x, "i32"), low.cast(source, "i32")
        return low.cast(scatter(low, x, dim, index, source, reduce), "i1")
    index = index if index.dtype in ("i32", "i64") else low.cast(index, "i64")
    return low.op(
        "scatter", [x, index, source], x.shape, x.dtype, dim=dim, scatter_reduce_type=reduce
    )


def _merge(low: Lowering, x: Tensor, axis: int, end: int) -> Tensor:
    """Return `x` with the dimensions from `axis` to `end` as one."""
    size = math.prod(x.shape[axis:end])
    return low.reshape(x, (*x.shape[:axis], size, *x.shape[end:]))


def spread_index(low: Lowering, index: Tensor, axis: int, shape: tuple[int, ...]) -> Tensor:
    """Return `index`, flattened, along `axis` of `shape`, the same over the other dimensions."""
    ones = [1] * len(shape)
    ones[axis] = shape[axis]
    return low.broadcast(low.reshape(index, ones), shape)


def _as_run(index: np.ndarray[Any, Any] | None) -> tuple[int, int, int] | None:
    """Return the (begin, end, step) that a known index amounts to, if it steps upwards evenly."""
    if index is None or index.size == 0:
        return None
    flat = index.reshape(-1).astype(np.int64)
    step = int(flat[1] - flat[0]) if flat.size > 1 else 1
    if step < 1 or flat[0] < 0 or (np.diff(flat) != step).any():
        return None
    return int(flat[0]), int(flat[-1]) + 1, step
