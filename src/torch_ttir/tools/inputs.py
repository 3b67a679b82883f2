"""The inputs of `tt-opt`: MLIR files, exported programs, functions of Python files, ONNX models."""

from __future__ import annotations

import importlib.util
import mmap
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch_mlir import ir

from torch_ttir.dialects.reader import parse_module
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import error
from torch_ttir.ir.resources import BYTECODE_MAGIC

PYTHON = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)")
STDIN = "<stdin>"


@dataclass(frozen=True)
class Part:
    """One module to be made: a whole input, or a part of a split one.

    `load(context, unregistered)` imports it, with ops of unknown dialects if `unregistered`.
    `text` is the MLIR text that it is made from, with as many empty lines before it as there are
    lines before it in the file; it is empty for other inputs.
    """

    name: str
    load: Callable[[Context, bool], ir.Module]
    text: str = ""


def read_parts(
    name: str, split_marker: str | None = None, dims: Sequence[tuple[str, int]] = ()
) -> list[Part]:
    """Return the parts of the input `name`, not yet imported; raises `CompileError`.

    `split_marker` is what stands alone on the lines between the parts of MLIR text; `dims` are
    sizes for the symbolic dimensions of an ONNX model.
    """
    python = PYTHON.fullmatch(name)
    if name != "-":
        _check_file(file_of(name))
    if python is not None or name.endswith(".pt2"):
        return [Part(name, lambda context, _: _import_model(name, context))]
    if name.endswith(".onnx"):
        return [Part(name, lambda context, _: _import_onnx(name, dict(dims), context))]
    shown = STDIN if name == "-" else name
    data = _read_bytes(name)
    if data[:4] == BYTECODE_MAGIC:
        return [
            Part(
                shown,
                lambda context, unregistered: parse_module(data, context, shown, unregistered),
            )
        ]
    text = _decode(shown, data)
    parts = _split(text, split_marker) if split_marker else [text]
    return [_text_part(shown, part) for part in parts]


def file_of(name: str) -> str:
    """Return the file that an input is read from: `file.py` of `file.py:function`."""
    python = PYTHON.fullmatch(name)
    return python["file"] if python else name


def _text_part(name: str, text: str) -> Part:
    return Part(
        name, lambda context, unregistered: parse_module(text, context, name, unregistered), text
    )


def _split(text: str, marker: str) -> list[str]:
    """Split at the lines that are the marker; each part keeps its line numbers."""
    parts: list[str] = []
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if line.strip() == marker:
            parts.append("".join(lines))
            lines = ["\n"] * number
        else:
            lines.append(line)
    return [*parts, "".join(lines)]


def _check_file(name: str) -> None:
    path = Path(name)
    try:
        if path.is_dir():
            raise error("cannot read: it is a directory", name)
        if path.is_file() and path.stat().st_size == 0:
            raise error("the file is empty", name)
        path.open("rb").close()
    except OSError as reason:
        raise error(f"cannot read: {(reason.strerror or str(reason)).lower()}", name) from None
    except ValueError as reason:
        raise error(f"cannot read: {reason}", repr(name)) from None


def _read_bytes(name: str) -> bytes | mmap.mmap:
    if name == "-":
        if sys.stdin is None:
            raise error("standard input is closed", STDIN)
        data = sys.stdin.buffer.read()
        if not data.strip():
            raise error("the input is empty", STDIN)
        return data
    with open(name, "rb") as file:
        if not os.path.isfile(name):
            return file.read()
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _decode(name: str, data: bytes | mmap.mmap) -> str:
    if data.find(b"\0") >= 0:
        raise error("neither MLIR text nor MLIR bytecode: it holds bytes of another format", name)
    try:
        return str(memoryview(data), "utf-8")
    except UnicodeDecodeError as reason:
        raise error(f"not MLIR text: byte {reason.start} is not UTF-8", name) from None


def _import_model(name: str, context: Context) -> ir.Module:
    require_torch(name)
    from torch_ttir.importers.source import import_any
    from torch_ttir.passes.legalize.all_rules import KNOWN_OPS

    return import_any(name, context, known_ops=KNOWN_OPS).module


def load_pt2(name: str) -> Any:
    """Return the `ExportedProgram` of a file; raises `CompileError`."""
    require_torch(name)
    from torch_ttir.importers.pt2_files import load_exported_program

    return load_exported_program(name)


def export_function(target: re.Match[str]) -> tuple[Any, Any]:
    """Return the `ExportedProgram` of `file.py:function` and its model; raises `CompileError`."""
    require_torch(target[0])
    from torch_ttir.importers.exporting import export_module
    from torch_ttir.importers.python_files import made_by

    with made_by(target["file"], target["function"]) as made:
        return export_module(made.model, made.args, made.kwargs), made.model


def _import_onnx(name: str, dims: dict[str, int], context: Context) -> ir.Module:
    if importlib.util.find_spec("onnx") is None:
        raise error("needs onnx: `pip install torch-ttir[onnx]`", name)
    from torch_ttir.importers.onnx.importer import import_onnx
    from torch_ttir.passes.legalize.all_rules import KNOWN_ONNX_OPS

    return import_onnx(name, context, dims=dims, known_ops=KNOWN_ONNX_OPS)


def require_torch(name: str) -> None:
    """Raise `CompileError` where PyTorch, which the input `name` needs, is not installed."""
    if importlib.util.find_spec("torch") is None:
        raise error("needs PyTorch: `pip install torch-ttir[torch]`", name)
