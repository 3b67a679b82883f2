"""Running steps: one native pass manager, whatever is in Python or in MLIR."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, TextIO

from torch_mlir import ir
from torch_mlir.passmanager import PassManager

from torch_ttir.ir.diagnostics import CompileError, from_mlir
from torch_ttir.ir.printing import PrintFormat
from torch_ttir.pipelines.steps import PassStep, Step
from torch_ttir.pipelines.text import ROOT

VerifyEach = Literal["none", "end", "all"]
DUMP_FORMAT = PrintFormat(resources_limit=0)


@dataclass(frozen=True)
class IRPrinting:
    """When to print the IR, as mlir-opt's flags say: around all passes, or those in the sets."""

    before_all: bool = False
    after_all: bool = False
    after_failure: bool = False
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    format: PrintFormat = DUMP_FORMAT
    stream: TextIO | None = None


@dataclass(frozen=True)
class RunOptions:
    """How to run steps; `on_step` is told of each step and the module before it runs."""

    verify_each: VerifyEach = "all"
    timing: bool = False
    printing: IRPrinting = field(default_factory=IRPrinting)
    on_step: Callable[[Step, ir.Operation], None] | None = None


def run_steps(module: ir.Module, steps: Sequence[Step], options: RunOptions | None = None) -> None:
    """Change `module` by the steps, in their order.

    A `CompileError` that a step raises gets a note that names the step and the one before it;
    IR that does not verify afterwards is the step's fault. Any other exception of a pass is a
    defect of it, raised again as an `InternalError` that names the pass.
    """
    run = _Run(module.operation, steps, options or RunOptions())
    context = module.context
    manager = PassManager(ROOT, context)
    # Verification is a pass of its own: so the timing table shows it, and a fault has its pass.
    manager.enable_verifier(False)
    if run.options.timing:
        manager.enable_timing()
    for index, step in enumerate(steps):
        manager.add(partial(run.step, index), name=step.name, argument=step.name)
        last = index == len(steps) - 1
        if run.options.verify_each == "all" or (run.options.verify_each == "end" and last):
            manager.add(partial(run.verify, index), name="verify", argument="verify")
    with context:
        manager.run(module.operation)


class InternalError(Exception):
    """A defect of a pass, not of the program that it ran on; the message names both."""


@dataclass(frozen=True)
class _Run:
    module: ir.Operation
    steps: Sequence[Step]
    options: RunOptions

    def step(self, index: int, _op: ir.Operation, _pass: object) -> None:
        """Run a step; raises `CompileError` or `InternalError`."""
        step = self.steps[index]
        printing = self.options.printing
        if self.options.on_step:
            self.options.on_step(step, self.module)
        if printing.before_all or step.name in printing.before:
            self._print(f"IR Dump Before {step.name}: {step}")
        try:
            _execute(step, self.module)
        except CompileError as fault:
            self._fail(index, fault)
        except ir.MLIRError as fault:
            self._fail(index, from_mlir(fault))
        except Exception as fault:
            self._print_failure(step)
            raise InternalError(f"{self._place(index)}: {type(fault).__name__}: {fault}") from fault
        if self.options.verify_each == "none":
            self._print_after(step)

    def verify(self, index: int, _op: ir.Operation, _pass: object) -> None:
        """Check the IR that a step made; raises `CompileError` if it does not verify."""
        try:
            self.module.verify()
        except ir.MLIRError as fault:
            found = from_mlir(fault)
            if self.options.verify_each == "end":
                found.notes.append("the passes made IR that does not verify")
                raise found from None
            found.notes.append("the pass made IR that does not verify")
            self._fail(index, found)
        self._print_after(self.steps[index])

    def _fail(self, index: int, fault: CompileError) -> None:
        self._print_failure(self.steps[index])
        fault.notes.append(self._place(index))
        raise fault

    def _place(self, index: int) -> str:
        before = f", after '{self.steps[index - 1].name}'" if index else ""
        return f"in pass '{self.steps[index].name}'{before}"

    def _print_after(self, step: Step) -> None:
        printing = self.options.printing
        if (printing.after_all and not printing.after_failure) or step.name in printing.after:
            self._print(f"IR Dump After {step.name}: {step}")

    def _print_failure(self, step: Step) -> None:
        printing = self.options.printing
        if printing.after_all or printing.after_failure or step.name in printing.after:
            self._print(f"IR Dump After {step.name} Failed: {step}")

    def _print(self, title: str) -> None:
        stream = self.options.printing.stream or sys.stderr
        text = self.options.printing.format.print(self.module)
        stream.write(f"// -----// {title} //----- //\n{text}\n\n")
        stream.flush()


def _execute(step: Step, module: ir.Operation) -> None:
    if isinstance(step, PassStep):
        step.cls(**step.values).run(module)
        return
    manager = PassManager.parse(f"{ROOT}({step.text})", module.context)
    # The outer pass manager verifies, after this pass as after all others.
    manager.enable_verifier(False)
    manager.run(module)
