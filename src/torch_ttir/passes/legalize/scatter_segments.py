"""Rule for segment_reduce: reductions over runs of slices, given by lengths or offsets."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Number, Rejected, Tensor
from torch_ttir.passes.legalize.indexing_rows import scatter
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.scatter import identity

RULES = RuleTable()

_REDUCTIONS = {"sum": "sum", "mean": "sum", "max": "max", "min": "min", "prod": "prod"}


@RULES.lowers("aten.segment_reduce")
def segment_reduce(
    low: Lowering,
    data: Tensor,
    reduce: str,
    lengths: Tensor | None,
    indices: Tensor | None,
    offsets: Tensor | None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Number | None = None,
) -> Tensor:
    """segment_reduce(data, str reduce, *, lengths, indices, offsets, axis, unsafe, initial)."""
    low.expect(reduce in _REDUCTIONS, f"reduction `{reduce}` is not known")
    low.expect(indices is None, "`indices` is not supported, nor is it by PyTorch")
    axis = low.dim(axis, data.rank)
    ends, sizes = _segments(low, lengths, offsets)
    start = identity(_REDUCTIONS[reduce], data.dtype) if initial is None else initial
    # What no segment covers goes to one more, which is cut off.
    shape = (*data.shape[:axis], sizes.shape[-1] + 1, *data.shape[axis + 1 :])
    index = _along(low, _segment_of(low, ends, data.shape[axis]), data.rank)
    made = low.full(shape, start, data.dtype)
    if 0 not in data.shape:
        index = low.broadcast(index, data.shape)
        made = scatter(low, made, axis, index, data, _REDUCTIONS[reduce])
    made = low.slice(made, axis, 0, sizes.shape[-1])
    if reduce != "mean":
        return made
    count = _along(low, low.cast(sizes, data.dtype), data.rank)
    mean = low.div(made, count)
    return mean if initial is None else low.where(low.compare("eq", count, 0), made, mean)


def _segments(
    low: Lowering, lengths: Tensor | None, offsets: Tensor | None
) -> tuple[Tensor, Tensor]:
    """Return where each segment ends, and its size, in the last dimension of i64 tensors."""
    if offsets is not None:
        bounds = low.cast(offsets, "i64")
        last, count = bounds.rank - 1, bounds.shape[-1]
        ends = low.slice(bounds, last, 1, count)
        return ends, low.sub(ends, low.slice(bounds, last, 0, count - 1))
    if lengths is None:
        raise Rejected("one of `lengths` and `offsets` must be given")
    sizes = low.cast(lengths, "i64")
    return low.op("cumsum", [sizes], sizes.shape, "i64", dim=sizes.rank - 1), sizes


def _segment_of(low: Lowering, ends: Tensor, count: int) -> Tensor:
    """Return for each of `count` positions how many segments end at or before it."""
    position = low.arange((count, 1), 0, "i64")
    passed = low.compare("le", low.reshape(ends, (*ends.shape[:-1], 1, ends.shape[-1])), position)
    return low.reduce("sum", low.cast(passed, "i64"), [ends.rank], keep=False)


def _along(low: Lowering, x: Tensor, rank: int) -> Tensor:
    """Return `x` with dimensions of size 1 behind its own, `rank` in all."""
    return low.reshape(x, x.shape + (1,) * (rank - x.rank))
