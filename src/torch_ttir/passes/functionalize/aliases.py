"""Which tensor values share storage, and the current value of each of them.

A storage has one *base* tensor; every other alias is a view of it, reached by steps. A write gives
the written alias a new value and counts the storage's generation up; the base and the other views
get theirs when they are next read. So the cost of a write does not depend on how many views there
are, and a view that is never read again costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from torch_mlir import ir

from torch_ttir.passes.functionalize.emitter import Emitter
from torch_ttir.passes.functionalize.layouts import (
    Layout,
    contiguous,
    overlaps_itself,
    stride_order,
    without_holes,
)
from torch_ttir.passes.functionalize.steps import Expand, Permute, Reshape, Slice, Step
from torch_ttir.passes.functionalize.strided import strided_steps

_LONGEST_CHAIN = 32
"""Views further from their base than this are reached by their strides instead."""


class Refused(Exception):
    """Why a write cannot be made a value; the walk adds the op and its location."""

    def __init__(self, message: str, *notes: str) -> None:
        """Say what was found, and in notes what to do about it."""
        super().__init__(message)
        self.notes = notes


@dataclass(frozen=True)
class Link:
    """An op that may have made a tensor share storage in a way that steps do not say, and why."""

    op: ir.Operation
    reason: str


@dataclass(eq=False)
class Group:
    """Storages that may be one, since links join them: a write to one may change all others.

    `epoch` counts the writes; a storage is current if its own count is the same.
    """

    members: list[Storage]
    epoch: int = 0
    last_write: ir.Operation | None = None


@dataclass(eq=False)
class Storage:
    """What a group of aliases share. `generation` counts writes; the base has those up to `synced`.

    `pending` is the alias written last where the base has not got it yet. `layout` is PyTorch's
    for the base, None where it is not known; `overlaps` says that elements of the base itself
    share memory (an argument that the caller has expanded).
    """

    base: Alias = field(init=False)
    layout: Layout | None
    overlaps: bool = False
    generation: int = 0
    synced: int = 0
    pending: Alias | None = None
    pending_loc: ir.Location | None = None
    link: Link | None = None
    group: Group | None = None
    epoch: int = 0

    @property
    def is_lost(self) -> bool:
        """Say whether a write through a linked storage may have changed this one."""
        return self.group is not None and self.group.epoch != self.epoch


@dataclass(eq=False)
class Alias:
    """A tensor of a storage: `value` is what it is in `generation`; None until it is first read.

    `loc` is where the program makes the view. `shape` is None for a tensor whose type does not say
    it: such a one has no views. `places` is
    which elements of the base it has, numbered in the order of the base's strides, without holes;
    None where strides cannot say it.
    """

    storage: Storage
    shape: tuple[int, ...] | None
    places: Layout | None
    value: ir.Value | None = None
    generation: int = 0
    parent: Alias | None = None
    step: Step | None = None
    depth: int = 0
    loc: ir.Location | None = None
    views: dict[Step, Alias] = field(default_factory=dict)

    @property
    def layout(self) -> Layout | None:
        """PyTorch's layout of this tensor, None where it is not known."""
        layout = self.storage.layout
        if layout is None or layout == self.storage.base.places:
            return None if layout is None else self.places
        for alias in reversed(list(self.way())):
            if layout is not None and alias.step is not None:
                layout = alias.step.layout(layout)
        return layout

    def repeats(self) -> bool:
        """Say whether a step on the way from the base may repeat elements."""
        return any(alias.step is not None and alias.step.repeats for alias in self.way())

    def way(self) -> Iterator[Alias]:
        """Yield this alias, its parent, and so on up to the base."""
        alias: Alias | None = self
        while alias is not None:
            yield alias
            alias = alias.parent


def new_base(value: ir.Value | None, shape: tuple[int, ...] | None, layout: Layout | None) -> Alias:
    """Return the base of a new storage; `layout` is None where PyTorch's strides are not known."""
    storage = Storage(layout)
    storage.overlaps = layout is not None and overlaps_itself(layout)
    places = None
    if shape is not None:
        places = contiguous(shape) if layout is None else without_holes(layout)
    storage.base = Alias(storage, shape, places, value)
    return storage.base


def join(a: Storage, b: Storage, link: Link) -> None:
    """Put two storages that `link` may have made one into one group."""
    for storage in (a, b):
        storage.link = storage.link or link
        if storage.group is None:
            storage.group = Group([storage])
    assert a.group is not None
    assert b.group is not None
    if a.group is b.group:
        return
    small, large = sorted((a.group, b.group), key=lambda group: len(group.members))
    for storage in small.members:
        storage.epoch = -1 if storage.is_lost else large.epoch
    for storage in small.members:
        storage.group = large
    large.members += small.members
    large.last_write = large.last_write or small.last_write


def view(alias: Alias, steps: Sequence[Step], loc: ir.Location | None = None) -> Alias:
    """Return the alias that is reached from `alias` by `steps`; equal views are one.

    `loc` is where the program makes the view.
    """
    for step in steps:
        alias = _step(alias, step)
    alias.loc = alias.loc or loc
    return alias


def flat_steps(storage: Storage) -> list[Step] | None:
    """Return the steps from the base to its elements in the order of their numbers.

    None for a base whose shape is not known.
    """
    base = storage.base
    if base.places is None or base.shape is None:
        return None
    order = stride_order(base.places)
    permuted = tuple(base.shape[dim] for dim in order)
    return [Permute(order), Reshape(permuted, (math.prod(permuted),))]


