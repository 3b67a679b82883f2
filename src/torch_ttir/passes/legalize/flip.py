"""Rules for ops that turn a tensor around: flip, roll, rot90."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.views_permute import swap

RULES = RuleTable()


@RULES.lowers("aten.flip", "prims.rev")
def flip(low: Lowering, x: Tensor, dims: Sequence[int]) -> Tensor:
    """flip(Tensor self, int[] dims) -> Tensor."""
    return reverse(low, x, [low.dim(dim, x.rank) for dim in dims])


@RULES.lowers("aten.fliplr")
def fliplr(low: Lowering, x: Tensor) -> Tensor:
    """fliplr(Tensor self) -> Tensor."""
    return reverse(low, x, [1])


@RULES.lowers("aten.flipud")
def flipud(low: Lowering, x: Tensor) -> Tensor:
    """flipud(Tensor self) -> Tensor."""
    return reverse(low, x, [0])


@RULES.lowers("aten.roll")
def roll(low: Lowering, x: Tensor, shifts: Sequence[int], dims: Sequence[int]) -> Tensor:
    """roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor; no dims: the flat one."""
    if not dims:
        flat = low.reshape(x, (math.prod(x.shape),))
        return low.reshape(_roll(low, flat, 0, sum(shifts)), x.shape)
    for shift, dim in zip(shifts, dims, strict=True):
        x = _roll(low, x, low.dim(dim, x.rank), shift)
    return x


@RULES.lowers("aten.rot90")
def rot90(low: Lowering, x: Tensor, k: int, dims: Sequence[int]) -> Tensor:
    """rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor."""
    first, second = (low.dim(dim, x.rank) for dim in dims)
    turns = k % 4
    if turns == 2:
        return reverse(low, x, [first, second])
    if turns == 0:
        return x
    return reverse(low, swap(low, x, first, second), [first if turns == 1 else second])


def reverse(low: Lowering, x: Tensor, axes: Sequence[int]) -> Tensor:
    """Return `x` flipped along distinct non-negative `axes`."""
    axes = sorted(axis for axis in axes if axis < x.rank and x.shape[axis] > 1)
    return low.op("reverse", [x], x.shape, x.dtype, dimensions=axes) if axes else x


def _roll(low: Lowering, x: Tensor, axis: int, shift: int) -> Tensor:
    size = x.shape[axis] if x.rank else 1
    cut = -shift % size
    if cut == 0:
        return x
    parts = [low.slice(x, axis, cut, size), low.slice(x, axis, 0, cut)]
    return low.concat(parts, axis)
