"""Decomposition of single ops that nothing downstream knows, by PyTorch's own decompositions.

Only the one op is traced, on fake tensors, and equal calls (same op, layouts and constants) share a
trace. The rest of the program is not touched: `ExportedProgram.run_decompositions` would trace all
of it again, functionalize it and lose what later passes need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, cast

import torch
import torch.fx
from torch._decomp import core_aten_decompositions, decomposition_table
from torch._ops import OpOverload
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree

from torch_ttir.importers.aliases import (
    Aliasing,
    analyze,
    fake_like,
    leaf_key,
    shared_operands,
    written_positions,
)
from torch_ttir.importers.checks import CHECKS
from torch_ttir.importers.normalizations import WITH_WRITES
from torch_ttir.importers.schemas import (
    COMPOSITE,
    COMPOSITE_EXPLICIT,
    as_called,
    bind,
    call,
    functional_twin,
    has_composite_kernel,
    has_library_kernel,
    is_composite,
    op_name,
)
from torch_ttir.importers.synonyms import IDENTITIES, SYNONYMS

aten = torch.ops.aten
_NUMBERS = (bool, int, float, torch.SymBool, torch.SymInt, torch.SymFloat)
Function = Callable[..., Any]
# What a definition of an op raises on arguments that it does not take.
_DOES_NOT_TAKE = (
    AssertionError,
    IndexError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True)
class Expansion:
    """What a call is made of: a graph whose placeholders are the call's tensors in order."""

    graph: torch.fx.Graph
    aliasing: Aliasing
    unresolved: int


class Decomposer:
    """Finds the expansion of each call of an op that is not known."""

    def __init__(self, known_ops: Collection[str] | None) -> None:
        """Keep ops of `known_ops` (`aten.diff`) whole; all of them for None."""
        self._known = None if known_ops is None else frozenset(known_ops)
        self._expansions: dict[_Call, Expansion | None] = {}
        self._open: set[_Call | None] = set()

    def keeps(self, op: OpOverload, values: Sequence[Any]) -> bool:
        """Say whether a call stays as it is.

        `values` are those of all schema arguments. An op that writes memory which its schema does
        not name is never kept.
        """
        return self._is_known(op) and not writes_unseen(op, values)

    def expand(self, op: OpOverload, values: Sequence[Any], opaque: bool) -> Expansion | None:
        """Return what a call of `op` is made of; None to keep it as it is.

        `values` are those of all schema arguments, tensors as they were traced. An `opaque` op,
        whose results are views that only its parts show, is expanded even if it is known.
        """
        if not opaque and self.keeps(op, values):
            return None
        call_ = _Call.of(op, values)
        if call_ is None or call_ in self._open:
            return None
        if call_ not in self._expansions:
            self._open.add(call_)
            self._expansions[call_] = self._best(call_, values)
            self._open.remove(call_)
        return self._expansions[call_]

    def _is_known(self, op: OpOverload) -> bool:
        if self._known is None or op_name(op) in self._known or op is aten.copy_.default:
            return True
        twin = functional_twin(op)
        return twin is not None and op_name(twin) in self._known

    def _best(self, call_: _Call, values: Sequence[Any]) -> Expansion | None:
        """Return the first expansion into known ops only, or that with the fewest unknown ones.

        Not one that comes back to a call which is being expanded, and none that only gives the
        call another unknown name.
        """
        op = call_.op
        best: Expansion | None = None
        for candidate in (
            [WITH_WRITES[op]] if writes_unseen(op, values) else _candidates(op, values)
        ):
            graph = _trace(op, candidate, values)
            if graph is None:
                continue
            parts = list(_calls(graph))
            if any(_Call.of(*part) in self._open for part in parts):
                continue
            states = [self._unresolved(*part) for part in parts]
            unresolved = sum(state != 0 for state in states)
            if states and all(state is None for state in states):
                continue
            if best is None or unresolved < best.unresolved:
                best = Expansion(graph, analyze(graph), unresolved)
            if not unresolved:
                break
        return best

    def _unresolved(self, op: OpOverload, values: list[Any]) -> int | None:
        """Return how many unknown ops a call leads to; None for one that is such an op itself."""
        if self.keeps(op, values):
            return 0
        expansion = self.expand(op, values, False)
        return None if expansion is None else expansion.unresolved


