"""Rules for ops that split a tensor into a list: split, chunk, tensor_split, unbind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from torch_ttir.passes.legalize.builder import Rejected, Tensor
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.slicing import select_at, slice_bounds

RULES = RuleTable()


@RULES.lowers("aten.split.Tensor", "aten.split_copy.Tensor", "aten.unsafe_split.Tensor")
def split(low: Lowering, x: Tensor, split_size: int, dim: int) -> list[Tensor]:
    """split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]."""
    axis = low.dim(dim, x.rank)
    low.expect(split_size > 0 or x.shape[axis] == 0, f"split size {split_size} is not positive")
    size = x.shape[axis]
    begins = range(0, max(size, 1), split_size or 1)
    return [low.slice(x, axis, begin, min(begin + split_size, size)) for begin in begins]


@RULES.lowers(
    "aten.split.sizes",
    "aten.split_with_sizes",
    "aten.split_with_sizes_copy",
    "aten.unsafe_split_with_sizes",
)
def split_with_sizes(low: Lowering, x: Tensor, sizes: Sequence[int], dim: int) -> list[Tensor]:
    """split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]."""
    axis = low.dim(dim, x.rank)
    found = f"split sizes {list(sizes)} do not add up to {x.shape[axis]}"
    low.expect(sum(sizes) == x.shape[axis], found)
    begins = [sum(sizes[:i]) for i in range(len(sizes))]
    pairs = zip(begins, sizes, strict=True)
    return [low.slice(x, axis, begin, begin + size) for begin, size in pairs]


@RULES.lowers("aten.chunk", "aten.unsafe_chunk")
def chunk(low: Lowering, x: Tensor, chunks: int, dim: int) -> list[Tensor]:
    """chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]; there may be fewer."""
    axis = low.dim(dim, x.rank)
    size = -(-x.shape[axis] // chunks)
    # An empty dimension gives as many empty chunks as were asked for.
    return split(low, x, size, axis) if size else [x] * chunks


@RULES.lowers("aten.tensor_split.sections")
def tensor_split(low: Lowering, x: Tensor, sections: int, dim: int) -> list[Tensor]:
    """tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]."""
    axis = low.dim(dim, x.rank)
    small, larger = divmod(x.shape[axis], sections)
    sizes = [small + 1] * larger + [small] * (sections - larger)
    return split_with_sizes(low, x, sizes, axis)


@RULES.lowers("aten.tensor_split.indices")
def tensor_split_at(low: Lowering, x: Tensor, indices: Sequence[int], dim: int) -> list[Tensor]:
    """tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]."""
    axis = low.dim(dim, x.rank)
    bounds = zip([None, *indices], [*indices, None], strict=True)
    return [low.slice(x, axis, *slice_bounds(x.shape[axis], begin, end)) for begin, end in bounds]


@RULES.lowers("aten.tensor_split.tensor_indices_or_sections")
def tensor_split_by_tensor(
    low: Lowering, x: Tensor, indices_or_sections: Tensor, dim: int
) -> list[Tensor]:
    """tensor_split.tensor_indices_or_sections(self, Tensor indices_or_sections, int dim=0)."""
    known = known_array(indices_or_sections)
    if known is None:
        raise Rejected("the places to split at are data, and TTIR's shapes are static")
    if known.ndim:
        return tensor_split_at(low, x, known.tolist(), dim)
    return tensor_split(low, x, int(known), dim)


@RULES.lowers("aten.unbind.int", "aten.unbind_copy.int")
def unbind(low: Lowering, x: Tensor, dim: int) -> list[Tensor]:
    """unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]."""
    axis = low.dim(dim, x.rank)
    return [select_at(low, x, axis, index) for index in range(x.shape[axis])]


def _split_along(axis: int, low: Lowering, x: Tensor, places: int | Sequence[int]) -> list[Tensor]:
    """hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]; along `axis`, 1-d along 0."""
    dim = min(axis, x.rank - 1)
    if isinstance(places, int):
        return tensor_split(low, x, places, dim)
    return tensor_split_at(low, x, places, dim)


for _name, _axis in (("vsplit", 0), ("hsplit", 1), ("dsplit", 2)):
    RULES.add(f"aten.{_name}.int", partial(_split_along, _axis))
    RULES.add(f"aten.{_name}.array", partial(_split_along, _axis))
