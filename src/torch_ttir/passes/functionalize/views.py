"""PyTorch's view ops as steps: every op whose result shares its operand's storage for certain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from torch_ttir.passes.functionalize.aliases import Refused
from torch_ttir.passes.functionalize.layouts import Layout
from torch_ttir.passes.functionalize.steps import (
    Diagonal,
    Expand,
    Permute,
    Reshape,
    Select,
    Slice,
    Step,
    Unfold,
)

Steps = Sequence[Step]


class ViewOp(NamedTuple):
    """A call of a view op: its operand's shape and layout, the other arguments, the result's shape.

    An argument that is not a constant is `NotImplemented`. `layout` is None where PyTorch's
    strides are not known; `result` where the op returns a list.
    """

    shape: tuple[int, ...]
    layout: Layout | None
    arguments: Sequence[Any]
    result: tuple[int, ...] | None

    def argument(self, position: int, default: Any = None) -> Any:
        """Return a constant argument after the tensor, `default` where the op has it not."""
        if position >= len(self.arguments):
            return default
        argument = self.arguments[position]
        if argument is NotImplemented:
            raise Refused(f"its argument {position + 1} is not known at compile time")
        return argument

    def dim(self, position: int, default: int = 0, rank: int | None = None) -> int:
        """Return a dimension counted from the front."""
        size = max(len(self.shape) if rank is None else rank, 1)
        dim = int(self.argument(position, default))
        if not -size <= dim < size:
            raise Refused(f"dimension {dim} is out of range for rank {size}")
        return dim % size


View = Callable[[ViewOp], Steps]
Views = Callable[[ViewOp], Sequence[Steps]]


def _same(op: ViewOp) -> Steps:
    return []


def _reshape(op: ViewOp) -> Steps:
    assert op.result is not None
    return [Reshape(op.shape, op.result)]


def _expand(op: ViewOp) -> Steps:
    assert op.result is not None
    return [Expand(op.result)]


def _permute(op: ViewOp) -> Steps:
    return [Permute(tuple(dim % len(op.shape) for dim in op.argument(0)))]


def _transpose(op: ViewOp) -> Steps:
    return _swap(op, op.dim(0), op.dim(1))


def _swap_last(op: ViewOp) -> Steps:
    return _swap(op, len(op.shape) - 2, len(op.shape) - 1) if len(op.shape) > 1 else []


def _reverse_dims(op: ViewOp) -> Steps:
    return [Permute(tuple(reversed(range(len(op.shape)))))]


def _swap(op: ViewOp, dim0: int, dim1: int) -> Steps:
    if not op.shape:
        return []
    dims = list(range(len(op.shape)))
    dims[dim0], dims[dim1] = dims[dim1], dims[dim0]
    return [Permute(tuple(dims))]


def _move_dims(op: ViewOp) -> Steps:
    rank = len(op.shape)
    lists = [[dims] if isinstance(dims, int) else dims for dims in (op.argument(0), op.argument(1))]
    if rank == 0:
        return []
    sources, targets = ([dim % rank for dim in dims] for dims in lists)
    placed = dict(zip(targets, sources, strict=True))
    rest = iter([dim for dim in range(rank) if dim not in sources])
    return [Permute(tuple(placed[dim] if dim in placed else next(rest) for dim in range(rank)))]


def _select(op: ViewOp) -> Steps:
    dim, index = op.dim(0), int(op.argument(1))
    size = op.shape[dim] if op.shape else 0
    if not -size <= index < size:
        raise Refused(f"index {index} is out of range for dimension {dim} with size {size}")
    return [Select(dim, index % size)]


def _slice(op: ViewOp) -> Steps:
    dim = op.dim(0)
    step = int(op.argument(3, 1))
    if step < 1:
        raise Refused(f"slice step {step} is not positive")
    start, stop, _ = slice(op.argument(1, None), op.argument(2, None)).indices(op.shape[dim])
    return [Slice(dim, start, max(start, stop), step)]


def _narrow(op: ViewOp) -> Steps:
    dim = op.dim(0)
    start = int(op.argument(1))
    start += op.shape[dim] if start < 0 else 0
    return [Slice(dim, start, start + int(op.argument(2)))]


def _diagonal(dim1: int, dim2: int) -> View:
    def steps(op: ViewOp) -> Steps:
        return [Diagonal(int(op.argument(0, 0)), op.dim(1, dim1), op.dim(2, dim2))]

    return steps


def _unfold(op: ViewOp) -> Steps:
    dim, size, step = op.dim(0), int(op.argument(1)), int(op.argument(2))
    if not op.shape:
        return [Reshape((), (1,)), Slice(0, 0, size)]
    return [Unfold(dim, size, step)]


def _split(op: ViewOp) -> Sequence[Steps]:
    size, dim = op.argument(0), op.dim(1)
    if not isinstance(size, int):
        return _cut(dim, size)
    total = op.shape[dim]
    pieces = max(1, -(-total // size)) if size else 1
    bounds = [min(size * piece, total) for piece in range(pieces)]
    return _between(dim, [*bounds, total])


def _chunk(op: ViewOp) -> Sequence[Steps]:
    chunks, dim = int(op.argument(0)), op.dim(1)
    total = op.shape[dim]
    size = -(-total // chunks)
    if size == 0:
        return _cut(dim, [0] * chunks)
    return _between(dim, [*range(0, total, size), total])


def _tensor_split(fixed_dim: int | None) -> Views:
    def pieces(op: ViewOp) -> Sequence[Steps]:
        at = op.argument(0)
        dim = op.dim(1) if fixed_dim is None else fixed_dim
        if fixed_dim == 1 and len(op.shape) == 1:
            dim = 0
        total = op.shape[dim]
        if not isinstance(at, int):
            bounds = [slice(0, index).indices(total)[1] for index in at]
            starts = [0, *bounds]
            return [
                [Slice(dim, start, max(start, stop))]
                for start, stop in zip(starts, [*bounds, total], strict=True)
            ]
        small, larger = divmod(total, at)
        return _cut(dim, [small + 1] * larger + [small] * (at - larger))

    return pieces


def _unbind(op: ViewOp) -> Sequence[Steps]:
    dim = op.dim(0)
    return [[Select(dim, index)] for index in range(op.shape[dim])]


def _cut(dim: int, sizes: Sequence[int]) -> Sequence[Steps]:
    bounds = [0]
    for size in sizes:
        bounds.append(bounds[-1] + int(size))
    return _between(dim, bounds)


def _between(dim: int, bounds: Sequence[int]) -> Sequence[Steps]:
    return [[Slice(dim, start, stop)] for start, stop in pairwise(bounds)]


def _broadcast_in_dim(op: ViewOp) -> Steps:
    shape, dims = op.argument(0), op.argument(1)
    aligned = [1] * len(shape)
    for dim, size in zip(dims, op.shape, strict=True):
        aligned[dim] = size
    return [Reshape(op.shape, tuple(aligned)), Expand(tuple(shape))]


VIEWS: dict[str, View] = {
    **dict.fromkeys(
        (
            "aten.alias",
            "aten.conj",
            "aten.data",
            "aten.detach",
            "aten.lift",
            "aten.lift_fresh",
            "aten.pin_memory",
            "aten.positive",
            "aten.real",
            "aten.resolve_conj",
            "aten.resolve_neg",
            "prims.conj",
            "prims.real",
            "prims.view_of",
        ),
        _same,
    ),
    **dict.fromkeys(
        (
            "aten._reshape_alias",
            "aten._unsafe_view",
            "aten.atleast_1d",
            "aten.squeeze",
            "aten.squeeze.dim",
            "aten.squeeze.dims",
            "aten.unflatten.int",
            "aten.unsqueeze",
            "aten.view",
            "aten.view_as",
            "prims.collapse_view",
            "prims.split_dim",
            "prims.squeeze",
        ),
        _reshape,
    ),
    **dict.fromkeys(("aten.atleast_2d", "aten.atleast_3d"), _reshape),
    **dict.fromkeys(("aten.broadcast_to", "aten.expand", "aten.expand_as"), _expand),
    **dict.fromkeys(("aten.permute", "prims.transpose"), _permute),
    **dict.fromkeys(
        (
            "aten.swapaxes",
            "aten.swapdims",
            "aten.transpose.int",
        ),
        _transpose,
    ),
    **dict.fromkeys(("aten.t", "aten.matrix_H"), _swap_last),
    **dict.fromkeys(("aten.adjoint", "aten.mH", "aten.mT"), _swap_last),
    **dict.fromkeys(("aten.numpy_T",), _reverse_dims),
    **dict.fromkeys(
        (
            "aten.moveaxis.int",
            "aten.moveaxis.intlist",
            "aten.movedim.int",
            "aten.movedim.intlist",
        ),
        _move_dims,
    ),
    "aten.diagonal": _diagonal(0, 1),
    "aten.linalg_diagonal": _diagonal(-2, -1),
    "aten.narrow": _narrow,
    "aten.select.int": _select,
    "aten.slice.Tensor": _slice,
    "aten.unfold": _unfold,
    "prims.broadcast_in_dim": _broadcast_in_dim,
}
"""The view ops of one result; all of them take the tensor first."""

LIST_VIEWS: dict[str, Views] = {
    "aten.chunk": _chunk,
    "aten.dsplit.array": _tensor_split(2),
    "aten.dsplit.int": _tensor_split(2),
    "aten.hsplit.array": _tensor_split(1),
    "aten.hsplit.int": _tensor_split(1),
    "aten.split.Tensor": _split,
    "aten.split.sizes": _split,
    "aten.split_with_sizes": _split,
    "aten.tensor_split.indices": _tensor_split(None),
    "aten.tensor_split.sections": _tensor_split(None),
    "aten.unbind.int": _unbind,
    "aten.unsafe_chunk": _chunk,
    "aten.unsafe_split.Tensor": _split,
    "aten.unsafe_split_with_sizes": _split,
    "aten.vsplit.array": _tensor_split(0),
    "aten.vsplit.int": _tensor_split(0),
}
"""The view ops that return a list of tensors."""

OPAQUE_VIEWS = frozenset(
    {
        "aten._autocast_to_full_precision",
        "aten._autocast_to_reduced_precision",
        "aten._conj",
        "aten._fw_primal",
        "aten._indices",
        "aten._make_dual",
        "aten._neg_view",
        "aten._nested_get_values",
        "aten._nested_view_from_buffer",
        "aten._nested_view_from_jagged",
        "aten._sparse_broadcast_to",
        "aten._unpack_dual",
        "aten._values",
        "aten.atleast_1d.Sequence",
        "aten.atleast_2d.Sequence",
        "aten.atleast_3d.Sequence",
        "aten.broadcast_tensors",
        "aten.cartesian_prod",
        "aten.ccol_indices",
        "aten.coalesce",
        "aten.col_indices",
        "aten.conj_physical",
        "aten.crow_indices",
        "aten.einsum",
        "aten.histogramdd.TensorList_bins",
        "aten.imag",
        "aten.indices",
        "aten.meshgrid",
        "aten.meshgrid.indexing",
        "aten.narrow.Tensor",
        "aten.row_indices",
        "aten.slice_inverse",
        "aten.tensor_split.tensor_indices_or_sections",
        "aten.values",
        "aten.view.dtype",
        "aten.view_as_complex",
        "aten.view_as_real",
        "prims.imag",
        "prims.view_of_dtype",
    }
)
"""Ops whose result shares storage with an operand, or may, in a way that no steps say."""
