# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's elementwise ops of two operands: arithmetic, comparisons, logic, bits and shifts."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Result

from torch_ttir.dialects.attributes import STRING, optional
from torch_ttir.dialects.ttir.base import Decoded
from torch_ttir.dialects.ttir.elementwise import Elementwise
from torch_ttir.dialects.ttir.shapes import expect, expect_integer, expect_rank


class Binary(Elementwise):
    """An op on `lhs` and `rhs`, which broadcast."""

    lhs: Operand[Any]
    rhs: Operand[Any]
    result: Result[Any]


class Shift(Binary):
    """A shift of integers."""

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that all elements are integers."""
        super().check(op)
        for name, info in [*op.operands.items(), *op.results.items()]:
            expect_integer(info, name)


class AddOp(Binary, name="add"):
    """`lhs + rhs`; integers wrap around in their width."""


class Atan2Op(Binary, name="atan2"):
    """The angle of the point (`rhs`, `lhs`): `lhs` is y."""


class BitwiseAndOp(Binary, name="bitwise_and"):
    """The bits that are set in both."""


class BitwiseOrOp(Binary, name="bitwise_or"):
    """The bits that are set in either."""


class BitwiseXorOp(Binary, name="bitwise_xor"):
    """The bits that differ."""


class DivOp(Binary, name="div"):
    """`lhs / rhs`; of integers, truncated toward zero."""


class EqOp(Binary, name="eq"):
    """1 where `lhs == rhs`, else 0, in the result's element type."""


class GeOp(Binary, name="ge"):
    """1 where `lhs >= rhs`, else 0, in the result's element type."""


class GeluBwOp(Binary, name="gelu_bw"):
    """The gradient of gelu at `rhs`, times the incoming gradient `lhs`."""

    attrs = {"approximate": optional(STRING, "none")}

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the ranks and the form of gelu."""
        super().check(op)
        approximate = op.attrs["approximate"]
        expect(
            approximate in ("none", "tanh"),
            f'`approximate` must be "none" or "tanh", not "{approximate}"',
        )
        expect_rank(op.operands["lhs"], 2, 4, "lhs")
        rank = len(op.operands["lhs"].shape)
        expect_rank(op.operands["rhs"], rank, rank, "rhs")


class GtOp(Binary, name="gt"):
    """1 where `lhs > rhs`, else 0, in the result's element type."""


class LeOp(Binary, name="le"):
    """1 where `lhs <= rhs`, else 0, in the result's element type."""


class LogicalAndOp(Binary, name="logical_and"):
    """1 where neither is zero, else 0, in the result's element type."""


class LogicalLeftShiftOp(Shift, name="logical_left_shift"):
    """`lhs << rhs`; 0 where `rhs` is not less than the width."""


class LogicalOrOp(Binary, name="logical_or"):
    """1 where one is not zero, else 0, in the result's element type."""


class LogicalRightShiftOp(Shift, name="logical_right_shift"):
    """`lhs >> rhs`, filled with zeros."""


class LogicalXorOp(Binary, name="logical_xor"):
    """1 where exactly one is not zero, else 0, in the result's element type."""


class LtOp(Binary, name="lt"):
    """1 where `lhs < rhs`, else 0, in the result's element type."""


class MaximumOp(Binary, name="maximum"):
    """The larger of the two."""


class MinimumOp(Binary, name="minimum"):
    """The smaller of the two."""


class MultiplyOp(Binary, name="multiply"):
    """`lhs * rhs`; integers wrap around in their width."""


class NeOp(Binary, name="ne"):
    """1 where `lhs != rhs`, else 0, in the result's element type."""


class PowOp(Binary, name="pow"):
    """`lhs ** rhs`."""


class RemainderOp(Binary, name="remainder"):
    """`lhs - floor(lhs / rhs) * rhs`: the sign is the divisor's."""


class RightShiftOp(Shift, name="right_shift"):
    """`lhs >> rhs`, filled with the sign."""


class SubtractOp(Binary, name="subtract"):
    """`lhs - rhs`; integers wrap around in their width."""
