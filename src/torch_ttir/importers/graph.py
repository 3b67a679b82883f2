"""The walk over an FX graph: every node becomes ops of the Torch dialect.

The forms are those of torch-mlir's own importer (`torch_mlir.extras.fx_importer`), so that its
passes take them. That importer is not used, since it changes the user's nodes, stops at the first
fault with an assertion, turns tensors into Python lists, and has no valid form for in-place ops.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
import torch.fx
from torch._ops import HigherOrderOperator, OpOverload
from torch_mlir import ir

from torch_ttir.importers.aliases import Aliasing, covers_storage, find_storage, memory_order
from torch_ttir.importers.body import Body, TensorList
from torch_ttir.importers.checks import CHECKS
from torch_ttir.importers.decompose import Decomposer, Expansion, writes_unseen
from torch_ttir.importers.node_locations import NodeLocations
from torch_ttir.importers.python_calls import import_python_call
from torch_ttir.importers.result_types import Unsupported, check_tensor, node_value, result_type
from torch_ttir.importers.schemas import as_called, bind, op_name, parameters
from torch_ttir.importers.synonyms import IDENTITIES, SYNONYMS
from torch_ttir.importers.torch_types import named_type
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import Diagnostic
from torch_ttir.ir.locations import user_frame

aten = torch.ops.aten


class _Failed:
    """The value of a node that has a fault, or uses one that has."""


FAILED = _Failed()


@dataclass
class Scope:
    """A graph that is being imported, and what its nodes are.

    `values` holds an `ir.Value` for a node, a tuple of them for several results, a `TensorList`,
    a Python constant, or `FAILED`. `writes` says whether the program writes memory. A
    decomposition's nodes have the `location` of the node that is decomposed.
    """

    values: dict[torch.fx.Node, Any]
    aliasing: Aliasing
    writes: bool
    location: ir.Location | None = None
    unpacked: dict[torch.fx.Node, tuple[ir.Value, ...]] = field(default_factory=dict)

    def resolve(self, argument: Any) -> Any:
        """Return an argument of a node with its nodes replaced by their values."""
        if isinstance(argument, torch.fx.Node):
            return self.values[argument]
        if isinstance(argument, (list, tuple)):
            return [self.resolve(item) for item in argument]
        return argument


class GraphImporter:
    """Imports graphs into a function's body.

    Faults are collected, and the nodes behind one are passed over, so that one report has all.
    """

    def __init__(
        self, context: Context, body: Body, locations: NodeLocations, decomposer: Decomposer
    ) -> None:
        """Import into `body`; `decomposer` takes ops apart that nothing downstream knows."""
        self.context = context
        self.faults: list[Diagnostic] = []
        self._body = body
        self._locations = locations
        self._decomposer = decomposer

    def run(self, graph: torch.fx.Graph, scope: Scope) -> None:
        """Import all nodes but placeholders and outputs, which are the caller's."""
        for node in graph.nodes:
            if node.op in ("placeholder", "output") or node in scope.values:
                continue
            loc = scope.location or self._locations.of(node)
            try:
                scope.values[node] = self._import(node, scope, loc)
            except Unsupported as reason:
                self.add_fault(str(reason), loc, _target_name(node), reason.notes)
                scope.values[node] = FAILED

    def add_fault(
        self, message: str, loc: ir.Location, op: str = "", notes: Sequence[str] = ()
    ) -> None:
        """Record one fault of the user's program, once."""
        fault = Diagnostic(message, user_frame(loc), op, tuple(notes))
        if fault not in self.faults:
            self.faults.append(fault)

    def is_number(self, value: Any) -> bool:
        """Say whether a value is a number that the program computes."""
        return isinstance(value, ir.Value) and self._body.is_number(value)

    def literal(self, tensor: torch.Tensor, loc: ir.Location) -> Any:
        """Return a small tensor as a constant of the IR; `FAILED`, with a fault, if none can be."""
        try:
            check_tensor(tensor)
        except Unsupported as reason:
            self.add_fault(str(reason), loc, notes=reason.notes)
            return FAILED
        return self._body.tensor_literal(tensor, loc)

    def _import(self, node: torch.fx.Node, scope: Scope, loc: ir.Location) -> Any:
        if node.op == "get_attr":
            return self._attribute(node, loc)
        if node.op == "call_module" and str(node.target).endswith("_guards_fn"):
            # Checks of the inputs' shapes, which the function's types say.
            return None
        arguments = [scope.resolve(argument) for argument in node.args]
        keywords = {name: scope.resolve(argument) for name, argument in node.kwargs.items()}
        if _has_failed(arguments) or _has_failed(list(keywords.values())):
            return FAILED
        target = node.target
        if node.op != "call_function":
            raise Unsupported(f"a `{node.op}` node is not a call of an ATen operator")
        if target is operator.getitem:
            return self._item(node, arguments[0], arguments[1], scope, loc)
        if isinstance(target, OpOverload):
            try:
                values = bind(target, arguments, keywords)
                given = bind(target, node.args, node.kwargs)
            except TypeError as reason:
                raise Unsupported(str(reason)) from None
            return self._call(target, values, given, node, scope, loc)
        if isinstance(target, HigherOrderOperator):
            raise Unsupported("control flow and other higher-order operators are not supported")
        return import_python_call(target, arguments, self._body, self.context, loc)

    def _call(
        self,
        op: OpOverload,
        values: list[Any],
        given: list[Any],
        node: torch.fx.Node,
        scope: Scope,
        loc: ir.Location,
    ) -> Any:
        """Import the call of an operator; `given` are its arguments in the graph."""
        if op in IDENTITIES:
            return values[0]
        if op in CHECKS:
            CHECKS[op](*node_values(node.args), **node_values(node.kwargs))
            return None
        if op in SYNONYMS:
            op = SYNONYMS[op]
            values, given = bind(op, values[:1], {}), bind(op, given[:1], {})
        types = self._result_types(op, node)
        if types is None:
            return node_value(node)
        op = as_called(op, [self._body.is_number(value) for value in values])
        opaque = node in scope.aliasing.opaque
        if opaque or not self._decomposer.keeps(op, given):
            expansion = self._decomposer.expand(op, list(node_values(given)), opaque)
            if expansion is not None:
                return self._expand(expansion, values, node, scope, loc)
            if opaque or writes_unseen(op, given):
                raise Unsupported("PyTorch has no definition of it that shows which memory it uses")
        if not scope.writes:
            # Where memory is written, functionalize-inplace-ops knows how each tensor lies in it.
            op, values = self._on_storage(op, values, given, scope, loc)
        operands = [
            self._body.operand(value, parameter.kind, loc, partial(_number_dtype, value, given))
            for value, parameter in zip(values, parameters(op), strict=True)
        ]
        kind = _number_kind(node_value(node)) if len(op._schema.returns) == 1 else None
        if kind is not None and op is aten.item.default:
            return self._body.item(operands[0], kind, loc)
        if kind is not None:
            return self._body.number(f"torch.{op_name(op)}", operands, kind, loc)
        shares = scope.aliasing.shares.get(node)
        attributes = {}
        if shares is not None:
            attributes["ttir.alias"] = ir.BoolAttr.get(shares, self.context)
        if op._schema.is_mutable and op.namespace not in _NAMED_WRITES:
            attributes["ttir.writes"] = ir.UnitAttr.get(self.context)
        made = self._body.op(op, operands, types, loc, attributes)
        return self._results(op, node, made)

    def _expand(
        self,
        expansion: Expansion,
        values: list[Any],
        node: torch.fx.Node,
        scope: Scope,
        loc: ir.Location,
    ) -> Any:
        """Import what a call is made of, at the location of the call."""
        placeholders = [n for n in expansion.graph.nodes if n.op == "placeholder"]
        tensors = [item for value in values for item in self._tensors(value, loc)]
        inner = Scope(
            dict(zip(placeholders, tensors, strict=True)), expansion.aliasing, scope.writes, loc
        )
        self.run(expansion.graph, inner)
        output = expansion.graph.output_node().args[0]
        results = tuple(inner.resolve(list(output)))  # type: ignore[arg-type]
        if _has_failed(list(results)):
            return FAILED
        if all(result is None for result in results):
            return None
        value = node_value(node)
        single = not isinstance(value, (list, tuple))
        used = range(1) if single else _used_results(node, len(value))
        for index in used:
            _check_same(output[index], value if single else value[index])  # type: ignore[index]
        return results[0] if single else results

    def _tensors(self, value: Any, loc: ir.Location) -> Sequence[ir.Value]:
        """Return the tensors of an argument in order, as a trace of the call takes them."""
        if isinstance(value, TensorList):
            return self._body.unpack(value, loc)
        if isinstance(value, (list, tuple)):
            return [item for part in value for item in self._tensors(part, loc)]
        return [value] if isinstance(value, ir.Value) else []

    def _on_storage(
        self,
        op: OpOverload,
        values: list[Any],
        given: Sequence[Any],
        scope: Scope,
        loc: ir.Location,
    ) -> tuple[OpOverload, list[Any]]:
        """Return `as_strided` of a view as the same op on all of its memory, with its operands.

        As a value, a view does not show the memory that this looks at.
        """
        if op not in _STRIDED or covers_storage(given[0]):
            return op, values
        storage = find_storage(given[0]) if op in _STRIDED_READS else None
        if storage is None:
            name = op.overloadpacket.__name__
            raise Unsupported(
                f"`{name}` of a view looks at memory that the view does not show",
                "use `view`, `unfold` or indexing instead",
            )
        base, begin = storage
        whole, traced = scope.resolve(base), base.meta["val"]
        if not traced.is_contiguous():
            # Nothing is written here, so that a copy in the order of the memory is as good.
            op, whole = aten.as_strided.default, self._in_memory_order(whole, traced, loc)
        return op, [whole, *values[1:3], begin if given[3] is None else values[3]]

    def _in_memory_order(self, value: Any, traced: torch.Tensor, loc: ir.Location) -> ir.Value:
        """Import what makes a row-major tensor whose elements lie as those of `traced` do."""
        order = memory_order(traced)
        assert order is not None, "`find_storage` returns only tensors without holes"
        types = [result_type(self.context, traced.permute(order))]
        permute, contiguous = aten.permute.default, aten.contiguous.default
        for op, argument in ((permute, order), (contiguous, torch.contiguous_format)):
            operands = [
                self._body.operand(item, parameter.kind, loc)
                for item, parameter in zip((value, argument), parameters(op), strict=True)
            ]
            marks = {"ttir.alias": ir.BoolAttr.get(False, self.context)}
            made = self._body.op(op, operands, types, loc, marks if op is contiguous else None)
            value = made.result
        return value

    def _result_types(self, op: OpOverload, node: torch.fx.Node) -> list[ir.Type] | None:
        """Return the types of a call's results; None for a number that tracing knows."""
        returns = op._schema.returns
        if not returns:
            return []
        value = node_value(node)
        if isinstance(value, (bool, int, float)):
            return None
        if len(returns) > 1:
            return [result_type(self.context, item) for item in value]
        if isinstance(value, (list, tuple)):
            for item in value:
                result_type(self.context, item)
            return [named_type(self.context, "list<vtensor>")]
        return [result_type(self.context, value)]

    def _results(self, op: OpOverload, node: torch.fx.Node, made: ir.Operation) -> Any:
        count = len(op._schema.returns)
        if count == 0:
            return None
        if count > 1:
            return tuple(made.results)
        value = node_value(node)
        if isinstance(value, (list, tuple)):
            types = tuple(result_type(self.context, item) for item in value)
            return TensorList(made.results[0], types)
        return made.results[0]

    def _item(
        self, node: torch.fx.Node, value: Any, index: Any, scope: Scope, loc: ir.Location
    ) -> Any:
        source = node.args[0]
        if isinstance(value, TensorList) and isinstance(source, torch.fx.Node):
            if source not in scope.unpacked:
                scope.unpacked[source] = self._body.unpack(value, loc)
            return scope.unpacked[source][index]
        if isinstance(value, (list, tuple)):
            return value[index]
        raise Unsupported("indexing of something that is not a tuple of results")

    def _attribute(self, node: torch.fx.Node, loc: ir.Location) -> Any:
        """Return what a graph's module holds under a name: a constant, or a region's body."""
        value: Any = node.graph.owning_module
        for name in str(node.target).split("."):
            value = getattr(value, name)
        return self.literal(value, loc) if isinstance(value, torch.Tensor) else value


