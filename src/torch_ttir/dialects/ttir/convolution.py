# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's convolutions; all are cross-correlations, and channels are last by default."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import I32, I32_OR_DENSE, I64, STRING, optional, required
from torch_ttir.dialects.ttir.base import TTIROp


class Convolution(TTIROp, traits=[Pure]):
    """The operands of every convolution."""

    input: Operand[Any]
    weight: Operand[Any]
    bias: Operand[Any] | None
    result: Result[Any]


class Conv1dOp(Convolution, name="conv1d"):
    """Convolution over one spatial dimension; the weight is [O, C/g, K]."""

    attrs = {
        "stride": required(I32_OR_DENSE),
        "padding": required(I32_OR_DENSE),
        "dilation": required(I32_OR_DENSE),
        "groups": required(I32),
        "batch_dim": optional(I64, 0),
        "length_dim": optional(I64, 1),
        "channel_dim": optional(I64, 2),
    }


class Conv2dOp(Convolution, name="conv2d"):
    """Convolution over two spatial dimensions; the weight is [O, C/g, kH, kW]."""

    attrs = {
        "stride": required(I32_OR_DENSE),
        "padding": required(I32_OR_DENSE),
        "dilation": required(I32_OR_DENSE),
        "groups": required(I32),
        "batch_dim": optional(I64, 0),
        "height_dim": optional(I64, 1),
        "width_dim": optional(I64, 2),
        "channel_dim": optional(I64, 3),
    }


class Conv3dOp(Convolution, name="conv3d"):
    """Convolution over three spatial dimensions; the weight is [O, C/g, kD, kH, kW]."""

    attrs = {
        "stride": required(I32_OR_DENSE),
        "padding": required(I32_OR_DENSE),
        "groups": required(I32),
        "batch_dim": optional(I64, 0),
        "depth_dim": optional(I64, 1),
        "height_dim": optional(I64, 2),
        "width_dim": optional(I64, 3),
        "channel_dim": optional(I64, 4),
        "padding_mode": optional(STRING, "zeros"),
    }


class ConvTranspose2dOp(Convolution, name="conv_transpose2d"):
    """Transposed convolution over two spatial dimensions; the weight is [C, O/g, kH, kW]."""

    attrs = {
        "stride": required(I32_OR_DENSE),
        "padding": required(I32_OR_DENSE),
        "output_padding": required(I32_OR_DENSE),
        "dilation": required(I32_OR_DENSE),
        "groups": required(I32),
        "batch_dim": optional(I64, 0),
        "height_dim": optional(I64, 1),
        "width_dim": optional(I64, 2),
        "channel_dim": optional(I64, 3),
    }
