"""Rules for scatter along a dimension, plain and with a reduction."""

from __future__ import annotations

import math

import numpy as np

from torch_ttir.ir.constants import NUMPY_DTYPES
from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import scatter as write
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

REDUCTIONS = {
    "sum": "sum",
    "add": "sum",
    "prod": "prod",
    "multiply": "prod",
    "amax": "max",
    "amin": "min",
    "mean": "mean",
}
"""TTIR's names of the reductions, by PyTorch's."""


@RULES.lowers("aten.scatter.src", "aten.scatter.value", run_time_scalars=True)
def scatter(low: Lowering, x: Tensor, dim: int, index: Tensor, src: Tensor | float) -> Tensor:
    """scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor."""
    return _scatter(low, x, dim, index, src, "invalid")


@RULES.lowers("aten.scatter_add")
def scatter_add(low: Lowering, x: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor."""
    return _scatter(low, x, dim, index, src, "sum")


@RULES.lowers("aten.scatter.reduce", "aten.scatter.value_reduce", run_time_scalars=True)
def scatter_and_reduce(
    low: Lowering, x: Tensor, dim: int, index: Tensor, src: Tensor | float, reduce: str
) -> Tensor:
    """scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor."""
    return _scatter(low, x, dim, index, src, reduction(low, reduce))


@RULES.lowers("aten.scatter_reduce.two")
def scatter_reduce(
    low: Lowering,
    x: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
) -> Tensor:
    """scatter_reduce.two(self, dim, index, src, str reduce, *, bool include_self) -> Tensor."""
    return _scatter(low, x, dim, index, src, reduction(low, reduce), include_self)


def reduction(low: Lowering, name: str) -> str:
    """Return TTIR's name of a PyTorch reduction, and `mean`; rejects another."""
    low.expect(name in REDUCTIONS, f"reduction `{name}` is not one of {', '.join(REDUCTIONS)}")
    return REDUCTIONS[name]


def reduce_into(
    low: Lowering,
    x: Tensor,
    dim: int,
    index: Tensor,
    source: Tensor,
    reduce: str,
    include_self: bool,
) -> Tensor:
    """Return `x` with `source`, of the index's shape, reduced into it; `reduce` may be `mean`.

    Without `include_self`, an element that is written starts from the reduction's identity.
    """
    if reduce == "mean":
        return _mean_into(low, x, dim, index, source, include_self)
    if not include_self:
        neutral = low.full(source.shape, identity(reduce, x.dtype), x.dtype)
        x = write(low, x, dim, index, neutral, "invalid")
    return write(low, x, dim, index, source, reduce)


def _scatter(
    low: Lowering,
    x: Tensor,
    dim: int,
    index: Tensor,
    src: Tensor | float,
    reduce: str,
    include_self: bool = True,
) -> Tensor:
    """Lower any scatter: 0-d operands as 1-d, a source larger than the index cut to it."""
    if 0 in index.shape:
        return x
    axis = low.dim(dim, x.rank)
    flat, places = (low.reshape(value, value.shape or (1,)) for value in (x, index))
    if isinstance(src, Tensor) and src.rank == index.rank:
        source = low.reshape(low.cast(src, x.dtype), src.shape or (1,))
        for along, size in enumerate(places.shape):
            source = low.slice(source, along, 0, size)
    else:
        source = low.broadcast(low.scalar(src, x.dtype), places.shape)
    if reduce == "invalid":
        made = write(low, flat, axis, places, source, reduce)
    else:
        made = reduce_into(low, flat, axis, places, source, reduce, include_self)
    return low.reshape(made, x.shape)


def _mean_into(
    low: Lowering, x: Tensor, dim: int, index: Tensor, source: Tensor, include_self: bool
) -> Tensor:
    """Sum and count, and divide; integers round towards minus infinity, as PyTorch's do."""
    total = reduce_into(low, x, dim, index, source, "sum", include_self)
    ones = low.full(source.shape, 1, x.dtype)
    count = write(low, low.full(x.shape, int(include_self), x.dtype), dim, index, ones, "sum")
    if not include_self:
        count = low.maximum(count, 1)
    if is_float(x.dtype):
        return low.div(total, count)
    return low.div(low.sub(total, low.binary("remainder", total, count)), count)


def identity(reduce: str, dtype: str) -> float:
    """Return the value that a reduction leaves others unchanged with."""
    if reduce in ("sum", "prod"):
        return 0 if reduce == "sum" else 1
    if is_float(dtype):
        return -math.inf if reduce == "max" else math.inf
    if dtype == "i1":
        return 0 if reduce == "max" else 1
    limits = np.iinfo(NUMPY_DTYPES[dtype])
    return int(limits.min if reduce == "max" else limits.max)
