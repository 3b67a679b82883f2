"""Rules for ONNX's reductions, arg-reductions, scans, sorts and softmax."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import Ints, aten, integers, wanted
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

Reduce = Callable[[Lowering, Tensor, list[int], bool], Tensor]


def _plain(name: str) -> Reduce:
    return lambda low, x, dims, keep: low.reduce(name, x, dims, keep)


def _of(prepare: Callable[[Lowering, Tensor], Tensor]) -> Reduce:
    return lambda low, x, dims, keep: low.reduce("sum", prepare(low, x), dims, keep)


def _absolute(low: Lowering, x: Tensor) -> Tensor:
    return low.unary("abs", x)


def _square(low: Lowering, x: Tensor) -> Tensor:
    return low.mul(x, x)


def _log_sum(low: Lowering, x: Tensor, dims: list[int], keep: bool) -> Tensor:
    return low.unary("log", low.reduce("sum", x, dims, keep))


def _norm(low: Lowering, x: Tensor, dims: list[int], keep: bool) -> Tensor:
    wide = x if is_float(x.dtype) else low.cast(x, "f64" if x.dtype == "i64" else "f32")
    total = low.reduce("sum", _square(low, wide), dims, keep)
    return low.cast(low.unary("sqrt", total), x.dtype)


def _log_sum_exp(low: Lowering, x: Tensor, dims: list[int], keep: bool) -> Tensor:
    if not x.shape:
        return x
    return aten(low, "logsumexp", x, dims, keep)  # type: ignore[no-any-return]


def _extremum(name: str) -> Reduce:
    def lower(low: Lowering, x: Tensor, dims: list[int], keep: bool) -> Tensor:
        if x.dtype != "i1":
            return low.reduce(name, x, dims, keep)
        wide = low.reduce(name, low.cast(x, "i32"), dims, keep)
        return low.cast(wide, "i1")

    return lower


REDUCTIONS: dict[str, Reduce] = {
    "ReduceSum": _plain("sum"),
    "ReduceMean": _plain("mean"),
    "ReduceProd": _plain("prod"),
    "ReduceMax": _extremum("max"),
    "ReduceMin": _extremum("min"),
    "ReduceL1": _of(_absolute),
    "ReduceL2": _norm,
    "ReduceSumSquare": _of(_square),
    "ReduceLogSum": _log_sum,
    "ReduceLogSumExp": _log_sum_exp,
}

# What a reduction over no elements gives.
_IDENTITIES = {
    "ReduceProd": 1.0,
    "ReduceMax": -np.inf,
    "ReduceMin": np.inf,
    "ReduceLogSum": -np.inf,
}
_EMPTY_IS_MINUS_INF = ("ReduceLogSum", "ReduceLogSumExp")


def _reduce(
    name: str,
    low: Lowering,
    x: Tensor,
    axes: Ints = None,
    *,
    keepdims: int = 1,
    noop_with_empty_axes: int = 0,
) -> Tensor:
    """Reduce over `axes`, over all without them, or not at all if that is asked for."""
    listed = integers(low, axes, "axes")
    if not listed and noop_with_empty_axes:
        dims: list[int] = []
    else:
        dims = low.dims(listed, x.rank)
    if any(x.shape[dim] == 0 for dim in dims):
        return low.full(low.result.shape, _identity(low, name), low.result.dtype)
    if not dims:
        unit = low.reshape(x, (*x.shape, 1))
        return low.reshape(REDUCTIONS[name](low, unit, [x.rank], True), low.result.shape)
    return REDUCTIONS[name](low, x, dims, bool(keepdims))


def _identity(low: Lowering, name: str) -> float:
    if name in _EMPTY_IS_MINUS_INF:
        return -np.inf
    if name == "ReduceMean":
        return float("nan")
    value = _IDENTITIES.get(name, 0.0)
    if np.isinf(value) and not is_float(low.result.dtype):
        limits = np.iinfo(low.result.dtype.replace("ui", "uint").replace("i", "int", 1))
        return int(limits.min if value < 0 else limits.max)
    return value


for _name in REDUCTIONS:
    RULES.add(f"onnx.{_name}", partial(_reduce, _name))


def _arg(
    name: str,
    low: Lowering,
    x: Tensor,
    *,
    axis: int = 0,
    keepdims: int = 1,
    select_last_index: int = 0,
) -> Tensor:
    """Find the first, or the last, index of the extremum along `axis`."""
    dim = low.dim(axis, x.rank)
    if not select_last_index:
        return aten(low, name, x, dim, bool(keepdims))  # type: ignore[no-any-return]
    flipped = low.op("reverse", [x], x.shape, x.dtype, dimensions=[dim])
    found = aten(low, name, flipped, dim, bool(keepdims))
    last = low.full((), x.shape[dim] - 1, found.dtype)
    return low.sub(low.broadcast(last, found.shape), found)


RULES.add("onnx.ArgMax", partial(_arg, "argmax"))
RULES.add("onnx.ArgMin", partial(_arg, "argmin"))


@RULES.lowers("onnx.CumSum")
def cumulative_sum(
    low: Lowering, x: Tensor, axis: Ints, *, exclusive: int = 0, reverse: int = 0
) -> Tensor:
    """CumSum(x, axis; exclusive=0, reverse=0) -> y."""
    return _scan(low, "cumsum", 0, x, axis, exclusive, reverse)


@RULES.lowers("onnx.CumProd")
def cumulative_product(
    low: Lowering, x: Tensor, axis: Ints, *, exclusive: int = 0, reverse: int = 0
) -> Tensor:
    """CumProd(x, axis; exclusive=0, reverse=0) -> y."""
    return _scan(low, "cumprod", 1, x, axis, exclusive, reverse)


def _scan(
    low: Lowering, name: str, first: int, x: Tensor, axis: Ints, exclusive: int, reverse: int
) -> Tensor:
    listed = integers(low, axis, "axis")
    dim = low.dim(listed[0] if listed else 0, x.rank)

    def flip(value: Tensor) -> Tensor:
        if not reverse:
            return value
        return low.op("reverse", [value], value.shape, value.dtype, dimensions=[dim])

    x = flip(x)
    if exclusive:
        edge = list(x.shape)
        edge[dim] = 1
        kept = low.slice(x, dim, 0, x.shape[dim] - 1)
        x = low.concat([low.full(edge, first, x.dtype), kept], dim)
    return flip(low.op(name, [x], x.shape, x.dtype, dim=dim))


def _softmax_like(aten_name: str, low: Lowering, x: Tensor, *, axis: int | None = None) -> Tensor:
    """Normalize along `axis`; before opset 13, over all dimensions from `axis` (1) on."""
    if low.opset >= 13:
        return _normalized(low, aten_name, x, low.dim(-1 if axis is None else axis, x.rank))
    dim = low.dim(1 if axis is None else axis, x.rank)
    rows = int(np.prod(x.shape[:dim], dtype=np.int64))
    flat = low.reshape(x, (rows, -1 if 0 in x.shape else int(np.prod(x.shape[dim:]))))
    return low.reshape(_normalized(low, aten_name, flat, 1), x.shape)


def _normalized(low: Lowering, name: str, x: Tensor, dim: int) -> Tensor:
    if name == "hardmax":
        index = low.reduce("argmax", x, [dim], True, "i32")
        places = low.arange(x.shape, dim, "i32")
        return low.binary("eq", places, index, x.dtype)
    if name == "softmax":
        return low.op("softmax", [x], x.shape, x.dtype, dimension=dim, numericStable=True)
    largest = low.reduce("max", x, [dim], True)
    shifted = low.sub(x, largest)
    total = low.reduce("sum", low.unary("exp", shifted), [dim], True)
    return low.sub(shifted, low.unary("log", total))


for _name in ("Softmax", "LogSoftmax", "Hardmax"):
    RULES.add(f"onnx.{_name}", partial(_softmax_like, _name.lower()))


@RULES.lowers("onnx.TopK")
def top_k(
    low: Lowering,
    x: Tensor,
    k: Tensor | int,
    *,
    axis: int = -1,
    largest: int = 1,
    sorted: int = 1,
) -> list[Tensor]:
    """TopK(X, K; axis=-1, largest=1, sorted=1) -> Values, Indices; of equals, the lower index."""
    dim = low.dim(axis, x.rank)
    count = low.results[0].shape[dim]
    values, indices = low.multi(
        "sort",
        [x],
        [x.info, x.info._replace(dtype="i64")],
        dim=dim,
        descending=bool(largest),
        stable=True,
    )
    return wanted(low, [low.slice(value, dim, 0, count) for value in (values, indices)])  # type: ignore[no-any-return]


@RULES.lowers("onnx.LpNormalization")
def lp_normalization(low: Lowering, x: Tensor, *, axis: int = -1, p: int = 2) -> Tensor:
    """LpNormalization(input; axis=-1, p=2) -> output; zero where the norm is zero."""
    dim = low.dim(axis, x.rank)
    if p == 1:
        norm = low.reduce("sum", _absolute(low, x), [dim], True)
    else:
        norm = low.unary("sqrt", low.reduce("sum", _square(low, x), [dim], True))
    zero = low.full((), 0, x.dtype)
    return low.where(low.compare("eq", norm, zero), zero, low.div(x, norm))


@RULES.lowers("onnx.MeanVarianceNormalization")
def mean_variance_normalization(
    low: Lowering, x: Tensor, *, axes: list[int] | None = None
) -> Tensor:
    """MeanVarianceNormalization(X; axes=[0,2,3]) -> Y = (X - mean) / (std + 1e-9)."""
    dims = low.dims(axes or [0, 2, 3], x.rank)
    centred = low.sub(x, low.reduce("mean", x, dims, True))
    deviation = low.unary("sqrt", low.reduce("mean", _square(low, centred), dims, True))
    return low.div(centred, low.add(deviation, low.full((), 1e-9, x.dtype)))