def _calls(graph: torch.fx.Graph) -> Iterator[tuple[OpOverload, list[Any]]]:
    """Yield the ops that the import of a graph has to say, with all their traced arguments."""
    for node in graph.nodes:
        op = node.target
        if not isinstance(op, OpOverload) or op in IDENTITIES or op in CHECKS:
            continue
        values = bind(op, node.args, node.kwargs)
        traced = list(torch.fx.node.map_arg(values, lambda used: used.meta["val"]))
        if op in SYNONYMS:
            op = SYNONYMS[op]
            traced = bind(op, traced[:1], {})
        yield as_called(op, [isinstance(value, _NUMBERS) for value in traced]), traced


@dataclass(frozen=True)
class _Call:
    """What tells one call from another: op, layouts of tensors, constants."""

    op: OpOverload
    structure: str
    leaves: tuple[Hashable, ...]

    @classmethod
    def of(cls, op: OpOverload, values: Sequence[Any]) -> _Call | None:
        """Return the key of a call; None where it has sizes or numbers that are not known."""
        leaves, spec = pytree.tree_flatten(list(values))
        if not all(_is_static(leaf) for leaf in leaves):
            return None
        return cls(op, str(spec), tuple(leaf_key(leaf) for leaf in leaves))


def writes_unseen(op: OpOverload, values: Sequence[Any]) -> bool:
    """Say whether a call writes memory that its schema does not name."""
    return op in WITH_WRITES and bool(written_positions(op, values))


def _candidates(op: OpOverload, values: Sequence[Any]) -> Iterator[Function]:
    """Yield PyTorch's definitions of an op by other ops, the preferred first."""
    twin = functional_twin(op)
    if twin is not None:
        for candidate in _candidates(twin, values):
            yield _writing_back(candidate)
        return
    if has_library_kernel(op):
        yield partial(op._op_dk, COMPOSITE_EXPLICIT)
    if op._schema.is_mutable:
        return
    if is_composite(op):
        # PyTorch's own kernel first where results share memory: its Python definitions copy
        # (`dropout` without training).
        if not shared_operands(op, values):
            yield op.decompose
        if has_composite_kernel(op):
            yield partial(op._op_dk, COMPOSITE)
    core = _core_decompositions()
    if op in core:
        yield core[op]
    if op in decomposition_table:
        yield decomposition_table[op]
    implementation = getattr(op, "impl_aten", None)
    if implementation is not None:
        yield implementation


@cache
def _core_decompositions() -> Mapping[OpOverload, Function]:
    # Each call of PyTorch's function makes the table anew.
    table: Any = core_aten_decompositions()
    return cast(Mapping[OpOverload, Function], table)


def _writing_back(function: Function) -> Function:
    def written(destination: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        return destination.copy_(function(destination, *args, **kwargs))

    return written


def _trace(op: OpOverload, function: Function, values: Sequence[Any]) -> torch.fx.Graph | None:
    """Return the graph of a call, or None where this definition does not take these arguments."""
    leaves, spec = pytree.tree_flatten(list(values))
    positions = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def traced(*tensors: torch.Tensor) -> list[Any]:
        filled = list(leaves)
        for position, tensor in zip(positions, tensors, strict=True):
            filled[position] = tensor
        arguments = pytree.tree_unflatten(filled, spec)
        # Without this, a tracer before dispatch sees the op itself again instead of its parts.
        with torch._C.DisableTorchFunction():
            return pytree.tree_leaves(call(op, function, arguments))

    # Recurrent layers would be taken apart into oneDNN's, which are whole again.
    portable = torch.backends.mkldnn.flags(enabled=False)
    with FakeTensorMode(allow_non_fake_inputs=True), torch.no_grad(), portable:
        fakes = [fake_like(leaves[position]) for position in positions]
        try:
            # Before dispatch: a composite op is taken apart one step, and known parts stay whole.
            module = make_fx(traced, pre_dispatch=True)(*fakes)
        except _DOES_NOT_TAKE:
            return None
    module.graph.eliminate_dead_code()
    return module.graph


def _is_static(leaf: Any) -> bool:
    if isinstance(leaf, torch.Tensor):
        return all(isinstance(size, int) for size in leaf.shape) and leaf.layout is torch.strided
    return not isinstance(leaf, (torch.SymBool, torch.SymInt, torch.SymFloat))
