"""Rules for padding: with a constant, reflected, replicated and circular."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.dialects.attributes import round_to_f32
from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.constant_pad_nd")
def constant_pad(low: Lowering, x: Tensor, amounts: Sequence[int], value: float = 0) -> Tensor:
    """constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor."""
    pairs = _pairs(x, amounts)
    x = _cut(low, x, pairs)
    added = [(max(before, 0), max(behind, 0)) for before, behind in pairs]
    if _fits_attribute(value, x.dtype):
        return low.pad(x, added, value)
    for dim, pair in enumerate(added):
        shapes = [(*x.shape[:dim], amount, *x.shape[dim + 1 :]) for amount in pair]
        before, behind = (low.full(shape, value, x.dtype) for shape in shapes)
        x = low.concat([before, x, behind], dim)
    return x


@RULES.lowers("aten.pad", "aten._pad_enum")
def pad(
    low: Lowering,
    x: Tensor,
    amounts: Sequence[int],
    mode: str | int = "constant",
    value: float | None = None,
) -> Tensor:
    """pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor."""
    if isinstance(mode, int):
        mode = ("constant", "reflect", "replicate", "circular")[mode]
    if mode == "constant":
        return constant_pad(low, x, amounts, value or 0)
    rules = {"reflect": reflection_pad, "replicate": replication_pad, "circular": circular_pad}
    low.expect(mode in rules, f"padding mode `{mode}` is not known")
    return rules[mode](low, x, amounts)


@RULES.lowers("aten.reflection_pad1d", "aten.reflection_pad2d", "aten.reflection_pad3d")
def reflection_pad(low: Lowering, x: Tensor, amounts: Sequence[int]) -> Tensor:
    """reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor."""
    pairs = _pairs(x, amounts)
    for dim, (before, behind) in enumerate(pairs):
        if max(before, behind) <= 0:
            continue
        size = x.shape[dim]
        first = _reversed(low, low.slice(x, dim, 1, 1 + max(before, 0)), dim)
        last = _reversed(low, low.slice(x, dim, size - 1 - max(behind, 0), size - 1), dim)
        x = low.concat([first, x, last], dim)
    # What is cut off stands in the mirror all the same.
    return _cut(low, x, pairs)


@RULES.lowers("aten.replication_pad1d", "aten.replication_pad2d", "aten.replication_pad3d")
def replication_pad(low: Lowering, x: Tensor, amounts: Sequence[int]) -> Tensor:
    """replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor."""
    pairs = _pairs(x, amounts)
    for dim, pair in enumerate(pairs):
        if max(pair) <= 0:
            continue
        size = x.shape[dim]
        shapes = [(*x.shape[:dim], max(amount, 0), *x.shape[dim + 1 :]) for amount in pair]
        first = low.broadcast(low.slice(x, dim, 0, 1), shapes[0])
        last = low.broadcast(low.slice(x, dim, size - 1, size), shapes[1])
        x = low.concat([first, x, last], dim)
    # All of x may be cut off, and its edge is repeated all the same.
    return _cut(low, x, pairs)


@RULES.lowers("aten._pad_circular")
def circular_pad(low: Lowering, x: Tensor, amounts: Sequence[int]) -> Tensor:
    """_pad_circular(Tensor self, SymInt[] pad) -> Tensor."""
    pairs = _pairs(x, amounts)
    x = _cut(low, x, pairs)
    for dim, (before, behind) in enumerate(pairs):
        if max(before, behind) <= 0:
            continue
        size = x.shape[dim]
        first = low.slice(x, dim, size - max(before, 0), size)
        x = low.concat([first, x, low.slice(x, dim, 0, max(behind, 0))], dim)
    return x


def _fits_attribute(value: float, dtype: str) -> bool:
    """Say whether TTIR's f32 attribute holds `value` as PyTorch converts it to `dtype`."""
    narrow = is_float(dtype) and dtype != "f64"
    return narrow or value != value or round_to_f32(value) == value


def _pairs(x: Tensor, amounts: Sequence[int]) -> list[tuple[int, int]]:
    """Return ATen's flat amounts, last dimension first, as one pair a dimension.

    Negative amounts cut off.
    """
    pairs = list(zip(amounts[::2], amounts[1::2], strict=True))
    return [(0, 0)] * (x.rank - len(pairs)) + pairs[::-1]


def _cut(low: Lowering, x: Tensor, pairs: Sequence[tuple[int, int]]) -> Tensor:
    for dim, (before, behind) in enumerate(pairs):
        x = low.slice(x, dim, max(-before, 0), x.shape[dim] + min(behind, 0))
    return x


def _reversed(low: Lowering, x: Tensor, dim: int) -> Tensor:
    return low.op("reverse", [x], x.shape, x.dtype, dimensions=[dim])
