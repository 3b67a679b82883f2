"""Poolings over N, H, W, C: PyTorch's on a view where it can, explicit padding where it cannot."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import (
    MeaningTable,
    Tensor,
    expect,
    pair,
    result_of,
    window_padding,
)

MEANINGS = MeaningTable()


class _Window(NamedTuple):
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    padding: tuple[int, int, int, int]
    ceil_mode: bool

    @property
    def plain(self) -> bool:
        """Whether PyTorch takes the padding: symmetric, and at most half a kernel."""
        top, left, bottom, right = self.padding
        within = 2 * top <= self.kernel[0] and 2 * left <= self.kernel[1]
        return within and (top, left) == (bottom, right)


@MEANINGS.means("max_pool2d")
def max_pool2d(op: Decoded, x: Tensor) -> Tensor:
    """Take the largest element of each window; padding counts as minus infinity."""
    window = _window(op)
    planes = x.permute(0, 3, 1, 2)
    kernel, stride, dilation, padding, ceil_mode = window
    if window.plain:
        y = F.max_pool2d(planes, kernel, stride, padding[:2], dilation, ceil_mode)
    else:
        lowest = -float("inf") if x.dtype.is_floating_point else torch.iinfo(x.dtype).min
        padded = F.pad(planes, _exact_padding(op, window, x), value=lowest)
        y = F.max_pool2d(padded, kernel, stride, 0, dilation)
    return y.permute(0, 2, 3, 1)


@MEANINGS.means("max_pool2d_with_indices")
def max_pool2d_with_indices(op: Decoded, x: Tensor, output: Any) -> tuple[Tensor, Tensor]:
    """Also tell each maximum's place in its unpadded plane; `output` is not read."""
    window = _window(op)
    expect(window.plain, f"`padding` = {op.attrs['padding']} with indices")
    kernel, stride, dilation, padding, ceil_mode = window
    planes = x.permute(0, 3, 1, 2)
    y, indices = F.max_pool2d_with_indices(planes, kernel, stride, padding[:2], dilation, ceil_mode)
    return y.permute(0, 2, 3, 1), indices.permute(0, 2, 3, 1)


@MEANINGS.means("avg_pool2d")
def avg_pool2d(op: Decoded, x: Tensor) -> Tensor:
    """Take the mean of each window, of which padding is part only if `count_include_pad`."""
    window = _window(op)
    expect(window.dilation == (1, 1), f"`dilation` = {op.attrs['dilation']}")
    kernel, stride, _, padding, ceil_mode = window
    include = op.attrs["count_include_pad"]
    planes = x.permute(0, 3, 1, 2)
    if window.plain:
        y = F.avg_pool2d(planes, kernel, stride, padding[:2], ceil_mode, include)
        return y.permute(0, 2, 3, 1)
    padded = F.pad(planes, _exact_padding(op, window, x))
    sums = F.avg_pool2d(padded, kernel, stride) * (kernel[0] * kernel[1])
    _, height, width, _ = result_of(op).shape
    rows = _counts(x.shape[1], height, kernel[0], stride[0], padding[0], padding[2], include)
    columns = _counts(x.shape[2], width, kernel[1], stride[1], padding[1], padding[3], include)
    return (sums / (rows[:, None] * columns)).permute(0, 2, 3, 1)


@MEANINGS.means("global_avg_pool2d")
def global_avg_pool2d(op: Decoded, x: Tensor) -> Tensor:
    """Take the mean over H and W."""
    return x.mean((-3, -2), keepdim=True)


def _window(op: Decoded) -> _Window:
    attrs = op.attrs
    expect(attrs.get("flattened_compat_info") is None, "`flattened_compat_info`")
    kernel, stride, dilation = (
        pair(attrs[name], name) for name in ("kernel", "stride", "dilation")
    )
    return _Window(kernel, stride, dilation, window_padding(attrs["padding"]), attrs["ceil_mode"])


def _exact_padding(op: Decoded, window: _Window, x: Tensor) -> list[int]:
    """Return (left, right, top, bottom) such that the declared windows fit with nothing over."""
    found: list[int] = []
    for axis in (1, 0):
        outputs, size = result_of(op).shape[1 + axis], x.shape[1 + axis]
        reach = window.dilation[axis] * (window.kernel[axis] - 1) + 1
        length = (outputs - 1) * window.stride[axis] + reach
        before = window.padding[axis]
        found += [before, length - size - before]
    return found


def _counts(
    size: int, outputs: int, kernel: int, stride: int, before: int, after: int, include: bool
) -> Tensor:
    """Return how many elements of each window count along one axis, as PyTorch counts them."""
    starts = torch.arange(outputs) * stride - before
    ends = torch.clamp(starts + kernel, max=size + after)
    if not include:
        starts, ends = torch.clamp(starts, min=0), torch.clamp(ends, max=size)
    return ends - starts
