# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's random ops: rand, dropout, sampling."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, F32, I32_ARRAY, UI32, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import expect, expect_rank, expect_shape, expect_type


class RandOp(TTIROp, name="rand", traits=[Pure]):
    """Uniform values in [low, high)."""

    attrs = {
        "size": required(I32_ARRAY),
        "low": optional(F32, 0.0),
        "high": optional(F32, 1.0),
        "seed": optional(UI32, 0),
    }
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the shape and the bounds."""
        expect_shape(op.results["result"], op.attrs["size"], "result")
        low, high = op.attrs["low"], op.attrs["high"]
        expect(low < high, f"`low` must be less than `high`, not {low} and {high}")


# Each run draws anew: not pure.
class DropoutOp(TTIROp, name="dropout"):
    """Set elements to zero with probability `prob`, and multiply the others by `scale`."""

    attrs = {
        "prob": optional(F32, 0.0),
        "scale": optional(F32, 1.0),
        "seed": optional(UI32, 0),
        "use_per_device_seed": optional(BOOL, True),
    }
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the probability, the scale and the rank, and that the type is kept."""
        info = op.operands["input"]
        expect_rank(info, 2, 4, "input")
        expect_type(op.results["result"], info, "result")
        prob, scale = op.attrs["prob"], op.attrs["scale"]
        expect(0 <= prob <= 1, f"`prob` must be in [0, 1], not {prob}")
        expect(scale > 0, f"`scale` must be more than 0, not {scale}")


class SamplingOp(TTIROp, name="sampling", traits=[Pure]):
    """Draw a token a user from its candidates, by top-k, top-p and temperature."""

    attrs = {"seed": optional(UI32)}
    input_values: Operand[Any]
    input_indices: Operand[Any]
    k: Operand[Any]
    p: Operand[Any]
    temp: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that every candidate has a value and an index."""
        shape = op.operands["input_values"].shape
        expect_shape(op.operands["input_indices"], shape, "input_indices")
