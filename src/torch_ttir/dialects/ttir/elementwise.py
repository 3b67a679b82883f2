# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's elementwise ops: unary, binary, comparisons, logic, where, casts and clamps."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, optional
from torch_ttir.dialects.ttir.base import Decoded, TTIROp, VerifyError
from torch_ttir.dialects.ttir.shapes import broadcast_shape


class Elementwise(TTIROp):
    """An op whose result shape is exactly the broadcast of its operands' shapes."""

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result's shape is the operands' broadcast shape."""
        shape = broadcast_shape([info.shape for info in op.operands.values()])
        if op.results["result"].shape != shape:
            raise VerifyError(
                f"result shape {list(op.results['result'].shape)} must be the broadcast shape "
                f"of the operands, {list(shape)}"
            )


class AddOp(Elementwise, name="add", traits=[Pure]):
    """`lhs + rhs`; integers wrap around in their width."""

    lhs: Operand[Any]
    rhs: Operand[Any]
    result: Result[Any]


class MultiplyOp(Elementwise, name="multiply", traits=[Pure]):
    """`lhs * rhs`; integers wrap around in their width."""

    lhs: Operand[Any]
    rhs: Operand[Any]
    result: Result[Any]


class ReluOp(Elementwise, name="relu", traits=[Pure]):
    """`max(x, 0)`."""

    input: Operand[Any]
    result: Result[Any]


class TypecastOp(Elementwise, name="typecast", traits=[Pure]):
    """Convert the element type."""

    attrs = {"conservative_folding": optional(BOOL, False)}
    input: Operand[Any]
    result: Result[Any]
