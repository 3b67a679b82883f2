"""Rules for indexing with tensors: index, index_put, and their unsafe and masked variants."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows, wrap_index
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.scatter_masked import compact_positions
from torch_ttir.passes.legalize.views_permute import move_from_front, move_to_front

RULES = RuleTable()

Indices = Sequence[Tensor | None]


class _Places(NamedTuple):
    """Where indices point: into dimensions `axes[0]` to `axes[-1]` of a tensor, taken as one.

    They are adjacent after `move_to_front`, if `moved`. `rows` has the indices' common shape.
    """

    axes: list[int]
    moved: bool
    rows: Tensor

    @property
    def begin(self) -> int:
        """The first of the dimensions, where they are adjacent."""
        return 0 if self.moved else self.axes[0]

    @property
    def end(self) -> int:
        """The dimension after the last."""
        return self.begin + len(self.axes)


@RULES.lowers(
    "aten.index.Tensor",
    "aten.index.Tensor_hacked_twin",
    "aten._unsafe_index.Tensor",
    "aten._unsafe_index.Tensor_hacked_twin",
)
def index(low: Lowering, x: Tensor, indices: Indices) -> Tensor:
    """index.Tensor(Tensor self, Tensor?[] indices) -> Tensor."""
    places = _places(low, x, indices)
    if places is None:
        return x
    front = move_to_front(low, x, places.axes) if places.moved else x
    return take_rows(low, front, places.begin, places.rows, places.end)


@RULES.lowers("aten._unsafe_masked_index")
def masked_index(low: Lowering, x: Tensor, mask: Tensor, indices: Indices, fill: float) -> Tensor:
    """_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor."""
    if 0 in x.shape:
        return low.full(low.result.shape, fill, x.dtype)
    inside = [_clamp(low, index, 0, size) for index, size in zip(indices, x.shape, strict=False)]
    return low.where(mask, index(low, x, inside), fill)


@RULES.lowers(
    "aten.index_put",
    "aten.index_put.hacked_twin",
    "aten._index_put_impl",
    "aten._unsafe_index_put",
    "aten._unsafe_index_put.hacked_twin",
)
def index_put(
    low: Lowering, x: Tensor, indices: Indices, values: Tensor, accumulate: bool, *unsafe: bool
) -> Tensor:
    """index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor."""
    values = low.cast(values, x.dtype)
    axis, mask = _only_mask(indices)
    if mask is not None:
        return _put_masked(low, x, axis, mask, values, accumulate)
    places = _places(low, x, indices)
    if places is None:
        return _combine(low, x, low.broadcast(values, x.shape), accumulate)
    front = move_to_front(low, x, places.axes) if places.moved else x
    shape = (*front.shape[: places.begin], *places.rows.shape, *front.shape[places.end :])
    source = _broadcast_values(low, values, shape)
    reduce = "sum" if accumulate else "invalid"
    made = put_rows(low, front, places.begin, places.rows, source, reduce, places.end)
    return move_from_front(low, made, places.axes) if places.moved else made


@RULES.lowers("aten._unsafe_masked_index_put_accumulate")
def masked_index_put(
    low: Lowering, x: Tensor, mask: Tensor, indices: Indices, values: Tensor
) -> Tensor:
    """_unsafe_masked_index_put_accumulate(self, mask, Tensor?[] indices, Tensor values)."""
    inside = [_clamp(low, index, -n, n) for index, n in zip(indices, x.shape, strict=False)]
    return index_put(low, x, inside, low.where(mask, values, 0), True)


def _clamp(low: Lowering, index: Tensor | None, least: int, size: int) -> Tensor | None:
    if index is None:
        return None
    return low.op("clamp_scalar", [index], index.shape, index.dtype, min=least, max=size - 1)


def _places(low: Lowering, x: Tensor, indices: Indices) -> _Places | None:
    """Return where `indices` point into `x`, by PyTorch's rules; None if nothing is indexed.

    Indices broadcast together. Those into adjacent dimensions keep their place in the result, and
    the dimensions of others come first. Source: aten/src/ATen/TensorIndexing.h, `make_info` in
    aten/src/ATen/native/TensorAdvancedIndexing.cpp.
    """
    entries = _without_masks(low, x, indices)
    low.expect(len(entries) <= x.rank, f"{len(entries)} indices for a tensor of rank {x.rank}")
    axes = [axis for axis, entry in enumerate(entries) if entry is not None]
    if not axes:
        return None
    wrapped = [
        wrap_index(low, entry, x.shape[axis])
        for axis, entry in enumerate(entries)
        if entry is not None
    ]
    moved = axes != list(range(axes[0], axes[-1] + 1))
    return _Places(axes, moved, _linear(low, wrapped, [x.shape[axis] for axis in axes]))


def _without_masks(low: Lowering, x: Tensor, indices: Indices) -> list[Tensor | None]:
    """Return one index a dimension: a mask that is known becomes the indices of its elements."""
    entries: list[Tensor | None] = []
    for entry in indices:
        if entry is None or entry.dtype not in ("i1", "ui8"):
            entries.append(entry)
            continue
        mask = known_array(entry)
        low.expect(
            mask is not None,
            "the shape of the result depends on the elements of a mask, and TTIR's shapes are "
            "static",
        )
        low.expect(entry.rank > 0, "a mask of rank 0 is not supported")
        entries += [low.constant(places, "i64") for places in np.nonzero(np.asarray(mask))]
    return entries


def _linear(low: Lowering, indices: Sequence[Tensor], sizes: Sequence[int]) -> Tensor:
    """Return the row-major index into dimensions of `sizes` taken as one."""
    shape = np.broadcast_shapes(*(index.shape for index in indices))
    strides = [math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    if len(indices) == 1:
        return indices[0]
    known = [known_array(index) for index in indices]
    if all(array is not None for array in known):
        parts = [np.asarray(array) * step for array, step in zip(known, strides, strict=True)]
        return low.constant(np.broadcast_to(sum(parts), shape), "i64")
    wide = [low.cast(index, "i64") for index in indices]
    terms = [
        index if step == 1 else low.mul(index, step)
        for index, step in zip(wide, strides, strict=True)
    ]
    return low.broadcast(functools.reduce(low.add, terms), shape)


def _only_mask(indices: Indices) -> tuple[int, Tensor | None]:
    """Return the first dimension of a mask, and the mask if it is the only index."""
    given = [(axis, entry) for axis, entry in enumerate(indices) if entry is not None]
    if len(given) == 1 and given[0][1].dtype in ("i1", "ui8"):
        return given[0]
    return 0, None


def _put_masked(
    low: Lowering, x: Tensor, axis: int, mask: Tensor, values: Tensor, accumulate: bool
) -> Tensor:
    """Write where `mask`, which covers dimensions from `axis` on, is true.

    The values have one dimension for the true elements. If it has size 1, or is not there, all of
    them get the same; else the values are taken in order.
    """
    after = x.rank - axis - mask.rank
    on = low.cast(low.reshape(mask, mask.shape + (1,) * after), "i1")
    place = values.rank - after - 1
    if place < 0 or values.shape[place] == 1:
        if place >= 0:
            lead, rest = values.shape[:place], values.shape[place + 1 :]
            values = low.reshape(values, (*lead, *(1,) * mask.rank, *rest))
        return low.where(on, _combine(low, x, low.broadcast(values, x.shape), accumulate), x)
    count = values.shape[place]
    if count == 0:
        return x
    trailing = x.shape[axis + mask.rank :]
    rows = _broadcast_values(low, values, (*x.shape[:axis], count, *trailing))
    taken = take_rows(low, rows, axis, compact_positions(low, mask, count))
    return low.where(on, _combine(low, x, taken, accumulate), x)


def _combine(low: Lowering, x: Tensor, values: Tensor, accumulate: bool) -> Tensor:
    if not accumulate:
        return values
    return low.binary("logical_or", x, values) if x.dtype == "i1" else low.add(x, values)


def _broadcast_values(low: Lowering, values: Tensor, shape: Sequence[int]) -> Tensor:
    """Expand values to `shape`; dimensions of size 1 too many in front are dropped."""
    extra = max(0, values.rank - len(shape))
    return low.broadcast(low.reshape(values, values.shape[extra:]), shape)
