"""The walk over an FX graph: every node becomes ops of the Torch dialect."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch.fx
from torch._ops import HigherOrderOperator, OpOverload
from torch_mlir import ir

from torch_ttir.importers.body import Body, TensorList, Unsupported, result_type
from torch_ttir.importers.node_locations import NodeLocations
from torch_ttir.importers.schemas import op_name, parameters, scalar_overload
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import Diagnostic
from torch_ttir.ir.locations import user_frame


class _Failed:
    """The value of a node that has a fault, or uses one that has."""


FAILED = _Failed()


class GraphImporter:
    """Imports the nodes of a graph into a function's body.

    `values` holds what each node is: an `ir.Value`, a tuple of them for several results, a
    `TensorList`, or a Python constant. Faults are collected, and the nodes behind one are passed
    over, so that one report has all of them.
    """

    def __init__(self, context: Context, body: Body, locations: NodeLocations) -> None:
        """Import into `body`."""
        self.values: dict[torch.fx.Node, Any] = {}
        self.faults: list[Diagnostic] = []
        self._context = context
        self._body = body
        self._locations = locations
        self._unpacked: dict[torch.fx.Node, tuple[ir.Value, ...]] = {}

    def run(self, nodes: Sequence[torch.fx.Node]) -> None:
        """Import all nodes but placeholders and outputs, which are the caller's."""
        for node in nodes:
            if node in self.values or node.op in ("placeholder", "output"):
                continue
            loc = self._locations.of(node)
            try:
                self.values[node] = self._import(node, loc)
            except Unsupported as reason:
                self.add_fault(str(reason), loc, _target_name(node), reason.notes)
                self.values[node] = FAILED

    def add_fault(
        self, message: str, loc: ir.Location, op: str = "", notes: Sequence[str] = ()
    ) -> None:
        """Record one fault of the user's program."""
        self.faults.append(Diagnostic(message, user_frame(loc), op, tuple(notes)))

    def resolve(self, argument: Any) -> Any:
        """Return an argument of a node with its nodes replaced by their values."""
        if isinstance(argument, torch.fx.Node):
            return self.values[argument]
        if isinstance(argument, (list, tuple)):
            return [self.resolve(item) for item in argument]
        return argument

    def _import(self, node: torch.fx.Node, loc: ir.Location) -> Any:
        arguments = [self.resolve(argument) for argument in node.args]
        keywords = {name: self.resolve(argument) for name, argument in node.kwargs.items()}
        if _has_failed(arguments) or _has_failed(list(keywords.values())):
            return FAILED
        target = node.target
        if node.op != "call_function":
            raise Unsupported(f"a `{node.op}` node is not a call of an ATen operator")
        if target is operator.getitem:
            return self._item(node.args[0], arguments[0], arguments[1], loc)
        if isinstance(target, OpOverload):
            return self._call(target, arguments, keywords, node, loc)
        if isinstance(target, HigherOrderOperator):
            raise Unsupported("higher-order operators are not supported")
        raise Unsupported("it is not an ATen operator")

    def _call(
        self,
        op: OpOverload,
        arguments: list[Any],
        keywords: dict[str, Any],
        node: torch.fx.Node,
        loc: ir.Location,
    ) -> Any:
        types = self._result_types(op, node)
        values = bind(op, arguments, keywords)
        for position, value in enumerate(values):
            if isinstance(value, (bool, int, float)):
                op = scalar_overload(op, position) or op
        operands = [
            self._body.operand(value, parameter.kind, loc)
            for value, parameter in zip(values, parameters(op), strict=True)
        ]
        made = self._body.op(op, operands, types, loc)
        return self._results(op, node, made)

    def _result_types(self, op: OpOverload, node: torch.fx.Node) -> list[ir.Type]:
        returns = op._schema.returns
        if not returns:
            return []
        value = node_value(node)
        if len(returns) > 1:
            return [result_type(self._context, item) for item in value]
        if isinstance(value, (list, tuple)):
            for item in value:
                result_type(self._context, item)
            return [ir.Type.parse("!torch.list<vtensor>", self._context)]
        return [result_type(self._context, value)]

    def _results(self, op: OpOverload, node: torch.fx.Node, made: ir.Operation) -> Any:
        count = len(op._schema.returns)
        if count == 0:
            return None
        if count > 1:
            return tuple(made.results)
        value = node_value(node)
        if isinstance(value, (list, tuple)):
            types = tuple(result_type(self._context, item) for item in value)
            return TensorList(made.results[0], types)
        return made.results[0]

    def _item(self, node: Any, value: Any, index: Any, loc: ir.Location) -> Any:
        if isinstance(value, TensorList):
            if node not in self._unpacked:
                self._unpacked[node] = self._body.unpack(value, loc)
            return self._unpacked[node][index]
        return value[index]


def bind(op: OpOverload, arguments: Sequence[Any], keywords: dict[str, Any]) -> list[Any]:
    """Return the values of all schema arguments in order, defaults filled in."""
    values = []
    for position, parameter in enumerate(parameters(op)):
        if position < len(arguments):
            values.append(arguments[position])
        elif parameter.name in keywords:
            values.append(keywords[parameter.name])
        elif parameter.required:
            raise Unsupported(f"its argument `{parameter.name}` is missing")
        else:
            values.append(parameter.default)
    return values


def node_value(node: torch.fx.Node) -> Any:
    """Return what a node gave when the graph was traced, on fake tensors.

    Raises `Unsupported` for a graph that was not traced with them.
    """
    for key in ("val", "example_value"):
        if key in node.meta:
            return node.meta[key]
    raise Unsupported(
        "the shape of its result is not known",
        "trace the graph with `torch.export.export` or `make_fx`, which record shapes",
    )


def _has_failed(values: Sequence[Any]) -> bool:
    return any(
        value is FAILED or (isinstance(value, list) and _has_failed(value)) for value in values
    )


def _target_name(node: torch.fx.Node) -> str:
    target = node.target
    if isinstance(target, OpOverload):
        return f"torch.{op_name(target)}"
    if isinstance(target, HigherOrderOperator):
        return target.name()
    return f"{node.name} = {node.op}({target})"
