# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's random ops: rand, dropout, sampling."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, F32, I32_ARRAY, UI32, optional, required
from torch_ttir.dialects.ttir.base import TTIROp


class RandOp(TTIROp, name="rand", traits=[Pure]):
    """Uniform values in [low, high)."""

    attrs = {
        "size": required(I32_ARRAY),
        "low": optional(F32, 0.0),
        "high": optional(F32, 1.0),
        "seed": optional(UI32, 0),
    }
    result: Result[Any]


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


class SamplingOp(TTIROp, name="sampling", traits=[Pure]):
    """Draw a token a user from its candidates, by top-k, top-p and temperature."""

    attrs = {"seed": optional(UI32)}
    input_values: Operand[Any]
    input_indices: Operand[Any]
    k: Operand[Any]
    p: Operand[Any]
    temp: Operand[Any]
    result: Result[Any]
