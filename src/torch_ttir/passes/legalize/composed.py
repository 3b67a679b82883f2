"""Compositions of elementwise ops: in which type they are computed, and parts that rules share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import compute_dtype


def widened(rule: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Run a rule in the type in which PyTorch's kernel computes, and round its result once.

    The rule gets its Tensor operands in the result's type, or in f32 where that is a narrower
    float. Without this, each op of a composition would round to bf16.
    """

    @wraps(rule)
    def run(low: Lowering, *arguments: Any) -> Tensor:
        dtype = low.result.dtype
        wide = compute_dtype(dtype)
        made = rule(
            low, *(low.cast(item, wide) if isinstance(item, Tensor) else item for item in arguments)
        )
        return low.cast(made, dtype)

    return run


def in_result_dtype(rule: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Run a rule with its Tensor operands in the result's type, every op of it rounding to that."""

    @wraps(rule)
    def run(low: Lowering, *arguments: Any) -> Tensor:
        dtype = low.result.dtype
        return rule(
            low,
            *(low.cast(item, dtype) if isinstance(item, Tensor) else item for item in arguments),
        )

    return run


def is_nan(low: Lowering, x: Tensor) -> Tensor:
    """Return an i1 tensor that is true where `x` is NaN; `ne(x, x)` would be folded to false."""
    if not is_float(x.dtype):
        return low.full(x.shape, 0, "i1")
    infinite = low.compare("eq", low.unary("abs", x), float("inf"))
    return logical_not(low, low.binary("logical_or", low.unary("isfinite", x, "i1"), infinite))


def is_infinite(low: Lowering, x: Tensor) -> Tensor:
    """Return an i1 tensor that is true where `x` is an infinity of either sign."""
    if not is_float(x.dtype):
        return low.full(x.shape, 0, "i1")
    return low.compare("eq", low.unary("abs", x), float("inf"))


def logical_not(low: Lowering, x: Tensor) -> Tensor:
    """Return an i1 tensor that is true where `x` is zero."""
    return low.unary("logical_not", x, "i1")


def copy_sign(low: Lowering, magnitude: Tensor, sign: Tensor) -> Tensor:
    """Return `magnitude`'s absolute value with the sign bit of `sign`, -0.0 and NaN included."""
    size = low.unary("abs", magnitude)
    negative = low.unary("signbit", sign, "i1")
    return low.where(negative, low.unary("neg", size), size)


def round_half_even(low: Lowering, x: Tensor) -> Tensor:
    """Return `x` rounded to the nearest integer, halves to the even one, -0.0 kept.

    `floor(x + 0.5)` would be wrong for 0.49999997 and for odd values beyond 2^23.
    """
    size = low.unary("abs", x)
    below = low.unary("floor", size)
    rest = low.sub(size, below)
    odd = low.compare("ne", low.binary("remainder", below, 2), 0)
    tie = low.binary("logical_and", low.compare("eq", rest, 0.5), odd)
    up = low.binary("logical_or", low.compare("gt", rest, 0.5), tie)
    return copy_sign(low, low.add(below, low.cast(up, x.dtype)), x)


def polynomial(low: Lowering, x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """Return the polynomial in `x` with the given coefficients, highest power first."""
    made = low.full((), coefficients[0], x.dtype)
    for coefficient in coefficients[1:]:
        made = low.add(low.mul(made, x), coefficient)
    return made
