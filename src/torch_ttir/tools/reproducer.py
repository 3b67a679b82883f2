"""`--mlir-pass-pipeline-crash-reproducer`: the IR before the failing pass, and how to run it."""

from __future__ import annotations

import shlex
from pathlib import Path

from torch_mlir import ir

from torch_ttir.ir.printing import PrintFormat
from torch_ttir.pipelines.steps import Step, steps_text
from torch_ttir.tools.output import cannot_write
from torch_ttir.tools.supervise import Report

_FORMAT = PrintFormat(debuginfo=True)


class Reproducer:
    """Keeps the IR before the running pass on disk, where it stays if the process dies."""

    def __init__(self, name: str, report: Report) -> None:
        """Write to the file `name`; `report` gets the command, to print it after a crash."""
        self._path = Path(name)
        self._report = report
        self._command = ""

    def before(self, step: Step, module: ir.Operation) -> None:
        """Write the module; raises `CompileError` if the file cannot be written."""
        pipeline = shlex.quote(f"--pass-pipeline={steps_text([step])}")
        self._command = ""
        try:
            self._path.write_text(_FORMAT.print(module) + "\n", encoding="utf-8")
        except OSError as reason:
            raise cannot_write(str(self._path), reason) from None
        # Only now: what says how to see it again must not point at a file that is not there.
        self._command = f"tt-opt {shlex.quote(str(self._path))} {pipeline}"
        self._report.hint(self._command)

    def failed(self, module: ir.Operation) -> list[str]:
        """Leave what the pass made of the module beside it; returns notes that end the error."""
        if not self._command:
            return []
        partial = self._path.with_suffix(".failed.mlir")
        text = PrintFormat(debuginfo=True, generic=True, resources_limit=0).print(module)
        try:
            partial.write_text(text + "\n", encoding="utf-8")
        except OSError as reason:
            raise cannot_write(str(partial), reason) from None
        return [
            f"the IR before the pass is in {self._path}, what it left is in {partial}",
            f"to see it again: {self._command}",
        ]

    def succeeded(self) -> None:
        """Remove the file: nothing failed."""
        if self._command:
            self._path.unlink(missing_ok=True)
