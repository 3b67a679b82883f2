"""Shape inference: the static type of every value, as far as one can be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import onnx
from onnx import numpy_helper

from torch_ttir.importers.onnx.model import Array
from torch_ttir.ir.diagnostics import error

Types = dict[str, tuple[int, tuple[int, ...]]]

_MAX_DATA = 4096
"""A constant of at most this many elements may say a shape."""

_CANNOT_INFER = (onnx.shape_inference.InferenceError, ValueError, RuntimeError, TypeError)


def infer_types(
    proto: onnx.ModelProto, source: str, constants: Mapping[str, Array]
) -> tuple[onnx.ModelProto, Types]:
    """Return the model with the types of its values, and those that are static tensor types.

    What the model says of its inner values is dropped first: it may be of other dimensions than
    those that were set, and inference gives up on the rest of a graph at the first contradiction.
    Raises `CompileError` where the ops contradict each other.
    """
    del proto.graph.value_info[:]
    try:
        inferred = onnx.shape_inference.infer_shapes(proto, data_prop=True)
    except _CANNOT_INFER as reason:
        line = str(reason).strip().splitlines()[0]
        raise error(f"shape inference fails: {line}", source) from None
    types = _static_types(inferred)
    _complete(inferred, types, constants)
    return inferred, types


def _static_types(proto: onnx.ModelProto) -> Types:
    """Return the static tensor types of all values that have one."""
    types: Types = {}
    graph = proto.graph
    entries: list[Any] = [*graph.input, *graph.value_info, *graph.output]
    for value in entries:
        if (found := _static(value.type)) is not None:
            types[value.name] = found
    for tensor in graph.initializer:
        types[tensor.name] = (tensor.data_type, tuple(tensor.dims))
    return types


def _static(type_: onnx.TypeProto) -> tuple[int, tuple[int, ...]] | None:
    tensor = type_.tensor_type
    if type_.WhichOneof("value") != "tensor_type" or not tensor.HasField("shape"):
        return None
    sizes = [dim.dim_value if dim.HasField("dim_value") else -1 for dim in tensor.shape.dim]
    if min(sizes, default=0) < 0 or tensor.elem_type == onnx.TensorProto.UNDEFINED:
        return None
    return tensor.elem_type, tuple(sizes)


def _complete(proto: onnx.ModelProto, types: Types, constants: Mapping[str, Array]) -> None:
    """Infer node by node what inference on the graph left out, from what is known meanwhile."""
    versions = {entry.domain: entry.version for entry in proto.opset_import}
    for node in proto.graph.node:
        if all(name in types for name in node.output if name):
            continue
        if any(name and name not in types for name in node.input):
            continue
        if any(attribute.HasField("g") for attribute in node.attribute):
            continue
        domain = "" if node.domain == "ai.onnx" else node.domain
        version = versions.get(node.domain, versions.get(domain, onnx.defs.onnx_opset_version()))
        for name, type_ in _infer_node(node, version, domain, types, constants, proto).items():
            if (found := _static(type_)) is not None and name not in types:
                types[name] = found
                known = {value.name for value in (*proto.graph.value_info, *proto.graph.output)}
                if name not in known:
                    proto.graph.value_info.append(onnx.ValueInfoProto(name=name, type=type_))


def _infer_node(
    node: onnx.NodeProto,
    version: int,
    domain: str,
    types: Types,
    constants: Mapping[str, Array],
    proto: onnx.ModelProto,
) -> dict[str, onnx.TypeProto]:
    names = [name for name in node.input if name]
    data = {
        name: numpy_helper.from_array(constants[name], name)
        for name in names
        if name in constants and constants[name].size <= _MAX_DATA
    }
    try:
        schema = onnx.defs.get_schema(node.op_type, version, domain)
        return onnx.shape_inference.infer_node_outputs(  # type: ignore[no-any-return]
            schema,
            node,
            {name: onnx.helper.make_tensor_type_proto(*types[name]) for name in names},
            data,
            opset_imports=list(proto.opset_import),
            ir_version=proto.ir_version or 10,
        )
    except (onnx.defs.SchemaError, *_CANNOT_INFER):
        return {}
