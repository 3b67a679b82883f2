"""Rules for powers: pow in all its overloads, float_power, ldexp."""

from __future__ import annotations

import math

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import widened
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.pow.Tensor_Scalar", "aten.float_power.Tensor_Scalar", run_time_scalars=True)
def pow_number(low: Lowering, x: Tensor, exponent: Tensor | Number) -> Tensor:
    """pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor.

    The exponents that PyTorch's kernel singles out are written as it computes them.
    """
    x = low.cast(x, low.result.dtype)
    if isinstance(exponent, Tensor):
        return pow_tensors(low, x, exponent)
    if exponent == 0:
        return low.full(x.shape, 1, x.dtype)
    if exponent == 1:
        return x
    if exponent == 2:
        return low.unary("square", x)
    # PyTorch takes these apart in all floats but f16.
    if is_float(x.dtype) and x.dtype != "f16":
        if exponent == 3:
            return low.mul(low.mul(x, x), x)
        if exponent == -2:
            return low.unary("reciprocal", low.mul(x, x))
        if exponent in (0.5, -0.5, -1):
            return low.unary({0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"}[exponent], x)
    return low.binary("pow", x, exponent)


@RULES.lowers("aten.pow.Scalar", "aten.float_power.Scalar", run_time_scalars=True)
def pow_of_number(low: Lowering, base: Tensor | Number, exponent: Tensor) -> Tensor:
    """pow.Scalar(Scalar self, Tensor exponent) -> Tensor."""
    if base == 1:
        return low.full(exponent.shape, 1, low.result.dtype)
    return pow_tensors(low, low.scalar(base, low.result.dtype), exponent)


@RULES.lowers("aten.pow.Tensor_Tensor", "aten.float_power.Tensor_Tensor")
def pow_tensors(low: Lowering, x: Tensor, exponent: Tensor) -> Tensor:
    """pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor."""
    dtype = low.result.dtype
    return low.binary("pow", low.cast(x, dtype), low.cast(exponent, dtype))


@RULES.lowers("aten.ldexp.Tensor")
def ldexp(low: Lowering, x: Tensor, exponent: Tensor) -> Tensor:
    """ldexp.Tensor(Tensor self, Tensor other) -> Tensor; self * 2^other, the power rounded."""
    power = low.binary("pow", 2, low.cast(exponent, low.promote(exponent, 2.0)))
    return low.mul(low.cast(x, low.result.dtype), low.cast(power, low.result.dtype))


@RULES.lowers("aten.hypot")
@widened
def hypot(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """hypot(Tensor self, Tensor other) -> Tensor; scaled, so that the squares do not overflow."""
    x, y = low.unary("abs", x), low.unary("abs", y)
    larger, smaller = low.maximum(x, y), low.minimum(x, y)
    ratio = low.div(smaller, larger)
    length = low.mul(larger, low.unary("sqrt", low.add(low.unary("square", ratio), 1)))
    # Zero and infinity give no ratio; an infinite leg wins over NaN, as in C.
    length = low.where(low.compare("eq", larger, 0), larger, length)
    infinite = low.binary(
        "logical_or", low.compare("eq", x, math.inf), low.compare("eq", y, math.inf), "i1"
    )
    return low.where(infinite, math.inf, length)
