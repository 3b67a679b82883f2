"""Rules for the logarithm of the gamma function and its derivatives.

All are computed from asymptotic series in 1/w, whose coefficients are Bernoulli numbers. Arguments
below a bound are moved up to it by the recurrence, and those below 1/2 are reflected first. Source:
Abramowitz and Stegun, Handbook of Mathematical Functions, 6.1.40, 6.3.18, 6.4.12 and 6.4.7.
"""

from __future__ import annotations

import math

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import copy_sign, polynomial, widened
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

# B(2), B(4), ...
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)


def _lifted(low: Lowering, x: Tensor) -> tuple[Tensor, Tensor, list[Tensor]]:
    """Return w >= bound with w = x + bound for a small x, where that is, and x, x + 1, ... there.

    The bound is high enough for the series to be exact in the type.
    """
    bound = 10 if x.dtype == "f64" else 5
    small = low.compare("lt", x, bound)
    steps = [low.add(x, step) if step else x for step in range(bound)]
    return low.where(small, low.add(x, bound), x), small, steps


def _reflected(low: Lowering, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return 1 - x for x < 1/2 and x else, and where it was reflected."""
    mirrored = low.compare("lt", x, 0.5)
    return low.where(mirrored, low.sub(1, x), x), mirrored


def _distance_to_integer(low: Lowering, x: Tensor) -> Tensor:
    """Return `x` less the nearest integer, in which functions of pi x lose no digits."""
    return low.sub(x, low.unary("floor", low.add(x, 0.5)))


def _series(low: Lowering, w: Tensor, coefficients: list[float]) -> Tensor:
    """Return the polynomial in 1/w^2 with these coefficients, lowest power first."""
    return polynomial(low, low.unary("reciprocal", low.mul(w, w)), coefficients[::-1])


@RULES.lowers("aten.lgamma", "aten.special_gammaln")
@widened
def lgamma(low: Lowering, x: Tensor) -> Tensor:
    """lgamma(Tensor self) -> Tensor."""
    z, mirrored = _reflected(low, x)
    w, small, steps = _lifted(low, z)
    product = steps[0]
    for step in steps[1:]:
        product = low.mul(product, step)
    stirling = low.mul(low.sub(w, 0.5), low.sub(low.unary("log", w), 1))
    series = _series(low, w, [b / (2 * k * (2 * k - 1)) for k, b in enumerate(_BERNOULLI, 1)])
    made = low.add(stirling, low.add(low.div(series, w), 0.5 * math.log(2 * math.pi) - 0.5))
    made = low.sub(made, low.unary("log", low.where(small, product, 1)))
    wave = low.unary("sin", low.mul(_distance_to_integer(low, x), math.pi))
    below = low.sub(math.log(math.pi), low.unary("log", low.unary("abs", wave)))
    made = low.where(mirrored, low.sub(below, made), made)
    infinite = low.compare("eq", low.unary("abs", x), math.inf)
    return low.where(infinite, math.inf, made)


@RULES.lowers("aten.digamma", "aten.special_digamma", "aten.special_psi")
@widened
def digamma(low: Lowering, x: Tensor) -> Tensor:
    """digamma(Tensor self) -> Tensor; NaN at negative integers, infinite at 0."""
    z, mirrored = _reflected(low, x)
    w, small, steps = _lifted(low, z)
    total = low.unary("reciprocal", steps[0])
    for step in steps[1:]:
        total = low.add(total, low.unary("reciprocal", step))
    series = _series(low, w, [b / (2 * k) for k, b in enumerate(_BERNOULLI, 1)])
    made = low.sub(low.unary("log", w), low.div(0.5, w))
    made = low.sub(made, low.div(series, low.mul(w, w)))
    made = low.sub(made, low.where(small, total, 0))
    angle = low.mul(_distance_to_integer(low, x), math.pi)
    made = low.where(mirrored, low.sub(made, low.div(math.pi, low.unary("tan", angle))), made)
    whole = low.compare("eq", x, low.unary("floor", x))
    pole = low.binary("logical_and", whole, low.compare("lt", x, 0))
    made = low.where(pole, math.nan, made)
    zero = copy_sign(low, low.full((), math.inf, x.dtype), low.unary("neg", x))
    return low.where(low.compare("eq", x, 0), zero, made)


@widened
def _trigamma(low: Lowering, x: Tensor) -> Tensor:
    z, mirrored = _reflected(low, x)
    w, small, steps = _lifted(low, z)
    total = low.unary("reciprocal", low.unary("square", steps[0]))
    for step in steps[1:]:
        total = low.add(total, low.unary("reciprocal", low.unary("square", step)))
    series = _series(low, w, list(_BERNOULLI))
    made = low.add(low.div(low.div(series, w), low.mul(w, w)), low.div(0.5, low.mul(w, w)))
    made = low.add(made, low.unary("reciprocal", w))
    made = low.add(made, low.where(small, total, 0))
    # PyTorch takes the sine of pi x itself: near a pole, all of the value is this sine's rounding.
    wave = low.unary("sin", low.mul(x, math.pi))
    below = low.div(math.pi**2, low.unary("square", wave))
    return low.where(mirrored, low.sub(below, made), made)


@RULES.lowers("aten.polygamma", "aten.special_polygamma")
def polygamma(low: Lowering, order: int, x: Tensor) -> Tensor:
    """polygamma(int n, Tensor self) -> Tensor; for n = 0 and 1."""
    low.expect(
        order in (0, 1), f"`n={order}`: derivatives beyond trigamma take a sum of unknown length"
    )
    return digamma(low, x) if order == 0 else _trigamma(low, x)


_SERIES = "is a sum or recurrence whose length depends on the values"
for _name in (
    "aten.igamma",
    "aten.igammac",
    "aten.special_gammainc",
    "aten.special_gammaincc",
    "aten.special_zeta",
):
    RULES.rejects(_name, _SERIES)
