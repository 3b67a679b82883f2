"""Which tensors of a graph share memory, and which the graph writes, as PyTorch decides it.

Whether `reshape`, `to` or `dropout` returns its operand's memory depends on strides, dtypes and
flags. PyTorch is asked: the op is run on fake tensors of the same strides, and the result's storage
is compared. A graph that writes no memory is not looked at, since there sharing means nothing.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.fx
from torch._ops import OpOverload
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
)
from torch.utils import _pytree as pytree

from torch_ttir.importers.normalizations import WITH_WRITES, written_statistics
from torch_ttir.importers.schemas import bind, call, is_composite, parameters
from torch_ttir.importers.synonyms import IDENTITIES


@dataclass
class Aliasing:
    """What is known of a graph's memory.

    `written` are the placeholders and `get_attr` nodes whose memory the graph writes. `shares`
    says of each node of an op that may or may not return memory of its first operand whether it
    does. `opaque` are nodes that return memory of their operands in a way that only their
    decomposition shows (`einsum("ij->ji", x)`).
    """

    written: set[torch.fx.Node] = field(default_factory=set)
    shares: dict[torch.fx.Node, bool] = field(default_factory=dict)
    opaque: set[torch.fx.Node] = field(default_factory=set)


def written_positions(op: OpOverload, values: Sequence[Any]) -> set[int]:
    """Return which schema arguments a call writes; `values` are those of all arguments."""
    if op in IDENTITIES:
        return set()
    if op in WITH_WRITES:
        return written_statistics(op, [parameter.name for parameter in parameters(op)], values)
    return {position for position, parameter in enumerate(parameters(op)) if parameter.written}


def writes_memory(graph: torch.fx.Graph) -> bool:
    """Say whether any op of the graph writes one of its operands."""
    return any(
        bool(written_positions(node.target, bind(node.target, node.args, node.kwargs)))
        for node in graph.nodes
        if isinstance(node.target, OpOverload)
        and (node.target._schema.is_mutable or node.target in WITH_WRITES)
    )


_NUMBERS = (bool, int, float, torch.SymBool, torch.SymInt, torch.SymFloat)


def analyze(graph: torch.fx.Graph) -> Aliasing:
    """Return what the memory of each node is, for a graph of ATen calls."""
    found = Aliasing()
    owners: dict[torch.fx.Node, frozenset[torch.fx.Node]] = {}
    for node in graph.nodes:
        if not isinstance(node.target, OpOverload):
            if node.op == "call_function":
                owners[node] = _owners_of(node.all_input_nodes, owners)
            else:
                owners[node] = frozenset([node])
            continue
        op = node.target
        values = bind(op, node.args, node.kwargs)
        written = written_positions(op, values)
        for position in written:
            found.written |= _owners_of(_nodes(values[position]), owners)
        shared = {position for position, p in enumerate(parameters(op)) if p.viewed} | written
        if isinstance(node.meta.get("val"), _NUMBERS):
            shared = set()
        elif is_composite(op) and not written:
            shared = _decide(node, op, values, found)
        nodes = [item for position in shared for item in _nodes(values[position])]
        owners[node] = _owners_of(nodes, owners) or frozenset([node])
    return found


def _decide(
    node: torch.fx.Node, op: OpOverload, values: Sequence[Any], found: Aliasing
) -> set[int]:
    """Return which operands a composite op's results share memory with, and record it."""
    annotated = any(parameter.viewed for parameter in parameters(op))
    shared = shared_operands(op, [_traced(value) for value in values])
    plain = isinstance(values[0], torch.fx.Node) and isinstance(node.meta.get("val"), torch.Tensor)
    if annotated and plain:
        found.shares[node] = bool(shared)
    elif shared and not annotated:
        operand = _traced(values[0]) if plain else None
        if operand is not None and shared == {0} and _same_layout(operand, node.meta["val"]):
            found.shares[node] = True
        else:
            found.opaque.add(node)
    return shared


def covers_storage(node: torch.fx.Node) -> bool:
    """Say whether a tensor's elements are all of its memory, in order.

    Decided by the ops that made it: a traced value that went through a file has memory of its own.
    """
    if not node.meta["val"].is_contiguous():
        return False
    if not isinstance(node.target, OpOverload):
        return node.op in ("placeholder", "get_attr")
    values = bind(node.target, node.args, node.kwargs)
    shared = {i for i, parameter in enumerate(parameters(node.target)) if parameter.viewed}
    if is_composite(node.target):
        shared = shared_operands(node.target, [_traced(value) for value in values])
    bases = [
        base for i in shared | written_positions(node.target, values) for base in _nodes(values[i])
    ]
    size = node.meta["val"].numel()
    return all(base.meta["val"].numel() == size and covers_storage(base) for base in bases)


def find_storage(node: torch.fx.Node) -> tuple[torch.fx.Node, int] | None:
    """Return the tensor whose elements are a view's memory, and where in it the view begins.

    The elements lie in the order of `memory_order`. None where none of the view's bases shows all
    of the memory. The views are made again, since what a trace in a file says of them is not where
    they lie.
    """
    views = []
    while not (isinstance(node.meta.get("val"), torch.Tensor) and covers_storage(node)):
        bases = _viewed(node)
        traced = node.meta.get("val")
        if not bases and isinstance(traced, torch.Tensor) and memory_order(traced) is not None:
            break
        views.append(node)
        if len(bases) != 1:
            return None
        (node,) = bases
    made: dict[torch.fx.Node, Any] = {node: _meta_like(node.meta["val"])}
    for view in reversed(views):
        for other in view.all_input_nodes:
            made.setdefault(other, _meta_like(other.meta["val"]))
        args, kwargs = torch.fx.node.map_arg((view.args, view.kwargs), made.__getitem__)
        made[view] = view.target(*args, **kwargs)  # type: ignore[operator]
    return node, int(made[views[0]].storage_offset()) if views else 0


