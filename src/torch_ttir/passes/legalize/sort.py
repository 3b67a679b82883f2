"""Rules for orderings: sort, topk, and what is taken from a sorted tensor."""

from __future__ import annotations

import math

from torch_ttir.ir.types import TensorInfo, is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import is_nan, logical_not
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.reduction import any_true, first_largest
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.scan import scan

RULES = RuleTable()


def sorted_along(
    low: Lowering, x: Tensor, dim: int, descending: bool = False, stable: bool | None = None
) -> list[Tensor]:
    """Return values and i64 indices sorted along `dim`; NaN counts as the largest."""
    if not x.rank:
        return [x, low.full((), 0, "i64")]
    results = [x.info, TensorInfo(x.shape, "i64")]
    return low.multi(
        "sort", [x], results, dim=low.dim(dim, x.rank), descending=descending, stable=bool(stable)
    )


@RULES.lowers("aten.sort")
def sort(low: Lowering, x: Tensor, dim: int = -1, descending: bool = False) -> list[Tensor]:
    """sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)."""
    return sorted_along(low, x, dim, descending)


@RULES.lowers("aten.sort.stable")
def sort_stable(
    low: Lowering, x: Tensor, stable: bool | None, dim: int = -1, descending: bool = False
) -> list[Tensor]:
    """sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False)."""
    return sorted_along(low, x, dim, descending, stable)


@RULES.lowers("aten.argsort")
def argsort(low: Lowering, x: Tensor, dim: int = -1, descending: bool = False) -> Tensor:
    """argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor."""
    return sorted_along(low, x, dim, descending)[1]


@RULES.lowers("aten.argsort.stable")
def argsort_stable(
    low: Lowering, x: Tensor, stable: bool, dim: int = -1, descending: bool = False
) -> Tensor:
    """argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor."""
    return sorted_along(low, x, dim, descending, stable)[1]


@RULES.lowers("aten.msort")
def msort(low: Lowering, x: Tensor) -> Tensor:
    """msort(Tensor self) -> Tensor; sorted along the first dimension."""
    return sorted_along(low, x, 0)[0]


@RULES.lowers("aten.topk")
def topk(
    low: Lowering, x: Tensor, k: int, dim: int = -1, largest: bool = True, sorted_: bool = True
) -> list[Tensor]:
    """topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True)."""
    if not x.rank:
        return [x, low.full((), 0, "i64")]
    results = [TensorInfo(low.result.shape, x.dtype), TensorInfo(low.result.shape, "i64")]
    dim = low.dim(dim, x.rank)
    return low.multi("topk", [x], results, k=k, dim=dim, largest=largest, sorted=sorted_)


@RULES.lowers("aten.kthvalue")
def kthvalue(
    low: Lowering, x: Tensor, k: int, dim: int = -1, keepdim: bool = False
) -> list[Tensor]:
    """kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (values, indices)."""
    size = x.shape[dim] if x.rank else 1
    low.expect(1 <= k <= size, f"`k` = {k} is out of range for {size} elements")
    return _take_sorted(low, sorted_along(low, x, dim), k - 1, dim)


def _take_sorted(low: Lowering, ordered: list[Tensor], place: int, dim: int) -> list[Tensor]:
    """Return values and indices at one place of a sorted tensor, in the declared result shape."""
    if not ordered[0].rank:
        return ordered
    dim = low.dim(dim, ordered[0].rank)
    taken = (low.slice(x, dim, place, place + 1) for x in ordered)
    return [low.reshape(x, low.result.shape) for x in taken]


@RULES.lowers("aten.median.dim")
def median_dim(low: Lowering, x: Tensor, dim: int = -1, keepdim: bool = False) -> list[Tensor]:
    """median.dim(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices).

    The lower of two middle elements; the first NaN, if there is one.
    """
    size = x.shape[dim] if x.rank else 1
    value, index = _take_sorted(low, sorted_along(low, x, dim), (size - 1) // 2, dim)
    if not is_float(x.dtype):
        return [value, index]
    missing, dims = is_nan(low, x), low.dims(dim, x.rank)
    found = low.reshape(any_true(low, missing, dims, True), value.shape) if dims else missing
    first = low.reshape(first_largest(low, missing, dim, True), value.shape) if dims else index
    return [low.where(found, math.nan, value), low.where(found, first, index)]


@RULES.lowers("aten.median")
def median(low: Lowering, x: Tensor) -> Tensor:
    """median(Tensor self) -> Tensor; the lower of two middle elements, NaN if there is one."""
    return median_dim(low, _flat(low, x), 0)[0]


@RULES.lowers("aten.nanmedian.dim")
def nanmedian_dim(low: Lowering, x: Tensor, dim: int = -1, keepdim: bool = False) -> list[Tensor]:
    """nanmedian.dim(Tensor self, int dim=-1, bool keepdim=False) -> (values, indices).

    NaN is sorted to the end, and the middle of the numbers before it is gathered.
    """
    if not is_float(x.dtype) or not x.rank:
        return median_dim(low, x, dim, keepdim)
    dim = low.dim(dim, x.rank)
    numbers = low.cast(logical_not(low, is_nan(low, x)), "i64")
    count = low.reduce("sum", numbers, [dim], True)
    place = low.div(low.maximum(low.sub(count, 1), 0), 2)
    ordered = sorted_along(low, x, dim)
    taken = (low.op("gather", [y, place], place.shape, y.dtype, dim=dim) for y in ordered)
    return [low.reshape(y, low.result.shape) for y in taken]


@RULES.lowers("aten.nanmedian")
def nanmedian(low: Lowering, x: Tensor) -> Tensor:
    """nanmedian(Tensor self) -> Tensor; the lower of the two middle numbers."""
    return nanmedian_dim(low, _flat(low, x), 0)[0]


def _flat(low: Lowering, x: Tensor) -> Tensor:
    return low.reshape(x, (math.prod(x.shape),))


@RULES.lowers("aten.mode")
def mode(low: Lowering, x: Tensor, dim: int = -1, keepdim: bool = False) -> list[Tensor]:
    """mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices).

    The longest run of equals in the sorted tensor, the first of such; its last element.
    """
    values, indices = sorted_along(low, x, dim, stable=True)
    dim = low.dim(dim, x.rank)
    if not x.rank or x.shape[dim] == 1:
        return [low.reshape(y, low.result.shape) for y in (values, indices)]
    size = x.shape[dim]
    before, after = low.slice(values, dim, 0, size - 1), low.slice(values, dim, 1, size)
    place = low.arange(x.shape, dim, "i64")
    differs = low.compare("ne", after, before)
    starts = low.where(differs, low.slice(place, dim, 1, size), 0)
    starts = low.concat([low.slice(place, dim, 0, 1), starts], dim)
    length = low.sub(place, scan(low, starts, dim, low.maximum))
    last = low.reduce("argmax", length, [dim], True, "i64")
    taken = (low.op("gather", [y, last], last.shape, y.dtype, dim=dim) for y in (values, indices))
    return [low.reshape(y, low.result.shape) for y in taken]
