"""Torch ops whose results are known at compile time: constants, lists, integer arithmetic."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Tensor


def _larger(x: Any, y: Any) -> Any:
    return x if x > y else y


def _smaller(x: Any, y: Any) -> Any:
    return x if x < y else y


_KINDS = ("int", "float", "int_float", "float_int")
_BINARY: dict[str, Callable[..., Any]] = {
    "aten.add": operator.add,
    "aten.sub": operator.sub,
    "aten.mul": operator.mul,
    "aten.div": operator.truediv,
    "aten.remainder": operator.mod,
    "aten.eq": operator.eq,
    "aten.ne": operator.ne,
    "aten.lt": operator.lt,
    "aten.le": operator.le,
    "aten.gt": operator.gt,
    "aten.ge": operator.ge,
    "prim.max": _larger,
    "prim.min": _smaller,
}
_ARITHMETIC: dict[str, Callable[..., Any]] = {
    **{f"{name}.{kind}": function for name, function in _BINARY.items() for kind in _KINDS},
    "aten.floordiv.int": operator.floordiv,
    "aten.pow.int_to_int": operator.pow,
    "aten.pow.float": operator.pow,
    "aten.neg.int": operator.neg,
    "aten.neg.float": operator.neg,
    "aten.Int.bool": int,
    "aten.Int.float": int,
    "aten.Int.Scalar": int,
    "aten.Float.bool": float,
    "aten.Float.int": float,
    "aten.Float.Scalar": float,
    "aten.Bool.int": bool,
    "aten.Bool.float": bool,
    "aten.eq.bool": operator.eq,
    "aten.ne.bool": operator.ne,
    "aten.__and__.bool": operator.and_,
    "aten.__or__.bool": operator.or_,
    "aten.__not__": operator.not_,
    "aten.log.int": math.log,
    "aten.sqrt.int": math.sqrt,
    "aten.sqrt.float": math.sqrt,
    "aten.ceil.float": math.ceil,
    "aten.ceil.Scalar": math.ceil,
    "aten.floor.float": math.floor,
    "prim.abs.Scalar": abs,
    "prim.min.self_int": min,
    "prim.max.self_int": max,
}


_STRUCTURE = frozenset(
    ("prim.ListConstruct", "prim.ListUnpack", "derefine", "aten.size.int", "aten.dim")
)


def is_compile_time(name: str) -> bool:
    """Say whether `evaluate` knows the op, if it knows its operands."""
    return name in _STRUCTURE or name in _ARITHMETIC or name.startswith("constant.")


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
