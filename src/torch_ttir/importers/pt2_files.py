"""Exported programs from `.pt2` files, as `torch.export.save` writes them."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import torch
from torch.export import ExportedProgram

from torch_ttir.importers.pytrees import register_named_class
from torch_ttir.importers.quiet import quiet_torch
from torch_ttir.importers.untraceable import one_line
from torch_ttir.ir.diagnostics import CompileError, error


def load_exported_program(path: str | os.PathLike[str]) -> ExportedProgram:
    """Return the program in a `.pt2` file; raises `CompileError` for a file that holds none."""
    name = os.fspath(path)
    file = Path(name)
    try:
        if not file.is_dir() and file.stat().st_size == 0:
            raise error("the file is empty", name)
        with file.open("rb") as opened:
            if not zipfile.is_zipfile(opened):
                raise error(
                    "not a `.pt2` file, or a truncated one: `torch.export.save` writes an archive",
                    name,
                )
    except OSError as reason:
        raise error(f"cannot read: {(reason.strerror or str(reason)).lower()}", name) from None
    while True:
        with quiet_torch() as reported:
            try:
                program: ExportedProgram = torch.export.load(name)
                return program
            except Exception as reason:
                # `load` raises whatever its archive reader and unpickler do on such a file; the
                # cause of "an error when deserializing" is only in its log.
                causes = [*reported, reason]
        if not any(register_named_class(cause) for cause in causes):
            raise _unreadable(name, causes[0])


def _unreadable(name: str, reason: BaseException) -> CompileError:
    notes = []
    if isinstance(reason, NotImplementedError) and "pytree is not registered" in str(reason):
        notes.append("import the module that defines this class, then load the program in Python")
    elif _holds(name, "code/") or _holds(name, "data.pkl"):
        notes.append("`torch.save` or TorchScript wrote this file; use `torch.export.save`")
    # PyTorch's message goes on about how a checkpoint may have been damaged.
    first = one_line(reason).split(". ")[0]
    message = f"not a program that `torch.export.save` wrote: {first}"
    return error(message, name, notes=notes)


def _holds(name: str, part: str) -> bool:
    try:
        with zipfile.ZipFile(name) as archive:
            return any(part in member for member in archive.namelist())
    except zipfile.BadZipFile:
        return False
