"""Folding small constants in an ONNX graph: chains of Shape, Gather, Concat and their like."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

from torch_ttir.importers.onnx.model import Array

_MAX_ELEMENTS = 4096
_NEVER = ("RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli")
"""Ops that give another value each time."""

_CANNOT_RUN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What the reference evaluator raises for a node that it cannot run: that node stays."""

Types = dict[str, tuple[int, tuple[int, ...]]]


def fold_constants(proto: onnx.ModelProto, types: Types, constants: dict[str, Array]) -> bool:
    """Replace the nodes of small known results by initializers; says whether there were any."""
    graph = proto.graph
    kept: list[onnx.NodeProto] = []
    folded: dict[str, Array] = {}
    for node in graph.node:
        results = _fold(proto, node, types, constants)
        if results is None:
            kept.append(node)
            continue
        for name, array in zip(node.output, results, strict=False):
            if name:
                folded[name] = constants[name] = array
                types[name] = (onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
    if folded:
        del graph.node[:]
        graph.node.extend(kept)
        graph.initializer.extend(numpy_helper.from_array(a, n) for n, a in folded.items())
    return bool(folded)


def _fold(
    proto: onnx.ModelProto, node: onnx.NodeProto, types: Types, constants: dict[str, Array]
) -> list[Array] | None:
    """Return the results of a node, or None where they are not known, or not small."""
    if node.domain not in ("", "ai.onnx") or node.op_type in _NEVER:
        return None
    if node.op_type == "Constant":
        return _constant(node)
    if node.op_type in ("Shape", "Size") and node.input[0] in types:
        return [_shape(node, types[node.input[0]][1])]
    if not node.input or not all(name == "" or name in constants for name in node.input):
        return None
    if any(attribute.HasField("g") or attribute.graphs for attribute in node.attribute):
        return None
    sizes = [types[name][1] for name in node.output if name in types]
    if any(int(np.prod(size, dtype=np.int64)) > _MAX_ELEMENTS for size in sizes):
        return None
    return _evaluate(proto, node, constants)


def _evaluate(
    proto: onnx.ModelProto, node: onnx.NodeProto, constants: dict[str, Array]
) -> list[Array] | None:
    feeds = {name: constants[name] for name in node.input if name}
    graph = onnx.helper.make_graph(
        [node],
        "fold",
        [
            onnx.helper.make_tensor_value_info(
                name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape
            )
            for name, array in feeds.items()
        ],
        [onnx.ValueInfoProto(name=name) for name in node.output if name],
    )
    model = onnx.helper.make_model(graph, opset_imports=proto.opset_import)
    try:
        results = ReferenceEvaluator(model).run(None, feeds)
    except _CANNOT_RUN:
        return None
    arrays = [np.asarray(result) for result in results]
    small = all(array.size <= _MAX_ELEMENTS and array.dtype != object for array in arrays)
    if not small or len(arrays) != sum(1 for name in node.output if name):
        return None
    named = iter(arrays)
    return [next(named) if name else np.zeros(()) for name in node.output]


def _constant(node: onnx.NodeProto) -> list[Array] | None:
    attribute = node.attribute[0]
    if attribute.name == "value":
        array = numpy_helper.to_array(attribute.t)
        return [array] if array.size <= _MAX_ELEMENTS and array.dtype != object else None
    if attribute.name in ("value_float", "value_floats"):
        value = attribute.f if attribute.name == "value_float" else list(attribute.floats)
        return [np.array(value, np.float32)]
    if attribute.name in ("value_int", "value_ints"):
        value = attribute.i if attribute.name == "value_int" else list(attribute.ints)
        return [np.array(value, np.int64)]
    return None


def _shape(node: onnx.NodeProto, shape: tuple[int, ...]) -> Array:
    if node.op_type == "Size":
        return np.array(int(np.prod(shape, dtype=np.int64)), np.int64)
    bounds = {attribute.name: attribute.i for attribute in node.attribute}
    return np.array(shape[bounds.get("start", 0) : bounds.get("end", len(shape))], np.int64)
