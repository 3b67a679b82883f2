"""The pass `functionalize-inplace-ops`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_mlir import ir

from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at
from torch_ttir.passes.base import Pass
from torch_ttir.passes.functionalize.walk import needs_rewriting, rewrite_block


@dataclass(frozen=True)
class FunctionalizeInplaceOps(Pass):
    """Replace in-place ops by pure ones that give every tensor the value that PyTorch gives it.

    A write through a view reaches its base and all other views; reads before it keep the old
    value. Arguments that are written become results marked `ttir.updates`, after the others. It
    takes what the importers make, `!torch.tensor` programs, and raw imports with in-place ops on
    value tensors, and leaves no in-place op: where one cannot be replaced the module is as it was,
    and one error lists them all. The attributes `ttir.alias` on ops that return a view or a copy,
    and `ttir.strides` on arguments and ops, tell it PyTorch's layouts where they are not row-major.

    func.func @main(%x {ttir.name = "x"}) -> T {
      %0 = torch.aten.select.int %x, %dim, %index
      %1 = torch.operator "torch.aten.add_.Tensor"(%0, %y, %one)
      return %1
    }
      =>
    func.func @main(%x {ttir.name = "x"}) -> (T, U {ttir.updates = "x"}) {
      %0 = torch.aten.select.int %x, %dim, %index
      %1 = torch.aten.add.Tensor %0, %y, %one
      %2 = torch.aten.select_scatter %x, %1, %dim, %index
      return %1, %2
    }
    """

    name: ClassVar[str] = "functionalize-inplace-ops"

    def run(self, module: ir.Operation) -> None:
        """Replace each function that writes a tensor by one that does not."""
        made: list[tuple[ir.Operation, ir.Operation]] = []
        faults: list[Diagnostic] = []
        functions = [view.operation for view in module.regions[0].blocks[0]]
        called = _callees(module)
        for function in functions:
            if function.name != "func.func" or not _needs_rewriting(function):
                continue
            new = function.clone()
            found = _rewrite(function, new, called)
            if found:
                new.erase()
            else:
                made.append((function, new))
            faults += found
        if faults:
            for _, new in made:
                new.erase()
            raise CompileError(faults)
        for old, new in made:
            ir.InsertionPoint(old).insert(new)
            old.erase()


def _needs_rewriting(function: ir.Operation) -> bool:
    return any(needs_rewriting(block) for block in function.regions[0].blocks)


def _rewrite(old: ir.Operation, new: ir.Operation, called: set[str]) -> list[Diagnostic]:
    """Rewrite `new`, a clone of `old`, and return the faults."""
    blocks = list(new.regions[0].blocks)
    if len(blocks) != 1:
        return [diagnostic_at(old, "it writes tensors in more than one block of a function")]
    block = blocks[0]
    marks = _argument_marks(new, len(block.arguments))
    strides = [
        tuple(ir.DenseI64ArrayAttr(mark["ttir.strides"])) if "ttir.strides" in mark else None
        for mark in marks
    ]
    updates, faults = rewrite_block(block, strides)
    if faults:
        return faults
    written = [index for index, value in enumerate(updates) if value is not None]
    name = ir.StringAttr(new.attributes["sym_name"]).value
    if written and name in called:
        message = f"`{name}` writes its arguments and is called: inline it first"
        return [diagnostic_at(old, message)]
    _set_signature(new, block, marks, {index: updates[index] for index in written})
    return []


def _set_signature(
    function: ir.Operation,
    block: ir.Block,
    marks: list[dict[str, ir.Attribute]],
    updates: dict[int, ir.Value | None],
) -> None:
    """Return the updates after the function's results, and mark arguments and results."""
    terminator = list(block)[-1].operation
    count = len(terminator.operands)
    results = _result_marks(function, count)
    known = {str(mark["ttir.updates"]) for mark in results if "ttir.updates" in mark}
    names = {str(mark["ttir.name"]) for mark in marks if "ttir.name" in mark}
    values = list(terminator.operands)
    for index, value in updates.items():
        mark = marks[index]
        if "ttir.name" not in mark:
            mark["ttir.name"] = _new_name(index, names)
        if "ttcore.argument_type" in mark:
            mark["ttcore.argument_type"] = ir.Attribute.parse("#ttcore.argument_type<input>")
        if str(mark["ttir.name"]) not in known:
            values.append(value)
            results.append({"ttir.updates": mark["ttir.name"]})
    ir.Operation.create(
        terminator.name, [], values, loc=terminator.location, ip=ir.InsertionPoint(terminator)
    )
    terminator.erase()
    function.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(
            [argument.type for argument in block.arguments], [value.type for value in values]
        )
    )
    for attribute, dictionaries in (("arg_attrs", marks), ("res_attrs", results)):
        if any(dictionaries):
            function.attributes[attribute] = ir.ArrayAttr.get(
                [ir.DictAttr.get(dictionary) for dictionary in dictionaries]
            )


def _argument_marks(function: ir.Operation, count: int) -> list[dict[str, ir.Attribute]]:
    return _marks(function, "arg_attrs", count)


def _result_marks(function: ir.Operation, count: int) -> list[dict[str, ir.Attribute]]:
    return _marks(function, "res_attrs", count)


def _marks(function: ir.Operation, name: str, count: int) -> list[dict[str, ir.Attribute]]:
    if name not in function.attributes:
        return [{} for _ in range(count)]
    dictionaries = ir.ArrayAttr(function.attributes[name])
    return [
        {entry.name: entry.attr for entry in ir.DictAttr(dictionary)} for dictionary in dictionaries
    ]


def _new_name(index: int, names: set[str]) -> ir.Attribute:
    name = ir.StringAttr.get(f"arg{index}")
    while str(name) in names:
        name = ir.StringAttr.get(f"{name.value}_")
    names.add(str(name))
    return name


def _callees(module: ir.Operation) -> set[str]:
    """Return the names of all functions that the module calls."""
    found: set[str] = set()

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name == "func.call":
            found.add(ir.FlatSymbolRefAttr(op.attributes["callee"]).value)
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    return found
