"""Convolutions: PyTorch's, on views in its layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import (
    MeaningTable,
    Tensor,
    common,
    expect,
    pair,
    window_padding,
)

MEANINGS = MeaningTable()


@MEANINGS.means("conv1d")
def conv1d(op: Decoded, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Correlate over one dimension."""
    attrs = op.attrs
    order = _order(op, "length_dim")
    x, weight, bias = _operands(x.permute(order), weight, bias)
    padding = attrs["padding"]
    left, right = (padding, padding) if isinstance(padding, int) else (padding[0], padding[-1])
    if left != right:
        x, left = F.pad(x, (left, right)), 0
    stride, dilation = (_single(attrs[name]) for name in ("stride", "dilation"))
    return _restore(F.conv1d(x, weight, bias, stride, left, dilation, attrs["groups"]), order)


@MEANINGS.means("conv2d")
def conv2d(op: Decoded, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Correlate over two dimensions; four paddings are top, left, bottom, right."""
    attrs = op.attrs
    order = _order(op, "height_dim", "width_dim")
    x, weight, bias = _operands(x.permute(order), weight, bias)
    top, left, bottom, right = window_padding(attrs["padding"])
    padding = (top, left)
    if padding != (bottom, right):
        x, padding = F.pad(x, (left, right, top, bottom)), (0, 0)
    stride, dilation = (pair(attrs[name], name) for name in ("stride", "dilation"))
    return _restore(F.conv2d(x, weight, bias, stride, padding, dilation, attrs["groups"]), order)


@MEANINGS.means("conv3d")
def conv3d(op: Decoded, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Correlate over three dimensions; the padding is zeros, or replicates the border."""
    attrs = op.attrs
    order = _order(op, "depth_dim", "height_dim", "width_dim")
    x, weight, bias = _operands(x.permute(order), weight, bias)
    stride, padding = (_triple(attrs[name]) for name in ("stride", "padding"))
    mode = attrs["padding_mode"]
    expect(mode in ("zeros", "replicate"), f"`padding_mode` = {mode!r}")
    if mode == "replicate":
        depth, height, width = padding
        x = F.pad(x, (width, width, height, height, depth, depth), mode="replicate")
        padding = (0, 0, 0)
    return _restore(F.conv3d(x, weight, bias, stride, padding, 1, attrs["groups"]), order)


@MEANINGS.means("conv_transpose2d")
def conv_transpose2d(op: Decoded, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """Convolve transposed; the padding crops what comes out."""
    attrs = op.attrs
    order = _order(op, "height_dim", "width_dim")
    x, weight, bias = _operands(x.permute(order), weight, bias)
    top, left, bottom, right = window_padding(attrs["padding"])
    stride, dilation, extra = (
        pair(attrs[name], name) for name in ("stride", "dilation", "output_padding")
    )
    padding = (top, left)
    crop = padding != (bottom, right)
    if crop:
        padding = (0, 0)
    y = F.conv_transpose2d(x, weight, bias, stride, padding, extra, attrs["groups"], dilation)
    return _restore(F.pad(y, (-left, -right, -top, -bottom)) if crop else y, order)


def _order(op: Decoded, *spatial: str) -> list[int]:
    expect(op.attrs.get("flattened_compat_info") is None, "`flattened_compat_info`")
    return [op.attrs[name] for name in ("batch_dim", "channel_dim", *spatial)]


def _operands(
    x: Tensor, weight: Tensor, bias: Tensor | None
) -> tuple[Tensor, Tensor, Tensor | None]:
    if bias is None:
        x, weight = common(x, weight)
        return x, weight, None
    x, weight, bias = common(x, weight, bias)
    return x, weight, bias.reshape(-1)


def _restore(y: Tensor, order: Sequence[int]) -> Tensor:
    """Put (batch, channel, spatial...) back where the layout attributes say."""
    return y.permute([order.index(dim) for dim in range(y.dim())])


def _single(value: Any) -> int:
    return int(value if isinstance(value, int) else value[0])


def _triple(value: Any) -> tuple[int, int, int]:
    if isinstance(value, int):
        return value, value, value
    expect(len(value) == 3, f"{len(value)} entries for three dimensions")
    return value[0], value[1], value[2]
