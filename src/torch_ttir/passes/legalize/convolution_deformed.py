"""Rules for deformable convolution, whose kernel has each of its elements at a place of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution_window import Window
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.resize_grid import sample_linear
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("torchvision.deform_conv2d")
def deform_conv2d(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    offset: Tensor,
    mask: Tensor,
    bias: Tensor,
    stride_h: int,
    stride_w: int,
    pad_h: int,
    pad_w: int,
    dilation_h: int,
    dilation_w: int,
    groups: int,
    offset_groups: int,
    use_mask: bool,
) -> Tensor:
    """deform_conv2d(Tensor input, weight, offset, mask, bias, ..., bool use_mask) -> Tensor."""
    pads = [(pad_h, pad_h), (pad_w, pad_w)]
    moves = Window([stride_h, stride_w], pads, [dilation_h, dilation_w], groups)
    return convolve_deformed(
        low, x, weight, offset, mask if use_mask else None, bias, moves, offset_groups
    )


def convolve_deformed(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    offset: Tensor,
    mask: Tensor | None,
    bias: Tensor | None,
    moves: Window,
    offset_groups: int,
) -> Tensor:
    """Return the convolution of x [N, C, H, W] with weight [O, C / groups, h, w].

    The element (i, j) of the kernel takes x at its usual place moved by `offset`
    [N, offset_groups * h * w * 2, ...], down and right, between elements linearly and zero outside,
    times `mask` [N, offset_groups * h * w, ...].
    """
    result = low.result
    x, weight, offset = widen(low, x, weight, offset)
    batch, channels, *sizes = x.shape
    taps, area = math.prod(weight.shape[2:]), math.prod(result.shape[2:])
    parts = batch * offset_groups
    moved = low.reshape(offset, (parts, taps, 2, area))
    points = []
    for axis in range(2):
        shift = low.reshape(low.slice(moved, 2, axis, axis + 1), (parts, 1, taps * area))
        usual = _places(axis, weight.shape[2:], result.shape[2:], moves)
        points.append(low.add(shift, low.constant(usual, x.dtype)))
    images = low.reshape(x, (parts, channels // offset_groups, math.prod(sizes)))
    found = sample_linear(low, images, points, sizes)
    if mask is not None:
        weights = low.reshape(widen(low, mask)[0], (parts, 1, taps * area))
        found = low.mul(found, weights)
    per_group = channels // moves.groups * taps
    columns = low.reshape(found, (batch, moves.groups, per_group, area))
    kernel = low.reshape(weight, (1, moves.groups, weight.shape[0] // moves.groups, per_group))
    kernel = low.broadcast(kernel, (batch, *kernel.shape[1:]))
    made = low.reshape(low.matmul(kernel, columns), result.shape)
    if bias is not None:
        made = low.add(made, low.reshape(widen(low, bias)[0], (bias.shape[0], 1, 1)))
    return low.cast(made, result.dtype)


def _places(
    axis: int, kernel: tuple[int, ...], sizes: tuple[int, ...], moves: Window
) -> np.ndarray[Any, Any]:
    """Return where each element of the kernel lies along `axis`, one for each result: [1, 1, all].

    The order is that of the offsets: elements of the kernel first, then results.
    """
    taps = np.indices(kernel)[axis].reshape(-1, 1) * moves.dilation[axis]
    steps = np.indices(sizes)[axis].reshape(1, -1) * moves.stride[axis] - moves.pads[axis][0]
    made: np.ndarray[Any, Any] = (taps + steps).reshape(1, 1, -1).astype(np.float64)
    return made
