"""`tt-opt`: takes a program through passes, and writes it and its parameters."""

from __future__ import annotations

import dataclasses
import sys
import traceback
from collections.abc import Sequence
from functools import partial
from typing import Any

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects.context import make_context
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, error
from torch_ttir.ir.locations import user_frame
from torch_ttir.ir.parameter_files import write_parameters
from torch_ttir.ir.printing import PrintFormat
from torch_ttir.passes.registry import PASSES
from torch_ttir.pipelines import native
from torch_ttir.pipelines.named import PIPELINES
from torch_ttir.pipelines.run import InternalError, IRPrinting, RunOptions, run_steps
from torch_ttir.pipelines.steps import Step, steps_of_flag, steps_of_name, steps_of_text, steps_text
from torch_ttir.tools import describe
from torch_ttir.tools.expected_diagnostics import Produced, check, line_in, produced_by
from torch_ttir.tools.flags import TOOL, CommandLine, parse_command_line
from torch_ttir.tools.given_parameters import give_parameters
from torch_ttir.tools.help import help_text, version_text
from torch_ttir.tools.inputs import Part, read_parts
from torch_ttir.tools.output import Outputs
from torch_ttir.tools.progress import Progress
from torch_ttir.tools.reproducer import Reproducer
from torch_ttir.tools.supervise import Report, supervise


def main() -> int:
    """Run the command line of this process; returns its exit status, 0 or 1."""
    return supervise(TOOL, partial(run, sys.argv[1:]))


def run(arguments: Sequence[str], report: Report | None = None) -> int:
    """Run a command line in this process; returns the exit status, and prints errors on stderr."""
    try:
        known = [*PASSES, *PIPELINES, *native.NATIVE_PASSES, *native.NATIVE_PIPELINES]
        line = parse_command_line(arguments, _is_pass, known)
        text = _description(line)
        if text is None:
            return _Driver(line, report or Report()).run()
        with Outputs(Report()) as outputs, outputs.open("-") as file:
            file.write(text.encode())
        return 0
    except CompileError as fault:
        sys.stderr.write(f"{fault}\n")
        return 1


class _Driver:
    """One run of the tool: its command line, and what holds for all parts of the input."""

    def __init__(self, line: CommandLine, report: Report) -> None:
        self.line = line
        self.report = report
        self.parameters: dict[str, Any] = {}
        self.failures: list[str] = []
        self.format = PrintFormat(
            debuginfo=line.get("mlir-print-debuginfo", False),
            generic=line.get("mlir-print-op-generic", False),
            elements_limit=line.get("mlir-elide-elementsattrs-if-larger"),
            resources_limit=line.get("mlir-elide-resource-strings-if-larger"),
        )

    def run(self) -> int:
        """Take every part through the passes, then write what came out; returns the status."""
        line = self.line
        context = make_context()
        self.report.stage("in the text of the pass pipeline")
        steps = _steps(line, context)
        if line.get("dump-pass-pipeline"):
            sys.stderr.write(steps_text(steps) + "\n")
        name = line.inputs[0] if line.inputs else "-"
        if not line.inputs and (sys.stdin is None or sys.stdin.isatty()):
            raise error("there is no input; `tt-opt --help` shows how to name one", TOOL)
        parts = read_parts(name, line.get("split-input-file"), line.get("dim", ()))
        if len(parts) > 1 and line.get("emit-bytecode"):
            raise error("bytecode holds one module, and the input is split", name)
        quiet = any(flag.startswith(("mlir-print-ir", "mlir-timing")) for flag in line.values)
        outputs = Outputs(self.report)
        reproducer = line.get("mlir-pass-pipeline-crash-reproducer")
        sources = [name, line.get("parameters")]
        outputs.refuse(sources, line.get("o"), line.get("save-parameters"), reproducer)
        with Progress(self.report, shown=not quiet) as progress:
            modules = []
            for part in parts:
                modules += self._run_part(part, steps, context, progress)
                context = make_context()
        if self.failures:
            # Only now: the progress of later parts would be written over them.
            sys.stderr.write("\n".join(self.failures) + "\n")
            return 1
        with progress, outputs:
            progress.stage("writing")
            self._write(modules, outputs)
        if line.get("mlir-timing"):
            stages = ", ".join(f"{name} {spent:.4f} s" for name, spent in progress.seconds.items())
            sys.stderr.write(f"{TOOL}: {stages}\n")
        return 0

    def _run_part(
        self, part: Part, steps: Sequence[Step], context: Context, progress: Progress
    ) -> list[ir.Module]:
        """Return the part's module after the steps; none if that failed."""
        checking = self.line.get("verify-diagnostics")
        produced: list[Produced] = []
        context.attach_diagnostic_handler(partial(_hear, produced if checking else None, part))
        modules = []
        try:
            with context:
                progress.stage("reading", f"reading {part.name}")
                module = part.load(context, self.line.get("allow-unregistered-dialect", False))
                if given := self.line.get("parameters"):
                    give_parameters(given, module, context)
                self._transform(module, steps, progress)
                self.parameters |= _used_parameters(module, context)
                modules.append(module)
        except CompileError as fault:
            if checking:
                produced += produced_by(fault, part.name)
            else:
                self.failures.append(str(fault))
        if checking:
            try:
                check(part.text, part.name, produced, only_expected=checking == "only-expected")
            except CompileError as fault:
                self.failures.append(str(fault))
        return modules

    def _transform(self, module: ir.Module, steps: Sequence[Step], progress: Progress) -> None:
        """Run the steps on a module; raises `CompileError`, ended by how to see the fault again."""
        line = self.line
        name = line.get("mlir-pass-pipeline-crash-reproducer")
        reproducer = Reproducer(name, self.report) if name else None

        def begin(step: Step, operation: ir.Operation) -> None:
            progress.stage("passes", f"in pass '{step.name}'")
            if reproducer:
                reproducer.before(step, operation)

        printing = IRPrinting(
            before_all=line.get("mlir-print-ir-before-all", False),
            after_all=line.get("mlir-print-ir-after-all", False),
            after_failure=line.get("mlir-print-ir-after-failure", False),
            before=_names(line, "mlir-print-ir-before"),
            after=_names(line, "mlir-print-ir-after"),
            format=dataclasses.replace(self.format, resources_limit=0),
        )
        options = RunOptions(
            line.get("verify-each", "all"), line.get("mlir-timing", False), printing, begin
        )
        try:
            run_steps(module, steps, options)
        except CompileError as fault:
            if reproducer:
                fault.notes += reproducer.failed(module.operation)
            raise
        except InternalError as fault:
            if line.get("traceback"):
                traceback.print_exception(fault.__cause__)
            notes = ["this is a defect of the pass; `--traceback` shows where"]
            if reproducer:
                notes += reproducer.failed(module.operation)
            raise error(str(fault), TOOL, notes=notes) from None
        if reproducer:
            reproducer.succeeded()

    def _write(self, modules: Sequence[ir.Module], outputs: Outputs) -> None:
        """Write the modules and the parameters, to files or to stdout."""
        parameters = self.line.get("save-parameters")
        if parameters:
            with outputs.open(parameters) as file:
                write_parameters(self.parameters, file)
        name = self.line.get("o", "-")
        if name == "-" and self.line.get("emit-bytecode") and sys.stdout and sys.stdout.isatty():
            raise error("bytecode is not written to a terminal; name a file with `-o`", TOOL)
        with outputs.open(name) as file:
            for index, module in enumerate(modules):
                if self.line.get("emit-bytecode"):
                    module.operation.write_bytecode(file)
                    continue
                marker = self.line.get("output-split-marker", "// -----")
                text = self.format.print(module.operation, verified=True)
                file.write(f"{marker}\n".encode() * bool(index) + text.encode() + b"\n")


