# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's poolings, on N, H, W, C always."""

from collections.abc import Sequence
from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, I32_OR_DENSE, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import expect_integer, expect_rank, expect_shape
from torch_ttir.dialects.ttir.windows import paddings, per_dimension, window_count

_WINDOW = {
    "kernel": required(I32_OR_DENSE),
    "stride": required(I32_OR_DENSE),
    "dilation": required(I32_OR_DENSE),
    "padding": required(I32_OR_DENSE),
    "ceil_mode": required(BOOL),
}


class Pool2d(TTIROp, traits=[Pure]):
    """An op that makes one element of each window over H and W."""

    attrs = _WINDOW

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the window, and that every result has one element for each."""
        shape = pooled_shape(op)
        for name, info in op.results.items():
            expect_shape(info, shape, name)


class MaxPool2dOp(Pool2d, name="max_pool2d"):
    """The largest element of each window; padding counts as minus infinity."""

    input: Operand[Any]
    result: Result[Any]


class AvgPool2dOp(Pool2d, name="avg_pool2d"):
    """The mean of each window; padding is zero, and counts if `count_include_pad`."""

    attrs = {**_WINDOW, "count_include_pad": optional(BOOL, True)}
    input: Operand[Any]
    result: Result[Any]


class MaxPool2dWithIndicesOp(Pool2d, name="max_pool2d_with_indices"):
    """As max_pool2d, with the index `h * W + w` of each element in the unpadded plane."""

    input: Operand[Any]
    output: Sequence[Operand[Any]]
    result: Result[Any]
    result_indices: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the window, and that the indices are integers."""
        super().check(op)
        expect_integer(op.results["result_indices"], "result_indices")


class GlobalAvgPool2dOp(TTIROp, name="global_avg_pool2d", traits=[Pure]):
    """The mean over H and W, which become 1."""

    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that H and W become 1."""
        expect_rank(op.operands["input"], 4, 4, "input")
        batch, _, _, channels = op.operands["input"].shape
        expect_shape(op.results["result"], (batch, 1, 1, channels), "result")


def pooled_shape(op: Decoded) -> tuple[int, ...]:
    """Return the shape that a pooling over H and W gives."""
    info = op.operands["input"]
    expect_rank(info, 4, 4, "input")
    kernel = per_dimension(op.attrs, "kernel", 2, 1)
    stride = per_dimension(op.attrs, "stride", 2, 1)
    dilation = per_dimension(op.attrs, "dilation", 2, 1)
    padding = paddings(op.attrs, 2)
    batch, *sizes, channels = info.shape
    ceil = op.attrs["ceil_mode"]
    counts = [
        window_count(sizes[i], kernel[i], stride[i], dilation[i], padding[i], ceil)
        for i in range(2)
    ]
    return (batch, *counts, channels)
