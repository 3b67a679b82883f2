"""Ops that return a view or a copy, by what their operand is: decided as PyTorch decides it."""

from __future__ import annotations

from collections.abc import Callable

from torch_ttir.passes.functionalize.layouts import Layout, is_contiguous, view_strides
from torch_ttir.passes.functionalize.steps import Reshape
from torch_ttir.passes.functionalize.views import Steps, ViewOp

_PRESERVE = 1
_CONTIGUOUS = 0

Decision = Callable[[ViewOp, bool], bool | None]
"""Whether a call is a view, given whether it keeps the dtype; None where only strides could say."""


def _by_view(op: ViewOp, same_dtype: bool) -> bool | None:
    """Reshape and flatten are a view where `view` has the shape."""
    assert op.result is not None
    if op.result == op.shape:
        return True
    if op.layout is None:
        return None
    return view_strides(op.layout.sizes, op.layout.strides, op.result) is not None


def _by_contiguity(op: ViewOp, same_dtype: bool) -> bool | None:
    return _in_format(op, int(op.argument(0, _CONTIGUOUS)))


def _ravel(op: ViewOp, same_dtype: bool) -> bool | None:
    return None if op.layout is None else is_contiguous(op.layout)


def _by_dtype(op: ViewOp, same_dtype: bool) -> bool | None:
    return same_dtype


def _to(copy: int, memory_format: int) -> Decision:
    """`to` returns its operand where nothing changes and no copy is asked for."""

    def decide(op: ViewOp, same_dtype: bool) -> bool | None:
        if not same_dtype or op.argument(copy, False):
            return False
        wanted = op.argument(memory_format, None)
        return True if wanted in (None, _PRESERVE) else _in_format(op, int(wanted))

    return decide


def _by_training(op: ViewOp, same_dtype: bool) -> bool | None:
    """Dropout returns its operand in evaluation."""
    return not op.argument(1)


def _by_size(op: ViewOp, same_dtype: bool) -> bool | None:
    """sum_to_size returns its operand where there is nothing to add up."""
    return op.result == op.shape


def _in_format(op: ViewOp, memory_format: int) -> bool | None:
    if op.layout is None:
        return None
    if memory_format == _CONTIGUOUS:
        return is_contiguous(op.layout)
    order = {2: (0, 2, 3, 1), 3: (0, 2, 3, 4, 1)}.get(memory_format)
    if order is None or len(order) != len(op.shape):
        return None
    sizes = tuple(op.layout.sizes[dim] for dim in order)
    strides = tuple(op.layout.strides[dim] for dim in order)
    return is_contiguous(Layout(0, sizes, strides))


LAYOUT_RULES: dict[str, Decision] = {
    "aten.alpha_dropout": _by_training,
    "aten.contiguous": _by_contiguity,
    "aten.dropout": _by_training,
    "aten.feature_alpha_dropout": _by_training,
    "aten.feature_dropout": _by_training,
    "aten.flatten.using_ints": _by_view,
    "aten.ravel": _ravel,
    "aten.reshape": _by_view,
    "aten.reshape_as": _by_view,
    "aten.sum_to_size": _by_size,
    "aten.to.device": _to(3, 4),
    "aten.to.dtype": _to(2, 3),
    "aten.to.dtype_layout": _to(5, 6),
    "aten.to.other": _to(2, 3),
    "aten.to.prim_Device": _to(3, 4),
    "aten.to.prim_dtype": _to(2, 3),
    "aten.type_as": _by_dtype,
}
"""The ops that may return their operand, or a view of it with its elements in the same order."""

RETURNS_ITSELF = frozenset(LAYOUT_RULES) - {"aten.ravel", "aten.reshape", "aten.reshape_as"}
"""Those that return the very tensor, and not a new view of it, where the shape stays."""


def shared_steps(op: ViewOp) -> Steps:
    """Return the steps from an operand to the result that shares its storage, for these ops."""
    assert op.result is not None
    return [Reshape(op.shape, op.result)]
