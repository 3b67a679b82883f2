"""The pass `legalize-to-ttir`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at
from torch_ttir.ir.types import signless, tensor_type, torch_tensor_info
from torch_ttir.passes.base import Pass
from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.legalize.lowering import SCALARS, lower_block
from torch_ttir.passes.legalize.rules import RuleTable


@dataclass(frozen=True)
class LegalizeToTTIR(Pass):
    """Translate the Torch dialect to TTIR, one rule an op.

    Run it after functionalize-inplace-ops. A function is replaced only when all of its ops have
    been translated; on a fault the module is as it was, and one error lists every op.

    %1 = torch.aten.relu %0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
      =>
    %1 = "ttir.relu"(%0) : (tensor<2xf32>) -> tensor<2xf32>
    """

    name: ClassVar[str] = "legalize-to-ttir"

    def run(self, module: ir.Operation) -> None:
        """Replace each function that has Torch types by its translation."""
        # Not at the top: a tool that runs other passes should not wait for the rules.
        from torch_ttir.passes.legalize.all_rules import RULES

        functions = [
            op
            for op in module.regions[0].blocks[0]
            if isinstance(op, func.FuncOp) and _is_torch(op)
        ]
        made: list[tuple[ir.Operation, ir.Operation]] = []
        faults: list[Diagnostic] = []
        for function in functions:
            try:
                made.append((function.operation, _lower_function(function, RULES)))
            except CompileError as error:
                faults += error.diagnostics
        if faults:
            for _, new in made:
                new.erase()
            raise CompileError(faults)
        for old, _ in made:
            old.erase()


def _is_torch(function: func.FuncOp) -> bool:
    """Say whether a function has anything to translate: TTIR, and what has no body, stays."""
    if function.is_external:
        return False
    types = [*function.type.inputs, *function.type.results]
    return any("!torch." in str(type_) for type_ in types) or any(
        op.operation.name.startswith("torch.") for op in function.entry_block
    )


def _lower_function(old: func.FuncOp, rules: RuleTable) -> ir.Operation:
    arguments = [_argument_type(old, index, type_) for index, type_ in enumerate(old.type.inputs)]
    location = old.operation.location
    new = func.FuncOp(
        old.name.value, (arguments, []), ip=ir.InsertionPoint(old.operation), loc=location
    )
    # Before the body: rules look up what an argument is.
    for attribute in old.operation.attributes:
        if attribute != "function_type":
            new.operation.attributes[attribute] = old.operation.attributes[attribute]
    try:
        block = new.add_entry_block([argument.location for argument in old.arguments])
        results = lower_block(old.entry_block, block, rules, location)
        values = [_result_value(old, block, index, value) for index, value in enumerate(results)]
        terminator = list(old.entry_block)[-1].operation
        func.ReturnOp(values, loc=terminator.location, ip=ir.InsertionPoint(block))
    except BaseException:
        new.operation.erase()
        raise
    types = [value.type for value in values]
    new.operation.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(arguments, types)
    )
    return new.operation


def _argument_type(old: func.FuncOp, index: int, type_: ir.Type) -> ir.Type:
    info = torch_tensor_info(type_)
    if info is not None and "complex" not in info.dtype:
        return tensor_type(info.shape, signless(info.dtype))
    if isinstance(type_, ir.RankedTensorType):
        return type_
    raise CompileError(
        [
            diagnostic_at(
                old.operation,
                f"argument {index} has type `{type_}`, which TTIR has no type for",
                ["TTIR needs static shapes and integer or float elements"],
            )
        ]
    )


def _result_value(old: func.FuncOp, block: ir.Block, index: int, value: object) -> ir.Value:
    """Return the value of a result; one of a number that is known is made at the end of `block`."""
    if isinstance(value, Tensor):
        return value.value
    dtype = SCALARS.get(str(old.type.results[index]))
    if isinstance(value, bool | int | float) and dtype is not None:
        location = list(old.entry_block)[-1].operation.location
        return Builder(ir.InsertionPoint(block), location).full((), value, dtype).value
    raise CompileError(
        [diagnostic_at(old.operation, f"result {index} is `{value!r}`, not a tensor")]
    )
