"""Python's arithmetic on numbers that the program computes, as ops of the Torch dialect.

The ops are TorchScript's: `operator.add` of two ints is `aten.add.int`, of a float and any number
`aten.add.float`. An int has 64 bits here, and an int beside a float is a float of 64 bits.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch_mlir import ir

from torch_ttir.importers.body import Body
from torch_ttir.importers.result_types import Unsupported
from torch_ttir.importers.schemas import ArgumentKind
from torch_ttir.importers.torch_types import tensor_type
from torch_ttir.ir.context import Context

_BINARY: dict[Any, str] = {
    operator.add: "aten.add",
    operator.sub: "aten.sub",
    operator.mul: "aten.mul",
    operator.truediv: "aten.div",
    operator.floordiv: "aten.floordiv",
    operator.mod: "aten.remainder",
    operator.pow: "aten.pow",
    operator.lt: "aten.lt",
    operator.le: "aten.le",
    operator.gt: "aten.gt",
    operator.ge: "aten.ge",
    operator.eq: "aten.eq",
    operator.ne: "aten.ne",
    operator.and_: "aten.__and__",
    operator.or_: "aten.__or__",
    torch.sym_max: "prim.max",
    torch.sym_min: "prim.min",
    max: "prim.max",
    min: "prim.min",
}
_ROUNDINGS: dict[Any, str] = {math.ceil: "aten.ceil.float", math.floor: "aten.floor.float"}
_CASTS: dict[Any, str] = {torch.sym_float: "float", torch.sym_int: "int", math.trunc: "int"}
_DTYPES = {"bool": torch.bool, "float": torch.float64, "int": torch.int64}

# Where Python's function and PyTorch's op take their operands in another order: of two equal
# operands, or where one is NaN, Python's `max` gives the first and `prim.max` the second.
_SWAPPED = (torch.sym_max, torch.sym_min, max, min)
_COMPARISONS = ("aten.lt", "aten.le", "aten.gt", "aten.ge", "aten.eq", "aten.ne")
_OF_BOOLS = ("aten.eq", "aten.ne", "aten.__and__", "aten.__or__")

PURE: frozenset[Any] = frozenset(
    {
        *_BINARY,
        *_ROUNDINGS,
        *_CASTS,
        abs,
        operator.abs,
        operator.neg,
        operator.not_,
        operator.pos,
        round,
        torch.sym_ite,
        torch.sym_not,
        torch.sym_sqrt,
    }
)
"""Functions of numbers that give numbers, and do nothing else."""


def import_arithmetic(
    function: Any, arguments: Sequence[Any], body: Body, context: Context, loc: ir.Location
) -> ir.Value:
    """Return the value of `function`, one of `PURE`, called on numbers.

    `arguments` are Python numbers, and IR values of numbers that the program computes. Raises
    `Unsupported` for what the Torch dialect cannot say.
    """
    if function in _CASTS:
        return body.operand(arguments[0], ArgumentKind(_CASTS[function]), loc)
    if function is torch.sym_ite:
        return _choose(arguments, body, context, loc)
    if function in _BINARY:
        kind = _common({_kind(argument) for argument in arguments})
        if function is operator.floordiv and kind == "float":
            # TorchScript's rounds the quotient before it takes the floor.
            kinds = (kind, kind)
            return _by_tensors("floor_divide", arguments, kinds, kind, body, context, loc)
        if function is operator.pow and kind == "int":
            # TorchScript's gives a float.
            kinds = (kind, kind)
            return _by_tensors("pow.Tensor_Tensor", arguments, kinds, kind, body, context, loc)
        return _binary(function, arguments, body, loc)
    return _unary(function, arguments, body, loc)


def _binary(function: Any, arguments: Sequence[Any], body: Body, loc: ir.Location) -> ir.Value:
    name, kinds = _BINARY[function], {_kind(argument) for argument in arguments}
    if function in _SWAPPED:
        arguments = arguments[::-1]
    operands = "bool" if kinds == {"bool"} and name in _OF_BOOLS else _common(kinds)
    result = operands
    if name in _COMPARISONS:
        result = "bool"
    elif name == "aten.div":
        result = "float"
    return _number(f"{name}.{operands}", arguments, operands, result, body, loc)


def _unary(function: Any, arguments: Sequence[Any], body: Body, loc: ir.Location) -> ir.Value:
    x = arguments[0]
    kind = _common({_kind(x)})
    if function in (operator.not_, torch.sym_not):
        return _number("aten.__not__", [x], "bool", "bool", body, loc)
    if function is torch.sym_sqrt:
        return _number("aten.sqrt.float", [x], "float", "float", body, loc)
    if function is operator.neg:
        return _number(f"aten.neg.{kind}", [x], kind, kind, body, loc)
    if function in (abs, operator.abs):
        return _number("prim.abs.Scalar", [x], kind, kind, body, loc)
    if kind == "int" or function is operator.pos:
        return body.operand(x, ArgumentKind(kind), loc)
    if function in _ROUNDINGS:
        return _number(_ROUNDINGS[function], [x], "float", "int", body, loc)
    if len(arguments) > 1 and arguments[1] is not None:
        raise Unsupported("rounding to decimal digits is not supported for numbers from data")
    rounded = _number("aten.round.float", [x], "float", "float", body, loc)
    return body.operand(rounded, ArgumentKind("int"), loc)


def _choose(arguments: Sequence[Any], body: Body, context: Context, loc: ir.Location) -> ir.Value:
    """Return `x if condition else y`."""
    kinds = {_kind(choice) for choice in arguments[1:]}
    if len(kinds) > 1:
        raise Unsupported("the type of its result depends on the data")
    (kind,) = kinds
    return _by_tensors("where.self", arguments, ("bool", kind, kind), kind, body, context, loc)


def _by_tensors(
    name: str,
    arguments: Sequence[Any],
    kinds: Sequence[str],
    result: str,
    body: Body,
    context: Context,
    loc: ir.Location,
) -> ir.Value:
    """Return what an op of tensors computes of numbers, for which there is no op of numbers."""
    tensors = []
    for argument, kind in zip(arguments, kinds, strict=True):
        number = body.operand(argument, ArgumentKind(kind), loc)
        if kind == "bool":
            number = body.operand(number, ArgumentKind("Scalar"), loc)
        type_ = tensor_type(context, (), _DTYPES[kind])
        made = body.append("torch.prim.NumToTensor.Scalar", [number], [type_], loc)
        tensors.append(made.results[0])
    type_ = tensor_type(context, (), _DTYPES[result])
    made = body.append(f"torch.aten.{name}", tensors, [type_], loc)
    return body.item(made.results[0], result, loc)


def _number(
    name: str,
    arguments: Sequence[Any],
    kind: str,
    result: str,
    body: Body,
    loc: ir.Location,
) -> ir.Value:
    operands = [body.operand(argument, ArgumentKind(kind), loc) for argument in arguments]
    return body.number(f"torch.{name}", operands, result, loc)


def _kind(argument: Any) -> str:
    """Return the name of a number's type: `bool`, `int` or `float`."""
    if isinstance(argument, ir.Value):
        return str(argument.type).removeprefix("!torch.")
    return type(argument).__name__


def _common(kinds: set[str]) -> str:
    return "float" if "float" in kinds else "int"
