"""The errors that users see, as data: where, which op, found against needed, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from torch_mlir import ir

from torch_ttir.ir.locations import user_frame


@dataclass(frozen=True)
class Diagnostic:
    """One fault: `message` is lower case, without a full stop, with backquotes around code."""

    message: str
    location: str = ""
    op: str = ""
    notes: tuple[str, ...] = ()

    def render(self) -> str:
        """Return the fault as MLIR prints it: `file:line:col: error: 'op': message`."""
        where = f"{self.location}: " if self.location else ""
        what = f"'{self.op}': " if self.op else ""
        lines = [f"{where}error: {what}{self.message}"]
        lines += [f"note: {note}" for note in self.notes]
        return "\n".join(lines)


@dataclass
class CompileError(Exception):
    """Faults in a user's program or input; `diagnostics` holds all of them, not the first."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        """Return every fault, then the notes that hold for all of them."""
        lines = [diagnostic.render() for diagnostic in self.diagnostics]
        return "\n".join(lines + [f"note: {note}" for note in self.notes])


def error(
    message: str, location: str = "", op: str = "", notes: Iterable[str] = ()
) -> CompileError:
    """Return a `CompileError` of one fault, to be raised by the caller."""
    return CompileError([Diagnostic(message, location, op, tuple(notes))])


def error_at(op: ir.Operation, message: str, notes: Iterable[str] = ()) -> CompileError:
    """Return a `CompileError` of one fault at `op`, to be raised by the caller."""
    return CompileError([diagnostic_at(op, message, notes)])


def diagnostic_at(op: ir.Operation, message: str, notes: Iterable[str] = ()) -> Diagnostic:
    """Return a fault at `op`, with the user's line; `torch.operator` goes by the name it holds."""
    return Diagnostic(message, user_frame(op.location), op_name(op), tuple(notes))


def op_name(op: ir.Operation) -> str:
    """Return an op's name, and for `torch.operator "torch.aten.diff"` the name that it holds."""
    name: str = op.name
    if name == "torch.operator":
        return str(ir.StringAttr(op.attributes["name"]).value)
    return name


def from_mlir(fault: ir.MLIRError) -> CompileError:
    """Return the errors that MLIR reported as ours, with the user's lines.

    Its notes `see current operation`, which print whole functions, are left out.
    """
    found = []
    for info in fault.error_diagnostics:
        if info.severity == ir.DiagnosticSeverity.ERROR:
            op, message = _split_op(info.message.strip())
            found.append(Diagnostic(message, _known_frame(info.location), op, tuple(_notes(info))))
    return CompileError(found or [Diagnostic("MLIR failed and gave no reason")])


def _split_op(message: str) -> tuple[str, str]:
    """Split MLIR's `'ttir.relu' op has ...` into the op's name and the rest."""
    match = re.match(r"'([\w.]+)' op +", message)
    return (match[1], message[match.end() :]) if match else ("", message)


def _notes(info: ir.DiagnosticInfo) -> list[str]:
    notes = []
    for note in info.notes:
        if not note.message.startswith("see current operation"):
            where = _known_frame(note.location)
            notes.append(f"{where}: {note.message.strip()}" if where else note.message.strip())
    return notes


def _known_frame(location: ir.Location) -> str:
    frame = user_frame(location)
    return "" if frame == "<unknown>" else frame
