"""Rules for ops that write rows along one dimension: index_add, index_copy, index_fill, put."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows, spread_index, wrap_index
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.scatter import reduce_into, reduction

RULES = RuleTable()


@RULES.lowers("aten.index_add", run_time_scalars=True)
def index_add(
    low: Lowering, x: Tensor, dim: int, index: Tensor, source: Tensor, alpha: Tensor | float
) -> Tensor:
    """index_add(self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor."""
    source = low.cast(source, x.dtype)
    if alpha != 1:
        times = "logical_and" if x.dtype == "i1" else "multiply"
        source = low.binary(times, source, low.scalar(alpha, x.dtype))
    return _put(low, x, dim, index, source, "sum")


@RULES.lowers("aten.index_copy")
def index_copy(low: Lowering, x: Tensor, dim: int, index: Tensor, source: Tensor) -> Tensor:
    """index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor."""
    return _put(low, x, dim, index, source, "invalid")


@RULES.lowers("aten.index_fill.int_Scalar", "aten.index_fill.int_Tensor", run_time_scalars=True)
def index_fill(low: Lowering, x: Tensor, dim: int, index: Tensor, value: Tensor | float) -> Tensor:
    """index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor."""
    size = x.shape[low.dim(dim, x.rank)] if x.rank else 1
    return _put(low, x, dim, wrap_index(low, index, size), low.scalar(value, x.dtype), "invalid")


@RULES.lowers("aten.index_reduce")
def index_reduce(
    low: Lowering,
    x: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    include_self: bool,
) -> Tensor:
    """index_reduce(self, dim, index, source, str reduce, *, bool include_self=True) -> Tensor."""
    axis, flat, places, rows = _rows(low, x, dim, index, source)
    if 0 in rows.shape:
        return x
    spread = spread_index(low, places, axis, rows.shape)
    made = reduce_into(low, flat, axis, spread, rows, reduction(low, reduce), include_self)
    return low.reshape(made, x.shape)


@RULES.lowers("aten.index_select_backward")
def index_select_backward(
    low: Lowering, grad: Tensor, sizes: Sequence[int], dim: int, index: Tensor
) -> Tensor:
    """index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor."""
    return _put(low, low.full(sizes, 0, grad.dtype), dim, index, grad, "sum")


@RULES.lowers("aten.put")
def put(low: Lowering, x: Tensor, index: Tensor, source: Tensor, accumulate: bool) -> Tensor:
    """put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor."""
    count = math.prod(x.shape)
    flat = low.reshape(x, (count,))
    rows = low.reshape(low.cast(source, x.dtype), index.shape)
    reduce = "sum" if accumulate else "invalid"
    made = put_rows(low, flat, 0, wrap_index(low, index, count), rows, reduce)
    return low.reshape(made, x.shape)


def _put(low: Lowering, x: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str) -> Tensor:
    axis, flat, places, rows = _rows(low, x, dim, index, source)
    return low.reshape(put_rows(low, flat, axis, places, rows, reduce), x.shape)


def _rows(
    low: Lowering, x: Tensor, dim: int, index: Tensor, source: Tensor
) -> tuple[int, Tensor, Tensor, Tensor]:
    """Return the dimension, and `x`, a 1-d index and the rows to write, none of them 0-d."""
    axis = low.dim(dim, x.rank)
    flat, places = (low.reshape(value, value.shape or (1,)) for value in (x, index))
    shape = (*flat.shape[:axis], *places.shape, *flat.shape[axis + 1 :])
    source = low.cast(source, x.dtype)
    if source.rank and math.prod(source.shape) == math.prod(shape):
        return axis, flat, places, low.reshape(source, shape)
    return axis, flat, places, low.broadcast(source, shape)
