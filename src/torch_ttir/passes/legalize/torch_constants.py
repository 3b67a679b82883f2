"""Torch ops whose results are known at compile time: constants, lists, integer arithmetic."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Tensor

_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "aten.add.int": operator.add,
    "aten.sub.int": operator.sub,
    "aten.mul.int": operator.mul,
    "aten.floordiv.int": operator.floordiv,
    "aten.remainder.int": operator.mod,
    "aten.neg.int": operator.neg,
    "aten.add.float_int": operator.add,
    "aten.sub.float": operator.sub,
    "aten.mul.float": operator.mul,
    "aten.mul.int_float": operator.mul,
    "aten.mul.float_int": operator.mul,
    "aten.div.float": operator.truediv,
    "aten.div.int": operator.truediv,
    "aten.neg.float": operator.neg,
    "aten.eq.int": operator.eq,
    "aten.ne.int": operator.ne,
    "aten.lt.int": operator.lt,
    "aten.le.int": operator.le,
    "aten.gt.int": operator.gt,
    "aten.ge.int": operator.ge,
    "aten.Int.bool": int,
    "aten.Int.float": int,
    "aten.Int.Scalar": int,
    "aten.Float.bool": float,
    "aten.Float.int": float,
    "aten.Float.Scalar": float,
    "aten.Bool.int": bool,
    "aten.Bool.float": bool,
    "aten.sqrt.int": math.sqrt,
    "aten.ceil.float": math.ceil,
    "aten.floor.float": math.floor,
    "prim.min.int": min,
    "prim.max.int": max,
    "prim.min.self_int": min,
    "prim.max.self_int": max,
}


_STRUCTURE = ("prim.ListConstruct", "prim.ListUnpack", "derefine", "aten.size.int", "aten.dim")


def is_compile_time(name: str) -> bool:
    """Say whether `evaluate` knows the op, if it knows its operands."""
    return name.startswith("constant.") or name in _STRUCTURE or name in _ARITHMETIC


def evaluate(name: str, op: ir.Operation, arguments: list[Any]) -> Any:
    """Return the Python value of a compile-time op; NotImplemented if `name` is another op.

    Also NotImplemented where an operand of integer arithmetic is not known.
    """
    if name.startswith("constant."):
        return _constant(name, op)
    if name == "prim.ListConstruct":
        return arguments
    if name == "prim.ListUnpack":
        return arguments[0] if len(op.results) > 1 else arguments[0][0]
    if name == "derefine":
        return arguments[0]
    if name == "aten.size.int" and isinstance(arguments[0], Tensor):
        return arguments[0].shape[arguments[1]]
    if name == "aten.dim" and isinstance(arguments[0], Tensor):
        return arguments[0].rank
    function = _ARITHMETIC.get(name)
    if function is not None and all(isinstance(value, (int, float)) for value in arguments):
        return function(*arguments)
    return NotImplemented


def _constant(name: str, op: ir.Operation) -> Any:
    if name == "constant.none":
        return None
    attr = op.attributes["value"]
    if name == "constant.bool":
        return bool(ir.IntegerAttr(attr).value) if not isinstance(attr, ir.BoolAttr) else attr.value
    return attr.value
