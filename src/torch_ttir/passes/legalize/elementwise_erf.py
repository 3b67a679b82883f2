"""Rules for what is made of the error function: its inverse, and the normal distribution."""

from __future__ import annotations

import math

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import (
    copy_sign,
    in_result_dtype,
    is_nan,
    polynomial,
    widened,
)
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import compute_dtype
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.erfinv", "aten.special_erfinv")
@widened
def erfinv(low: Lowering, x: Tensor) -> Tensor:
    """erfinv(Tensor self) -> Tensor; NaN outside [-1, 1]."""
    size = low.unary("abs", x)
    tails = low.add(low.unary("log1p", low.unary("neg", size)), low.unary("log1p", size))
    guess = _guess(low, tails)
    # Near 1, what is missing to 1 has the digits.
    near, rest = low.compare("lt", size, 0.5), low.sub(1, size)
    for _ in range(2):
        inner = low.sub(low.unary("erf", guess), size)
        outer = low.sub(rest, low.unary("erfc", guess))
        guess = _halley(low, guess, low.where(near, inner, outer))
    return copy_sign(low, low.where(low.compare("eq", size, 1), math.inf, guess), x)


def _guess(low: Lowering, tails: Tensor) -> Tensor:
    """Return the inverse of erf for log(1 - y^2), to about three digits.

    Source: S. Winitzki, A handy approximation for the error function and its inverse (2008).
    """
    slope = 0.147
    half = low.add(low.mul(tails, 0.5), 2 / (math.pi * slope))
    root = low.unary("sqrt", low.sub(low.mul(half, half), low.div(tails, slope)))
    return low.unary("sqrt", low.sub(root, half))


def _halley(low: Lowering, guess: Tensor, error: Tensor) -> Tensor:
    """Return a better argument, by Halley's method, where erf is off by `error`: cubes it."""
    growth = low.unary("exp", low.unary("square", guess))
    step = low.mul(low.mul(error, growth), math.sqrt(math.pi) / 2)
    return low.sub(guess, low.div(step, low.add(low.mul(guess, step), 1)))


@RULES.lowers("aten.special_ndtri")
@widened
def ndtri(low: Lowering, x: Tensor) -> Tensor:
    """special_ndtri(Tensor self) -> Tensor; by erfc, which keeps its digits near 0."""
    upper = low.compare("gt", x, 0.5)
    tail = low.where(upper, low.sub(1, x), x)
    double = low.mul(tail, 2)
    tails = low.add(low.unary("log", double), low.unary("log1p", low.sub(1, double)))
    guess = _guess(low, tails)
    for _ in range(2):
        guess = _halley(low, guess, low.sub(double, low.unary("erfc", guess)))
    guess = low.where(low.compare("eq", tail, 0), math.inf, guess)
    distance = low.mul(guess, math.sqrt(2))
    return low.where(upper, distance, low.unary("neg", distance))


@RULES.lowers("aten.special_ndtr")
def ndtr(low: Lowering, x: Tensor) -> Tensor:
    """special_ndtr(Tensor self) -> Tensor; op by op, as PyTorch rounds it."""
    dtype = low.result.dtype
    x = low.cast(x, dtype)
    wide = low.cast(x, compute_dtype(dtype))
    scaled = low.cast(low.mul(wide, math.sqrt(0.5)), dtype)
    return low.mul(low.add(low.unary("erf", scaled), 1), 0.5)


@RULES.lowers("aten.special_log_ndtr")
@widened
def log_ndtr(low: Lowering, x: Tensor) -> Tensor:
    """special_log_ndtr(Tensor self) -> Tensor."""
    scaled = low.mul(x, math.sqrt(0.5))
    body = low.unary("log1p", low.mul(low.unary("erfc", scaled), -0.5))
    tail = low.unary("log", low.mul(_erfcx(low, low.unary("neg", scaled)), 0.5))
    tail = low.sub(tail, low.unary("square", scaled))
    return low.where(low.compare("lt", x, -1), tail, body)


@RULES.lowers("aten.special_erfcx")
@widened
def erfcx(low: Lowering, x: Tensor) -> Tensor:
    """special_erfcx(Tensor self) -> Tensor; exp(x^2) erfc(x)."""
    return _erfcx(low, x)


def _erfcx(low: Lowering, x: Tensor) -> Tensor:
    """Return exp(x^2) erfc(x); for a negative x, 2 exp(x^2) less its value for -x."""
    size = low.unary("abs", x)
    above = _erfcx_above(low, size)
    below = low.sub(low.mul(low.unary("exp", low.mul(x, x)), 2), above)
    return low.where(low.compare("lt", x, 0), below, above)


def _erfcx_above(low: Lowering, x: Tensor) -> Tensor:
    """Return exp(x^2) erfc(x) for x >= 0, from an asymptotic series where erfc has few digits."""
    far, grid, terms = (8.0, 256, 24) if x.dtype == "f64" else (6.0, 16, 7)
    # The square of a multiple of 1/grid is exact, which leaves a small rest to round.
    coarse = low.div(low.unary("floor", low.mul(x, grid)), grid)
    rest = low.mul(low.sub(x, coarse), low.add(x, coarse))
    growth = low.mul(low.unary("exp", low.mul(coarse, coarse)), low.unary("exp", rest))
    near = low.mul(growth, low.unary("erfc", x))
    coefficients = [(-1.0) ** k * math.prod(range(1, 2 * k, 2)) for k in range(terms)]
    series = polynomial(low, low.div(0.5, low.unary("square", x)), coefficients[::-1])
    beyond = low.div(series, low.mul(x, math.sqrt(math.pi)))
    return low.where(low.compare("gt", x, far), beyond, near)


@RULES.lowers("aten.special_entr")
@in_result_dtype
def entr(low: Lowering, x: Tensor) -> Tensor:
    """special_entr(Tensor self) -> Tensor; -x log x, 0 at 0, -inf below."""
    made = low.unary("neg", low.mul(x, low.unary("log", x)))
    made = low.where(low.compare("eq", x, 0), 0, made)
    made = low.where(low.compare("lt", x, 0), -math.inf, made)
    return low.where(is_nan(low, x), x, made)
