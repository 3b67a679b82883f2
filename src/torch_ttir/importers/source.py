"""Import of a model in any form that this project takes."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
import torch.fx
from torch.export import ExportedProgram

from torch_ttir.importers import python_files
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.exporting import export_module
from torch_ttir.importers.fx import foreign_nodes, import_graph_module
from torch_ttir.importers.program import ImportedProgram
from torch_ttir.importers.pt2_files import load_exported_program
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, error


def import_any(
    source: Any,
    context: Context,
    *,
    args: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    known_ops: Collection[str] | None = None,
) -> ImportedProgram:
    """Return the Torch-dialect module of a model; its weights go to the context.

    `source` is the name of a `.pt2` file, `file.py:function`, an `ExportedProgram`, an FX
    `GraphModule`, or an `nn.Module` or function with example inputs `args` and `kwargs`. A graph
    that was not traced to ATen operators is traced again on the example inputs. Ops outside
    `known_ops` (None for all) are decomposed. Raises `CompileError` with every fault of the model.
    """
    if isinstance(source, (str, os.PathLike)):
        return _import_file(os.fspath(source), context, known_ops)
    if isinstance(source, ExportedProgram):
        return import_exported_program(source, context, known_ops=known_ops)
    if isinstance(source, torch.fx.GraphModule) and (args is None or not foreign_nodes(source)):
        return import_graph_module(source, context, known_ops=known_ops)
    if not callable(source):
        raise error(
            f"a model is an `nn.Module`, an `ExportedProgram`, a `GraphModule`, a `.pt2` file or "
            f"`file.py:function`, not a `{type(source).__name__}`"
        )
    if args is None and kwargs is None:
        raise error(f"a `{type(source).__name__}` needs example inputs, which say its shapes")
    if isinstance(args, torch.Tensor):
        raise error("the example inputs are a tuple, `(x,)` for one; found a tensor")
    program = export_module(source, () if args is None else args, kwargs)
    return import_exported_program(program, context, known_ops=known_ops)


def _import_file(name: str, context: Context, known_ops: Collection[str] | None) -> ImportedProgram:
    target = python_files.TARGET.fullmatch(name)
    if target is not None:
        with python_files.made_by(target["file"], target["function"]) as made:
            try:
                return import_any(
                    made.model, context, args=made.args, kwargs=made.kwargs, known_ops=known_ops
                )
            except CompileError as faults:
                raise CompileError([_placed(d, name) for d in faults.diagnostics]) from None
    if name.endswith(".pt2"):
        program = load_exported_program(name)
        return import_exported_program(program, context, known_ops=known_ops)
    if name.endswith(".py"):
        raise error("name the function that makes the model: `file.py:function`", name)
    raise error("neither a `.pt2` file nor `file.py:function`", name)


def _placed(fault: Diagnostic, name: str) -> Diagnostic:
    """Return a fault that has no line in the user's code at the name of the input."""
    return fault if fault.location else dataclasses.replace(fault, location=name)
