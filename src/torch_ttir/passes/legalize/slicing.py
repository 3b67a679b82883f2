"""Rules for ops that read a part of a tensor: select, slice, narrow."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.indexing_rows import take_rows, wrap_index
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.select.int", "aten.select_copy.int")
def select(low: Lowering, x: Tensor, dim: int, index: int) -> Tensor:
    """select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)."""
    axis = low.dim(dim, x.rank)
    return select_at(low, x, axis, index_in(low, index, x.shape[axis]))


@RULES.lowers("aten.slice.Tensor", "aten.slice_copy.Tensor")
def slice_tensor(
    low: Lowering, x: Tensor, dim: int, start: int | None, end: int | None, step: int
) -> Tensor:
    """slice.Tensor(self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1)."""
    axis = low.dim(dim, x.rank)
    begin, stop = slice_bounds(x.shape[axis], start, end)
    return low.slice(x, axis, begin, stop, step)


@RULES.lowers("aten.narrow", "aten.narrow_copy")
def narrow(low: Lowering, x: Tensor, dim: int, start: int, length: int) -> Tensor:
    """narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)."""
    axis = low.dim(dim, x.rank)
    begin = start + x.shape[axis] if start < 0 else start
    return low.slice(x, axis, begin, begin + length)


@RULES.lowers("aten.narrow.Tensor")
def narrow_tensor(low: Lowering, x: Tensor, dim: int, start: Tensor, length: int) -> Tensor:
    """narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)."""
    axis = low.dim(dim, x.rank)
    known = known_array(start)
    if known is not None:
        return narrow(low, x, axis, int(known.item()), length)
    begin = wrap_index(low, start, x.shape[axis])
    index = low.add(low.arange((length,), 0, begin.dtype), begin)
    return take_rows(low, x, axis, index)


def slice_bounds(size: int, start: int | None, end: int | None) -> tuple[int, int]:
    """Return a slice's bounds in [0, size], begin first, by Python's and PyTorch's clamping."""
    begin = min(max(_wrapped(0 if start is None else start, size), 0), size)
    return begin, min(max(_wrapped(size if end is None else end, size), begin), size)


def index_in(low: Lowering, index: int, size: int) -> int:
    """Return `index` counted from the front; rejects one out of range."""
    low.expect(-size <= index < size, f"index {index} is out of range for size {size}")
    return index % size


def select_at(low: Lowering, x: Tensor, axis: int, index: int) -> Tensor:
    """Return slice `index` of `x` along `axis`, without that dimension."""
    row = low.slice(x, axis, index, index + 1)
    return low.reshape(row, x.shape[:axis] + x.shape[axis + 1 :])


def _wrapped(index: int, size: int) -> int:
    return index + size if index < 0 else index
