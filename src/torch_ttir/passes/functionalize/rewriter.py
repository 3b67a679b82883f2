"""The state of the walk over one function: which alias each value is, and what was refused."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from torch_mlir import ir

from torch_ttir.ir.diagnostics import Diagnostic, diagnostic_at, op_name
from torch_ttir.ir.locations import user_frame
from torch_ttir.ir.types import torch_tensor_info
from torch_ttir.passes.functionalize.aliases import (
    Alias,
    Link,
    Refused,
    Storage,
    join,
    new_base,
    read,
    write,
)
from torch_ttir.passes.functionalize.emitter import Emitter, is_tensor
from torch_ttir.passes.functionalize.layouts import Layout, contiguous, is_contiguous, meet
from torch_ttir.passes.legalize.torch_constants import evaluate


class TensorList(NamedTuple):
    """A Torch list of tensors: the list as it was made, and its items.

    An item is an `ir.Value` of `prim.ListConstruct`, which was `then` when the list was made, or an
    alias that a view op like `split` made when the storage had `generation`. A list of `is_opaque`
    holds tensors that may share storage with `items`, whose generations add up to `generation`.
    """

    value: ir.Value
    items: Sequence[ir.Value | Alias]
    generation: int = 0
    then: Sequence[ir.Value] = ()
    is_opaque: bool = False


class Rewriter:
    """Rewrites a function's entry block in place, from its first op to its last.

    `writes` is False where the block writes nothing, and only views are resolved. Values that are
    in no table are tensors that nothing else shares, in their first generation.
    """

    def __init__(self, block: ir.Block, strides: Sequence[tuple[int, ...] | None]) -> None:
        """Rewrite `block`; `strides` are those of its arguments, None for a row-major one."""
        self.writes = True
        self.emit = Emitter(block)
        self.faults: list[Diagnostic] = []
        self.lists: dict[ir.Value, TensorList] = {}
        self._strides = strides
        self._aliases: dict[ir.Value, Alias] = {}
        self._constants: dict[ir.Value, Any] = {}
        self._row_major: set[ir.Value] = set()
        self._handles: dict[ir.Value, list[ir.Value]] = {}
        self._dropped: list[ir.Operation] = []
        self._reported: set[tuple[ir.Operation, ir.Operation]] = set()
        for argument, given in zip(block.arguments, strides, strict=True):
            if given is None:
                self._row_major.add(argument)

    # Aliases ----------------------------------------------------------------------------------

    def alias(self, value: ir.Value) -> Alias:
        """Return what `value` is an alias of: itself, if nothing was known of it."""
        found = self._aliases.get(value)
        if found is None:
            info = torch_tensor_info(value.type)
            shape = None if info is None else info.shape
            found = new_base(value, shape, None if shape is None else self._layout(value, shape))
            self._aliases[value] = found
        return found

    def known(self, value: ir.Value) -> Alias | None:
        """Return the alias that `value` is, None if nothing is known of it."""
        return self._aliases.get(value)

    def tensors(self, value: ir.Value) -> list[Alias]:
        """Return the alias that a tensor is, or those in a list of tensors."""
        if is_tensor(value.type):
            return [self.alias(value)]
        known = self.lists.get(value)
        found: list[Alias] = []
        for item in () if known is None else known.items:
            if isinstance(item, Alias):
                found.append(item)
            elif is_tensor(item.type):
                found.append(self.alias(item))
        return found

    def bind(self, value: ir.Value, alias: Alias) -> None:
        """Let `value` stand for `alias` from here on."""
        self._aliases[value] = alias

    def identify(self, result: ir.Value, operand: ir.Value) -> None:
        """Let `result` be the very tensor that `operand` is, and not just an alias of it."""
        handles = self._handles.setdefault(operand, [operand])
        handles.append(result)
        self._handles[result] = handles
        self.bind(result, self.alias(operand))

    def rebind(self, value: ir.Value, alias: Alias) -> None:
        """Let the tensor that `value` is become `alias`, by whatever value the program knows it."""
        for handle in self._handles.get(value, [value]):
            self.bind(handle, alias)

    def is_row_major(self, value: ir.Value) -> bool:
        """Say whether a tensor is known to be contiguous in PyTorch."""
        alias = self._aliases.get(value)
        if alias is None:
            return value in self._row_major
        layout = alias.layout
        return layout is not None and is_contiguous(layout)

    def are_row_major(self, value: ir.Value) -> bool:
        """Say so for a tensor, or for every tensor in a list; numbers are no obstacle."""
        if is_tensor(value.type):
            return self.is_row_major(value)
        known = self.lists.get(value)
        if known is None:
            return True
        return not known.is_opaque and all(
            isinstance(item, ir.Value) and self.is_row_major(item) for item in known.items
        )

    def set_row_major(self, values: Iterable[ir.Value]) -> None:
        """Note that new tensors are contiguous in PyTorch."""
        self._row_major.update(values)

    def link(self, made: Alias, operand: Alias, op: ir.Operation, reason: str) -> None:
        """Note that `op` may have made `made` share storage with `operand`."""
        join(made.storage, operand.storage, Link(op, reason))

    # Reads and writes -------------------------------------------------------------------------

    def read(self, alias: Alias) -> ir.Value:
        """Return the current value; reports the write that it may have missed."""
        self.report_loss(alias.storage)
        return read(alias, self.emit)

    def current(self, value: ir.Value) -> ir.Value:
        """Return what a tensor or a list of tensors is now."""
        alias = self._aliases.get(value)
        if alias is not None:
            return self.read(alias)
        known = self.lists.get(value)
        return value if known is None else self._current_list(known)

    def refresh(self, op: ir.Operation) -> None:
        """Let the operands of `op` be the current values."""
        for position, operand in enumerate(op.operands):
            now = self.current(operand)
            if now != operand:
                op.operands[position] = now

    def write(self, alias: Alias, value: ir.Value, op: ir.Operation, uniform: bool = False) -> None:
        """Make `value` the new value of `alias`; raises `Refused` where that cannot be said."""
        storage = alias.storage
        if alias.parent is not None:
            self.report_loss(storage)
        write(alias, value, self.emit, uniform=uniform)
        if storage.group is not None:
            storage.group.epoch += 1
            storage.group.last_write = op
            storage.epoch = storage.group.epoch

    def check_overlap(self, alias: Alias, operands: Iterable[ir.Value], pointwise: bool) -> None:
        """Refuse to write `alias` while reading another view of the same elements.

        PyTorch refuses it too, or its result depends on the order in which elements are written.
        """
        for other in self._known(operands):
            if other.storage is not alias.storage:
                continue
            if pointwise and (other is alias or _coincide(other, alias)):
                continue
            if alias.places is None or other.places is None or meet(alias.places, other.places):
                raise Refused(
                    "some elements of the input tensor and the written-to tensor refer to a "
                    "single memory location",
                    "read from a `.clone()` of the tensor",
                )

    # Constants and ops ------------------------------------------------------------------------

    def constant(self, value: ir.Value) -> Any:
        """Return the Python value of a constant operand; NotImplemented for another."""
        if value in self._constants:
            return self._constants[value]
        owner = value.owner
        found: Any = NotImplemented
        if not isinstance(owner, ir.Block) and not is_tensor(value.type):
            operands = [self.constant(operand) for operand in owner.operands]
            if NotImplemented not in operands:
                name = op_name(owner).removeprefix("torch.")
                found = evaluate(name, owner, operands)
        self._constants[value] = found
        return found

    def constants(self, op: ir.Operation) -> list[Any]:
        """Return the arguments after the first as Python values, NotImplemented for tensors."""
        return [self.constant(operand) for operand in list(op.operands)[1:]]

    def drop(self, op: ir.Operation) -> None:
        """Erase `op` in the end, when nothing uses it any more."""
        self._dropped.append(op)

    def refuse(self, op: ir.Operation, reason: Refused) -> None:
        """Record that `op` cannot be made a value."""
        self.faults.append(diagnostic_at(op, str(reason), reason.notes))

    def finish(self, updates: Iterable[ir.Value | None]) -> None:
        """Erase the ops that were replaced, and the view ops that nothing reads; keep `updates`."""
        kept = {value for value in updates if value is not None}
        for op in reversed(self._dropped):
            op.erase()
        for op in reversed(self.emit.views):
            if not any(result in kept or any(True for _ in result.uses) for result in op.results):
                op.erase()

    def report_loss(self, storage: Storage) -> None:
        """Report the write that a storage may have missed, if there is one."""
        if not storage.is_lost:
            return
        assert storage.group is not None
        assert storage.group.last_write is not None
        write_op, link = storage.group.last_write, storage.link
        assert link is not None
        if (write_op, link.op) not in self._reported:
            self._reported.add((write_op, link.op))
            note = f"see {user_frame(link.op.location)}: `{op_name(link.op)}`"
            self.faults.append(diagnostic_at(write_op, link.reason, [note]))

    def _current_list(self, known: TensorList) -> ir.Value:
        items = known.items
        if known.is_opaque:
            if known.generation != sum(_generation(item) for item in items):
                raise Refused("it uses a list that was made before a write to what it may hold")
            return known.value
        if all(isinstance(item, Alias) and not _moved(item, known) for item in items):
            return known.value
        now = [self.read(i) if isinstance(i, Alias) else self.current(i) for i in items]
        if now == known.then:
            return known.value
        made = self.emit.op("torch.prim.ListConstruct", now, [known.value.type])
        return made.results[0]

    def _known(self, operands: Iterable[ir.Value]) -> Iterator[Alias]:
        """Yield the aliases among operands and the items of lists."""
        for operand in operands:
            known = self.lists.get(operand)
            for item in [operand] if known is None else known.items:
                alias = item if isinstance(item, Alias) else self._aliases.get(item)
                if alias is not None:
                    yield alias

    def _layout(self, value: ir.Value, shape: tuple[int, ...]) -> Layout | None:
        """Return PyTorch's layout of a new tensor, None where it is not known."""
        owner = value.owner
        if isinstance(owner, ir.Block):
            given = self._strides[ir.BlockArgument(value).arg_number]
            return contiguous(shape) if given is None else Layout(0, shape, given)
        if "ttir.strides" in owner.attributes:
            return Layout(0, shape, tuple(ir.DenseI64ArrayAttr(owner.attributes["ttir.strides"])))
        one = math.prod(shape) <= 1
        return contiguous(shape) if one or value in self._row_major else None


def _generation(item: ir.Value | Alias) -> int:
    return item.storage.generation if isinstance(item, Alias) else 0


def _moved(item: Alias, known: TensorList) -> bool:
    return item.storage.generation != known.generation or item.storage.is_lost


def _coincide(a: Alias, b: Alias) -> bool:
    """Say whether two views of one storage have the same element in every position."""
    if a.places is None or b.places is None or a.places.sizes != b.places.sizes:
        return False
    strides = zip(a.places.sizes, a.places.strides, b.places.strides, strict=True)
    return a.places.offset == b.places.offset and all(
        size == 1 or one == other for size, one, other in strides
    )
