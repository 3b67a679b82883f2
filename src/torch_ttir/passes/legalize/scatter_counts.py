"""Rules for counting into bins: bincount and histc."""

from __future__ import annotations

import math

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.bincount")
def bincount(low: Lowering, x: Tensor, weights: Tensor | None, minlength: int) -> Tensor:
    """bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor.

    Only for a declared number of bins: PyTorch's own depends on the data.
    """
    dtype = low.result.dtype
    source = low.full(x.shape, 1, dtype) if weights is None else low.cast(weights, dtype)
    return put_rows(low, low.full(low.result.shape, 0, dtype), 0, x, source, "sum")


@RULES.lowers("aten.histc")
def histc(low: Lowering, x: Tensor, bins: int, least: float, most: float) -> Tensor:
    """histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor.

    Bins are [edge, next edge), the last with its right edge; others and NaN are left out. Equal
    bounds stand for those of the data. Source: HistogramKernel.cpp, histogramdd_cpu_contiguous.
    """
    flat = low.reshape(x, (math.prod(x.shape),))
    if 0 in x.shape:
        return low.full((bins,), 0, x.dtype)
    begin, end = _bounds(low, flat, least, most)
    inside = low.binary("logical_and", low.compare("ge", flat, begin), low.compare("le", flat, end))
    scaled = low.div(low.mul(low.sub(flat, begin), bins), low.sub(end, begin))
    place = low.cast(low.unary("floor", low.where(inside, scaled, 0)), "i64")
    place = low.op("clamp_scalar", [place], place.shape, "i64", min=0, max=bins - 1)
    counted = low.cast(inside, x.dtype)
    return put_rows(low, low.full((bins,), 0, x.dtype), 0, place, counted, "sum")


def _bounds(low: Lowering, x: Tensor, least: float, most: float) -> tuple[Tensor, Tensor]:
    """Return the outer edges as 0-d tensors; a range of no width is widened by 1 on both sides."""
    if least != most:
        return low.scalar(least, x.dtype), low.scalar(most, x.dtype)
    begin, end = (low.reduce(name, x, [0], keep=False) for name in ("min", "max"))
    same = low.compare("eq", begin, end)
    return low.where(same, low.sub(begin, 1), begin), low.where(same, low.add(end, 1), end)
