"""What must hold of a model's graph before anything is made of it: names, ops, types."""

from __future__ import annotations

import re

import onnx
from onnx import checker

from torch_ttir.ir.diagnostics import CompileError, Diagnostic

_DEFAULT = ("", "ai.onnx")


def check_graph(proto: onnx.ModelProto, source: str) -> None:
    """Raise one `CompileError` with every fault of the model's graph.

    Inputs have static types already. Each node must take what is there before it, be an op of a
    known domain in its version or a call of one of the model's functions, and fit its schema.
    """
    functions = {(function.domain, function.name) for function in proto.functions}
    domains = {schema.domain for schema in onnx.defs.get_all_schemas()} | set(_DEFAULT)
    faults = _check_names(proto.graph, source)
    for index, node in enumerate(proto.graph.node):
        if (node.domain, node.op_type) in functions:
            continue
        where, name = f"{source}:{index + 1}", _op_name(node)
        if node.domain not in domains:
            message = f"domain `{node.domain}` is not known, and the model has no function of it"
            faults.append(Diagnostic(message, where, name))
        elif (reason := _misuse(proto, node)) is not None:
            faults.append(Diagnostic(reason, where, name))
    if not faults:
        faults = _check_types(proto, source)
    if faults:
        raise CompileError(faults)


def _op_name(node: onnx.NodeProto) -> str:
    domain = "" if node.domain in _DEFAULT else f"{node.domain}."
    return f"onnx.{domain}{node.op_type}"


def _check_names(graph: onnx.GraphProto, source: str) -> list[Diagnostic]:
    """Return the values that are taken and not there, there twice, or made too late."""
    faults: list[Diagnostic] = []
    missing: set[str] = set()
    there = {value.name for value in graph.input} | {tensor.name for tensor in graph.initializer}
    there |= {tensor.values.name for tensor in graph.sparse_initializer}
    made = {name for node in graph.node for name in node.output}
    for index, node in enumerate(graph.node):
        where, op = f"{source}:{index + 1}", _op_name(node)
        for name in dict.fromkeys([*node.input, *_outer_names(node)]):
            if name and name not in there and name not in missing:
                what = "only made by a later node" if name in made else "not made by any node"
                faults.append(Diagnostic(f"its operand `{name}` is {what}", where, op))
                missing.add(name)
        for name in node.output:
            if name and name in there:
                faults.append(Diagnostic(f"its result `{name}` is there already", where, op))
        there.update(name for name in node.output if name)
    faults += [
        Diagnostic(f"output `{value.name}` is not made by any node", source)
        for value in graph.output
        if value.name not in there and value.name not in missing
    ]
    return faults


def _outer_names(node: onnx.NodeProto) -> list[str]:
    """Return the names that the subgraphs of a node take from outside of them."""
    names: list[str] = []
    for attribute in node.attribute:
        for graph in (*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])):
            inside = {value.name for value in graph.input}
            inside |= {tensor.name for tensor in graph.initializer}
            inside |= {name for inner in graph.node for name in inner.output}
            taken = [name for inner in graph.node for name in (*inner.input, *_outer_names(inner))]
            taken += [value.name for value in graph.output]
            names += [name for name in taken if name and name not in inside]
    return names


def _misuse(proto: onnx.ModelProto, node: onnx.NodeProto) -> str | None:
    """Return what is wrong with a node by the schema of its op, as ONNX's checker says it."""
    if any(attribute.HasField("g") or attribute.graphs for attribute in node.attribute):
        # The checker takes what the subgraph has from outside for a fault.
        return None
    context = checker.C.CheckerContext()
    context.ir_version = proto.ir_version or onnx.IR_VERSION
    context.opset_imports = {entry.domain: entry.version for entry in proto.opset_import} or {"": 1}
    try:
        checker.check_node(node, context)
    except checker.ValidationError as reason:
        return str(reason).strip().partition("\n")[0].rstrip(".")
    return None


def _check_types(proto: onnx.ModelProto, source: str) -> list[Diagnostic]:
    """Return what contradicts in the types of the graph, by strict inference."""
    bare = onnx.ModelProto()
    bare.CopyFrom(proto)
    del bare.graph.value_info[:]
    try:
        onnx.shape_inference.infer_shapes(bare, check_type=True, strict_mode=True, data_prop=True)
    except onnx.shape_inference.InferenceError as reason:
        text = " ".join(str(reason).split())
        if text.count("Inference error(s)") > 1:
            # The fault is in the body of a function of the standard, where an attribute that has a
            # default is missing (MeanVarianceNormalization); it is expanded with it.
            return []
        found = re.search(r"\(op_type:([^,)]*)(?:, node name: ([^)]*))?\): (?:\[\w+\] )?(.*)", text)
        if found is None:
            return [Diagnostic(f"shape inference fails: {text}", source)]
        where = f" (node `{found[2]}`)" if found[2] else ""
        return [Diagnostic(f"{found[3]}{where}", source, f"onnx.{found[1]}")]
    return []
