"""Rules for ops that a mask steers: masked_fill, masked_scatter, nonzero_static."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.masked_fill.Scalar", "aten.masked_fill.Tensor", run_time_scalars=True)
def masked_fill(low: Lowering, x: Tensor, mask: Tensor, value: Tensor | float) -> Tensor:
    """masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor."""
    return low.where(mask, low.scalar(value, x.dtype), x)


@RULES.lowers("aten.masked_scatter")
def masked_scatter(low: Lowering, x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor."""
    shape = low.result.shape
    x, mask = low.broadcast(x, shape), low.broadcast(mask, shape)
    count = math.prod(source.shape)
    if count == 0:
        return x
    flat = low.reshape(low.cast(source, x.dtype), (count,))
    return low.where(mask, take_rows(low, flat, 0, compact_positions(low, mask, count)), x)


@RULES.lowers("aten.masked_scatter_backward")
def masked_scatter_backward(
    low: Lowering, grad: Tensor, mask: Tensor, sizes: Sequence[int]
) -> Tensor:
    """masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor."""
    count = math.prod(sizes)
    mask = low.broadcast(mask, grad.shape)
    flat = low.reshape(grad, (math.prod(grad.shape),))
    return low.reshape(_compact(low, flat, mask, count, 0), sizes)


@RULES.lowers("aten.nonzero_static")
def nonzero_static(low: Lowering, x: Tensor, size: int, fill_value: int) -> Tensor:
    """nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor."""
    if 0 in x.shape:
        return low.full(low.result.shape, fill_value, "i64")
    mask = low.cast(x, "i1")
    count = math.prod(x.shape)
    columns = [low.reshape(low.arange(x.shape, axis, "i64"), (count,)) for axis in range(x.rank)]
    made = [_compact(low, column, mask, size, fill_value) for column in columns]
    return low.concat([low.reshape(column, (size, 1)) for column in made], 1)


def compact_positions(low: Lowering, mask: Tensor, count: int) -> Tensor:
    """Return for each element of `mask` how many true ones precede it, at most `count - 1`.

    The result is i64 of the mask's shape. At true elements it is the place of the element among
    the true ones, and at others a place that exists.
    """
    total = math.prod(mask.shape)
    ones = low.reshape(low.cast(low.cast(mask, "i1"), "i64"), (total,))
    counted = low.op("cumsum", [ones], ones.shape, "i64", dim=0)
    places = low.op("clamp_scalar", [low.sub(counted, 1)], ones.shape, "i64", min=0, max=count - 1)
    return low.reshape(places, mask.shape)


def _compact(low: Lowering, x: Tensor, mask: Tensor, size: int, fill: int) -> Tensor:
    """Return the first `size` elements of flat `x` at which `mask` is true, then `fill`.

    What is not wanted is written to one more place after the others, which is cut off.
    """
    on = low.reshape(mask, x.shape)
    places = low.reshape(compact_positions(low, mask, size + 1), x.shape)
    places = low.where(on, places, size)
    made = put_rows(low, low.full((size + 1,), fill, x.dtype), 0, places, x)
    return low.slice(made, 0, 0, size)
