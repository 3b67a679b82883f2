"""Rules for ops that join tensors: cat, stack and their kin, block_diag, meshgrid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.views_permute import swap

RULES = RuleTable()


@RULES.lowers("aten.cat", "aten.concat", "aten.concatenate", "prims.cat")
def cat(low: Lowering, xs: list[Tensor], dim: int) -> Tensor:
    """cat(Tensor[] tensors, int dim=0) -> Tensor; tensors of shape [0] count for nothing."""
    return join(low, xs, low.dim(dim, len(low.result.shape)))


@RULES.lowers("aten.stack", "aten._stack")
def stack(low: Lowering, xs: list[Tensor], dim: int) -> Tensor:
    """stack(Tensor[] tensors, int dim=0) -> Tensor."""
    axis = low.dim(dim, len(low.result.shape))
    one = (*low.result.shape[:axis], 1, *low.result.shape[axis + 1 :])
    return join(low, [low.reshape(x, one) for x in xs], axis)


@RULES.lowers("aten.pad_sequence")
def pad_sequence(
    low: Lowering,
    xs: list[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """pad_sequence(Tensor[] sequences, bool batch_first, float padding_value, str padding_side)."""
    axis = 0 if batch_first else 1
    length = low.result.shape[1 - axis]
    rows = []
    for x in xs:
        padding = low.full((length - x.shape[0], *x.shape[1:]), padding_value, x.dtype)
        rows.append(low.concat([x, padding] if padding_side == "right" else [padding, x], 0))
    return stack(low, rows, axis)


@RULES.lowers("aten.hstack")
def hstack(low: Lowering, xs: list[Tensor]) -> Tensor:
    """hstack(Tensor[] tensors) -> Tensor."""
    xs = [low.reshape(x, x.shape or (1,)) for x in xs]
    return join(low, xs, 0 if xs[0].rank == 1 else 1)


@RULES.lowers("aten.vstack", "aten.row_stack")
def vstack(low: Lowering, xs: list[Tensor]) -> Tensor:
    """vstack(Tensor[] tensors) -> Tensor."""
    return join(low, [low.reshape(x, atleast_shape(x.shape, 2)) for x in xs], 0)


@RULES.lowers("aten.dstack")
def dstack(low: Lowering, xs: list[Tensor]) -> Tensor:
    """dstack(Tensor[] tensors) -> Tensor."""
    return join(low, [low.reshape(x, atleast_shape(x.shape, 3)) for x in xs], 2)


@RULES.lowers("aten.column_stack")
def column_stack(low: Lowering, xs: list[Tensor]) -> Tensor:
    """column_stack(Tensor[] tensors) -> Tensor; 0-d and 1-d tensors become columns."""
    columns = [low.reshape(x, (math.prod(x.shape), 1)) if x.rank <= 1 else x for x in xs]
    return join(low, columns, 1)


@RULES.lowers("aten.block_diag")
def block_diag(low: Lowering, xs: list[Tensor]) -> Tensor:
    """block_diag(Tensor[] tensors) -> Tensor."""
    width = low.result.shape[1]
    rows, before = [], 0
    for x in xs:
        block = low.cast(low.reshape(x, atleast_shape(x.shape, 2)), low.result.dtype)
        after = width - before - block.shape[1]
        if 0 in block.shape:
            rows.append(low.full((block.shape[0], width), 0, block.dtype))
        else:
            rows.append(low.pad(block, [(0, 0), (before, after)]))
        before += block.shape[1]
    return join(low, rows, 0)


@RULES.lowers("aten.meshgrid", "aten.meshgrid.indexing")
def meshgrid(low: Lowering, xs: list[Tensor], indexing: str = "ij") -> list[Tensor]:
    """meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]."""
    low.expect(indexing in ("ij", "xy"), f"indexing `{indexing}` is neither `ij` nor `xy`")
    grids = _grid(low, xs)
    if indexing == "ij" or len(xs) < 2:
        return grids
    return [swap(low, grid, 0, 1) for grid in grids]


@RULES.lowers("aten.cartesian_prod")
def cartesian_prod(low: Lowering, xs: list[Tensor]) -> Tensor:
    """cartesian_prod(Tensor[] tensors) -> Tensor."""
    if len(xs) == 1:
        return xs[0]
    count = low.result.shape[0]
    return join(low, [low.reshape(grid, (count, 1)) for grid in _grid(low, xs)], 1)


@RULES.lowers("aten.combinations")
def combinations(low: Lowering, x: Tensor, r: int, with_replacement: bool) -> Tensor:
    """combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor."""
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    index = np.array(list(choose(range(x.shape[0]), r)))
    return take_rows(low, x, 0, low.constant(index, "i64"))


@RULES.lowers("aten._chunk_cat")
def chunk_cat(low: Lowering, xs: list[Tensor], dim: int, num_chunks: int) -> Tensor:
    """_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor; zeros fill up."""
    parts = []
    for x in xs:
        axis = low.dim(dim, x.rank)
        size = -(-x.shape[axis] // num_chunks)
        spare = size * num_chunks - x.shape[axis]
        padded = low.pad(x, [(0, spare if i == axis else 0) for i in range(x.rank)])
        chunk = math.prod((size, *x.shape[axis + 1 :]))
        parts.append(low.reshape(padded, (*x.shape[:axis], num_chunks, chunk)))
    return join(low, parts, low.dim(dim, xs[0].rank) + 1)


def join(low: Lowering, xs: Sequence[Tensor], axis: int) -> Tensor:
    """Join along a non-negative axis, in the declared dtype; tensors without elements drop out."""
    kept = [low.cast(x, low.result.dtype) for x in xs if 0 not in x.shape]
    return low.concat(kept, axis)


def atleast_shape(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return the shape that `torch.atleast_<rank>d` gives to a tensor of `shape`."""
    if rank == 3 and len(shape) in (1, 2):
        return (*(1,) * (2 - len(shape)), *shape, 1)
    return (1,) * (rank - len(shape)) + shape


def _grid(low: Lowering, xs: Sequence[Tensor]) -> list[Tensor]:
    """Return each tensor along its own dimension, the same over the dimensions of the others."""
    sizes = [math.prod(x.shape) for x in xs]
    lines = [
        low.reshape(x, [n if i == axis else 1 for i, n in enumerate(sizes)])
        for axis, x in enumerate(xs)
    ]
    return [low.broadcast(line, sizes) for line in lines]
