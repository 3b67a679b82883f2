# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's resize op."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import SI32_OR_DENSE, STRING, optional, required
from torch_ttir.dialects.ttir.base import TTIROp


class Upsample2dOp(TTIROp, name="upsample2d", traits=[Pure]):
    """Scale H and W of an N, H, W, C tensor by whole factors, `nearest` or `bilinear`."""

    attrs = {"scale_factor": required(SI32_OR_DENSE), "mode": optional(STRING, "nearest")}
    input: Operand[Any]
    result: Result[Any]
