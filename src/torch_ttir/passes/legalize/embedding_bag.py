"""Rules for embedding_bag: embeddings summed, averaged or maximized over bags of indices."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

from torch_ttir.ir.types import TensorInfo
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

_SUM, _MEAN, _MAX = range(3)


class _Bags(NamedTuple):
    """Which bag each index belongs to, which indices count, and how many do in each bag.

    `ids` is i64 and `counted` i1, of one element an index; `sizes` is i64 of one a bag.
    """

    ids: Tensor
    counted: Tensor | None
    sizes: Tensor


def _embedding_bag(
    unpadded: int | None,
    low: Lowering,
    weight: Tensor,
    indices: Tensor,
    offsets: Tensor,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Tensor | None,
    include_last_offset: bool,
    padding_idx: int | None = None,
) -> list[Tensor]:
    """embedding_bag.padding_idx(weight, indices, offsets, bool scale_grad_by_freq, int mode, ...).

    The second to fourth result are what PyTorch keeps for the gradient: the bag of each index, the
    number of indices of each bag, and for the maximum where each element came from. `unpadded` is
    the `padding_idx` that stands for none.
    """
    low.expect(mode in (_SUM, _MEAN, _MAX), f"mode {mode} is not 0 (sum), 1 (mean) or 2 (max)")
    padding = None if padding_idx == unpadded else padding_idx
    rows = take_rows(low, weight, 0, indices)
    if per_sample_weights is not None:
        rows = low.mul(*widen(low, rows, low.reshape(per_sample_weights, (*indices.shape, 1))))
    bags = _bags(low, indices, offsets, low.result.shape[0], padding, weight.shape[0])
    made, sources = _reduce(low, indices, rows, bags, mode)
    made = low.cast(made, weight.dtype)
    if mode == _SUM:
        # PyTorch leaves the sizes zero here, and has the bag of each index only with padding.
        rest = [low.full(info.shape, 0, info.dtype) for info in low.results[2:]]
    else:
        rest = [
            _declared(low, x, info)
            for x, info in zip((bags.sizes, sources), low.results[2:], strict=True)
        ]
    ids = bags.ids if low.results[1].shape == bags.ids.shape else low.full((0,), 0, "i64")
    return [made, low.cast(ids, low.results[1].dtype), *rest]


RULES.add("aten.embedding_bag", partial(_embedding_bag, None))
RULES.add("aten.embedding_bag.padding_idx", partial(_embedding_bag, None))
RULES.add("aten._embedding_bag", partial(_embedding_bag, -1))
RULES.add("aten._embedding_bag_forward_only", partial(_embedding_bag, -1))


def _declared(low: Lowering, x: Tensor, info: TensorInfo) -> Tensor:
    """Return `x` in the declared type; where that has one bag too many, zeros are added.

    With `include_last_offset`, PyTorch's meta kernel counts the last offset as a bag.
    """
    spare = info.shape[0] - x.shape[0]
    padded = low.pad(x, [(0, spare)] + [(0, 0)] * (x.rank - 1))
    return low.cast(padded, info.dtype)


def _bags(
    low: Lowering, indices: Tensor, offsets: Tensor, count: int, padding: int | None, rows: int
) -> _Bags:
    """Assign each index to the last bag that begins at or before it."""
    total = indices.shape[0]
    begins = low.reshape(low.cast(low.slice(offsets, 0, 0, count), "i64"), (1, count))
    begun = low.cast(low.compare("le", begins, low.arange((total, 1), 0, "i64")), "i64")
    ids = low.sub(low.reduce("sum", begun, [1], keep=False), 1)
    counted = None
    if padding is not None:
        counted = low.compare("ne", indices, padding + rows if padding < 0 else padding)
    ones = low.cast(counted, "i64") if counted else low.full((total,), 1, "i64")
    sizes = put_rows(low, low.full((count,), 0, "i64"), 0, ids, ones, "sum")
    return _Bags(ids, counted, sizes)


def _reduce(
    low: Lowering, indices: Tensor, rows: Tensor, bags: _Bags, mode: int
) -> tuple[Tensor, Tensor]:
    """Return the reduced rows of each bag, zero for an empty one, and the fourth result."""
    (rows,) = widen(low, rows)
    shape = (*bags.sizes.shape, rows.shape[1])
    neutral = -math.inf if mode == _MAX else 0.0
    if bags.counted is not None:
        rows = low.where(low.reshape(bags.counted, (*indices.shape, 1)), rows, neutral)
    reduce = "max" if mode == _MAX else "sum"
    made = put_rows(low, low.full(shape, neutral, rows.dtype), 0, bags.ids, rows, reduce)
    sizes = low.reshape(bags.sizes, (shape[0], 1))
    if mode == _SUM:
        return made, bags.sizes
    if mode == _MEAN:
        return low.div(made, low.cast(low.maximum(sizes, 1), rows.dtype)), bags.sizes
    empty = low.compare("eq", sizes, 0)
    return low.where(empty, 0.0, made), _maxima(low, indices, rows, bags, made, empty)


def _maxima(
    low: Lowering, indices: Tensor, rows: Tensor, bags: _Bags, made: Tensor, empty: Tensor
) -> Tensor:
    """Return which row of the table each maximum came from: of the first index that has it."""
    total = indices.shape[0]
    hit = low.compare("eq", rows, take_rows(low, made, 0, bags.ids))
    if bags.counted is not None:
        hit = low.binary("logical_and", hit, low.reshape(bags.counted, (total, 1)))
    places = low.where(hit, low.arange((total, 1), 0, "i64"), total - 1)
    first = low.full(made.shape, total - 1, "i64")
    first = put_rows(low, first, 0, bags.ids, places, "min")
    return low.where(empty, 0, take_rows(low, low.cast(indices, "i64"), 0, first))