def memory_order(tensor: torch.Tensor) -> list[int] | None:
    """Return the dimensions in the order in which a tensor without holes lies; None for others."""
    strides = tensor.stride()
    order = sorted(range(tensor.dim()), key=lambda dim: (-strides[dim], dim))
    return order if tensor.permute(order).is_contiguous() else None


def _viewed(node: torch.fx.Node) -> list[torch.fx.Node]:
    """Return the tensors whose memory a node returns without writing it."""
    if node.target is operator.getitem:
        return node.all_input_nodes
    if not isinstance(node.target, OpOverload) or node.target._schema.is_mutable:
        return []
    values = bind(node.target, node.args, node.kwargs)
    shared = {i for i, parameter in enumerate(parameters(node.target)) if parameter.viewed}
    if is_composite(node.target):
        shared = shared_operands(node.target, [_traced(value) for value in values])
    return [base for i in shared for base in _nodes(values[i])]


_answers: dict[Hashable, frozenset[int]] = {}


def shared_operands(op: OpOverload, values: Sequence[Any]) -> set[int]:
    """Return the positions of the operands whose memory the results of a call are in.

    `values` are those of all schema arguments, tensors as fake tensors. Sizes that are not known
    give no answer: all tensor operands, to be safe.
    """
    leaves, spec = pytree.tree_flatten(list(values))
    key = (op, str(spec), tuple(leaf_key(leaf) for leaf in leaves))
    if key not in _answers:
        symbols = (torch.SymInt, torch.SymFloat, torch.SymBool)
        if any(isinstance(leaf, symbols) for leaf in leaves) or not _static(leaves):
            tensors = [i for i, v in enumerate(values) if _storages(v)]
            return set(tensors)
        _answers[key] = frozenset(_run(op, leaves, spec))
    return set(_answers[key])


def leaf_key(leaf: Any) -> Hashable:
    """Return what tells one argument of a call from another: a tensor's layout, a value itself."""
    if isinstance(leaf, torch.Tensor):
        return ("tensor", tuple(leaf.shape), leaf.dtype, tuple(leaf.stride()), str(leaf.device))
    return (type(leaf), repr(leaf))


def fake_like(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor of the same layout, of the fake mode that is entered."""
    return torch.empty_strided(
        tuple(tensor.shape), tuple(tensor.stride()), dtype=tensor.dtype, device=tensor.device
    )


def _run(op: OpOverload, leaves: list[Any], spec: pytree.TreeSpec) -> Iterable[int]:
    """Run the call without data and compare storages.

    On the meta device first, which takes a tenth of the time of a fake mode; some ops need that.
    """
    with torch.no_grad():
        try:
            return _run_on(op, [_meta_like(leaf) for leaf in leaves], spec)
        except (NotImplementedError, RuntimeError):
            pass
        try:
            with FakeTensorMode():
                is_tensor = [isinstance(leaf, torch.Tensor) for leaf in leaves]
                fakes = [fake_like(x) if t else x for x, t in zip(leaves, is_tensor, strict=True)]
                return _run_on(op, fakes, spec)
        except (DataDependentOutputException, DynamicOutputShapeException):
            # The importer rejects such an op; until then, all that it could share counts.
            values = pytree.tree_unflatten(leaves, spec)
            return [i for i, value in enumerate(values) if _storages(value)]


def _run_on(op: OpOverload, leaves: list[Any], spec: pytree.TreeSpec) -> list[int]:
    values = pytree.tree_unflatten(leaves, spec)
    results = _storages(call(op, op, values))
    return [i for i, value in enumerate(values) if not results.isdisjoint(_storages(value))]


def _meta_like(leaf: Any) -> Any:
    if isinstance(leaf, torch.device):
        return torch.device("meta")
    if not isinstance(leaf, torch.Tensor):
        return leaf
    return torch.empty_strided(
        tuple(leaf.shape), tuple(leaf.stride()), dtype=leaf.dtype, device="meta"
    )


def _storages(value: Any) -> set[int]:
    return {
        leaf.untyped_storage()._cdata
        for leaf in pytree.tree_leaves(value)
        if isinstance(leaf, torch.Tensor)
    }


def _static(leaves: list[Any]) -> bool:
    return all(
        isinstance(size, int)
        for leaf in leaves
        if isinstance(leaf, torch.Tensor)
        for size in leaf.shape
    )


def _same_layout(operand: Any, result: torch.Tensor) -> bool:
    return bool(operand.shape == result.shape and operand.stride() == result.stride())


def _nodes(argument: Any) -> list[torch.fx.Node]:
    return [leaf for leaf in pytree.tree_leaves(argument) if isinstance(leaf, torch.fx.Node)]


def _owners_of(
    nodes: Iterable[torch.fx.Node], owners: dict[torch.fx.Node, frozenset[torch.fx.Node]]
) -> frozenset[torch.fx.Node]:
    return frozenset().union(*(owners[node] for node in nodes))


def _traced(argument: Any) -> Any:
    return torch.fx.node.map_arg(argument, lambda node: node.meta.get("val"))