def _steps(line: CommandLine, context: Context) -> list[Step]:
    """Return what to run; raises `CompileError` with the faults of all flags."""
    steps: list[Step] = []
    faults = CompileError()
    for name, value in line.runs:
        try:
            if name == "pipeline":
                steps += steps_of_name(value, context)
            elif name == "pass-pipeline":
                steps += steps_of_text(value, context)
            else:
                steps += steps_of_flag(name, value, context)
        except CompileError as fault:
            for found in fault.diagnostics:
                where = found.location or TOOL
                faults.diagnostics.append(dataclasses.replace(found, location=where))
            faults.notes += [note for note in fault.notes if note not in faults.notes]
    if faults.diagnostics:
        raise faults
    return steps


def _hear(produced: list[Produced] | None, part: Part, diagnostic: ir.Diagnostic) -> bool:
    """Keep what MLIR says outside of errors in `produced`, or print it where that is None."""
    location = user_frame(diagnostic.location)
    kind = diagnostic.severity.name.lower()
    if produced is None:
        where = part.name if location == "<unknown>" else location
        sys.stderr.write(f"{where}: {kind}: {diagnostic.message}\n")
    else:
        produced.append(Produced(kind, line_in(location, part.name), diagnostic.message, location))
    return True


def _names(line: CommandLine, flag: str) -> frozenset[str]:
    return frozenset(name for value in line.get(flag, ()) for name in value.split(","))


def _used_parameters(module: ir.Module, context: Context) -> dict[str, Any]:
    """Return the arrays of the arguments that the module's functions still have."""
    names = set()
    for op in module.body.operations:
        if isinstance(op, func.FuncOp) and "arg_attrs" in op.attributes:
            for attributes in op.attributes["arg_attrs"]:
                if "ttir.name" in attributes:
                    names.add(attributes["ttir.name"].value)
    return {name: array for name, array in context.parameters.items() if name in names}


def _is_pass(name: str) -> bool:
    return name in PASSES or name in PIPELINES or native.is_native(name, ir.Context())


def _description(line: CommandLine) -> str | None:
    """Return the text that `line` asks for in place of a run, or None."""
    if line.get("help"):
        return help_text()
    if line.get("version"):
        return version_text()
    if "list-passes" in line.values:
        name = line.get("list-passes")
        return describe.pass_text(name) if name else describe.passes_text()
    if "list-pipelines" in line.values:
        return describe.pipelines_text(line.get("list-pipelines"))
    return describe.dialects_text() if line.get("show-dialects") else None


if __name__ == "__main__":
    sys.exit(main())
