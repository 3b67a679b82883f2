"""Putting the nodes of a function's or subgraph's body into a graph, under names of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import onnx


def instantiate(
    nodes: Iterable[onnx.NodeProto],
    names: Mapping[str, str],
    prefix: str,
    attributes: Mapping[str, onnx.AttributeProto] | None = None,
) -> list[onnx.NodeProto]:
    """Return copies of `nodes` for one use of a body.

    `names` maps the body's inputs and outputs to the caller's values; what the nodes make besides
    gets `prefix`, and what they take from outside keeps its name. `attributes` are the values of
    references to the function's attributes; a reference without one is left out.
    """
    scope = dict(names)
    made = []
    for node in nodes:
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        copy.name = f"{prefix}{node.name or node.op_type}"
        _rename(copy, scope, prefix, attributes)
        made.append(copy)
    return made


def _rename(
    node: onnx.NodeProto,
    scope: dict[str, str],
    prefix: str,
    attributes: Mapping[str, onnx.AttributeProto] | None,
) -> None:
    node.input[:] = [scope.get(name, name) for name in node.input]
    for name in node.output:
        if name and name not in scope:
            scope[name] = prefix + name
    node.output[:] = [scope[name] if name else "" for name in node.output]
    kept = []
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            if attributes is None or attribute.ref_attr_name not in attributes:
                continue
            name = attribute.name
            attribute.CopyFrom(attributes[attribute.ref_attr_name])
            attribute.name = name
        if attribute.HasField("g"):
            _rename_graph(attribute.g, dict(scope), prefix, attributes)
        kept.append(attribute)
    copies = [onnx.AttributeProto.FromString(item.SerializeToString()) for item in kept]
    del node.attribute[:]
    node.attribute.extend(copies)


def _rename_graph(
    graph: onnx.GraphProto,
    scope: dict[str, str],
    prefix: str,
    attributes: Mapping[str, onnx.AttributeProto] | None,
) -> None:
    """Rename what a subgraph takes from outside, and what it makes."""
    for value in [*graph.input, *graph.initializer]:
        scope[value.name] = value.name = prefix + value.name
    for node in graph.node:
        _rename(node, scope, prefix, attributes)
    for value in graph.output:
        value.name = scope.get(value.name, value.name)
    del graph.value_info[:]
