"""Straight-line programs of ATen calls: run eagerly as they grow, then written as FX graphs."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.fx
from torch._ops import OpOverload

aten = torch.ops.aten

ANY_ORDER = (
    aten.detach_.default,
    aten.dropout_.default,
    aten.fill_.Scalar,
    aten.fill_diagonal_.default,
    aten.transpose_.default,
    aten.unsqueeze_.default,
    aten.zero_.default,
)
"""Calls that give the same whatever the order of elements, also where elements overlap."""

BY_ELEMENT = (
    aten.copy_.default,
    aten.eq_.Tensor,
    aten.masked_fill_.Scalar,
    aten.masked_fill_.Tensor,
)
"""Writes of each element from the same element of the operands that have no `pointwise` tag."""

VALUE_FIRST = (aten.fill_.Tensor, aten.masked_fill_.Tensor)
"""Writes that read their last operand, of one element, before they begin."""


@dataclass(frozen=True)
class Var:
    """A variable: input or call number `call`, or item `item` of the list that the call returns."""

    call: int
    item: int | None = None

    def __repr__(self) -> str:
        return f"v{self.call}" if self.item is None else f"v{self.call}[{self.item}]"


@dataclass
class Program:
    """Inputs, calls, and what is returned.

    `values` are what inputs and calls are now, `layouts` tensors without data laid out as they were
    when they were made; `starts` are the inputs before the first call. `is_defined` is False after
    a write whose result depends on the order in which PyTorch writes elements.
    """

    starts: list[torch.Tensor] = field(default_factory=list)
    is_buffer: list[bool] = field(default_factory=list)
    calls: list[tuple[OpOverload, tuple[Any, ...]]] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    layouts: list[Any] = field(default_factory=list)
    results: list[Var] = field(default_factory=list)
    is_defined: bool = True

    @property
    def writes(self) -> bool:
        """Say whether a call writes an operand's elements."""
        return any(op._schema.is_mutable and op is not aten.detach_.default for op, _ in self.calls)

    def __repr__(self) -> str:
        lines = []
        for index, (start, buffer) in enumerate(zip(self.starts, self.is_buffer, strict=True)):
            strides = self.layouts[index].stride()
            kind = "buffer" if buffer else "input"
            lines.append(f"v{index} = {kind} {tuple(start.shape)} {strides} {start.dtype}")
        for index, (op, args) in enumerate(self.calls, len(self.starts)):
            lines.append(f"v{index} = {op}({', '.join(map(repr, args))})")
        return "\n".join([*lines, f"return {self.results}"])

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print it as a program, and not as a record; Hypothesis asks for this."""
        printer.text(f"\n{self!r}\n")

    def input_name(self, index: int) -> str:
        """Return what the graph calls an input."""
        return f"{'b' if self.is_buffer[index] else 'x'}{index}"

    def tensor(self, var: Var) -> torch.Tensor:
        """Return the eager tensor that a variable is."""
        value = self.values[var.call]
        return value if var.item is None else value[var.item]  # type: ignore[no-any-return]

    def variables(self) -> list[Var]:
        """Return all variables that are tensors, but those that have another shape by now.

        What changes a tensor's shape in place returns the tensor: a graph goes on with that.
        """
        found = []
        for call, (value, layout) in enumerate(zip(self.values, self.layouts, strict=True)):
            if isinstance(value, torch.Tensor):
                found += [Var(call)] if _is_laid_out(value, layout) else []
                continue
            items = enumerate(zip(value, layout, strict=True))
            found += [Var(call, item) for item, (v, old) in items if _is_laid_out(v, old)]
        return found

    def add_input(self, tensor: torch.Tensor, is_buffer: bool) -> None:
        """Add an input; the program writes `tensor` itself."""
        start = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype)
        self.starts.append(start.copy_(tensor))
        self.is_buffer.append(is_buffer)
        self.values.append(tensor)
        self.layouts.append(layout_of(tensor))

    def add_call(self, op: OpOverload, *args: Any) -> bool:
        """Add a call and run it eagerly; False, and nothing added, where PyTorch refuses it."""
        plain = torch.fx.node.map_aggregate(
            args, lambda arg: self.tensor(arg) if isinstance(arg, Var) else arg
        )
        if op._schema.arguments[-1].is_out and not _keeps_shape(op, plain):
            return False
        defined = is_defined(op, plain)
        written = written_tensors(op, plain)
        positional, keywords = _split(op, plain)
        saved = [(target.untyped_storage(), target.untyped_storage().clone()) for target in written]
        try:
            value = op(*positional, **keywords)
        except (RuntimeError, IndexError):
            # Some ops have written a part when they find a fault.
            for storage, before in saved:
                storage.copy_(before)
            return False
        self.calls.append((op, args))
        self.values.append(value)
        self.layouts.append(layout_of(value))
        self.is_defined = self.is_defined and defined
        return True

    def to_graph(self) -> torch.fx.GraphModule:
        """Return the program as FX nodes that know their layouts; buffers are `get_attr`."""
        graph = torch.fx.Graph()
        root = torch.nn.Module()
        nodes: dict[Var, torch.fx.Node] = {}
        for index, start in enumerate(self.starts):
            name = self.input_name(index)
            if self.is_buffer[index]:
                root.register_buffer(name, start)
                nodes[Var(index)] = graph.get_attr(name)
            else:
                nodes[Var(index)] = graph.placeholder(name)
            nodes[Var(index)].meta["val"] = self.layouts[index]
        for index, (op, args) in enumerate(self.calls, len(self.starts)):
            values = torch.fx.node.map_aggregate(
                args, lambda arg: nodes[arg] if isinstance(arg, Var) else arg
            )
            node = graph.call_function(op, *_split(op, values))
            node.meta["val"] = layout = self.layouts[index]
            nodes[Var(index)] = node
            for item, part in enumerate(layout if isinstance(layout, list) else []):
                taken = graph.call_function(operator.getitem, (node, item))
                taken.meta["val"] = part
                nodes[Var(index, item)] = taken
        graph.output(tuple(nodes[var] for var in self.results))
        return torch.fx.GraphModule(root, graph)


def is_defined(op: OpOverload, args: Sequence[Any]) -> bool:
    """Say whether a call's result does not depend on the order in which elements are written."""
    if op in ANY_ORDER or (op is aten.copy_.default and args[0] is args[1]):
        return True
    if op in VALUE_FIRST:
        args = args[:-1]
    return all(_is_safe(op, target, tensors_in(args)) for target in written_tensors(op, args))


