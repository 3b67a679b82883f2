"""Arithmetic on floats that depend on data, kept as it is written while PyTorch traces.

PyTorch simplifies such numbers as if they were real: `(y + 1e20) - 1e20` becomes `y`, and `y * 0.0`
becomes 0 also where `y` is infinite. Quotients, powers and conversions it leaves alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import sympy  # type: ignore[import-untyped]
import torch
from torch.fx.experimental.sym_node import SymNode
from torch.utils._sympy.interp import handlers


class _FloatAdd(sympy.Function):
    """A sum of floats, rounded; no other sum is the same."""

    is_real = True


class _FloatMul(sympy.Function):
    """A product of floats, rounded; no other product is the same."""

    is_real = True


_EXACT: dict[str, Callable[[Any, Any], Any]] = {
    "add": _FloatAdd,
    "sub": lambda x, y: _FloatAdd(x, -y),
    "mul": _FloatMul,
}


def _floor_divide(x: Any, y: Any) -> Any:
    """Return Python's `x // y`, by tensors; PyTorch's rounds the quotient before the floor."""
    tensors = [torch.scalar_tensor(number, dtype=torch.float64) for number in (x, y)]
    return torch.floor_divide(*tensors).item()


_FLOORS: dict[str, Callable[[Any, Any], Any]] = {
    "__floordiv__": _floor_divide,
    "__rfloordiv__": lambda x, y: _floor_divide(y, x),
}


@contextlib.contextmanager
def exact_floats() -> Iterator[None]:
    """Have sums, products and floors of quotients stay what they are while PyTorch traces."""
    # How PyTorch finds the bounds of a number.
    handlers().update({_FloatAdd: "add", _FloatMul: "mul"})
    simplified = {name: getattr(SymNode, name) for name in _EXACT}
    floors = {name: getattr(torch.SymFloat, name) for name in _FLOORS}
    for name, make in _EXACT.items():
        setattr(SymNode, name, _exact(simplified[name], make))
    for name, floor in _FLOORS.items():
        setattr(torch.SymFloat, name, floor)
    try:
        yield
    finally:
        for name, method in simplified.items():
            setattr(SymNode, name, method)
        for name, method in floors.items():
            setattr(torch.SymFloat, name, method)


def _exact(simplified: Callable[..., Any], make: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        result = simplified(self, other)
        computed = self.expr.free_symbols or other.expr.free_symbols
        if computed and float in (self.pytype, other.pytype):
            result._expr = make(self.expr, other.expr)
            result._optimized_summation = False
        return result

    return method
