"""Rules for reductions: sums, products, extrema, and whether any or all are true."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import is_nan, logical_not, widened
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

Dims = int | Sequence[int] | None


def _in_result_dtype(
    ttir: str, low: Lowering, x: Tensor, dim: Dims = None, keepdim: bool = False, *_: Any
) -> Tensor:
    """Reduce after a cast to the result's type: i64 for sums of integers, or the `dtype` asked."""
    x = low.cast(x, low.result.dtype)
    return low.reduce(ttir, x, low.dims(dim, x.rank), keepdim)


def _over_all(ttir: str, low: Lowering, x: Tensor, *_: Any) -> Tensor:
    return _in_result_dtype(ttir, low, x)


for _ttir in ("sum", "mean", "prod"):
    RULES.add(f"aten.{_ttir}", partial(_over_all, _ttir))
RULES.add("aten.sum.dim_IntList", partial(_in_result_dtype, "sum"))
RULES.add("aten.prod.dim_int", partial(_in_result_dtype, "prod"))
RULES.add("aten.mean.dim", partial(_in_result_dtype, "mean"))


def _prims(ttir: str, low: Lowering, x: Tensor, dims: Dims = None, *_: Any) -> Tensor:
    """Lower prims.sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor."""
    return _in_result_dtype(ttir, low, x, dims)


for _ttir in ("sum", "prod"):
    RULES.add(f"prims.{_ttir}", partial(_prims, _ttir))


@RULES.lowers("aten.nansum")
def nansum(
    low: Lowering, x: Tensor, dim: Dims = None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    """nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype) -> Tensor."""
    if is_float(x.dtype):
        x = low.where(is_nan(low, x), 0, x)
    return _in_result_dtype("sum", low, x, dim, keepdim)


@RULES.lowers("aten.nanmean")
@widened
def nanmean(
    low: Lowering, x: Tensor, dim: Dims = None, keepdim: bool = False, dtype: int | None = None
) -> Tensor:
    """nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)."""
    dims = low.dims(dim, x.rank)
    numbers = low.cast(logical_not(low, is_nan(low, x)), x.dtype)
    total = low.reduce("sum", low.where(is_nan(low, x), 0, x), dims, keepdim)
    return low.div(total, low.reduce("sum", numbers, dims, keepdim))


def _extremum(
    ttir: str, low: Lowering, x: Tensor, dim: Dims = None, keepdim: bool = False
) -> Tensor:
    """Reduce to the largest or smallest; of bools, to whether any or all are true."""
    dims = low.dims(dim, x.rank)
    if x.dtype == "i1":
        return (any_true if ttir == "max" else all_true)(low, x, dims, keepdim)
    return low.reduce(ttir, x, dims, keepdim)


for _name, _ttir in (("max", "max"), ("min", "min"), ("amax", "max"), ("amin", "min")):
    RULES.add(f"aten.{_name}", partial(_extremum, _ttir))


@RULES.lowers("aten.aminmax")
def aminmax(
    low: Lowering, x: Tensor, dim: int | None = None, keepdim: bool = False
) -> list[Tensor]:
    """aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)."""
    return [_extremum(ttir, low, x, dim, keepdim) for ttir in ("min", "max")]


@RULES.lowers("aten.max.dim")
def max_dim(low: Lowering, x: Tensor, dim: int, keepdim: bool = False) -> list[Tensor]:
    """max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)."""
    return [_extremum("max", low, x, dim, keepdim), first_largest(low, x, dim, keepdim)]


@RULES.lowers("aten.min.dim")
def min_dim(low: Lowering, x: Tensor, dim: int, keepdim: bool = False) -> list[Tensor]:
    """min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)."""
    indices = first_largest(low, reversed_order(low, x), dim, keepdim)
    return [_extremum("min", low, x, dim, keepdim), indices]


@RULES.lowers("aten.argmax")
def argmax(low: Lowering, x: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor; the first of equals."""
    return first_largest(low, x, dim, keepdim)


@RULES.lowers("aten.argmin")
def argmin(low: Lowering, x: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor; the first of equals."""
    return first_largest(low, reversed_order(low, x), dim, keepdim)


def first_largest(low: Lowering, x: Tensor, dim: int | None, keepdim: bool) -> Tensor:
    """Return the i64 index of the first largest element; NaN counts as the largest."""
    x = low.cast(x, "i32") if x.dtype == "i1" else x
    return low.reduce("argmax", x, low.dims(dim, x.rank), keepdim, "i64")


def reversed_order(low: Lowering, x: Tensor) -> Tensor:
    """Return a tensor whose order is the reverse of `x`'s, without overflow; NaN stays NaN."""
    if x.dtype == "i1":
        return logical_not(low, x)
    return low.unary("neg" if is_float(x.dtype) else "bitwise_not", x)


def any_true(low: Lowering, x: Tensor, dims: Sequence[int], keepdim: bool) -> Tensor:
    """Return in i1 whether any element along `dims` is not zero.

    tt-mlir makes `reduce_or` a sum, whose result counts as true, but need not be 1.
    """
    found = low.reduce("reduce_or", low.cast(x, "i1"), dims, keepdim)
    return low.compare("ne", found, 0)


def all_true(low: Lowering, x: Tensor, dims: Sequence[int], keepdim: bool) -> Tensor:
    """Return in i1 whether no element along `dims` is zero."""
    return low.reduce("reduce_and", low.cast(x, "i1"), dims, keepdim)


@RULES.lowers("aten.any", "aten.any.dim", "aten.any.dims")
def any_(low: Lowering, x: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor; u8 stays u8."""
    if dim == []:
        return low.cast(low.cast(x, "i1"), low.result.dtype)
    found = any_true(low, x, low.dims(dim, x.rank), keepdim)
    return low.cast(found, low.result.dtype)


@RULES.lowers("aten.all", "aten.all.dim", "aten.all.dims")
def all_(low: Lowering, x: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor; u8 stays u8."""
    if dim == []:
        return low.cast(low.cast(x, "i1"), low.result.dtype)
    found = all_true(low, x, low.dims(dim, x.rank), keepdim)
    return low.cast(found, low.result.dtype)


@RULES.lowers("aten.count_nonzero", "aten.count_nonzero.dim_IntList")
def count_nonzero(low: Lowering, x: Tensor, dim: Dims = None) -> Tensor:
    """count_nonzero(Tensor self, int? dim=None) -> Tensor."""
    ones = low.cast(low.cast(x, "i1"), low.result.dtype)
    return low.reduce("sum", ones, low.dims(dim, x.rank), False)


@RULES.lowers("aten.logsumexp", "aten.special_logsumexp")
@widened
def logsumexp(low: Lowering, x: Tensor, dim: Dims, keepdim: bool = False) -> Tensor:
    """logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor.

    The largest element is taken out, unless it is infinite: inf - inf would be NaN.
    """
    dims = low.dims(dim, x.rank)
    if 0 in x.shape:
        return low.full(low.result.shape, -math.inf, x.dtype)
    largest = low.reduce("max", x, dims, True)
    largest = low.where(low.unary("isfinite", largest, "i1"), largest, 0)
    total = low.reduce("sum", low.unary("exp", low.sub(x, largest)), dims, True)
    return low.reshape(low.add(low.unary("log", total), largest), low.result.shape)
