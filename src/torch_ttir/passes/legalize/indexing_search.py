"""Rules for searching in sorted sequences: searchsorted and bucketize."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import gather_along
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.searchsorted.Tensor", "aten.searchsorted.Scalar", run_time_scalars=True)
def searchsorted(
    low: Lowering,
    sequence: Tensor,
    values: Tensor | float,
    out_int32: bool,
    right: bool,
    side: str | None,
    sorter: Tensor | None,
) -> Tensor:
    """searchsorted.Tensor(sorted_sequence, self, *, out_int32, right, side, sorter) -> Tensor."""
    if sorter is not None:
        sequence = gather_along(low, sequence, sequence.rank - 1, sorter)
    return _search(low, sequence, values, right or side == "right")


@RULES.lowers("aten.bucketize.Tensor", "aten.bucketize.Scalar", run_time_scalars=True)
def bucketize(
    low: Lowering, values: Tensor | float, boundaries: Tensor, out_int32: bool, right: bool
) -> Tensor:
    """bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32, bool right) -> Tensor."""
    return _search(low, boundaries, values, right)


def _search(low: Lowering, sequence: Tensor, values: Tensor | float, right: bool) -> Tensor:
    """Return how many elements of the last dimension of a sorted `sequence` precede each value.

    These are all but those that are greater, or greater or equal: so a NaN comes last, as it does
    in PyTorch. A sequence of several dimensions has one row for each row of the values.
    """
    dtype, count = low.result.dtype, sequence.shape[-1]
    if count == 0:
        return low.full(low.result.shape, 0, dtype)
    common = low.promote(sequence, values)
    sought = low.scalar(values, common)
    sought = low.reshape(sought, (*sought.shape, 1))
    if sequence.rank > 1:
        sequence = low.reshape(sequence, (*sequence.shape[:-1], 1, count))
    later = low.compare("gt" if right else "ge", low.cast(sequence, common), sought)
    counted = low.reduce("sum", low.cast(later, dtype), [later.rank - 1], keep=False)
    return low.sub(count, counted)
