"""Rules for ops that replace a part of a tensor: select_scatter, slice_scatter, and the like."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.slicing import index_in, slice_bounds

RULES = RuleTable()


@RULES.lowers("aten.select_scatter")
def select_scatter(low: Lowering, x: Tensor, src: Tensor, dim: int, index: int) -> Tensor:
    """select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor."""
    axis = low.dim(dim, x.rank)
    begin = index_in(low, index, x.shape[axis])
    row = low.reshape(low.cast(src, x.dtype), (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
    return replace_slice(low, x, row, axis, begin, begin + 1, 1)


@RULES.lowers("aten.slice_scatter")
def slice_scatter(
    low: Lowering, x: Tensor, src: Tensor, dim: int, start: int | None, end: int | None, step: int
) -> Tensor:
    """slice_scatter(self, src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1)."""
    axis = low.dim(dim, x.rank)
    begin, stop = slice_bounds(x.shape[axis], start, end)
    return replace_slice(low, x, low.cast(src, x.dtype), axis, begin, stop, step)


@RULES.lowers("aten.select_backward")
def select_backward(
    low: Lowering, grad: Tensor, sizes: Sequence[int], dim: int, index: int
) -> Tensor:
    """select_backward(Tensor grad, SymInt[] input_sizes, int dim, SymInt index) -> Tensor."""
    return select_scatter(low, low.full(sizes, 0, grad.dtype), grad, dim, index)


@RULES.lowers("aten.slice_backward")
def slice_backward(
    low: Lowering, grad: Tensor, sizes: Sequence[int], dim: int, start: int, end: int, step: int
) -> Tensor:
    """slice_backward(grad, SymInt[] input_sizes, int dim, start, end, step) -> Tensor."""
    return slice_scatter(low, low.full(sizes, 0, grad.dtype), grad, dim, start, end, step)


def replace_slice(
    low: Lowering, x: Tensor, source: Tensor, axis: int, begin: int, end: int, step: int
) -> Tensor:
    """Return `x` with `x[begin:end:step]` along `axis` replaced; bounds are in [0, size]."""
    rows = max(0, -(-(end - begin) // step))
    source = low.broadcast(source, (*x.shape[:axis], rows, *x.shape[axis + 1 :]))
    if step > 1 and rows > 1:
        index = low.arange((rows,), 0, "i32", begin, step)
        return put_rows(low, x, axis, index, source)
    if rows == 0:
        return x
    before = low.slice(x, axis, 0, begin)
    after = low.slice(x, axis, begin + rows, x.shape[axis])
    return low.concat([part for part in (before, source, after) if 0 not in part.shape], axis)