def node_values(arguments: Any) -> Any:
    """Return arguments of a node with its nodes replaced by what they gave when traced."""
    return torch.fx.node.map_arg(arguments, node_value)


def _used_results(node: torch.fx.Node, count: int) -> Collection[int]:
    """Return which results of a node are used: PyTorch's decompositions get some others wrong."""
    if any(user.target is not operator.getitem for user in node.users):
        return range(count)
    return {int(user.args[1]) for user in node.users}  # type: ignore[arg-type]


def _check_same(made: Any, wanted: Any) -> None:
    """Raise `Unsupported` if a decomposition gives another shape or dtype than the op itself."""
    found = node_value(made) if isinstance(made, torch.fx.Node) else made
    if isinstance(wanted, torch.Tensor) and (
        not isinstance(found, torch.Tensor)
        or (found.shape, found.dtype) != (wanted.shape, wanted.dtype)
    ):
        raise Unsupported(
            f"PyTorch's decomposition gives {found.dtype} {list(found.shape)} "
            f"instead of {wanted.dtype} {list(wanted.shape)}"
        )


def _number_kind(value: Any) -> str | None:
    """Return `int`, `float` or `bool` for a number that depends on the data; None for others."""
    kinds = ((torch.SymBool, "bool"), (torch.SymInt, "int"), (torch.SymFloat, "float"))
    return next((kind for type_, kind in kinds if isinstance(value, type_)), None)


