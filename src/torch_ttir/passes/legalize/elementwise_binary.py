"""Rules for functions of two and three tensors: logarithms of sums, signs, interpolation."""

from __future__ import annotations

import math

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import copy_sign, in_result_dtype, is_nan, widened
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.fmax")
@in_result_dtype
def fmax(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """fmax(Tensor self, Tensor other) -> Tensor; a number wins over NaN."""
    return _number_over_nan(low, "maximum", "logical_or", x, y)


@RULES.lowers("aten.fmin")
@in_result_dtype
def fmin(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """fmin(Tensor self, Tensor other) -> Tensor; a number wins over NaN."""
    return _number_over_nan(low, "minimum", "logical_and", x, y)


def _number_over_nan(low: Lowering, ttir: str, logical: str, x: Tensor, y: Tensor) -> Tensor:
    if not is_float(x.dtype):
        return low.binary(logical if x.dtype == "i1" else ttir, x, y)
    chosen = low.where(is_nan(low, y), x, low.binary(ttir, x, y))
    return low.where(is_nan(low, x), y, chosen)


@RULES.lowers("aten.copysign.Tensor", "aten.copysign.Scalar", run_time_scalars=True)
def copysign(low: Lowering, x: Tensor, y: Tensor | Number) -> Tensor:
    """copysign.Tensor(Tensor self, Tensor other) -> Tensor."""
    x, y = low.cast(x, low.result.dtype), low.scalar(y, low.result.dtype)
    return copy_sign(low, x, y)


@RULES.lowers("aten.heaviside")
def heaviside(low: Lowering, x: Tensor, values: Tensor) -> Tensor:
    """heaviside(Tensor self, Tensor values) -> Tensor; 0, 1, and `values` where self is 0."""
    above = low.cast(low.compare("gt", x, 0), x.dtype)
    return low.where(low.compare("eq", x, 0), low.cast(values, x.dtype), above)


@RULES.lowers("aten.logaddexp")
@widened
def logaddexp(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """logaddexp(Tensor self, Tensor other) -> Tensor."""
    return log_add_exp(low, x, y)


def log_add_exp(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """Return log(exp(x) + exp(y)); equal operands apart, since inf - inf is NaN."""
    gap = low.unary("neg", low.unary("abs", low.sub(x, y)))
    apart = low.add(low.maximum(x, y), low.unary("log1p", low.unary("exp", gap)))
    return low.where(low.compare("eq", x, y), low.add(x, math.log(2)), apart)


@RULES.lowers("aten.logaddexp2")
@widened
def logaddexp2(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """logaddexp2(Tensor self, Tensor other) -> Tensor."""
    gap = low.unary("neg", low.unary("abs", low.sub(x, y)))
    grown = low.mul(low.unary("log1p", low.unary("exp2", gap)), 1 / math.log(2))
    apart = low.add(low.maximum(x, y), grown)
    return low.where(low.compare("eq", x, y), low.add(x, 1), apart)


def _times_log(low: Lowering, log: str, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    dtype = low.result.dtype
    x, y = low.scalar(x, dtype), low.scalar(y, dtype)
    product = low.mul(x, low.unary(log, y))
    zero = low.where(low.compare("eq", x, 0), 0, product)
    return low.where(is_nan(low, y), math.nan, zero)


_SPECIAL = ("", ".self_scalar", ".other_scalar")


@RULES.lowers(
    *(f"aten.xlogy.{kind}" for kind in ("Tensor", "Scalar_Self", "Scalar_Other")),
    *(f"aten.special_xlogy{kind}" for kind in _SPECIAL),
    run_time_scalars=True,
)
def xlogy(low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """xlogy.Tensor(Tensor self, Tensor other) -> Tensor; 0 where self is 0, unless other is NaN."""
    return _times_log(low, "log", x, y)


@RULES.lowers(*(f"aten.special_xlog1py{kind}" for kind in _SPECIAL), run_time_scalars=True)
def xlog1py(low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """special_xlog1py(Tensor self, Tensor other) -> Tensor; 0 where self is 0."""
    return _times_log(low, "log1p", x, y)


@RULES.lowers("aten.lerp.Scalar", "aten.lerp.Tensor", run_time_scalars=True)
@widened
def lerp(low: Lowering, start: Tensor, end: Tensor, weight: Tensor | Number) -> Tensor:
    """lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor; from the nearer end."""
    step, share = low.sub(end, start), low.scalar(weight, start.dtype)
    near = low.add(start, low.mul(step, share))
    if not isinstance(weight, Tensor) and abs(weight) < 0.5:
        return near
    far = low.sub(end, low.mul(step, low.sub(1, share)))
    if not isinstance(weight, Tensor):
        return far
    return low.where(low.compare("lt", low.unary("abs", share), 0.5), near, far)


@RULES.lowers("aten.addcmul", run_time_scalars=True)
@widened
def addcmul(low: Lowering, x: Tensor, y: Tensor, z: Tensor, value: Tensor | Number = 1) -> Tensor:
    """addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor."""
    return low.add(x, low.mul(_scaled(low, y, value), z))


@RULES.lowers("aten.addcdiv", run_time_scalars=True)
@widened
def addcdiv(low: Lowering, x: Tensor, y: Tensor, z: Tensor, value: Tensor | Number = 1) -> Tensor:
    """addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor."""
    return low.add(x, low.div(_scaled(low, y, value), z))


def _scaled(low: Lowering, x: Tensor, value: Tensor | Number) -> Tensor:
    return x if not isinstance(value, Tensor) and value == 1 else low.mul(x, value)


_LOOP = "Euclid's algorithm takes a number of steps that depends on the values"
RULES.rejects("aten.gcd", _LOOP)
RULES.rejects("aten.lcm", _LOOP)
