"""What TTIR programs use of tt-mlir's `ttcore`: marks of arguments and results, and `load_cached`.

The dialect is not registered, since `#ttcore.argument_type<...>` cannot be declared from Python, so
MLIR's verifier does not look at it: `check_module` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.ir.context import current
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at

LOAD_CACHED = "ttcore.load_cached"
ARGUMENT_TYPE = "ttcore.argument_type"
NAME = "ttir.name"
UPDATES = "ttir.updates"
FUNCTION_TYPE = "tt.function_type"
KINDS = ("input", "parameter", "constant")
# `default` is a kind of tt-mlir's that none of its passes takes for a weight.
_KIND_SPELLINGS = tuple(f"#ttcore.argument_type<{kind}>" for kind in (*KINDS, "default"))


def argument_type(kind: str) -> ir.Attribute:
    """Return `#ttcore.argument_type<kind>`."""
    cache = current().cache
    key = ("argument_type", kind)
    if key not in cache:
        cache[key] = ir.Attribute.parse(f"#ttcore.argument_type<{kind}>")
    return cache[key]


def argument_kind(function: func.FuncOp, index: int) -> str:
    """Return the kind of an argument; one without a mark is an input."""
    return _kind(_mark(function, "arg_attrs", index, ARGUMENT_TYPE))


def argument_kinds(function: func.FuncOp) -> list[str]:
    """Return the kinds of all arguments."""
    attributes = function.operation.attributes
    if "arg_attrs" not in attributes:
        return ["input"] * len(function.arguments)
    entries = (ir.DictAttr(entry) for entry in ir.ArrayAttr(attributes["arg_attrs"]))
    return [_kind(_value(entry, ARGUMENT_TYPE)) for entry in entries]


def argument_name(function: func.FuncOp, index: int) -> str:
    """Return an argument's `ttir.name`, or `arg<index>` where it has none."""
    attribute = _mark(function, "arg_attrs", index, NAME)
    return f"arg{index}" if attribute is None else str(ir.StringAttr(attribute).value)


def result_name(function: func.FuncOp, index: int) -> str | None:
    """Return the `ttir.name` of a result, as ONNX models give one; None where it has none."""
    attribute = _mark(function, "res_attrs", index, NAME)
    return None if attribute is None else str(ir.StringAttr(attribute).value)


def updated_argument(function: func.FuncOp, index: int) -> str | None:
    """Return the name of the argument whose new value result `index` is; None for a user's."""
    attribute = _mark(function, "res_attrs", index, UPDATES)
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
    if FUNCTION_TYPE not in attributes:
        return False
    return str(ir.StringAttr(attributes[FUNCTION_TYPE]).value) == "const_eval"


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


def check_module(module: ir.Operation) -> None:
    """Raise one `CompileError` with every wrong `load_cached`, and every wrong mark of a function.

    MLIR's verifier does not look at them, since the dialect is not registered.
    """
    functions: dict[str, func.FuncOp] = {}
    faults: list[Diagnostic] = []
    for function in module.regions[0].blocks[0]:
        if isinstance(function, func.FuncOp):
            functions[function.name.value] = function
            faults += _mark_faults(function)

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == LOAD_CACHED:
            faults.extend(diagnostic_at(op, message) for message in _call_faults(op, functions))
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    if faults:
        raise CompileError(faults)


def _call_faults(op: ir.Operation, functions: dict[str, func.FuncOp]) -> Iterator[str]:
    attributes = op.attributes
    if "callee" not in attributes or not isinstance(attributes["callee"], ir.FlatSymbolRefAttr):
        yield "requires attribute `callee`, a function's symbol"
        return
    function = functions.get(callee(op))
    if function is None:
        yield f"there is no function `@{callee(op)}`"
        return
    pairs = (
        ("operand", [operand.type for operand in op.operands], function.type.inputs),
        ("result", list(op.results.types), function.type.results),
    )
    for what, found, wanted in pairs:
        if list(found) != list(wanted):
            yield f"{what} types must be `@{callee(op)}`'s, {_listed(wanted)}, not {_listed(found)}"


def _listed(types: Sequence[ir.Type]) -> str:
    return f"({', '.join(str(type_) for type_ in types)})"


def _mark_faults(function: func.FuncOp) -> Iterator[Diagnostic]:
    types: dict[str, ir.Type] = {}
    for index, type_ in enumerate(function.type.inputs):
        marks = _dictionary(function, "arg_attrs", index)
        kind = marks.get(ARGUMENT_TYPE)
        if kind is not None and str(kind) not in _KIND_SPELLINGS:
            wanted = ", ".join(f"`{spelling}`" for spelling in _KIND_SPELLINGS)
            message = f"`{ARGUMENT_TYPE}` of argument {index} must be one of {wanted}, not `{kind}`"
            yield diagnostic_at(function.operation, message)
        name = marks.get(NAME)
        if name is None:
            continue
        if not isinstance(name, ir.StringAttr):
            message = f"`{NAME}` of argument {index} must be a string, not `{name}`"
            yield diagnostic_at(function.operation, message)
        elif name.value in types:
            message = f'two arguments have the `{NAME}` "{name.value}"'
            yield diagnostic_at(function.operation, message)
        else:
            types[name.value] = type_
    for index, type_ in enumerate(function.type.results):
        name = _mark(function, "res_attrs", index, UPDATES)
        if name is None:
            continue
        if not isinstance(name, ir.StringAttr) or name.value not in types:
            message = f"`{UPDATES}` of result {index} must be an argument's name, not {name}"
            yield diagnostic_at(function.operation, message)
        elif types[name.value] != type_:
            message = (
                f"result {index} updates argument {name}, so its type must be "
                f"`{types[name.value]}`, not `{type_}`"
            )
            yield diagnostic_at(function.operation, message)


def _kind(attribute: ir.Attribute | None) -> str:
    if attribute is None:
        return "input"
    cache = current().cache
    key = ("kind", attribute)
    if key not in cache:
        cache[key] = str(attribute).partition("<")[2].rstrip(">")
    return str(cache[key])


def _mark(function: func.FuncOp, which: str, index: int, name: str) -> Any:
    """Return one attribute of an argument or a result; None where it has none."""
    attributes = function.operation.attributes
    if which not in attributes:
        return None
    entry = ir.DictAttr(ir.ArrayAttr(attributes[which])[index])
    return _value(entry, name)


def _value(attributes: ir.DictAttr, name: str) -> ir.Attribute | None:
    if name not in attributes:
        return None
    return attributes[name]


def _dictionary(function: func.FuncOp, which: str, index: int) -> dict[str, Any]:
    attributes = function.operation.attributes
    if which not in attributes:
        return {}
    entry = ir.DictAttr(ir.ArrayAttr(attributes[which])[index])
    return {named.name: named.attr for named in entry}
