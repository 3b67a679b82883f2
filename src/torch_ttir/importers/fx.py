"""Import of an FX graph of ATen operators, as `make_fx`, AOTAutograd and `torch.export` make it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import torch
from torch.fx.graph import _PyTreeCodeGen
from torch.utils import _pytree as pytree

from torch_ttir.importers.function import GraphProgram, Placeholder, build
from torch_ttir.importers.graph import node_value
from torch_ttir.importers.program import ImportedProgram, InputLeaf
from torch_ttir.ir.context import Context


def import_graph_module(
    module: torch.fx.GraphModule, context: Context, *, known_ops: Collection[str] | None = None
) -> ImportedProgram:
    """Return the Torch-dialect module of an FX graph; its tensors go to the context.

    Placeholders become inputs; the tensors of `get_attr` nodes become arguments named by their
    target and are put, as they are, into `context.parameters`. Ops outside `known_ops` (names like
    `aten.diff`; None for all) are decomposed by PyTorch's own decompositions. Raises
    `CompileError` with every fault of the graph.
    """
    graph = module.graph
    placeholders: list[Placeholder] = []
    constants: dict[torch.fx.Node, Any] = {}
    inputs: list[InputLeaf] = []
    attributes: dict[str, Placeholder] = {}
    for node in graph.nodes:
        if node.op == "placeholder":
            value = node_value(node)
            name = str(node.target)
            if isinstance(value, torch.Tensor):
                placeholders.append(Placeholder([node], name, "input", value, len(inputs)))
                inputs.append(InputLeaf(name, True))
            else:
                constants[node] = value
                inputs.append(InputLeaf(name, False, value))
        elif node.op == "get_attr":
            target = str(node.target)
            if target in attributes:
                attributes[target].nodes.append(node)
                continue
            tensor = _attribute(module, target)
            kind = "parameter" if isinstance(tensor, torch.nn.Parameter) else "constant"
            attributes[target] = Placeholder([node], target, kind, tensor)
            context.parameters[target] = tensor
    in_spec, out_spec, outputs = _specs(graph, len(inputs))
    return build(
        GraphProgram(
            graph,
            [*placeholders, *attributes.values()],
            constants,
            inputs,
            outputs,
            [],
            in_spec,
            out_spec,
        ),
        context,
    )


def _specs(
    graph: torch.fx.Graph, count: int
) -> tuple[pytree.TreeSpec, pytree.TreeSpec, list[Any]]:
    """Return the structure of the inputs and of the result, and the result's leaves."""
    output = graph.output_node().args[0]
    leaves, out_spec = pytree.tree_flatten(output)
    in_spec = pytree.tree_structure((tuple(range(count)), {}))
    codegen = graph._codegen
    if isinstance(codegen, _PyTreeCodeGen):
        info = codegen.pytree_info
        in_spec = info.in_spec
        if info.out_spec is not None:
            out_spec = info.out_spec
    return in_spec, out_spec, leaves


def _attribute(module: torch.nn.Module, target: str) -> Any:
    owner: Any = module
    for name in target.split("."):
        owner = getattr(owner, name)
    return owner
