"""Inlining of the regions that `torch.export` leaves in a graph: `no_grad` and `autocast`."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import torch
import torch.fx
from torch._higher_order_ops.wrap import wrap_with_autocast, wrap_with_set_grad_enabled
from torch._ops import OpOverload
from torch.utils import _pytree as pytree

from torch_ttir.importers.autocast import operand_casts
from torch_ttir.importers.schemas import bind, call, op_name
from torch_ttir.ir.diagnostics import error

Mapping = dict[torch.fx.Node, Any]


@dataclass(frozen=True)
class _Region:
    """The body of a region, what it is called on, and the mode of an enabled autocast."""

    body: torch.fx.Graph
    operands: list[Any]
    autocast: tuple[str, torch.dtype] | None


def inline_regions(graph: torch.fx.Graph) -> tuple[torch.fx.Graph, Mapping | None]:
    """Return a graph without regions of a mode: bodies in their place, casts of autocast written.

    The graph itself where it has none, else a copy, with what each node of the old is there (a
    node, a list of them for a region, a constant). Nodes keep their meta data. Control flow
    operators stay.
    """
    if not any(_region(node) for node in graph.nodes):
        return graph, None
    copy = torch.fx.Graph(owning_module=graph.owning_module)
    mapping: Mapping = {}
    copy.output(_copy_nodes(graph, copy, mapping, None))
    return copy, mapping


def _region(node: torch.fx.Node) -> _Region | None:
    if node.target is wrap_with_set_grad_enabled:
        _, body, *operands = node.args
        return _Region(_body_graph(body), operands, None)
    if node.target is wrap_with_autocast:
        device, dtype, enabled, _, body, *operands = node.args
        mode = (str(device), dtype or torch.get_autocast_dtype(str(device))) if enabled else None
        return _Region(_body_graph(body), operands, mode)  # type: ignore[arg-type]
    return None


def _copy_nodes(
    graph: torch.fx.Graph,
    copy: torch.fx.Graph,
    mapping: Mapping,
    autocast: tuple[str, torch.dtype] | None,
) -> Any:
    """Copy all nodes to the end of `copy`; returns what the graph returns, in the copy's nodes."""
    for node in graph.nodes:
        if node.op == "output":
            return _mapped(node.args[0], mapping)
        if node in mapping:
            continue
        region = _region(node)
        if region is not None:
            placeholders = (n for n in region.body.nodes if n.op == "placeholder")
            operands = _mapped(region.operands, mapping)
            inner: Mapping = dict(zip(placeholders, operands, strict=True))
            mode = autocast if node.target is wrap_with_set_grad_enabled else region.autocast
            mapping[node] = _copy_nodes(region.body, copy, inner, mode)
            continue
        if node.target is operator.getitem and isinstance(_mapped(node.args[0], mapping), list):
            mapping[node] = _mapped(node.args[0], mapping)[node.args[1]]
            continue
        made = copy.node_copy(node, lambda used: mapping[used])
        mapping[node] = made
        if autocast is not None and isinstance(made.target, OpOverload):
            _write_casts(made, made.target, copy, *autocast)
    raise AssertionError("a graph without an output")


def _write_casts(
    node: torch.fx.Node, op: OpOverload, graph: torch.fx.Graph, device: str, dtype: torch.dtype
) -> None:
    """Put the casts before a node that autocast makes on its operands."""
    values = bind(op, node.args, node.kwargs)
    traced = torch.fx.node.map_arg(values, lambda used: used.meta["val"])
    casts = operand_casts(op, list(traced), device, dtype)
    if casts is None:
        raise error(
            "`torch.autocast` casts inside this op, which is not supported",
            node.meta.get("stack_trace") or "",
            f"torch.{op_name(op)}",
        )
    leaves, spec = pytree.tree_flatten(values)
    with graph.inserting_before(node):
        for position, wanted in casts.items():
            operand = leaves[position]
            cast = graph.call_function(
                torch.ops.aten._to_copy.default, (operand,), {"dtype": wanted}
            )
            cast.meta = {**node.meta, "val": operand.meta["val"].to(wanted)}
            leaves[position] = cast
    node.args, node.kwargs = call(
        op, lambda *args, **kwargs: (args, kwargs), pytree.tree_unflatten(leaves, spec)
    )


def _body_graph(body: Any) -> torch.fx.Graph:
    module: Any = body.graph.owning_module
    for name in str(body.target).split("."):
        module = getattr(module, name)
    return module.graph  # type: ignore[no-any-return]


def _mapped(argument: Any, mapping: Mapping) -> Any:
    if isinstance(argument, (list, tuple)):
        return [_mapped(item, mapping) for item in argument]
    return mapping[argument] if isinstance(argument, torch.fx.Node) else argument
