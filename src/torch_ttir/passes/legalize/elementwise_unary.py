"""Rules for elementwise functions of one tensor: one-to-one ops, and compositions."""

from __future__ import annotations

import math
from functools import partial

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import (
    copy_sign,
    in_result_dtype,
    is_nan,
    round_half_even,
    widened,
)
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

# Integers and bools become the float type that the result declares.
FLOAT_FUNCTIONS = {
    "aten.acos": "acos",
    "aten.arccos": "acos",
    "aten.arcsin": "asin",
    "aten.arcsinh": "asinh",
    "aten.arctan": "atan",
    "aten.asin": "asin",
    "aten.asinh": "asinh",
    "aten.atan": "atan",
    "aten.cos": "cos",
    "aten.erf": "erf",
    "aten.erfc": "erfc",
    "aten.exp": "exp",
    "aten.exp2": "exp2",
    "aten.expm1": "expm1",
    "aten.log": "log",
    "aten.log1p": "log1p",
    "aten.reciprocal": "reciprocal",
    "aten.rsqrt": "rsqrt",
    "aten.sigmoid": "sigmoid",
    "aten.sin": "sin",
    "aten.special_erf": "erf",
    "aten.special_erfc": "erfc",
    "aten.special_exp2": "exp2",
    "aten.special_expit": "sigmoid",
    "aten.special_expm1": "expm1",
    "aten.special_log1p": "log1p",
    "aten.sqrt": "sqrt",
    "aten.tan": "tan",
    "aten.tanh": "tanh",
    "prims.sqrt": "sqrt",
}

# Of any type, and of the same type as the result.
SAME_TYPE_FUNCTIONS = {
    "aten.abs": "abs",
    "aten.absolute": "abs",
    "aten.frac": "frac",
    "aten.neg": "neg",
    "aten.negative": "neg",
    "aten.square": "square",
}

# The identity on integers and bools.
ROUNDING_FUNCTIONS = {
    "aten.ceil": "ceil",
    "aten.fix": "trunc",
    "aten.floor": "floor",
    "aten.trunc": "trunc",
}


def _function(ttir: str, low: Lowering, x: Tensor) -> Tensor:
    return low.unary(ttir, low.cast(x, low.result.dtype))


def _rounding(ttir: str, low: Lowering, x: Tensor) -> Tensor:
    return low.unary(ttir, x) if is_float(x.dtype) else x


for _name, _ttir in {**FLOAT_FUNCTIONS, **SAME_TYPE_FUNCTIONS}.items():
    RULES.add(_name, partial(_function, _ttir))
for _name, _ttir in ROUNDING_FUNCTIONS.items():
    RULES.add(_name, partial(_rounding, _ttir))


@RULES.lowers("aten.sign", "aten.sgn")
def sign(low: Lowering, x: Tensor) -> Tensor:
    """sign(Tensor self) -> Tensor; sgn is the same but for complex numbers."""
    return x if x.dtype == "i1" else low.unary("sign", x)


@RULES.lowers("aten.signbit")
def signbit(low: Lowering, x: Tensor) -> Tensor:
    """signbit(Tensor self) -> Tensor; integers have one where they are negative."""
    if is_float(x.dtype):
        return low.unary("signbit", x, "i1")
    return low.full(x.shape, 0, "i1") if x.dtype == "i1" else low.compare("lt", x, 0)


@RULES.lowers("aten.round")
def round_(low: Lowering, x: Tensor) -> Tensor:
    """round(Tensor self) -> Tensor; halves go to the even neighbour."""
    return round_half_even(low, x) if is_float(x.dtype) else x


@RULES.lowers("aten.round.decimals", "aten.special_round")
@widened
def round_decimals(low: Lowering, x: Tensor, decimals: int = 0) -> Tensor:
    """round.decimals(Tensor self, *, int decimals) -> Tensor; PyTorch scales, rounds and scales."""
    if not is_float(x.dtype) or decimals == 0:
        return round_(low, x)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return low.div(round_half_even(low, low.mul(x, scale)), scale)
    return low.mul(round_half_even(low, low.div(x, scale)), scale)


@RULES.lowers("aten.sinh")
@widened
def sinh(low: Lowering, x: Tensor) -> Tensor:
    """sinh(Tensor self) -> Tensor; from expm1 where cancellation matters, from exp(x/2) beyond."""
    grown = low.unary("expm1", x)
    near = low.mul(low.add(grown, low.div(grown, low.add(grown, 1))), 0.5)
    size = low.unary("abs", x)
    large, small = _halved_exponentials(low, size)
    far = copy_sign(low, low.sub(large, small), x)
    return low.where(low.compare("lt", size, 1), near, far)


