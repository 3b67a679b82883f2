"""Rules for ops that reorder dimensions: permute, transpose, movedim and their other names."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.permute", "aten.permute_copy", "prims.transpose")
def permute(low: Lowering, x: Tensor, dims: Sequence[int]) -> Tensor:
    """permute(Tensor self, int[] dims) -> Tensor."""
    return low.permute(x, [low.dim(dim, x.rank) for dim in dims])


@RULES.lowers(
    "aten.transpose.int",
    "aten.transpose_copy.int",
    "aten.swapaxes",
    "aten.swapdims",
)
def transpose(low: Lowering, x: Tensor, dim0: int, dim1: int) -> Tensor:
    """transpose.int(Tensor self, int dim0, int dim1) -> Tensor."""
    return swap(low, x, low.dim(dim0, x.rank), low.dim(dim1, x.rank))


@RULES.lowers("aten.t", "aten.t_copy", "aten.numpy_T", "aten.matrix_H")
def reverse_dims(low: Lowering, x: Tensor) -> Tensor:
    """t(Tensor self) -> Tensor; numpy_T takes any rank, and a real matrix_H is t."""
    return low.permute(x, range(x.rank)[::-1])


@RULES.lowers("aten.mT", "aten.mH", "aten.adjoint")
def matrix_transpose(low: Lowering, x: Tensor) -> Tensor:
    """mT(Tensor self) -> Tensor; mH and adjoint of real tensors are the same."""
    return swap(low, x, x.rank - 2, x.rank - 1) if x.rank else x


@RULES.lowers(
    "aten.movedim.int",
    "aten.movedim.intlist",
    "aten.moveaxis.int",
    "aten.moveaxis.intlist",
)
def movedim(
    low: Lowering, x: Tensor, source: int | Sequence[int], destination: int | Sequence[int]
) -> Tensor:
    """movedim.intlist(Tensor self, int[] source, int[] destination) -> Tensor."""
    sources = [low.dim(dim, x.rank) for dim in _listed(source)]
    targets = [low.dim(dim, x.rank) for dim in _listed(destination)]
    moved = dict(zip(targets, sources, strict=True))
    rest = iter([axis for axis in range(x.rank) if axis not in sources])
    return low.permute(x, [moved[axis] if axis in moved else next(rest) for axis in range(x.rank)])


def swap(low: Lowering, x: Tensor, axis0: int, axis1: int) -> Tensor:
    """Return `x` with two non-negative dimensions swapped; a 0-d tensor stays as it is."""
    order = list(range(x.rank))
    if x.rank:
        order[axis0], order[axis1] = order[axis1], order[axis0]
    return low.permute(x, order)


def move_to_front(low: Lowering, x: Tensor, axes: Sequence[int]) -> Tensor:
    """Return `x` with the non-negative `axes` first, in their order, and the others after them."""
    return low.permute(x, [*axes, *(axis for axis in range(x.rank) if axis not in axes)])


def move_from_front(low: Lowering, x: Tensor, axes: Sequence[int]) -> Tensor:
    """Undo `move_to_front`: the first dimensions of `x` go back to the places `axes`."""
    order = [*axes, *(axis for axis in range(x.rank) if axis not in axes)]
    return low.permute(x, sorted(range(x.rank), key=order.__getitem__))


def _listed(dims: int | Sequence[int]) -> Sequence[int]:
    return [dims] if isinstance(dims, int) else dims
