"""The entry of the ONNX importer: a file or a proto to a module, weights as named arguments."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

import onnx
from torch_mlir import ir

from torch_ttir.importers.onnx.graph import Emitter
from torch_ttir.importers.onnx.model import Array, Model, load_model
from torch_ttir.importers.onnx.prepare import prepare
from torch_ttir.importers.onnx.static_inputs import static_inputs
from torch_ttir.ir.context import Context


def import_onnx(
    source: str | os.PathLike[str] | onnx.ModelProto,
    context: Context,
    *,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, Array] | None = None,
    known_ops: Collection[str] = (),
    name: str = "main",
) -> ir.Module:
    """Return a module with the model as function `name`.

    Initializers of more than 1 KiB become `parameter` arguments whose arrays, views of the file,
    are put into `context.parameters`; smaller ones stay in the IR as literals, as what ops need as
    attributes does. An initializer that is a graph input too (the style of IR version 3) becomes a
    parameter with that default, or a constant where an op needs one. `dims` sets symbolic
    dimensions by name, `values` fixes inputs whose values shapes depend on. `known_ops` are the op
    types that need no expansion.
    Raises `CompileError` with everything that cannot be imported.
    """
    model = load_model(source)
    _settle_defaults(model, values or {})
    graph = prepare(model, dims or {}, values or {}, known_ops)
    with context, ir.Location.unknown():
        module = ir.Module.create()
        function = Emitter(graph, model.source, module).emit(name, model.weights)
        used = {
            ir.StringAttr(ir.DictAttr(entry)["ttir.name"]).value
            for entry in ir.ArrayAttr(function.operation.attributes["arg_attrs"])
        }
    context.parameters.update({k: v for k, v in model.weights.items() if k in used})
    return module


def _settle_defaults(model: Model, values: Mapping[str, Array]) -> None:
    """Make each small initializer that is a graph input too a parameter, or else a constant.

    IR version 3 had every initializer among the inputs: those that ops need as constants are that,
    and all others are parameters, as large ones are.
    """
    graph = model.proto.graph
    declared = {value.name for value in graph.input} - set(model.weights) - set(values)
    static = static_inputs(model.proto)
    constants, kept = set(), []
    for tensor in graph.initializer:
        if tensor.name in declared and tensor.name not in static:
            model.weights[tensor.name] = onnx.numpy_helper.to_array(tensor)
            continue
        kept.append(tensor)
        if tensor.name in declared:
            constants.add(tensor.name)
    del graph.initializer[:]
    graph.initializer.extend(kept)
    inputs = [value for value in graph.input if value.name not in constants]
    del graph.input[:]
    graph.input.extend(inputs)