@RULES.lowers("aten.cosh")
@widened
def cosh(low: Lowering, x: Tensor) -> Tensor:
    """cosh(Tensor self) -> Tensor."""
    large, small = _halved_exponentials(low, low.unary("abs", x))
    return low.add(large, small)


def _halved_exponentials(low: Lowering, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return exp(x)/2 and exp(-x)/2, through exp(x/2), which overflows later than exp(x)."""
    root = low.unary("exp", low.mul(x, 0.5))
    return low.mul(low.mul(root, 0.5), root), low.div(low.div(0.5, root), root)


@RULES.lowers("aten.acosh", "aten.arccosh")
@widened
def acosh(low: Lowering, x: Tensor) -> Tensor:
    """acosh(Tensor self) -> Tensor; log1p(d + sqrt(d) sqrt(d + 2)) with d = x - 1."""
    above = low.sub(x, 1)
    root = low.mul(low.unary("sqrt", above), low.unary("sqrt", low.add(above, 2)))
    near = low.unary("log1p", low.add(above, root))
    far = low.add(low.unary("log", x), math.log(2))
    return low.where(low.compare("gt", x, 1e10), far, near)


@RULES.lowers("aten.atanh", "aten.arctanh")
@widened
def atanh(low: Lowering, x: Tensor) -> Tensor:
    """atanh(Tensor self) -> Tensor; (log1p(x) - log1p(-x)) / 2."""
    upper, lower = low.unary("log1p", x), low.unary("log1p", low.unary("neg", x))
    return low.mul(low.sub(upper, lower), 0.5)


@RULES.lowers("aten.log2")
@widened
def log2(low: Lowering, x: Tensor) -> Tensor:
    """log2(Tensor self) -> Tensor."""
    return low.mul(low.unary("log", x), 1 / math.log(2))


@RULES.lowers("aten.log10")
@widened
def log10(low: Lowering, x: Tensor) -> Tensor:
    """log10(Tensor self) -> Tensor."""
    return low.mul(low.unary("log", x), 1 / math.log(10))


@RULES.lowers("aten.deg2rad")
@widened
def deg2rad(low: Lowering, x: Tensor) -> Tensor:
    """deg2rad(Tensor self) -> Tensor."""
    return low.mul(x, math.pi / 180)


@RULES.lowers("aten.rad2deg")
@widened
def rad2deg(low: Lowering, x: Tensor) -> Tensor:
    """rad2deg(Tensor self) -> Tensor."""
    return low.mul(x, 180 / math.pi)


@RULES.lowers("aten.sinc", "aten.special_sinc")
@widened
def sinc(low: Lowering, x: Tensor) -> Tensor:
    """sinc(Tensor self) -> Tensor; sin(pi x) / (pi x), and 1 at 0."""
    angle = low.mul(x, math.pi)
    wave = low.div(low.unary("sin", angle), angle)
    return low.where(low.compare("eq", x, 0), 1, wave)


@RULES.lowers("aten.logit", "aten.special_logit")
@in_result_dtype
def logit(low: Lowering, x: Tensor, eps: float | None = None) -> Tensor:
    """logit(Tensor self, float? eps=None) -> Tensor; self clamped to [eps, 1 - eps] first."""
    if eps is not None:
        upper = low.minimum(x, low.sub(1, low.full((), eps, x.dtype)))
        x = low.where(low.compare("lt", x, eps), eps, upper)
    return low.unary("log", low.div(x, low.sub(1, x)))


@RULES.lowers("aten.angle")
def angle(low: Lowering, x: Tensor) -> Tensor:
    """angle(Tensor self) -> Tensor; of real numbers: pi for negative ones, NaN for NaN, else 0."""
    x = low.cast(x, low.result.dtype)
    turned = low.where(low.compare("lt", x, 0), math.pi, low.full((), 0, x.dtype))
    return low.where(is_nan(low, x), x, turned)


@RULES.lowers("aten.nan_to_num")
def nan_to_num(
    low: Lowering,
    x: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor.

    The defaults are 0 and the largest and smallest finite values of the type.
    """
    if not is_float(x.dtype):
        return x
    low.expect(x.dtype in LARGEST, f"the largest value of {x.dtype} is not known")
    high = LARGEST[x.dtype] if posinf is None else posinf
    bottom = -LARGEST[x.dtype] if neginf is None else neginf
    made = low.where(is_nan(low, x), nan or 0.0, x)
    made = low.where(low.compare("eq", x, math.inf), high, made)
    return low.where(low.compare("eq", x, -math.inf), bottom, made)


LARGEST = {
    "f64": (2 - 2.0**-52) * 2.0**1023,
    "f32": (2 - 2.0**-23) * 2.0**127,
    "f16": 65504.0,
    "bf16": (2 - 2.0**-7) * 2.0**127,
}
"""The largest finite value of each float type."""
