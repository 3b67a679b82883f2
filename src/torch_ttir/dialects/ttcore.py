"""What TTIR programs use of tt-mlir's `ttcore`: marks of arguments and results, and `load_cached`.

The dialect is not registered, since `#ttcore.argument_type<...>` cannot be declared from Python, so
MLIR's verifier does not look at it: `verify_load_cached` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.ir.context import current

LOAD_CACHED = "ttcore.load_cached"
ARGUMENT_TYPE = "ttcore.argument_type"
NAME = "ttir.name"
UPDATES = "ttir.updates"
KINDS = ("input", "parameter", "constant")


def argument_type(kind: str) -> ir.Attribute:
    """Return `#ttcore.argument_type<kind>`."""
    cache = current().cache
    key = ("argument_type", kind)
    if key not in cache:
        cache[key] = ir.Attribute.parse(f"#ttcore.argument_type<{kind}>")
    return cache[key]


def argument_kind(function: func.FuncOp, index: int) -> str:
    """Return the kind of an argument; one without a mark is an input."""
    attribute = _dictionary(function, "arg_attrs", index).get(ARGUMENT_TYPE)
    return "input" if attribute is None else str(attribute).partition("<")[2].rstrip(">")


def argument_name(function: func.FuncOp, index: int) -> str:
    """Return an argument's `ttir.name`, or `arg<index>` where it has none."""
    attribute = _dictionary(function, "arg_attrs", index).get(NAME)
    return f"arg{index}" if attribute is None else str(ir.StringAttr(attribute).value)


def updated_argument(function: func.FuncOp, index: int) -> str | None:
    """Return the name of the argument whose new value result `index` is; None for a user's."""
    attribute = _dictionary(function, "res_attrs", index).get(UPDATES)
    return None if attribute is None else str(ir.StringAttr(attribute).value)


def add_argument(
    function: func.FuncOp, type_: ir.Type, name: str, kind: str, location: ir.Location
) -> ir.Value:
    """Append an argument of the given name and kind to a function with a body."""
    old = [_dictionary(function, "arg_attrs", index) for index in range(len(function.arguments))]
    marks = {ARGUMENT_TYPE: argument_type(kind), NAME: ir.StringAttr.get(name)}
    argument = function.entry_block.add_argument(type_, location)
    types = ir.FunctionType.get([*function.type.inputs, type_], function.type.results)
    attributes = function.operation.attributes
    attributes["function_type"] = ir.TypeAttr.get(types)
    attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(item) for item in [*old, marks]])
    return argument


def is_const_eval(function: ir.Operation) -> bool:
    """Say whether a function is marked as evaluated once per set of weights."""
    attributes = function.attributes
    if "tt.function_type" not in attributes:
        return False
    return str(ir.StringAttr(attributes["tt.function_type"]).value) == "const_eval"


def load_cached(
    callee_name: str,
    inputs: Sequence[ir.Value],
    results: Sequence[ir.Type],
    location: ir.Location,
    ip: ir.InsertionPoint,
) -> ir.Operation:
    """Make the call of a const-eval function, in the generic form, which tt-mlir accepts."""
    attributes = {"callee": ir.FlatSymbolRefAttr.get(callee_name)}
    return ir.Operation.create(
        LOAD_CACHED, list(results), list(inputs), attributes, None, 0, location, ip
    )


def callee(op: ir.Operation) -> str:
    """Return the name of the function that a `ttcore.load_cached` calls."""
    return str(ir.FlatSymbolRefAttr(op.attributes["callee"]).value)


def _dictionary(function: func.FuncOp, which: str, index: int) -> dict[str, Any]:
    attributes = function.operation.attributes
    if which not in attributes:
        return {}
    entry = ir.DictAttr(ir.ArrayAttr(attributes[which])[index])
    return {named.name: named.attr for named in entry}
