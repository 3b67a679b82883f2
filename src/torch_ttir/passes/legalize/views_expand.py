"""Rules for ops that repeat elements: expand, broadcast_to, repeat, tile, repeat_interleave."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.indexing_rows import take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.expand", "aten.expand_copy", "aten.expand_as", "aten.broadcast_to")
def expand(low: Lowering, x: Tensor, *sizes: Any) -> Tensor:
    """expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)."""
    return low.broadcast(x, low.result.shape)


@RULES.lowers("aten.broadcast_tensors")
def broadcast_tensors(low: Lowering, xs: list[Tensor]) -> list[Tensor]:
    """broadcast_tensors(Tensor[] tensors) -> Tensor[]."""
    shape = np.broadcast_shapes(*(x.shape for x in xs))
    return [low.broadcast(x, shape) for x in xs]


@RULES.lowers("prims.broadcast_in_dim")
def broadcast_in_dim(low: Lowering, x: Tensor, shape: Sequence[int], dims: Sequence[int]) -> Tensor:
    """broadcast_in_dim(Tensor a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor."""
    placed = [1] * len(shape)
    for size, dim in zip(x.shape, dims, strict=True):
        placed[dim] = size
    return low.broadcast(low.reshape(x, placed), low.result.shape)


@RULES.lowers("aten.repeat", "aten.tile")
def repeat(low: Lowering, x: Tensor, repeats: Sequence[int]) -> Tensor:
    """repeat(Tensor self, SymInt[] repeats) -> Tensor; tile's may be shorter than the rank."""
    factors = [1] * (x.rank - len(repeats)) + list(repeats)
    x = low.reshape(x, (1,) * (len(factors) - x.rank) + x.shape)
    if all(factor == 1 for factor in factors):
        return x
    return low.op("repeat", [x], low.result.shape, x.dtype, repeat_dimensions=factors)


@RULES.lowers("aten.repeat_interleave.self_int")
def repeat_interleave(
    low: Lowering, x: Tensor, repeats: int, dim: int | None, output_size: int | None
) -> Tensor:
    """repeat_interleave.self_int(self, SymInt repeats, int? dim=None, *, SymInt? output_size)."""
    x = low.reshape(x, (math.prod(x.shape),)) if dim is None or not x.rank else x
    axis = low.dim(dim or 0, x.rank)
    if repeats == 1:
        return x
    shape = low.result.shape
    return low.op("repeat_interleave", [x], shape, x.dtype, repeats=repeats, dim=axis)


@RULES.lowers("aten.repeat_interleave.self_Tensor")
def repeat_interleave_tensor(
    low: Lowering, x: Tensor, repeats: Tensor, dim: int | None, output_size: int | None
) -> Tensor:
    """repeat_interleave.self_Tensor(self, repeats, int? dim=None, *, output_size) -> Tensor."""
    x = low.reshape(x, (math.prod(x.shape),)) if dim is None or not x.rank else x
    axis = low.dim(dim or 0, x.rank)
    counts = low.broadcast(repeats, (x.shape[axis],))
    return take_rows(low, x, axis, _positions(low, counts, low.result.shape[axis], "i64"))


@RULES.lowers("aten.repeat_interleave.Tensor")
def repeat_positions(low: Lowering, repeats: Tensor, output_size: int | None) -> Tensor:
    """repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor."""
    return _positions(low, repeats, low.result.shape[0], low.result.dtype)


def _positions(low: Lowering, repeats: Tensor, count: int, dtype: str) -> Tensor:
    """Return which of the `repeats` each of the `count` copies belongs to."""
    known = known_array(repeats)
    if known is not None:
        return low.constant(np.repeat(np.arange(known.size), known.astype(np.int64)), dtype)
    ends = low.op("cumsum", [low.cast(repeats, "i64")], repeats.shape, "i64", dim=0)
    copies = low.arange((count, 1), 0, "i64")
    passed = low.cast(low.compare("le", low.reshape(ends, (1, *ends.shape)), copies), dtype)
    return low.reduce("sum", passed, [1], keep=False)
