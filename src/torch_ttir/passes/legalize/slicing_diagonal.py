"""Rules for diagonals and triangles: diagonal, diag, diag_embed, trace, tril, triu."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.diagonal", "aten.diagonal_copy", "aten.linalg_diagonal")
def diagonal(low: Lowering, x: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    """diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)."""
    axes = (low.dim(dim1, x.rank), low.dim(dim2, x.rank))
    rest = [axis for axis in range(x.rank) if axis not in axes]
    return _last_diagonal(low, low.permute(x, [*rest, *axes]), offset)


@RULES.lowers("aten.diag")
def diag(low: Lowering, x: Tensor, diagonal: int) -> Tensor:
    """diag(Tensor self, int diagonal=0) -> Tensor."""
    return _last_diagonal(low, x, diagonal) if x.rank == 2 else _embed(low, x, diagonal)


@RULES.lowers("aten.diagflat")
def diagflat(low: Lowering, x: Tensor, offset: int) -> Tensor:
    """diagflat(Tensor self, int offset=0) -> Tensor."""
    return _embed(low, low.reshape(x, (math.prod(x.shape),)), offset)


@RULES.lowers("aten.diag_embed")
def diag_embed(low: Lowering, x: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    """diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor."""
    made = _embed(low, x, offset)
    axes = (low.dim(dim1, made.rank), low.dim(dim2, made.rank))
    return _matrices_at(low, made, axes)


@RULES.lowers("aten.diagonal_scatter")
def diagonal_scatter(
    low: Lowering, x: Tensor, src: Tensor, offset: int, dim1: int, dim2: int
) -> Tensor:
    """diagonal_scatter(self, src, int offset=0, int dim1=0, int dim2=1) -> Tensor."""
    axes = (low.dim(dim1, x.rank), low.dim(dim2, x.rank))
    if 0 in src.shape:
        return x
    rows, cols = (x.shape[axis] for axis in axes)
    source = _matrices_at(low, _place(low, low.cast(src, x.dtype), offset, rows, cols), axes)
    shape = [size if axis in axes else 1 for axis, size in enumerate(x.shape)]
    on = _band(low, "eq", rows, cols, offset)
    if axes[0] > axes[1]:
        on = low.permute(on, (1, 0))
    return low.where(low.reshape(on, shape), source, x)


@RULES.lowers("aten.diagonal_backward")
def diagonal_backward(
    low: Lowering, grad: Tensor, sizes: Sequence[int], offset: int, dim1: int, dim2: int
) -> Tensor:
    """diagonal_backward(grad, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor."""
    return diagonal_scatter(low, low.full(sizes, 0, grad.dtype), grad, offset, dim1, dim2)


@RULES.lowers("aten.trace")
def trace(low: Lowering, x: Tensor) -> Tensor:
    """trace(Tensor self) -> Tensor; integers are added up as i64."""
    dtype = low.result.dtype
    if 0 in x.shape:
        return low.full((), 0, dtype)
    return low.reduce("sum", low.cast(_last_diagonal(low, x, 0), dtype), [0], keep=False)


@RULES.lowers("aten.tril")
def tril(low: Lowering, x: Tensor, diagonal: int) -> Tensor:
    """tril(Tensor self, int diagonal=0) -> Tensor."""
    return low.where(_band(low, "le", x.shape[-2], x.shape[-1], diagonal), x, 0)


@RULES.lowers("aten.triu")
def triu(low: Lowering, x: Tensor, diagonal: int) -> Tensor:
    """triu(Tensor self, int diagonal=0) -> Tensor."""
    return low.where(_band(low, "ge", x.shape[-2], x.shape[-1], diagonal), x, 0)


@RULES.lowers("aten.tril_indices")
def tril_indices(low: Lowering, row: int, col: int, offset: int, *options: Any) -> Tensor:
    """tril_indices(int row, int col, int offset=0, *, ...) -> Tensor."""
    return low.constant(np.stack(np.tril_indices(row, offset, col)), low.result.dtype)


@RULES.lowers("aten.triu_indices")
def triu_indices(low: Lowering, row: int, col: int, offset: int, *options: Any) -> Tensor:
    """triu_indices(int row, int col, int offset=0, *, ...) -> Tensor."""
    return low.constant(np.stack(np.triu_indices(row, offset, col)), low.result.dtype)


def _last_diagonal(low: Lowering, x: Tensor, offset: int) -> Tensor:
    """Return the diagonal of the last two dimensions: their flattening, `columns + 1` apart."""
    rows, cols = x.shape[-2:]
    count = max(0, min(rows + min(offset, 0), cols - max(offset, 0)))
    if count == 0:
        return low.full((*x.shape[:-2], 0), 0, x.dtype)
    begin = max(offset, 0) - min(offset, 0) * cols
    flat = low.reshape(x, (*x.shape[:-2], rows * cols))
    return low.slice(flat, x.rank - 2, begin, begin + (count - 1) * (cols + 1) + 1, cols + 1)


def _embed(low: Lowering, x: Tensor, offset: int) -> Tensor:
    """Return square matrices in the last two dimensions, zero but for `x` on a diagonal."""
    size = x.shape[-1] + abs(offset)
    if 0 in x.shape:
        return low.full((*x.shape[:-1], size, size), 0, x.dtype)
    placed = _place(low, x, offset, size, size)
    return low.where(_band(low, "eq", size, size, offset), placed, 0)


def _place(low: Lowering, x: Tensor, offset: int, rows: int, cols: int) -> Tensor:
    """Return [..., rows, cols] that has `x` on the diagonal, and copies of it elsewhere."""
    before = max(offset, 0)
    after = cols - before - x.shape[-1]
    wide = low.pad(x, [(0, 0)] * (x.rank - 1) + [(before, after)])
    return low.broadcast(low.reshape(wide, (*x.shape[:-1], 1, cols)), (*x.shape[:-1], rows, cols))


def _band(low: Lowering, compare: str, rows: int, cols: int, offset: int) -> Tensor:
    """Return `column - row` compared with `offset`, as i1 of [rows, cols]."""
    row = low.arange((rows, 1), 0, "i32", offset)
    return low.compare(compare, low.arange((1, cols), 1, "i32"), row)


def _matrices_at(low: Lowering, x: Tensor, axes: tuple[int, int]) -> Tensor:
    """Return `x` with the last two dimensions, rows and columns, moved to the places `axes`."""
    rest = iter(range(x.rank - 2))
    last = {axes[0]: x.rank - 2, axes[1]: x.rank - 1}
    return low.permute(x, [last[axis] if axis in last else next(rest) for axis in range(x.rank)])
