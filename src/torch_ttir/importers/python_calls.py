"""Calls of Python functions in a graph: arithmetic on numbers, and switches of PyTorch's modes."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import torch
from torch.amp import autocast_mode
from torch_mlir import ir

from torch_ttir.importers.body import Body
from torch_ttir.importers.result_types import Unsupported
from torch_ttir.importers.schemas import ArgumentKind
from torch_ttir.ir.context import Context

# The Torch dialect's op for each function of numbers; overloads `int` and `float`, where it has
# them, take two numbers of that type.
_ARITHMETIC = {
    operator.add: "add",
    operator.sub: "sub",
    operator.mul: "mul",
    operator.truediv: "div",
    operator.floordiv: "floordiv",
    operator.mod: "remainder",
    operator.neg: "neg",
    operator.lt: "lt",
    operator.le: "le",
    operator.gt: "gt",
    operator.ge: "ge",
    operator.eq: "eq",
    operator.ne: "ne",
}
_COMPARISONS = {"lt", "le", "gt", "ge", "eq", "ne"}
_CASTS = {torch.sym_float: "float", torch.sym_int: "int"}
_PURE = frozenset(
    {
        *_ARITHMETIC,
        *_CASTS,
        operator.pow,
        operator.and_,
        operator.or_,
        operator.not_,
        torch.sym_not,
        torch.sym_max,
        torch.sym_min,
        torch.sym_ite,
        math.sqrt,
        math.floor,
        math.ceil,
        math.trunc,
        round,
        abs,
        min,
        max,
    }
)
_MODES = (torch._C._set_grad_enabled, autocast_mode._exit_autocast)


def is_python_call(target: Any) -> bool:
    """Say whether `import_python_call` takes calls of `target`."""
    return target in _PURE or target in _MODES or target is autocast_mode._enter_autocast


def import_python_call(
    target: Any, arguments: Sequence[Any], body: Body, context: Context, loc: ir.Location
) -> Any:
    """Return the value of a call of a Python function: a constant, or an op on numbers.

    `arguments` are constants, or IR values of numbers that the program computes.
    """
    if target in _MODES:
        return None
    if target is autocast_mode._enter_autocast:
        # (device, dtype, enabled, cache): with it enabled, PyTorch casts behind the graph's back.
        if len(arguments) > 2 and not arguments[2]:
            return None
        raise Unsupported(
            "the casts of `torch.autocast` are not in this graph",
            "import the model, or its `torch.export.export`, instead of a graph",
        )
    computed = [argument for argument in arguments if isinstance(argument, ir.Value)]
    if target in _PURE and not computed:
        return target(*arguments)
    if target in _CASTS:
        return body.operand(arguments[0], ArgumentKind(_CASTS[target]), loc)
    name = _ARITHMETIC.get(target)
    if name is None:
        raise Unsupported("it is not an ATen operator")
    whole = name != "div" and all(
        str(argument.type) == "!torch.int"
        if isinstance(argument, ir.Value)
        else isinstance(argument, int)
        for argument in arguments
    )
    kind = "int" if whole else "float"
    op = f"torch.aten.{name}.{kind}"
    if not context.is_registered_operation(op):
        raise Unsupported(f"`{name}` of {kind} numbers that depend on data is not supported")
    operands = [body.operand(argument, ArgumentKind(kind), loc) for argument in arguments]
    return body.number(op, operands, "bool" if name in _COMPARISONS else kind, loc)
