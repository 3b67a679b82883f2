"""Arguments that stand for weights: adding them, and dropping those that nothing uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore

KINDS = ("parameter", "constant")
"""The kinds of arguments whose values are fixed before a call."""


@dataclass(frozen=True)
class Constant:
    """A constant argument to be; `marks` are its attributes besides its kind and its name."""

    type: ir.Type
    name: str
    location: ir.Location
    marks: dict[str, ir.Attribute] = field(default_factory=dict)


def add_constants(function: func.FuncOp, constants: Sequence[Constant]) -> list[ir.Value]:
    """Append arguments of kind `constant` to a function's signature; returns them."""
    if not constants:
        return []
    attributes = function.operation.attributes
    count = len(function.arguments)
    empty = ir.DictAttr.get({})
    entries = list(ir.ArrayAttr(attributes["arg_attrs"])) if "arg_attrs" in attributes else []
    entries += [empty] * (count - len(entries))
    kind = ttcore.argument_type("constant")
    for constant in constants:
        marks = {ttcore.ARGUMENT_TYPE: kind, ttcore.NAME: ir.StringAttr.get(constant.name)}
        entries.append(ir.DictAttr.get({**marks, **constant.marks}))
    inputs = [*function.type.inputs, *(constant.type for constant in constants)]
    block = function.entry_block
    made = [block.add_argument(constant.type, constant.location) for constant in constants]
    types = ir.FunctionType.get(inputs, function.type.results)
    attributes["function_type"] = ir.TypeAttr.get(types)
    attributes["arg_attrs"] = ir.ArrayAttr.get(entries)
    return made


def argument_names(function: func.FuncOp) -> list[str]:
    """Return the `ttir.name` of each argument, or `arg<index>` where it has none."""
    return [ttcore.argument_name(function, index) for index in range(len(function.arguments))]


def called_functions(module: ir.Operation) -> set[str]:
    """Return the names of the functions that ops of the module call, or name at all."""
    called: set[str] = set()

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name in ("func.call", "func.constant", ttcore.LOAD_CACHED):
            symbol = op.attributes["value" if op.name == "func.constant" else "callee"]
            called.add(str(ir.FlatSymbolRefAttr(symbol).value))
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    return called


def drop_unused_weights(function: func.FuncOp) -> None:
    """Take the parameters and constants that nothing uses out of a function's signature.

    Inputs and state stay, since callers pass them; so must every argument of a function that others
    call.
    """
    kinds = ttcore.argument_kinds(function)
    updated = {
        ttcore.updated_argument(function, index) for index in range(len(function.type.results))
    }
    drop_arguments(
        function,
        [
            index
            for index, kind in enumerate(kinds)
            if kind in KINDS
            and not any(True for _ in function.arguments[index].uses)
            and ttcore.argument_name(function, index) not in updated
        ],
    )


def drop_arguments(function: func.FuncOp, indices: Iterable[int]) -> None:
    """Take arguments without uses, at `indices`, out of a function's signature."""
    dropped = set(indices)
    if not dropped:
        return
    kept = [index for index in range(len(function.arguments)) if index not in dropped]
    inputs = function.type.inputs
    types = ir.FunctionType.get([inputs[index] for index in kept], function.type.results)
    for index in sorted(dropped, reverse=True):
        function.entry_block.erase_argument(index)
    attributes = function.operation.attributes
    attributes["function_type"] = ir.TypeAttr.get(types)
    if "arg_attrs" in attributes:
        entries = ir.ArrayAttr(attributes["arg_attrs"])
        attributes["arg_attrs"] = ir.ArrayAttr.get([entries[index] for index in kept])
