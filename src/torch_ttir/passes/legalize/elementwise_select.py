"""Rules that choose between values: where, clamp and its kin."""

from __future__ import annotations

import math

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor, is_f32
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers(
    "aten.where.self",
    "aten.where.Scalar",
    "aten.where.ScalarSelf",
    "aten.where.ScalarOther",
    run_time_scalars=True,
)
def where(low: Lowering, condition: Tensor, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """where.self(Tensor condition, Tensor self, Tensor other) -> Tensor."""
    dtype = low.result.dtype
    return low.where(low.cast(condition, "i1"), low.scalar(x, dtype), low.scalar(y, dtype))


@RULES.lowers("aten.clamp", "aten.clip", run_time_scalars=True)
def clamp(
    low: Lowering, x: Tensor, lower: Tensor | Number | None, upper: Tensor | Number | None = None
) -> Tensor:
    """clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor."""
    x = low.cast(x, low.result.dtype)
    if isinstance(lower, Tensor) or isinstance(upper, Tensor):
        return clamp_tensors(low, x, lower, upper)
    return clamp_numbers(low, x, lower, upper)


@RULES.lowers("aten.clamp_min", run_time_scalars=True)
def clamp_min(low: Lowering, x: Tensor, lower: Tensor | Number) -> Tensor:
    """clamp_min(Tensor self, Scalar min) -> Tensor."""
    return clamp(low, x, lower, None)


@RULES.lowers("aten.clamp_max", run_time_scalars=True)
def clamp_max(low: Lowering, x: Tensor, upper: Tensor | Number) -> Tensor:
    """clamp_max(Tensor self, Scalar max) -> Tensor."""
    return clamp(low, x, None, upper)


def clamp_numbers(low: Lowering, x: Tensor, lower: Number | None, upper: Number | None) -> Tensor:
    """Return `x` clamped to constant bounds; NaN stays, and the upper bound wins if they cross.

    The attributes of `ttir.clamp_scalar` are f32 or i32; other bounds are written as tensors.
    """
    if is_float(x.dtype):
        low_bound = -math.inf if lower is None else float(lower)
        high_bound = math.inf if upper is None else float(upper)
        if x.dtype != "f64" or (is_f32(low_bound) and is_f32(high_bound)):
            return low.op("clamp_scalar", [x], x.shape, x.dtype, min=low_bound, max=high_bound)
    elif lower is not None and upper is not None and _is_i32(lower) and _is_i32(upper):
        return low.op("clamp_scalar", [x], x.shape, x.dtype, min=int(lower), max=int(upper))
    x = x if lower is None else low.maximum(x, lower)
    return x if upper is None else low.minimum(x, upper)


def _is_i32(value: Number) -> bool:
    return -(2**31) <= value < 2**31


@RULES.lowers("aten.clamp.Tensor", "aten.clip.Tensor")
def clamp_tensors(
    low: Lowering, x: Tensor, lower: Tensor | Number | None, upper: Tensor | Number | None = None
) -> Tensor:
    """clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor."""
    shape, dtype = low.result
    x = low.cast(x, dtype)
    if lower is None or upper is None:
        x = x if lower is None else low.maximum(x, low.scalar(lower, dtype))
        return x if upper is None else low.minimum(x, low.scalar(upper, dtype))
    bounds = [low.scalar(lower, dtype), low.scalar(upper, dtype)]
    return low.op("clamp_tensor", [low.broadcast(x, shape), *bounds], shape, dtype)


@RULES.lowers("aten.clamp_min.Tensor")
def clamp_min_tensor(low: Lowering, x: Tensor, lower: Tensor) -> Tensor:
    """clamp_min.Tensor(Tensor self, Tensor min) -> Tensor."""
    return clamp_tensors(low, x, lower, None)


@RULES.lowers("aten.clamp_max.Tensor")
def clamp_max_tensor(low: Lowering, x: Tensor, upper: Tensor) -> Tensor:
    """clamp_max.Tensor(Tensor self, Tensor max) -> Tensor."""
    return clamp_tensors(low, x, None, upper)
