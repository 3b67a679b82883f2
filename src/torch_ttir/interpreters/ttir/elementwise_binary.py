"""Elementwise ops of two and three operands."""

from __future__ import annotations

from collections.abc import Callable

import torch

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import (
    MeaningTable,
    Tensor,
    common,
    expect,
    result_of,
)

MEANINGS = MeaningTable()

_ARITHMETIC: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "add": torch.add,
    "subtract": torch.sub,
    "multiply": torch.mul,
    "pow": torch.pow,
    "remainder": torch.remainder,
}
_ANY: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "atan2": torch.atan2,
    "bitwise_and": torch.bitwise_and,
    "bitwise_or": torch.bitwise_or,
    "bitwise_xor": torch.bitwise_xor,
    "eq": torch.eq,
    "ge": torch.ge,
    "gt": torch.gt,
    "le": torch.le,
    "logical_and": torch.logical_and,
    "logical_or": torch.logical_or,
    "logical_xor": torch.logical_xor,
    "lt": torch.lt,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "ne": torch.ne,
}


def _binary(
    function: Callable[[Tensor, Tensor], Tensor],
) -> Callable[[Decoded, Tensor, Tensor], Tensor]:
    def run(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype is not rhs.dtype:
            lhs, rhs = common(lhs, rhs)
        return function(lhs, rhs)

    return run


def _arithmetic(
    function: Callable[[Tensor, Tensor], Tensor],
) -> Callable[[Decoded, Tensor, Tensor], Tensor]:
    def run(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
        if lhs.dtype is not rhs.dtype:
            lhs, rhs = common(lhs, rhs)
        # One bit that wraps, or PyTorch's `or`, or 1 + 1 = 2 as on the device: not for us to say.
        expect(lhs.dtype is not torch.bool, "arithmetic on i1; cast the operands first")
        return function(lhs, rhs)

    return run


for _name, _function in _ARITHMETIC.items():
    MEANINGS.add(f"ttir.{_name}", _arithmetic(_function))
for _name, _function in _ANY.items():
    MEANINGS.add(f"ttir.{_name}", _binary(_function))


@MEANINGS.means("div")
def div(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Divide: floats truly, integers with truncation toward zero."""
    lhs, rhs = common(lhs, rhs)
    if lhs.dtype.is_floating_point:
        return torch.div(lhs, rhs)
    expect(lhs.dtype is not torch.bool, "arithmetic on i1; cast the operands first")
    dtype = result_of(op).dtype
    expect("f" not in dtype, f"division of integers with a result of `{dtype}`; cast them first")
    return torch.div(lhs, rhs, rounding_mode="trunc")


@MEANINGS.means("logical_left_shift")
def logical_left_shift(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Shift left; by the width or more (as unsigned), nothing is left."""
    value, amount, within = _shift_operands(op, lhs, rhs)
    return torch.where(within, value << amount, 0)


@MEANINGS.means("logical_right_shift")
def logical_right_shift(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Shift the bit pattern right, filling with zeros; by the width or more nothing is left."""
    width = _width(op)
    value, amount, within = _shift_operands(op, lhs, rhs)
    if width < 64:
        return torch.where(within, (value & ((1 << width) - 1)) >> amount, 0)
    # The first place is shifted apart, so that the sign bit does not fill.
    halved = (value >> 1) & ((1 << 63) - 1)
    return torch.where(within, torch.where(amount == 0, value, halved >> (amount - 1)), 0)


@MEANINGS.means("right_shift")
def right_shift(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Shift right, filling with the sign."""
    width = _width(op)
    value, amount, within = _shift_operands(op, lhs, rhs)
    return value >> torch.where(within, amount, width - 1)


@MEANINGS.means("gelu_bw")
def gelu_bw(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Compute the gradient `lhs * gelu'(rhs)`."""
    lhs, rhs = common(lhs, rhs)
    approximate = op.attrs["approximate"]
    expect(approximate in ("none", "tanh"), f"`approximate` = {approximate!r}")
    grad: Tensor = torch.ops.aten.gelu_backward.default(lhs, rhs, approximate=approximate)
    return grad


@MEANINGS.means("where")
def where(op: Decoded, first: Tensor, second: Tensor, third: Tensor) -> Tensor:
    """Select `second` where the condition is not zero, else `third`."""
    condition = first if first.dtype is torch.bool else first != 0
    if second.dtype is not third.dtype:
        second, third = common(second, third)
    return torch.where(condition, second, third)


@MEANINGS.means("clamp_tensor")
def clamp_tensor(op: Decoded, x: Tensor, low: Tensor, high: Tensor) -> Tensor:
    """Compute `min(max(x, min), max)` with tensors as bounds."""
    x, low, high = common(x, low, high)
    return torch.minimum(torch.maximum(x, low), high)


def _width(op: Decoded) -> int:
    return int(op.operands["lhs"].dtype.lstrip("usi"))


def _shift_operands(op: Decoded, lhs: Tensor, rhs: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    amount = rhs.long()
    within = (amount >= 0) & (amount < _width(op))
    return lhs.long(), torch.where(within, amount, 0), within
