"""Import of an FX graph of ATen operators, as `make_fx`, AOTAutograd and `torch.export` make it."""

from __future__ import annotations

import operator
from collections.abc import Collection
from typing import Any

import torch
import torch.fx
from torch._ops import HigherOrderOperator, OpOverload
from torch._subclasses import FakeTensor
from torch.fx.graph import _PyTreeCodeGen
from torch.utils import _pytree as pytree

from torch_ttir.importers.function import GraphProgram, Placeholder, build
from torch_ttir.importers.inline import inline_regions
from torch_ttir.importers.node_locations import node_frame
from torch_ttir.importers.program import ImportedProgram, InputLeaf
from torch_ttir.importers.python_calls import is_python_call
from torch_ttir.importers.result_types import Unsupported, node_value
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, Diagnostic


def import_graph_module(
    module: torch.fx.GraphModule, context: Context, *, known_ops: Collection[str] | None = None
) -> ImportedProgram:
    """Return the Torch-dialect module of an FX graph; its tensors go to the context.

    Placeholders become inputs; the tensors of `get_attr` nodes become arguments named by their
    target and are put, as they are, into `context.parameters`, but for constants of one element,
    which stay in the IR. Ops outside `known_ops` (names like `aten.diff`; None for all) are
    decomposed by PyTorch's own decompositions. Raises `CompileError` with every fault of the graph.
    """
    _check_nodes(module)
    graph, _ = inline_regions(module.graph)
    placeholders: list[Placeholder] = []
    constants: dict[torch.fx.Node, Any] = {}
    inputs: list[InputLeaf] = []
    attributes: dict[str, Placeholder] = {}
    for node in graph.nodes:
        if node.op == "placeholder":
            value, name = node_value(node), str(node.target)
            if isinstance(value, torch.Tensor):
                placeholders.append(Placeholder([node], name, "input", value, len(inputs)))
                inputs.append(InputLeaf(name, True))
            else:
                constants[node] = value
                inputs.append(InputLeaf(name, False, value))
        elif node.op == "get_attr":
            _add_attribute(node, _attribute(module, str(node.target)), attributes)
    in_spec, out_spec, outputs = _specs(module.graph, graph, len(inputs))
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
        known_ops,
    )


def foreign_nodes(module: torch.fx.GraphModule) -> list[torch.fx.Node]:
    """Return the nodes that are no ATen calls: calls of modules, methods and Python functions."""
    return [node for node in module.graph.nodes if _is_foreign(node)]


def _is_foreign(node: torch.fx.Node) -> bool:
    if node.op == "call_module":
        return not str(node.target).endswith("_guards_fn")
    if node.op == "call_function":
        known = (OpOverload, HigherOrderOperator)
        target = node.target
        return not (
            isinstance(target, known) or target is operator.getitem or is_python_call(target)
        )
    return node.op == "call_method"


def _check_nodes(module: torch.fx.GraphModule) -> None:
    """Raise one error that lists every node which was not traced to ATen operators."""
    faults = []
    for node in foreign_nodes(module):
        name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
        found = f"node `{node.name}` ({node.op} of `{name}`) is not a call of an ATen operator"
        faults.append(Diagnostic(found, node_frame(node)))
    if faults:
        hint = "trace it with `torch.export.export`, or give example inputs to have it traced"
        raise CompileError(faults, [hint])
    for node in module.graph.find_nodes(op="placeholder"):
        try:
            value = node_value(node)
        except Unsupported as reason:
            message = f"the shape of input `{node.target}` is not known"
            faults.append(Diagnostic(message, notes=reason.notes))
            continue
        if isinstance(value, (torch.SymBool, torch.SymInt, torch.SymFloat)):
            message = f"input `{node.target}` is a number that is not fixed when it is traced"
            faults.append(Diagnostic(message, notes=("trace it without dynamic shapes",)))
    if faults:
        raise CompileError(faults)


def _add_attribute(node: torch.fx.Node, tensor: Any, attributes: dict[str, Placeholder]) -> None:
    """Add what a `get_attr` node stands for, unless it is the body of a region."""
    target = str(node.target)
    if target in attributes:
        attributes[target].nodes.append(node)
    elif isinstance(tensor, torch.nn.Parameter):
        attributes[target] = Placeholder([node], target, "parameter", tensor)
    elif isinstance(tensor, torch.Tensor):
        has_data = not isinstance(tensor, FakeTensor) and tensor.device.type != "meta"
        literal = has_data and tensor.numel() == 1 and tensor.layout is torch.strided
        attributes[target] = Placeholder([node], target, "constant", tensor, literal=literal)


def _specs(
    graph: torch.fx.Graph, inlined: torch.fx.Graph, count: int
) -> tuple[pytree.TreeSpec, pytree.TreeSpec, list[Any]]:
    """Return the structure of the inputs and of the result, and the result's leaves."""
    output = inlined.output_node().args[0]
    leaves, out_spec = pytree.tree_flatten(pytree.tree_map(_plain, output, is_leaf=_is_fx_list))
    in_spec = pytree.tree_structure((tuple(range(count)), {}))
    codegen = graph._codegen
    if isinstance(codegen, _PyTreeCodeGen):
        info = codegen.pytree_info
        in_spec = info.in_spec
        if info.out_spec is not None:
            out_spec = info.out_spec
    return in_spec, out_spec, leaves


def _is_fx_list(value: Any) -> bool:
    return type(value) in (
        torch.fx.immutable_collections.immutable_list,
        torch.fx.immutable_collections.immutable_dict,
    )


def _plain(value: Any) -> Any:
    """Return FX's immutable lists and dicts as what the user returned."""
    if isinstance(value, list):
        return [pytree.tree_map(_plain, item, is_leaf=_is_fx_list) for item in value]
    if isinstance(value, dict):
        items = value.items()
        return {key: pytree.tree_map(_plain, item, is_leaf=_is_fx_list) for key, item in items}
    return value


def _attribute(module: torch.nn.Module, target: str) -> Any:
    owner: Any = module
    for name in target.split("."):
        owner = getattr(owner, name)
    return owner
