# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's convolutions; all are cross-correlations, and channels are last by default."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import I32, I32_OR_DENSE, I64, STRING, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import expect, expect_rank, expect_shape
from torch_ttir.dialects.ttir.windows import paddings, per_dimension, window_count


class Convolution(TTIROp, traits=[Pure]):
    """The operands of every convolution, and its checks.

    `spatial` names the attributes that say where the spatial dimensions are.
    """

    spatial = tuple[str, ...]()
    input: Operand[Any]
    weight: Operand[Any]
    bias: Operand[Any] | None
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the layout, the channels and groups, and the size of every dimension."""
        rank = len(cls.spatial) + 2
        for name in ("input", "weight", "bias", "result"):
            info = op.results[name] if name == "result" else op.operands[name]
            if info is not None:
                expect_rank(info, rank, rank, name)
        names = ("batch_dim", *cls.spatial, "channel_dim")
        dims = [op.attrs[name] for name in names]
        expect(
            sorted(dims) == list(range(rank)),
            f"{', '.join(f'`{name}`' for name in names)} must be 0 to {rank - 1}, each once, "
            f"not {dims}",
        )
        channels = op.operands["input"].shape[dims[-1]]
        sizes = [op.operands["input"].shape[dim] for dim in dims[1:-1]]
        outputs = cls.output_channels(op, channels)
        shape = [op.operands["input"].shape[dims[0]], *cls.output_sizes(op, sizes), outputs]
        bias = op.operands["bias"]
        if bias is not None:
            ones = [1] * (rank - 1)
            expect_shape(bias, _arrange([*ones, outputs], dims), "bias")
        expect_shape(op.results["result"], _arrange(shape, dims), "result")

    @classmethod
    def output_channels(cls, op: Decoded, channels: int) -> int:
        """Check the weight and the groups against the input's channels; return the result's."""
        outputs, inner = op.operands["weight"].shape[:2]
        groups = _groups(op, channels)
        expect(
            outputs % groups == 0,
            f"`weight` has {outputs} output channels, not a multiple of `groups` = {groups}",
        )
        expect(
            inner == channels // groups,
            f"`weight` must have {channels // groups} channels a group in dimension 1, not {inner}",
        )
        return int(outputs)

    @classmethod
    def output_sizes(cls, op: Decoded, sizes: list[int]) -> list[int]:
        """Return the spatial sizes of the result, from those of the input."""
        count = len(sizes)
        kernel = op.operands["weight"].shape[2:]
        stride = per_dimension(op.attrs, "stride", count, 1)
        padding = paddings(op.attrs, count)
        has_dilation = "dilation" in cls.attrs
        dilation = per_dimension(op.attrs, "dilation", count, 1) if has_dilation else (1,) * count
        return [
            window_count(sizes[i], kernel[i], stride[i], dilation[i], padding[i])
            for i in range(count)
        ]


class Conv1dOp(Convolution, name="conv1d"):
    """Convolution over one spatial dimension; the weight is [O, C/g, K]."""

    spatial = ("length_dim",)
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

    spatial = ("height_dim", "width_dim")
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

    spatial = ("depth_dim", "height_dim", "width_dim")
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

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the mode of the padding besides."""
        mode = op.attrs["padding_mode"]
        expect(
            mode in ("zeros", "replicate"),
            f'`padding_mode` must be "zeros" or "replicate", not "{mode}"',
        )
        super().check(op)


class ConvTranspose2dOp(Convolution, name="conv_transpose2d"):
    """Transposed convolution over two spatial dimensions; the weight is [C, O/g, kH, kW]."""

    spatial = ("height_dim", "width_dim")
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

    @classmethod
    def output_channels(cls, op: Decoded, channels: int) -> int:
        """Check the weight and the groups against the input's channels; return the result's."""
        inputs, inner = op.operands["weight"].shape[:2]
        groups = _groups(op, channels)
        expect(
            inputs == channels,
            f"`weight` must have {channels} input channels in dimension 0, not {inputs}",
        )
        return int(inner) * groups

    @classmethod
    def output_sizes(cls, op: Decoded, sizes: list[int]) -> list[int]:
        """Return the spatial sizes of the result, from those of the input."""
        kernel = op.operands["weight"].shape[2:]
        stride = per_dimension(op.attrs, "stride", 2, 1)
        dilation = per_dimension(op.attrs, "dilation", 2, 1)
        extra = per_dimension(op.attrs, "output_padding", 2, 0)
        padding = paddings(op.attrs, 2)
        found = [
            (sizes[i] - 1) * stride[i]
            - sum(padding[i])
            + dilation[i] * (kernel[i] - 1)
            + extra[i]
            + 1
            for i in range(2)
        ]
        expect(min(found) > 0, f"height and width of the result must be positive, not {found}")
        return found


def _groups(op: Decoded, channels: int) -> int:
    groups: int = op.attrs["groups"]
    expect(groups >= 1, f"`groups` must be at least 1, not {groups}")
    expect(
        channels % groups == 0,
        f"`input` has {channels} channels, not a multiple of `groups` = {groups}",
    )
    return groups


def _arrange(sizes: list[int], dims: list[int]) -> list[int]:
    """Put sizes in the order batch, spatial, channel where the layout attributes have them."""
    shape = [0] * len(dims)
    for size, dim in zip(sizes, dims, strict=True):
        shape[dim] = size
    return shape
