"""Expanding ONNX functions: the model's own, and those of the standard that have no rule."""

from __future__ import annotations

from collections.abc import Collection

import onnx
import onnx.inliner

from torch_ttir.importers.onnx.instantiate import instantiate
from torch_ttir.ir.diagnostics import error

DEFAULT_DOMAINS = ("", "ai.onnx")


def inline_local_functions(proto: onnx.ModelProto, source: str) -> onnx.ModelProto:
    """Return the model with calls of its own functions replaced by their bodies."""
    if not proto.functions:
        return proto
    try:
        return onnx.inliner.inline_local_functions(proto)
    except (RuntimeError, ValueError) as reason:
        line = str(reason).strip().splitlines()[0]
        raise error(f"a function cannot be inlined: {line}", source) from None


def expand_functions(proto: onnx.ModelProto, known_ops: Collection[str], opset: int) -> bool:
    """Replace each node whose op is a function of the standard, and not in `known_ops`.

    One level is expanded; a body that depends on types needs those of the node's inputs, as shape
    inference has put them into the graph. Says whether anything was expanded.
    """
    types = {
        value.name: value.type
        for value in (*proto.graph.input, *proto.graph.value_info, *proto.graph.output)
    }
    for tensor in proto.graph.initializer:
        types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, tensor.dims)
    nodes: list[onnx.NodeProto] = []
    changed = False
    for index, node in enumerate(proto.graph.node):
        body = None
        if _versioned_name(node) not in known_ops and node.op_type not in known_ops:
            body = _body(node, types, opset)
        if body is None:
            nodes.append(node)
            continue
        changed = True
        nodes.extend(_call(node, body, index, opset))
        for entry in body.opset_import:
            _import_domain(proto, entry)
    if changed:
        del proto.graph.node[:]
        proto.graph.node.extend(nodes)
    return changed


def _versioned_name(node: onnx.NodeProto) -> str:
    return node.op_type if node.domain in DEFAULT_DOMAINS else f"{node.domain}.{node.op_type}"


def _import_domain(proto: onnx.ModelProto, entry: onnx.OperatorSetIdProto) -> None:
    domains = {known.domain for known in proto.opset_import}
    if entry.domain not in domains and not (
        entry.domain in DEFAULT_DOMAINS and domains & set(DEFAULT_DOMAINS)
    ):
        proto.opset_import.append(entry)


def _body(
    node: onnx.NodeProto, types: dict[str, onnx.TypeProto], opset: int
) -> onnx.FunctionProto | None:
    """Return the body of a node's op for this use of it; None if it is no function."""
    try:
        schema = _schema(node, opset)
    except onnx.defs.SchemaError:
        return None
    if schema.has_context_dependent_function:
        known = [types.get(name) for name in node.input]
        if any(name and found is None for name, found in zip(node.input, known, strict=True)):
            return None
        listed = [(found or onnx.TypeProto()).SerializeToString() for found in known]
        data = schema.get_context_dependent_function(node.SerializeToString(), listed)
        return onnx.FunctionProto.FromString(data) if data else None
    if schema.has_function:
        return schema.function_body
    return None


def _call(
    node: onnx.NodeProto, body: onnx.FunctionProto, index: int, opset: int
) -> list[onnx.NodeProto]:
    prefix = f"{node.output[0] or index}/{node.op_type}/"
    names = dict.fromkeys(body.input, "")
    names.update(zip(body.input, node.input, strict=False))
    wanted = dict(zip(body.output, node.output, strict=False))
    names.update({inner: outer for inner, outer in wanted.items() if outer})
    schema = _schema(node, opset)
    attributes = {name: entry.default_value for name, entry in schema.attributes.items()}
    attributes = {name: value for name, value in attributes.items() if value.name}
    attributes.update({attribute.name: attribute for attribute in body.attribute_proto})
    attributes.update({attribute.name: attribute for attribute in node.attribute})
    return instantiate(body.node, names, prefix, attributes)


def _schema(node: onnx.NodeProto, opset: int) -> onnx.defs.OpSchema:
    """Return the schema of a node's op; raises `onnx.defs.SchemaError` where there is none."""
    domain = "" if node.domain in DEFAULT_DOMAINS else node.domain
    version = opset if domain == "" else onnx.defs.onnx_opset_version()
    return onnx.defs.get_schema(node.op_type, version, domain)
