"""The runner: loads a function of a module of any stage, and runs it on tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore
from torch_ttir.interpreters import torch_dialect, ttir_dialect
from torch_ttir.interpreters.arguments import read_arguments
from torch_ttir.interpreters.executable import Executable, Step, first_line
from torch_ttir.interpreters.step import Fault, Prepared
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at, error, op_name


def run_function(
    module: ir.Module, inputs: Sequence[torch.Tensor], function: str = "main"
) -> list[torch.Tensor]:
    """Run a function of a TTIR or Torch-dialect module on tensors, one for each argument.

    Returns all results, new values of arguments (`ttir.updates`) included. Raises `CompileError`
    for an op that the interpreters do not run, and for inputs that do not fit.
    """
    return load_function(module, function)(inputs)


def entry_name(module: ir.Module) -> str:
    """Return the name of the function to run: `main`, or else the only public one."""
    functions = [op for op in module.body if isinstance(op, func.FuncOp)]
    names = [op.name.value for op in functions]
    public: list[str] = [op.name.value for op in functions if _is_public(op)]
    if "main" in names:
        return "main"
    if len(public) != 1:
        listed = ", ".join(f"`{name}`" for name in names) or "none"
        raise error(f"the module has no function `main`; it has {listed}")
    return public[0]


def load_function(module: ir.Module, function: str = "main") -> Executable:
    """Decode a function of a module, with the functions that it calls."""
    with module.context:
        return _Loader(module.operation).load(function)


def _is_public(function: func.FuncOp) -> bool:
    attributes = function.operation.attributes
    return "sym_visibility" not in attributes or str(attributes["sym_visibility"]) == '"public"'


class _Loader:
    """Decodes the functions of one module, each once."""

    def __init__(self, module: ir.Operation) -> None:
        self.functions = {
            op.name.value: op for op in module.regions[0].blocks[0] if isinstance(op, func.FuncOp)
        }
        self.loaded: dict[str, Executable | None] = {}

    def load(self, name: str) -> Executable:
        if name not in self.functions:
            listed = ", ".join(f"`{known}`" for known in self.functions) or "none"
            raise error(f"the module has no function `{name}`; it has {listed}")
        if name not in self.loaded:
            self.loaded[name] = None
            self.loaded[name] = self._decode(self.functions[name])
        found = self.loaded[name]
        if found is None:
            raise error(f"function `{name}` calls itself")
        return found

    def _decode(self, function: func.FuncOp) -> Executable:
        if function.is_external or len(function.regions[0].blocks) != 1:
            raise CompileError(
                [diagnostic_at(function.operation, "a function of one block is needed")]
            )
        return _Decoder(self, function).decode()


class _Decoder:
    """Decodes one function."""

    def __init__(self, loader: _Loader, function: func.FuncOp) -> None:
        self.loader = loader
        self.function = function
        self.slots: dict[ir.Value, int] = {}
        self.template: list[Any] = []
        self.known: set[int] = set()
        self.steps: list[tuple[Step, Prepared | None]] = []
        self.faults: list[Diagnostic] = []

    def decode(self) -> Executable:
        block = self.function.entry_block
        for argument in block.arguments:
            self._new_slot(argument)
        count = len(self.template)
        results: tuple[int, ...] = ()
        for view in block:
            op = view.operation
            if op.name == "func.return":
                results = tuple(self.slots[value] for value in op.operands)
                continue
            try:
                self._add(op)
            except Fault as fault:
                self.faults.append(diagnostic_at(op, str(fault)))
                for result in op.results:
                    self._new_slot(result)
        if self.faults:
            raise CompileError(self.faults)
        written, copied = self._written(count)
        return Executable(
            self.function.name.value,
            read_arguments(self.function),
            self._with_dead(set(results) | set(written) | self.known),
            results,
            tuple(ttcore.result_name(self.function, i) for i in range(len(results))),
            tuple(ttcore.updated_argument(self.function, i) for i in range(len(results))),
            tuple(self.template),
            written,
            copied,
        )

    def _add(self, op: ir.Operation) -> None:
        name = op_name(op)
        if op.name in ("func.call", ttcore.LOAD_CACHED):
            self._add_call(op)
            return
        if op.name.startswith("ttir."):
            prepared = ttir_dialect.prepare(op)
        elif op.name.startswith("torch."):
            prepared = torch_dialect.prepare(op)
        else:
            raise Fault("the reference interpreters run Torch-dialect and TTIR ops")
        operands = tuple(self._operand(value) for value in prepared.operands)
        results = tuple(self._new_slot(result) for result in op.results)
        if prepared.rebinds:
            results = (operands[0],)
        step = Step(prepared.run, None, operands, results, (), name, op.location)
        if prepared.constant or (prepared.scalar and self.known.issuperset(operands)):
            self._run_now(step)
        else:
            self.steps.append((step, prepared))

    def _add_call(self, op: ir.Operation) -> None:
        callee = self.loader.load(str(ir.FlatSymbolRefAttr(op.attributes["callee"]).value))
        if callee.written:
            raise Fault(f"`{callee.name}` writes its arguments in place")
        cached = callee if op.name == ttcore.LOAD_CACHED else None
        operands = tuple(self.slots[value] for value in op.operands)
        results = tuple(self._new_slot(result) for result in op.results)
        run = lambda *values: callee(values)  # noqa: E731
        self.steps.append((Step(run, cached, operands, results, (), op.name, op.location), None))

    def _run_now(self, step: Step) -> None:
        operands = [self.template[slot] for slot in step.operands]
        try:
            made = step.run(*operands)
        except (RuntimeError, ValueError, TypeError, IndexError, ArithmeticError) as reason:
            raise Fault(first_line(reason)) from reason
        for slot, value in zip(step.results, made, strict=True):
            self.template[slot] = value
            self.known.add(slot)

    def _operand(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self.slots[item] for item in value)
        return None if value is None else self.slots[value]

    def _new_slot(self, value: ir.Value) -> int:
        slot = self.slots[value] = len(self.template)
        self.template.append(None)
        return slot

    def _written(self, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return which arguments are written, and what must be copied since it may be written.

        An in-place op may write through any value that its operand was made of: PyTorch's views
        alias. What may alias is taken to do so; a copy too many changes no number.
        """
        written: set[int] = set()
        copied: set[int] = set()
        for step, prepared in reversed(self.steps):
            if prepared is None:
                continue
            if prepared.rebinds:
                written.add(step.results[0])
            copied.update(step.operands[position] for position in prepared.mutates)
            if not copied.isdisjoint(step.results):
                copied.update(_flat(step.operands))
        held = {slot for slot in copied if isinstance(self.template[slot], torch.Tensor)}
        arguments = {slot for slot in copied if slot < count}
        return (
            tuple(sorted(arguments | {slot for slot in written if slot < count})),
            tuple(sorted(held | arguments)),
        )

    def _with_dead(self, kept: set[int]) -> tuple[Step, ...]:
        finished: list[Step] = []
        for step, _ in reversed(self.steps):
            used = {*_flat(step.operands), *step.results}
            dead = tuple(slot for slot in sorted(used) if slot not in kept)
            kept.update(dead)
            finished.append(step._replace(dead=dead))
        return tuple(reversed(finished))


def _flat(operands: tuple[Any, ...]) -> list[int]:
    found: list[int] = []
    for operand in operands:
        if isinstance(operand, tuple):
            found.extend(operand)
        elif operand is not None:
            found.append(operand)
    return found
