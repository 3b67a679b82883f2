"""Rules for logic and bits: and, or, xor, not on bools and integers, and shifts."""

from __future__ import annotations

from functools import partial

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import logical_not
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()
_SCALAR_KINDS = ("Tensor", "Scalar", "Scalar_Tensor")


def _bitwise(name: str, low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Lower a bitwise op: a logical one on bools, which TTIR has no bits for."""
    dtype = low.result.dtype
    kind = "logical" if dtype == "i1" else "bitwise"
    return low.binary(f"{kind}_{name}", low.scalar(x, dtype), low.scalar(y, dtype))


def _logical(name: str, low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """Lower a logical op; operands of any type count as true where they are not zero."""
    return low.binary(f"logical_{name}", low.cast(x, "i1"), low.cast(y, "i1"), "i1")


for _name in ("and", "or", "xor"):
    RULES.add(f"aten.logical_{_name}", partial(_logical, _name))
    for _kind in _SCALAR_KINDS:
        RULES.add(f"aten.bitwise_{_name}.{_kind}", partial(_bitwise, _name), run_time_scalars=True)
    for _kind in ("Tensor", "Scalar"):
        RULES.add(f"aten.__{_name}__.{_kind}", partial(_bitwise, _name), run_time_scalars=True)


@RULES.lowers("aten.logical_not")
def logical_not_(low: Lowering, x: Tensor) -> Tensor:
    """logical_not(Tensor self) -> Tensor."""
    return logical_not(low, x)


@RULES.lowers("aten.bitwise_not")
def bitwise_not(low: Lowering, x: Tensor) -> Tensor:
    """bitwise_not(Tensor self) -> Tensor."""
    return logical_not(low, x) if x.dtype == "i1" else low.unary("bitwise_not", x)


@RULES.lowers(
    *(f"aten.bitwise_left_shift.{kind}" for kind in ("Tensor", "Tensor_Scalar", "Scalar_Tensor")),
    "aten.__lshift__.Scalar",
    "aten.__lshift__.Tensor",
    run_time_scalars=True,
)
def left_shift(low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor; 0 from the width on."""
    x, y, bits = _shift_operands(low, x, y)
    shifted = low.binary("logical_left_shift", x, low.minimum(y, bits - 1))
    return low.where(_is_shift(low, y, bits), shifted, 0)


@RULES.lowers(
    *(f"aten.bitwise_right_shift.{kind}" for kind in ("Tensor", "Tensor_Scalar", "Scalar_Tensor")),
    "aten.__rshift__.Scalar",
    "aten.__rshift__.Tensor",
    run_time_scalars=True,
)
def right_shift(low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor; the sign fills up."""
    x, y, bits = _shift_operands(low, x, y)
    if x.dtype.startswith("u"):
        shifted = low.binary("logical_right_shift", x, low.minimum(y, bits - 1))
        return low.where(_is_shift(low, y, bits), shifted, 0)
    within = low.where(_is_shift(low, y, bits), y, bits - 1)
    return low.binary("right_shift", x, within)


def _shift_operands(
    low: Lowering, x: Tensor | Number, y: Tensor | Number
) -> tuple[Tensor, Tensor, int]:
    dtype = low.result.dtype
    low.expect(not is_float(dtype) and dtype != "i1", f"a shift of {dtype} is not one of integers")
    return low.scalar(x, dtype), low.scalar(y, dtype), int(dtype.lstrip("ui"))


def _is_shift(low: Lowering, y: Tensor, bits: int) -> Tensor:
    """Return where a shift amount is one: not negative, and less than the width."""
    return low.binary("logical_and", low.compare("ge", y, 0), low.compare("lt", y, bits), "i1")
