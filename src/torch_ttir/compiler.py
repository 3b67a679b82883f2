"""From a model, in any form that this project imports, to a `Program`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_mlir.dialects import func

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.program import (
    Argument,
    ImportedProgram,
    InputLeaf,
    OutputLeaf,
    Signature,
)
from torch_ttir.importers.source import import_any
from torch_ttir.interpreters.arguments import read_arguments
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import error
from torch_ttir.passes.legalize.all_rules import KNOWN_ONNX_OPS, KNOWN_OPS
from torch_ttir.pipelines import run
from torch_ttir.program import Program


def compile(
    model: Any,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    pipeline: str | None = None,
    *,
    dims: Mapping[str, int] | None = None,
) -> Program:
    """Import a model, run a pipeline on it, and return it as a `Program`.

    `model` is an `nn.Module` or a function with example inputs, an `ExportedProgram`, an FX
    `GraphModule`, an `onnx.ModelProto`, or the name of a `.pt2` or `.onnx` file; `dims` sets an
    ONNX model's symbolic dimensions. `pipeline` is a name or pipeline text, `torch-to-ttir` or
    `onnx-to-ttir` by default; an empty one leaves the module as imported. Raises `CompileError` for
    what cannot be compiled.
    """
    context = make_context()
    onnx_model = _is_onnx(model)
    if dims and not onnx_model:
        raise error("`dims` are for ONNX models")
    if onnx_model:
        imported = _import_onnx(model, dims or {}, context)
    else:
        imported = import_any(model, context, args=args, kwargs=kwargs, known_ops=KNOWN_OPS)
    if pipeline is None:
        pipeline = "onnx-to-ttir" if onnx_model else "torch-to-ttir"
    if pipeline:
        run(imported.module, pipeline)
    owner = model if isinstance(model, torch.nn.Module) else None
    return Program(imported.module, imported.signature, context.parameters, owner=owner)


def _is_onnx(model: Any) -> bool:
    if isinstance(model, str | os.PathLike):
        return os.fspath(model).endswith(".onnx")
    # Without an import of onnx, which need not be there.
    return any(cls.__module__.startswith("onnx.") for cls in type(model).__mro__) or (
        type(model).__name__ == "ModelProto"
    )


def _import_onnx(model: Any, dims: Mapping[str, int], context: Context) -> ImportedProgram:
    try:
        from torch_ttir.importers.onnx.importer import import_onnx
    except ModuleNotFoundError as missing:
        if missing.name != "onnx":
            raise
        raise error("ONNX models need onnx: `pip install torch-ttir[onnx]`") from None
    module = import_onnx(model, context, dims=dims, known_ops=KNOWN_ONNX_OPS)
    entry = next(op for op in module.body if isinstance(op, func.FuncOp))
    with context:
        return ImportedProgram(module, _onnx_signature(entry, context))


def _onnx_signature(entry: func.FuncOp, context: Context) -> Signature:
    """Return the signature of a model that takes tensors and returns one, or a tuple of them."""
    arguments: list[Argument] = []
    inputs: list[InputLeaf] = []
    for argument in read_arguments(entry):
        shape, dtype = argument.info or ((), "")
        leaf = None if argument.name in context.parameters else len(inputs)
        kind: Any = argument.kind
        arguments.append(Argument(argument.name, kind, shape, dtype, leaf))
        if leaf is not None:
            inputs.append(InputLeaf(argument.name, True))
    count = len(entry.type.results)
    in_spec = pytree.tree_structure((tuple(range(len(inputs))), {}))
    out_spec = pytree.tree_structure(0 if count == 1 else tuple(range(count)))
    outputs = tuple(OutputLeaf(index) for index in range(count))
    return Signature(tuple(arguments), tuple(inputs), outputs, in_spec, out_spec)
