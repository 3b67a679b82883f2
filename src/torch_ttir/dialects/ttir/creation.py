# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's creation ops: full, zeros, ones, constant, arange, empty."""

from typing import Any

from torch_mlir.dialects.ext import Pure, Result

from torch_ttir.dialects.attributes import DENSE_I32, ELEMENTS, F32_OR_I32, required
from torch_ttir.dialects.ttir.base import TTIROp


class FullOp(TTIROp, name="full", traits=[Pure]):
    """A tensor of one value."""

    attrs = {"shape": required(DENSE_I32), "fill_value": required(F32_OR_I32)}
    result: Result[Any]


class ConstantOp(TTIROp, name="constant", traits=[Pure]):
    """A tensor of given values."""

    attrs = {"value": required(ELEMENTS)}
    result: Result[Any]
