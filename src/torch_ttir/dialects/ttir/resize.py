# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's resize op."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import SI32_OR_DENSE, STRING, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import expect, expect_rank, expect_shape
from torch_ttir.dialects.ttir.windows import per_dimension


class Upsample2dOp(TTIROp, name="upsample2d", traits=[Pure]):
    """Scale H and W of an N, H, W, C tensor by whole factors, `nearest` or `bilinear`."""

    attrs = {"scale_factor": required(SI32_OR_DENSE), "mode": optional(STRING, "nearest")}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the mode, and that H and W are scaled."""
        mode = op.attrs["mode"]
        expect(
            mode in ("nearest", "bilinear"), f'`mode` must be "nearest" or "bilinear", not "{mode}"'
        )
        expect_rank(op.operands["input"], 4, 4, "input")
        by_height, by_width = per_dimension(op.attrs, "scale_factor", 2, 1)
        batch, height, width, channels = op.operands["input"].shape
        shape = (batch, height * by_height, width * by_width, channels)
        expect_shape(op.results["result"], shape, "result")