def _number_dtype(value: Any, arguments: Sequence[Any]) -> torch.dtype:
    """Return the dtype of a number that stands for a tensor: it promotes as a number does."""
    if isinstance(value, ir.Value):
        # Any number of its type: which one it is means nothing to promotion.
        value = {"!torch.float": 0.5, "!torch.int": 0, "!torch.bool": False}[str(value.type)]
    for tensor in node_values(arguments):
        if isinstance(tensor, torch.Tensor):
            return torch.result_type(tensor, value)
    return torch.tensor(value).dtype


# Here names say what an op writes; of an op of the user's own only its schema does.
_NAMED_WRITES = ("aten", "prims", "prim")

_STRIDED_READS = (aten.as_strided.default, aten.as_strided_copy.default)
_STRIDED = (*_STRIDED_READS, aten.as_strided_scatter.default)


def _has_failed(values: Sequence[Any]) -> bool:
    return any(
        value is FAILED or (isinstance(value, list) and _has_failed(value)) for value in values
    )


def _target_name(node: torch.fx.Node) -> str:
    target = node.target
    if isinstance(target, OpOverload):
        return f"torch.{op_name(target)}"
    if isinstance(target, HigherOrderOperator):
        return f"torch.ops.higher_order.{target.__name__}"
    name = target if isinstance(target, str) else getattr(target, "__name__", repr(target))
    return f"{node.op} {name}"
