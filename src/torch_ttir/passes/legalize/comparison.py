"""Rules for comparisons and predicates: what gives bools."""

from __future__ import annotations

import math
from functools import partial

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import is_infinite, is_nan, logical_not
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

COMPARISONS = {
    "eq": "eq",
    "ne": "ne",
    "lt": "lt",
    "le": "le",
    "gt": "gt",
    "ge": "ge",
    "not_equal": "ne",
    "less": "lt",
    "less_equal": "le",
    "greater": "gt",
    "greater_equal": "ge",
}


def _compare(ttir: str, low: Lowering, x: Tensor, y: Tensor | Number) -> Tensor:
    """Compare in the operands' common type, to which a number is rounded first."""
    dtype = low.promote(x, y)
    if ttir in ("eq", "ne") and isinstance(y, Tensor) and x.value == y.value and is_float(dtype):
        # tt-mlir folds `eq(x, x)` to true and `ne(x, x)` to false, which is wrong for NaN.
        unequal = is_nan(low, x)
        return unequal if ttir == "ne" else logical_not(low, unequal)
    return low.compare(ttir, low.cast(x, dtype), low.scalar(y, dtype))


def _compare_number(ttir: str, low: Lowering, x: Tensor, y: Tensor | Number) -> Tensor:
    """Compare with a number; one that the program computes has no type of its own, as any other."""
    if not isinstance(y, Tensor):
        return _compare(ttir, low, x, y)
    dtype = low.promote(x, 1.0 if is_float(y.dtype) else y.dtype == "i1" or 1)
    return low.compare(ttir, low.cast(x, dtype), low.cast(y, dtype))


for _name, _ttir in COMPARISONS.items():
    RULES.add(f"aten.{_name}.Tensor", partial(_compare, _ttir))
    RULES.add(f"aten.{_name}.Scalar", partial(_compare_number, _ttir), run_time_scalars=True)


@RULES.lowers("aten.isnan")
def isnan(low: Lowering, x: Tensor) -> Tensor:
    """isnan(Tensor self) -> Tensor."""
    return is_nan(low, x)


@RULES.lowers("aten.isinf")
def isinf(low: Lowering, x: Tensor) -> Tensor:
    """isinf(Tensor self) -> Tensor."""
    return is_infinite(low, x)


@RULES.lowers("aten.isfinite")
def isfinite(low: Lowering, x: Tensor) -> Tensor:
    """isfinite(Tensor self) -> Tensor."""
    return low.unary("isfinite", x, "i1") if is_float(x.dtype) else low.full(x.shape, 1, "i1")


@RULES.lowers("aten.isreal")
def isreal(low: Lowering, x: Tensor) -> Tensor:
    """isreal(Tensor self) -> Tensor; true, since TTIR has no complex numbers."""
    return low.full(x.shape, 1, "i1")


def _is_value(value: float, low: Lowering, x: Tensor) -> Tensor:
    return low.compare("eq", x, value) if is_float(x.dtype) else low.full(x.shape, 0, "i1")


RULES.add("aten.isposinf", partial(_is_value, math.inf))
RULES.add("aten.isneginf", partial(_is_value, -math.inf))


@RULES.lowers("aten.isclose")
def isclose(
    low: Lowering,
    x: Tensor,
    y: Tensor,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> Tensor:
    """isclose(Tensor self, Tensor other, float rtol, float atol, bool equal_nan) -> Tensor."""
    close = _compare("eq", low, x, y)
    if equal_nan and is_float(x.dtype):
        both = low.binary("logical_and", is_nan(low, x), is_nan(low, y))
        close = low.binary("logical_or", close, both)
    if rtol == atol == 0:
        return close
    dtype = x.dtype if is_float(x.dtype) else "f32"
    other = low.cast(y, dtype)
    allowed = low.add(low.unary("abs", low.mul(other, rtol)), atol)
    # The difference of integers is taken in floats: theirs can overflow.
    actual = low.unary("abs", low.sub(low.cast(x, dtype), other))
    near = low.binary(
        "logical_and", low.unary("isfinite", actual, "i1"), low.compare("le", actual, allowed), "i1"
    )
    return low.binary("logical_or", close, near)


_BOOL = "gives a Python bool that the rest of the program is traced with"
for _name in ("aten.equal", "aten.allclose", "aten.is_nonzero"):
    RULES.rejects(_name, _BOOL)
