# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's elementwise ops of one operand."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Result

from torch_ttir.dialects.attributes import BOOL, F32, optional, required
from torch_ttir.dialects.ttir.base import Decoded
from torch_ttir.dialects.ttir.elementwise import Elementwise
from torch_ttir.dialects.ttir.shapes import bit_width, expect


class Unary(Elementwise):
    """An op whose result has the shape of its operand, `x` in the docstrings below."""

    input: Operand[Any]
    result: Result[Any]


class AbsOp(Unary, name="abs"):
    """The absolute value."""


class AcosOp(Unary, name="acos"):
    """The arc cosine."""


class AsinOp(Unary, name="asin"):
    """The arc sine."""


class AsinhOp(Unary, name="asinh"):
    """The inverse hyperbolic sine."""


class AtanOp(Unary, name="atan"):
    """The arc tangent."""


class BitcastConvertOp(Unary, name="bitcast_convert"):
    """The bits of x as another element type of the same width."""

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that both element types have the same width."""
        super().check(op)
        source = bit_width(op.operands["input"], "input")
        target = bit_width(op.results["result"], "result")
        expect(
            source == target,
            f"element types must have the same width, not {source} and {target} bits",
        )


class BitwiseNotOp(Unary, name="bitwise_not"):
    """The one's complement of integers."""


class CbrtOp(Unary, name="cbrt"):
    """The cube root."""


class CeilOp(Unary, name="ceil"):
    """The smallest whole number that is not less."""


class CosOp(Unary, name="cos"):
    """The cosine."""


class ErfOp(Unary, name="erf"):
    """The error function."""


class ErfcOp(Unary, name="erfc"):
    """`1 - erf(x)`."""


class ExpOp(Unary, name="exp"):
    """`e ** x`."""


class Exp2Op(Unary, name="exp2"):
    """`2 ** x`."""


class Expm1Op(Unary, name="expm1"):
    """`e ** x - 1`."""


class FloorOp(Unary, name="floor"):
    """The largest whole number that is not greater."""


class FracOp(Unary, name="frac"):
    """`x - trunc(x)`."""


class GeluOp(Unary, name="gelu"):
    """`x / 2 * (1 + erf(x / sqrt(2)))`: the exact form."""


class HardsigmoidOp(Unary, name="hardsigmoid"):
    """`clamp(x / 6 + 1 / 2, 0, 1)`."""


class IsfiniteOp(Unary, name="isfinite"):
    """1 where x is finite, 0 for infinities and NaN, in the result's element type."""


class LeakyReluOp(Unary, name="leaky_relu"):
    """`x` where positive, else `parameter * x`."""

    attrs = {"parameter": required(F32)}


class LogOp(Unary, name="log"):
    """The natural logarithm."""


class Log1pOp(Unary, name="log1p"):
    """`log(1 + x)`."""


class LogicalNotOp(Unary, name="logical_not"):
    """1 where x is zero, else 0, in the result's element type."""


class MishOp(Unary, name="mish"):
    """`x * tanh(log(1 + e ** x))`."""


class NegOp(Unary, name="neg"):
    """`-x`."""


class ReciprocalOp(Unary, name="reciprocal"):
    """`1 / x`."""


class ReluOp(Unary, name="relu"):
    """`max(x, 0)`."""


class Relu6Op(Unary, name="relu6"):
    """`min(max(x, 0), 6)`."""


class RsqrtOp(Unary, name="rsqrt"):
    """`1 / sqrt(x)`."""


class SeluOp(Unary, name="selu"):
    """`scale * (max(x, 0) + min(alpha * (e ** x - 1), 0))`."""

    attrs = {"scale": optional(F32, 1.0507009873390197), "alpha": optional(F32, 1.6732635498046875)}


class SigmoidOp(Unary, name="sigmoid"):
    """`1 / (1 + e ** -x)`."""


class SignOp(Unary, name="sign"):
    """-1, 0 or 1, by the sign of x."""


class SignbitOp(Unary, name="signbit"):
    """1 where the IEEE sign bit is set, else 0, in the result's element type."""


class SiluOp(Unary, name="silu"):
    """`x * sigmoid(x)`."""


class SinOp(Unary, name="sin"):
    """The sine."""


class SoftsignOp(Unary, name="softsign"):
    """`x / (1 + abs(x))`."""


class SqrtOp(Unary, name="sqrt"):
    """The square root."""


class SquareOp(Unary, name="square"):
    """`x * x`."""


class TanOp(Unary, name="tan"):
    """The tangent."""


class TanhOp(Unary, name="tanh"):
    """The hyperbolic tangent."""


class TruncOp(Unary, name="trunc"):
    """`x` rounded toward zero."""


class TypecastOp(Unary, name="typecast"):
    """Convert the element type; to integers, toward zero."""

    attrs = {"conservative_folding": optional(BOOL, False)}
