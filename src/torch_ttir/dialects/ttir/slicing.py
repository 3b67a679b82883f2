# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's slices, of the families shape (`slice_static`) and indexing (`index`, `index_select`)."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import I32, I32_ARRAY, SI32, optional, required
from torch_ttir.dialects.ttir.base import TTIROp


class SliceStaticOp(TTIROp, name="slice_static", traits=[Pure]):
    """`x[begin:end:step, ...]`, an entry a dimension; negative bounds count from the end."""

    attrs = {
        "begins": required(I32_ARRAY),
        "ends": required(I32_ARRAY),
        "step": required(I32_ARRAY),
    }
    input: Operand[Any]
    result: Result[Any]


class SliceDynamicOp(TTIROp, name="slice_dynamic", traits=[Pure]):
    """A slice whose bounds are tensors; its result type is static all the same."""

    attrs = {"step": optional(I32_ARRAY)}
    input: Operand[Any]
    begins: Operand[Any]
    ends: Operand[Any]
    result: Result[Any]


class IndexOp(TTIROp, name="index", traits=[Pure]):
    """`x[begin:end:step]` along `dim`; it is not PyTorch's `aten.index`."""

    attrs = {
        "dim": required(I32),
        "begin": required(I32),
        "end": required(I32),
        "step": required(I32),
    }
    input: Operand[Any]
    result: Result[Any]


class IndexSelectOp(TTIROp, name="index_select", traits=[Pure]):
    """Blocks of `length` entries along `dim`, `stride` apart; it is not `aten.index_select`."""

    attrs = {
        "dim": required(SI32),
        "begin": required(SI32),
        "length": required(SI32),
        "stride": optional(SI32, 0),
    }
    input: Operand[Any]
    result: Result[Any]
