"""Operators on Python numbers that depend on data, in words that `torch.export` can trace.

`torch.ops.aten.sqrt(int(x))` calls an operator of TorchScript, which wants to know its number.
"""

from __future__ import annotations

import contextlib
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from typing import Any

import torch
from torch._dynamo import output_graph
from torch._ops import OpOverloadPacket

from torch_ttir.importers.tracing.call_mode import CallMode

aten, prim = torch.ops.aten, torch.ops.prim
Tensor = torch.Tensor


class _NumberOperators(CallMode):
    """Calls what stands for an operator on numbers, as PyTorch would resolve the operator."""

    def call(self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call `func`, or what stands for it."""
        if func in _OF_TENSOR and isinstance(args[0], Tensor):
            return _OF_TENSOR[func](args[0])
        if func in _OF_NUMBERS and not any(isinstance(value, Tensor) for value in args):
            return _OF_NUMBERS[func](*args)
        return func(*args, **kwargs)


@contextlib.contextmanager
def number_operators() -> Iterator[None]:
    """Trace calls of operators on numbers as what they compute."""
    check = output_graph.check_pt2_compliant_op

    def check_others(graph: Any, kind: str, target: Any, args: Any, kwargs: Any) -> None:
        # To check an operator, Dynamo resolves it, and fails at numbers that it does not know.
        if not isinstance(target, OpOverloadPacket) or target not in _OF_NUMBERS:
            check(graph, kind, target, args, kwargs)

    # PyTorch's own parameter names are no part of the contract: it passes them by position.
    output_graph.check_pt2_compliant_op = check_others  # type: ignore[assignment]
    try:
        with _NumberOperators():
            yield
    finally:
        output_graph.check_pt2_compliant_op = check


def _f64(x: Any) -> Tensor:
    return torch.scalar_tensor(x, dtype=torch.float64)


def _by_tensors(function: Callable[..., Tensor]) -> Callable[..., Any]:
    """Return a function of floats that `function` computes on tensors without dimensions."""

    def computed(*numbers: Any) -> Any:
        return function(*[_f64(number) for number in numbers]).item()

    return computed


def _is_float(*numbers: Any) -> bool:
    return any(isinstance(number, float | torch.SymFloat) for number in numbers)


def _is_true(x: Any) -> Any:
    return x if isinstance(x, bool | torch.SymBool) else x != 0


def _sym_int(x: Any) -> Any:
    """sym_int, which PyTorch wants to know of a bool."""
    if isinstance(x, torch.SymBool):
        return torch.sym_ite(x, 1, 0)  # type: ignore[no-untyped-call]
    return torch.sym_int(x)  # type: ignore[no-untyped-call]


def _int(x: Any) -> Any:
    """aten.Int of a number, for which PyTorch takes `Int.bool`."""
    return _f64(x).ne(0).to(torch.int64).item()


def _int_of(x: Tensor) -> Any:
    return x.to(torch.int64).item()


def _float_of(x: Tensor) -> Any:
    return x.to(torch.float64).item()


def _bool_of(x: Tensor) -> Any:
    return x.ne(0).item()


def _item(x: Tensor) -> Any:
    return x.item()


def _floor_divide(x: Any, y: Any) -> Any:
    if _is_float(x, y):
        return (_f64(x) / _f64(y)).floor().item()
    return x // y


def _extreme(of_two: Callable[[Any, Any], Any], *numbers: Any) -> Any:
    """prim.max or prim.min of two numbers, or of a list.

    Of two operands of which one is NaN, Python's functions give the first, and these the second.
    """
    if len(numbers) == 1:
        return reduce(partial(_extreme, of_two), numbers[0])
    x, y = map(torch.sym_float, numbers) if _is_float(*numbers) else numbers
    return of_two(y, x)


def _and(x: Any, y: Any) -> Any:
    return _is_true(x) & _is_true(y)


def _or(x: Any, y: Any) -> Any:
    return _is_true(x) | _is_true(y)


def _to_tensor(x: Any) -> Tensor:
    is_bool = isinstance(x, bool | torch.SymBool)
    dtype = torch.bool if is_bool else torch.float64 if _is_float(x) else torch.int64
    return torch.scalar_tensor(x, dtype=dtype)


def _pow(x: Any, y: Any) -> Any:
    # Beside a float, PyTorch takes the overload of complex numbers.
    return aten.pow(x, y) if _is_float(x, y) else _f64(x).pow(_f64(y)).item()


def _of_tensors(overload: Any) -> Callable[[Any, Any], Tensor]:
    """Return an op of tensors, which PyTorch takes for two numbers; floats are f32 in it."""

    def computed(x: Any, y: Any) -> Tensor:
        made: Tensor = overload(*[_of_default_dtype(number) for number in (x, y)])
        return made

    return computed


def _of_default_dtype(x: Any) -> Tensor:
    if _is_float(x):
        return torch.scalar_tensor(x, dtype=torch.get_default_dtype())
    return _to_tensor(x)


_OF_TENSOR: dict[Any, Callable[[Tensor], Any]] = {
    aten.Int: _int_of,
    aten.Int.Tensor: _int_of,
    aten.Float: _float_of,
    aten.Float.Tensor: _float_of,
    aten.Bool: _bool_of,
    aten.Bool.Tensor: _bool_of,
    aten.IntImplicit: _item,
    aten.FloatImplicit: _item,
    aten.ScalarImplicit: _item,
}

_OF_NUMBERS: dict[Any, Callable[..., Any]] = {
    aten.Bool: _is_true,
    aten.Float: torch.sym_float,
    aten.Int: _int,
    aten.__and__: _and,
    aten.__not__: torch.sym_not,
    aten.__or__: _or,
    aten.ceil: math.ceil,
    aten.floor: math.floor,
    aten.floordiv: _floor_divide,
    aten.fmod: _by_tensors(torch.fmod),
    aten.add: _of_tensors(aten.add.Tensor),
    aten.div: _of_tensors(aten.div.Tensor),
    aten.mul: _of_tensors(aten.mul.Tensor),
    aten.neg: operator.neg,
    aten.pow: _pow,
    aten.remainder: operator.mod,
    aten.sub: _of_tensors(aten.sub.Tensor),
    prim.NumToTensor: _to_tensor,
    prim.abs: abs,
    prim.max: partial(_extreme, torch.sym_max),
    prim.min: partial(_extreme, torch.sym_min),
    torch.sym_int: _sym_int,
}
for _name in (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "erf", "erfc", "exp"),
    *("expm1", "lgamma", "log", "log10", "log1p", "round", "sin", "sinh", "sqrt", "tan", "tanh"),
):
    _OF_NUMBERS[getattr(aten, _name)] = _by_tensors(getattr(torch, _name))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _OF_NUMBERS[getattr(aten, _name)] = getattr(operator, _name)