def written_tensors(op: OpOverload, args: Sequence[Any]) -> list[torch.Tensor]:
    """Return the arguments that a call writes, as the schema says."""
    return [
        value
        for value, argument in zip(args, op._schema.arguments, strict=False)
        if argument.alias_info is not None and argument.alias_info.is_write
    ]


def places(tensor: torch.Tensor) -> torch.Tensor:
    """Return where each element lies in the storage."""
    count = tensor.untyped_storage().nbytes() // tensor.element_size()
    return torch.arange(count).as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())


def layout_of(value: Any) -> Any:
    """Return a tensor without data, of the same shape, strides and dtype; for a list, a list."""
    if not isinstance(value, torch.Tensor):
        return [layout_of(item) for item in value]
    return torch.empty_strided(
        tuple(value.shape), tuple(value.stride()), dtype=value.dtype, device="meta"
    )


def _is_laid_out(tensor: torch.Tensor, layout: torch.Tensor) -> bool:
    return tensor.shape == layout.shape and tensor.stride() == layout.stride()


def tensors_in(args: Sequence[Any]) -> list[torch.Tensor]:
    """Return the tensors among arguments and in lists."""
    found = []
    for arg in args:
        if isinstance(arg, (list, tuple)):
            found += tensors_in(arg)
        elif isinstance(arg, torch.Tensor):
            found.append(arg)
    return found


def _is_safe(op: OpOverload, target: torch.Tensor, tensors: list[torch.Tensor]) -> bool:
    """Say whether `target` does not overlap itself, nor what the call reads."""
    at = places(target)
    if len(at.unique()) < at.numel():
        return False
    by_element = torch.Tag.pointwise in op.tags or op in BY_ELEMENT
    if sum(tensor is target for tensor in tensors) > 1 and not by_element:
        return False
    for other in tensors:
        storage = other.untyped_storage().data_ptr()
        if other is target or storage != target.untyped_storage().data_ptr():
            continue
        there = places(other)
        apart = not torch.isin(there.flatten(), at.flatten()).any()
        same = by_element and there.shape == at.shape and torch.equal(there, at)
        if not apart and not same:
            return False
    return True


def _keeps_shape(op: OpOverload, args: Sequence[Any]) -> bool:
    """Say whether `out` has the result's shape already."""
    out = torch.empty(0, dtype=args[-1].dtype)
    positional, keywords = _split(op, [*args[:-1], out])
    try:
        op(*positional, **keywords)
    except RuntimeError:
        return False
    return bool(out.shape == args[-1].shape)


def _split(op: OpOverload, args: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the positional and the keyword arguments of a call."""
    pairs = list(zip(op._schema.arguments, args, strict=False))
    keywords = {argument.name: value for argument, value in pairs if argument.kwarg_only}
    return tuple(args[: len(args) - len(keywords)]), keywords
