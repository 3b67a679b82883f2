# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's creation ops: full, zeros, ones, constant, arange, empty."""

from typing import Any

from torch_mlir.dialects.ext import Pure, Result

from torch_ttir.dialects.attributes import DENSE_I32, ELEMENTS, F32_OR_I32, I64, SI64, required
from torch_ttir.dialects.ttir.base import TTIROp


class FullOp(TTIROp, name="full", traits=[Pure]):
    """A tensor of one value."""

    attrs = {"shape": required(DENSE_I32), "fill_value": required(F32_OR_I32)}
    result: Result[Any]


class ZerosOp(TTIROp, name="zeros", traits=[Pure]):
    """A tensor of zeros."""

    attrs = {"shape": required(DENSE_I32)}
    result: Result[Any]


class OnesOp(TTIROp, name="ones", traits=[Pure]):
    """A tensor of ones."""

    attrs = {"shape": required(DENSE_I32)}
    result: Result[Any]


class ConstantOp(TTIROp, name="constant", traits=[Pure]):
    """A tensor of given values."""

    attrs = {"value": required(ELEMENTS)}
    result: Result[Any]


class ArangeOp(TTIROp, name="arange", traits=[Pure]):
    """`start + k * step` along `arange_dimension`, repeated over the other dimensions."""

    attrs = {
        "start": required(SI64),
        "end": required(SI64),
        "step": required(SI64),
        "arange_dimension": required(I64),
    }
    result: Result[Any]


# It allocates, so that two of them are two tensors: not pure.
class EmptyOp(TTIROp, name="empty"):
    """A tensor whose values are not set."""

    result: Result[Any]
