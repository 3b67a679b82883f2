# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's poolings, on N, H, W, C always."""

from collections.abc import Sequence
from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, I32_OR_DENSE, optional, required
from torch_ttir.dialects.ttir.base import TTIROp

_WINDOW = {
    "kernel": required(I32_OR_DENSE),
    "stride": required(I32_OR_DENSE),
    "dilation": required(I32_OR_DENSE),
    "padding": required(I32_OR_DENSE),
    "ceil_mode": required(BOOL),
}


class MaxPool2dOp(TTIROp, name="max_pool2d", traits=[Pure]):
    """The largest element of each window; padding counts as minus infinity."""

    attrs = _WINDOW
    input: Operand[Any]
    result: Result[Any]


class AvgPool2dOp(TTIROp, name="avg_pool2d", traits=[Pure]):
    """The mean of each window; padding is zero, and counts if `count_include_pad`."""

    attrs = {**_WINDOW, "count_include_pad": optional(BOOL, True)}
    input: Operand[Any]
    result: Result[Any]


class MaxPool2dWithIndicesOp(TTIROp, name="max_pool2d_with_indices", traits=[Pure]):
    """As max_pool2d, with the index `h * W + w` of each element in the unpadded plane."""

    attrs = _WINDOW
    input: Operand[Any]
    output: Sequence[Operand[Any]]
    result: Result[Any]
    result_indices: Result[Any]


class GlobalAvgPool2dOp(TTIROp, name="global_avg_pool2d", traits=[Pure]):
    """The mean over H and W, which become 1."""

    input: Operand[Any]
    result: Result[Any]
