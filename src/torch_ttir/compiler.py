"""From a model, in any form that this project imports, to a `Program`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import torch
from torch.export import ExportedProgram

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.importers.program import ImportedProgram
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import error
from torch_ttir.passes.legalize.families import RULES
from torch_ttir.pipelines import run
from torch_ttir.program import Program


def compile(
    model: Any,
    args: Sequence[Any] = (),
    kwargs: dict[str, Any] | None = None,
    pipeline: str = "torch-to-ttir",
) -> Program:
    """Import a model, run a pipeline on it, and return it as a `Program`.

    `model` is an `nn.Module` or a function with example inputs, an `ExportedProgram`, or an FX
    `GraphModule` of ATen ops. `pipeline` is a name or pipeline text; an empty one leaves the
    module as imported. Raises `CompileError` for what cannot be compiled.
    """
    context = make_context()
    owner = model if isinstance(model, torch.nn.Module) else None
    imported = _import(model, tuple(args), kwargs, context)
    if pipeline:
        run(imported.module, pipeline)
    return Program(imported.module, imported.signature, context.parameters, owner=owner)


def export(
    model: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> ExportedProgram:
    """Export a module or a function, without decompositions; raises `CompileError`."""
    module = model if isinstance(model, torch.nn.Module) else _Function(model)
    try:
        return torch.export.export(module, args, kwargs)
    except Exception as reason:
        # `torch.export` raises whatever the model's code and its own tracing do.
        lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
        first = f": {lines[0]}" if lines else ""
        raise error(
            f"`torch.export` cannot export the model: {type(reason).__name__}{first}"
        ) from reason


class _Function(torch.nn.Module):
    """A plain function as a module, which is what `torch.export` takes."""

    def __init__(self, function: Any) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.function(*args, **kwargs)


def _import(
    model: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None, context: Context
) -> ImportedProgram:
    known = {*RULES, *RULES.rejected}
    if isinstance(model, torch.fx.GraphModule) and _is_aten(model):
        return import_graph_module(model, context, known_ops=known)
    if isinstance(model, str | os.PathLike):
        raise error(f"`{os.fspath(model)}` is a file; load it and pass the model")
    if not isinstance(model, ExportedProgram):
        if not callable(model):
            raise error(f"a model is needed, not a `{type(model).__name__}`")
        model = export(model, args, kwargs)
    return import_exported_program(model, context, known_ops=known)


def _is_aten(module: torch.fx.GraphModule) -> bool:
    """Say whether a graph calls operators, as tracing gives it, and not Python functions."""
    calls = [node for node in module.graph.nodes if node.op.startswith("call_")]
    operators = [node for node in calls if isinstance(node.target, torch._ops.OpOverload)]
    return bool(operators) or not calls