def read(alias: Alias, emit: Emitter) -> ir.Value:
    """Return the current value of `alias`, emitting what it takes to get it from the base."""
    storage = alias.storage
    if alias.value is not None and alias.generation == storage.generation:
        return alias.value
    if not any(_is_current(other) for other in alias.way()):
        flush(storage, emit)
    return _regenerate(alias, storage.generation, emit)


def write(alias: Alias, value: ir.Value, emit: Emitter, *, uniform: bool = False) -> None:
    """Make `value` the new value of `alias`; raises `Refused` for a tensor that overlaps itself.

    `uniform` says that all elements of `value` are equal, so that overlaps do not matter.
    """
    storage = alias.storage
    if alias.shape is not None and 0 in alias.shape:
        return
    if storage.overlaps or (alias.repeats() and not uniform and _overlaps(alias)):
        raise Refused(
            "more than one element of the written-to tensor refers to a single memory location",
            "write to a `.clone()` of the expanded or overlapping view",
        )
    if alias.repeats():
        alias, value = _reach_by_strides(alias, value, emit)
    if storage.pending is not alias:
        flush(storage, emit)
    storage.generation += 1
    alias.value, alias.generation = value, storage.generation
    storage.pending, storage.pending_loc = alias, emit.loc
    if alias.parent is None:
        storage.pending, storage.synced = None, storage.generation


def flush(storage: Storage, emit: Emitter) -> None:
    """Bring the pending write into the base, and into every view on the way."""
    alias = storage.pending
    if alias is None:
        return
    loc, emit.loc = emit.loc, storage.pending_loc or emit.loc
    value = alias.value
    assert value is not None
    while alias.parent is not None:
        parent, step = alias.parent, alias.step
        assert step is not None
        old = None if step.total else _regenerate(parent, storage.synced, emit)
        value = step.write(emit, old, value)
        parent.value, parent.generation = value, storage.generation
        alias = parent
    storage.pending, storage.synced = None, storage.generation
    emit.loc = loc


def _step(alias: Alias, step: Step) -> Alias:
    assert alias.shape is not None
    if alias.step is not None and alias.parent is not None:
        merged = step.after(alias.step)
        if merged is not None:
            return _step(alias.parent, merged)
    shape = step.shape(alias.shape)
    if _is_identity(step, alias.shape):
        return alias
    known = alias.views.get(step)
    if known is not None:
        return known
    places = None if alias.places is None else step.layout(alias.places)
    if alias.depth >= _LONGEST_CHAIN and places is not None:
        flat = flat_steps(alias.storage)
        if flat is not None:
            direct = strided_steps(_flat_length(flat), places)
            made = alias.storage.base
            for other in (*flat, *direct):
                made = _step(made, other)
            alias.views[step] = made
            return made
    made = Alias(alias.storage, shape, places, None, 0, alias, step, alias.depth + 1)
    alias.views[step] = made
    return made


def _flat_length(flat: Sequence[Step]) -> int:
    last = flat[-1]
    assert isinstance(last, Reshape)
    return last.sizes[0]


def _is_identity(step: Step, shape: tuple[int, ...]) -> bool:
    if isinstance(step, (Reshape, Expand)):
        return step.sizes == shape
    if isinstance(step, Permute):
        return step.dims == tuple(range(len(shape)))
    if isinstance(step, Slice):
        return (step.start, step.stop, step.stride) == (0, shape[step.dim], 1)
    return False


def _is_current(alias: Alias) -> bool:
    """Say whether `alias` has its current value; the base may lack the pending write."""
    return alias.value is not None and alias.generation == alias.storage.generation


def _regenerate(alias: Alias, generation: int, emit: Emitter) -> ir.Value:
    """Return the value of `alias` in `generation`, from the nearest alias that has it."""
    stale: list[Alias] = []
    for other in alias.way():
        if other.value is not None and other.generation == generation:
            break
        stale.append(other)
    else:
        raise AssertionError("a base lacks the generation that it is synced to")
    value = other.value
    loc = emit.loc
    for node in reversed(stale):
        assert node.step is not None
        emit.loc = node.loc or loc
        value = node.step.read(emit, value)
        node.value, node.generation = value, generation
    emit.loc = loc
    assert value is not None
    return value


def _overlaps(alias: Alias) -> bool:
    return alias.places is None or overlaps_itself(alias.places)


def _reach_by_strides(alias: Alias, value: ir.Value, emit: Emitter) -> tuple[Alias, ir.Value]:
    """Return an alias of the same elements that repeats none, and the value for it."""
    flat = flat_steps(alias.storage)
    if flat is None or alias.places is None or alias.shape is None:
        raise Refused("a write through this view cannot be told from its strides")
    sizes = list(alias.shape)
    for dim, (size, stride) in enumerate(zip(alias.shape, alias.places.strides, strict=True)):
        if stride == 0 and size > 1:
            value = Slice(dim, 0, 1).read(emit, value)
            sizes[dim] = 1
    places = Layout(alias.places.offset, tuple(sizes), alias.places.strides)
    return view(alias.storage.base, [*flat, *strided_steps(_flat_length(flat), places)]), value
