"""Rules for Bessel functions: the modified ones of the first kind, of orders 0 and 1.

Near 0 they are power series in x^2 / 4, of positive terms only; beyond that, asymptotic series in
1/x. Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 9.6.10 and 9.7.1.
"""

from __future__ import annotations

import math
from functools import partial

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import copy_sign, polynomial, widened
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


def _power_series(order: int, terms: int) -> list[float]:
    return [1 / (math.factorial(k) * math.factorial(k + order)) for k in range(terms)]


def _asymptotic_series(order: int, terms: int) -> list[float]:
    coefficients = [1.0]
    for k in range(1, terms):
        factor = ((2 * k - 1) ** 2 - 4 * order**2) / (8 * k)
        coefficients.append(coefficients[-1] * factor)
    return coefficients


def _bessel(order: int, scaled: bool, low: Lowering, x: Tensor) -> Tensor:
    """Return I_order(x), or exp(-|x|) I_order(x) where it is scaled."""
    far, near_terms, far_terms = (22.0, 60, 30) if x.dtype == "f64" else (12.0, 30, 12)
    size = low.unary("abs", x)
    quarter = low.mul(low.mul(size, size), 0.25)
    near = polynomial(low, quarter, _power_series(order, near_terms)[::-1])
    near = low.mul(near, low.mul(size, 0.5)) if order else near
    series = polynomial(
        low, low.unary("reciprocal", size), _asymptotic_series(order, far_terms)[::-1]
    )
    beyond = low.div(series, low.unary("sqrt", low.mul(size, 2 * math.pi)))
    if scaled:
        near = low.mul(near, low.unary("exp", low.unary("neg", size)))
    else:
        beyond = low.mul(beyond, low.unary("exp", size))
    made = low.where(low.compare("gt", size, far), beyond, near)
    if scaled:
        made = low.where(low.compare("eq", size, math.inf), 0, made)
    return copy_sign(low, made, x) if order else made


for _name in ("aten.i0", "aten.special_i0", "aten.special_modified_bessel_i0"):
    RULES.add(_name, widened(partial(_bessel, 0, False)))
for _name in ("aten.special_i1", "aten.special_modified_bessel_i1"):
    RULES.add(_name, widened(partial(_bessel, 1, False)))
RULES.add("aten.special_i0e", widened(partial(_bessel, 0, True)))
RULES.add("aten.special_i1e", widened(partial(_bessel, 1, True)))


@RULES.lowers("aten.special_spherical_bessel_j0")
@widened
def spherical_bessel_j0(low: Lowering, x: Tensor) -> Tensor:
    """special_spherical_bessel_j0(Tensor x) -> Tensor; sin(x) / x, 1 at 0 and 0 at infinity."""
    made = low.div(low.unary("sin", x), x)
    made = low.where(low.compare("eq", x, 0), 1, made)
    return low.where(low.compare("eq", low.unary("abs", x), math.inf), 0, made)


_NO_FORM = "TTIR has no op for it, and no short formula gives it to float rounding"
for _name in (
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
):
    RULES.rejects(f"aten.special_{_name}", _NO_FORM)

_DEGREE = "the number of steps of its recurrence is a value of a tensor"
for _name in (
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
):
    for _kind in ("", ".x_scalar", ".n_scalar"):
        RULES.rejects(f"aten.special_{_name}{_kind}", _DEGREE)
