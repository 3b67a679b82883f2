"""If, Loop and Scan as straight-line nodes, where their courses are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper

from torch_ttir.importers.onnx.instantiate import instantiate
from torch_ttir.importers.onnx.model import Array

_MOST_ITERATIONS = 4096

Types = dict[str, tuple[int, tuple[int, ...]]]


def unroll(proto: onnx.ModelProto, types: Types, constants: dict[str, Array]) -> bool:
    """Replace one level of If, Loop and Scan nodes; says whether there were any.

    An If takes a branch if its condition is known, and else both, with Where. A Loop needs a known
    number of iterations, and a Scan has one by its inputs' shapes.
    """
    writers: dict[str, Callable[..., list[onnx.NodeProto] | None]] = {
        "If": _if,
        "Loop": _loop,
        "Scan": _scan,
    }
    nodes: list[onnx.NodeProto] = []
    changed = False
    for node in proto.graph.node:
        writer = writers.get(node.op_type) if node.domain in ("", "ai.onnx") else None
        made = writer(proto, node, types, constants) if writer else None
        nodes.extend([node] if made is None else made)
        changed |= made is not None
    if changed:
        del proto.graph.node[:]
        proto.graph.node.extend(nodes)
    return changed


def _graph(node: onnx.NodeProto, name: str) -> onnx.GraphProto:
    return next(attribute.g for attribute in node.attribute if attribute.name == name)


def _inline(
    proto: onnx.ModelProto,
    graph: onnx.GraphProto,
    inputs: dict[str, str],
    prefix: str,
) -> tuple[list[onnx.NodeProto], list[str]]:
    """Return the body's nodes for one run of it, and the names of its results."""
    names = dict(inputs)
    for tensor in graph.initializer:
        names[tensor.name] = prefix + tensor.name
        copy = onnx.TensorProto()
        copy.CopyFrom(tensor)
        copy.name = prefix + tensor.name
        proto.graph.initializer.append(copy)
    made = {name for node in graph.node for name in node.output}
    outputs = [
        names.get(v.name, prefix + v.name if v.name in made else v.name) for v in graph.output
    ]
    return instantiate(graph.node, names, prefix), outputs


def _copies(sources: list[str], targets: list[str]) -> list[onnx.NodeProto]:
    pairs = zip(sources, targets, strict=True)
    return [helper.make_node("Identity", [source], [target]) for source, target in pairs if target]


def _if(
    proto: onnx.ModelProto, node: onnx.NodeProto, types: Types, constants: dict[str, Array]
) -> list[onnx.NodeProto] | None:
    sides = {"then_branch": _graph(node, "then_branch"), "else_branch": _graph(node, "else_branch")}
    condition = constants.get(node.input[0])
    if condition is not None:
        side = "then_branch" if condition.reshape(-1)[0] else "else_branch"
        nodes, results = _inline(proto, sides[side], {}, f"{node.output[0]}/{side}/")
        return nodes + _copies(results, list(node.output))
    if any(not v.type.HasField("tensor_type") for g in sides.values() for v in g.output):
        return None
    made: list[onnx.NodeProto] = []
    outputs = []
    for side, graph in sides.items():
        nodes, results = _inline(proto, graph, {}, f"{node.output[0]}/{side}/")
        made += nodes
        outputs.append(results)
    for yes, no, target in zip(*outputs, node.output, strict=True):
        made.append(helper.make_node("Where", [node.input[0], yes, no], [target]))
    return made


def _loop(
    proto: onnx.ModelProto, node: onnx.NodeProto, types: Types, constants: dict[str, Array]
) -> list[onnx.NodeProto] | None:
    body = _graph(node, "body")
    trips = constants.get(node.input[0]) if node.input[0] else None
    started = constants.get(node.input[1]) if len(node.input) > 1 and node.input[1] else None
    if trips is None or (len(node.input) > 1 and node.input[1] and started is None):
        return None
    count = int(trips.reshape(-1)[0])
    if started is not None and not started.reshape(-1)[0]:
        count = 0
    if count > _MOST_ITERATIONS or not _goes_on(body):
        return None
    carried = list(node.input[2:])
    states = len(carried)
    stacks: list[list[str]] = [[] for _ in node.output[states:]]
    made: list[onnx.NodeProto] = []
    for step in range(count):
        prefix = f"{node.output[0]}/{step}/"
        _add_constant(proto, f"{prefix}step", np.array(step, np.int64), constants)
        _add_constant(proto, f"{prefix}go", np.array(True), constants)
        given = [f"{prefix}step", f"{prefix}go", *carried]
        inputs = {value.name: name for value, name in zip(body.input, given, strict=True)}
        nodes, results = _inline(proto, body, inputs, prefix)
        made += nodes
        carried = results[1 : 1 + states]
        for stack, name in zip(stacks, results[1 + states :], strict=True):
            stack.append(name)
    if any(not stack for stack in stacks):
        return None
    made += _copies(carried, list(node.output[:states]))
    for stack, target in zip(stacks, node.output[states:], strict=True):
        made += _stacked(proto, stack, target, 0, constants)
    return made


