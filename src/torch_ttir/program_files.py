"""Programs as files: `stem.mlir`, `stem.safetensors` with the parameters, `stem.json`."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.reader import parse_module
from torch_ttir.importers.program import Signature
from torch_ttir.ir.diagnostics import error
from torch_ttir.ir.parameter_files import read_parameters, write_parameters
from torch_ttir.ir.printing import PrintFormat

if TYPE_CHECKING:
    from torch_ttir.program import Program

_VERSION = 1


def save(program: Program, stem: Path) -> None:
    """Write a program's three files; raises `CompileError` for what cannot be written."""
    try:
        signature = program.signature.to_json()
    except NotImplementedError as reason:
        raise error(f"the structure of inputs and results cannot be saved: {reason}") from None
    text = json.dumps({"version": _VERSION, "signature": json.loads(signature)}, indent=1)
    with contextlib.ExitStack() as files:
        module, parameters, structure = (
            files.enter_context(_complete(_with_suffix(stem, suffix)))
            for suffix in (".mlir", ".safetensors", ".json")
        )
        module.write(PrintFormat().print(program.module.operation).encode() + b"\n")
        write_parameters(program.parameters, parameters)
        structure.write(text.encode() + b"\n")


def load(stem: str | os.PathLike[str]) -> Program:
    """Return the program that `save` wrote; its parameters are the file's, mapped into memory.

    `stem` may be the name of the `.mlir` file. Raises `CompileError` for files that are missing,
    damaged, or do not belong together.
    """
    from torch_ttir.program import Program

    base = Path(stem)
    base = base.with_suffix("") if base.suffix == ".mlir" else base
    module_path, structure_path = _with_suffix(base, ".mlir"), _with_suffix(base, ".json")
    signature = _read_signature(structure_path)
    context = make_context()
    module = parse_module(_read(module_path), context, str(module_path))
    parameters = read_parameters(_with_suffix(base, ".safetensors"), private=True)
    context.parameters.update(parameters)
    return Program(module, signature, parameters)


def _with_suffix(stem: Path, suffix: str) -> Path:
    if not stem.name:
        raise error("there is no file name before the suffixes of a program's files", str(stem))
    return stem.with_name(stem.name + suffix)


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as reason:
        raise error(f"cannot read: {(reason.strerror or str(reason)).lower()}", str(path)) from None
    except UnicodeDecodeError as reason:
        raise error(f"not text: byte {reason.start} is not UTF-8", str(path)) from None


def _read_signature(path: Path) -> Signature:
    try:
        data: Any = json.loads(_read(path))
        if data["version"] != _VERSION:
            raise error(f"written by another version, {data['version']!r}", str(path))
        text = json.dumps(data["signature"])
        if "transformers." in text:
            # Its output classes are pytree nodes only once they are imported.
            importlib.import_module("transformers.modeling_outputs")
        return Signature.from_json(text)
    except (ValueError, KeyError, TypeError, RecursionError) as reason:
        raise error(f"not the structure of a program: {reason}", str(path)) from None
    except (NotImplementedError, ImportError) as reason:
        raise error(f"the structure of a class that is not there: {reason}", str(path)) from None


@contextlib.contextmanager
def _complete(path: Path) -> Iterator[BinaryIO]:
    """Give a file that gets its name when the block ends, and is removed if it raises."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            yield file
        os.replace(temporary, path)
    except OSError as reason:
        raise error(
            f"cannot write: {(reason.strerror or str(reason)).lower()}", str(path)
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