def _goes_on(body: onnx.GraphProto) -> bool:
    """Say whether a loop's condition stays true: the body returns its input, or true itself."""
    name = body.output[0].name
    while name != body.input[1].name:
        maker = next((node for node in body.node if name in node.output), None)
        if maker is None:
            values = [t for t in body.initializer if t.name == name]
            return bool(values) and bool(numpy_helper.to_array(values[0]).all())
        if maker.op_type == "Constant":
            return bool(numpy_helper.to_array(maker.attribute[0].t).all())
        if maker.op_type not in ("Identity", "Cast"):
            return False
        name = maker.input[0]
    return True


def _scan(
    proto: onnx.ModelProto, node: onnx.NodeProto, types: Types, constants: dict[str, Array]
) -> list[onnx.NodeProto] | None:
    body = _graph(node, "body")
    options: dict[str, Any] = {
        a.name: list(a.ints) if a.ints else a.i for a in node.attribute if a.name != "body"
    }
    scanned = int(options["num_scan_inputs"])
    names = list(node.input)
    batched = len(body.input) == len(names) - 1 and _opset(proto) < 9
    if batched:
        return None
    states = len(names) - scanned
    axes = options.get("scan_input_axes") or [0] * scanned
    backwards = options.get("scan_input_directions") or [0] * scanned
    if any(name not in types for name in names[states:]):
        return None
    length = types[names[states]][1][axes[0]]
    outs = len(node.output) - states
    out_axes = options.get("scan_output_axes") or [0] * outs
    out_back = options.get("scan_output_directions") or [0] * outs
    carried = names[:states]
    stacks: list[list[Any]] = [[] for _ in range(outs)]
    made: list[onnx.NodeProto] = []
    for step in range(length):
        prefix = f"{node.output[0]}/{step}/"
        given = list(carried)
        for name, axis, turned in zip(names[states:], axes, backwards, strict=True):
            place = length - 1 - step if turned else step
            index = f"{prefix}{name}/index"
            _add_constant(proto, index, np.array(place, np.int64), constants)
            made.append(helper.make_node("Gather", [name, index], [f"{prefix}{name}"], axis=axis))
            given.append(f"{prefix}{name}")
        inputs = {value.name: name for value, name in zip(body.input, given, strict=True)}
        nodes, results = _inline(proto, body, inputs, prefix)
        made += nodes
        carried = results[:states]
        for stack, name, turned in zip(stacks, results[states:], out_back, strict=True):
            stack.insert(0, name) if turned else stack.append(name)
    if any(not stack for stack in stacks):
        return None
    made += _copies(carried, list(node.output[:states]))
    for stack, target, axis in zip(stacks, node.output[states:], out_axes, strict=True):
        made += _stacked(proto, stack, target, axis, constants)
    return made


def _opset(proto: onnx.ModelProto) -> int:
    return max((e.version for e in proto.opset_import if e.domain in ("", "ai.onnx")), default=0)


def _stacked(
    proto: onnx.ModelProto,
    names: list[str],
    target: str,
    axis: int,
    constants: dict[str, Array],
) -> list[onnx.NodeProto]:
    """Return the nodes that join values along a new axis."""
    if not target:
        return []
    axes = f"{target}/axes"
    _add_constant(proto, axes, np.array([axis], np.int64), constants)
    parts = [f"{target}/part{index}" for index in range(len(names))]
    wide = _opset(proto) >= 13
    nodes = [
        helper.make_node("Unsqueeze", [name, axes], [part])
        if wide
        else helper.make_node("Unsqueeze", [name], [part], axes=[axis])
        for name, part in zip(names, parts, strict=True)
    ]
    return [*nodes, helper.make_node("Concat", parts, [target], axis=axis)]


def _add_constant(
    proto: onnx.ModelProto, name: str, value: Array, constants: dict[str, Array]
) -> None:
    constants[name] = value
    proto.graph.initializer.append(numpy_helper.from_array(value, name))
