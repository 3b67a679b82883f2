"""Average pooling over one to three dimensions, on tensors whose channels are last."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.pooling_window import PoolWindow
from torch_ttir.passes.legalize.precision import widen


def pool_average(
    low: Lowering, x: Tensor, window: PoolWindow, include_pad: bool, divisor: int | None
) -> Tensor:
    """Return the means of x [N, ..., C]; `divisor` stands in for the number of elements."""
    spatial = x.rank - 2
    if not is_float(x.dtype):
        return _integer_average(low, x, window, include_pad, divisor)
    if divisor is None and spatial < 3:
        return _average(low, x, window, include_pad)
    (wide,) = widen(low, x)
    made = _average(low, wide, window, include_pad or divisor is not None)
    if divisor is not None:
        counts = _counts(x.shape[1:-1], window, include_pad=True) / divisor
        made = low.mul(made, low.constant(counts, made.dtype))
    return low.cast(made, x.dtype)


def _average(low: Lowering, x: Tensor, window: PoolWindow, include_pad: bool) -> Tensor:
    """Pool in one or two steps: the mean over a box is a mean of means, and so is its divisor."""
    batch, *sizes, channels = x.shape
    made = window.sizes(sizes)
    if len(sizes) == 2:
        return _average2d(low, x, window, include_pad)
    if len(sizes) == 1:
        x = low.reshape(x, (batch, 1, *sizes, channels))
        x = _average2d(low, x, window.beside(1, before=True), include_pad)
    else:
        x = low.reshape(x, (batch * sizes[0], *sizes[1:], channels))
        x = _average2d(low, x, window.part(1, 3), include_pad)
        x = low.reshape(x, (batch, sizes[0], made[1] * made[2], channels))
        x = _average2d(low, x, window.part(0, 1).beside(1, before=False), include_pad)
    return low.reshape(x, (batch, *made, channels))


def _average2d(low: Lowering, x: Tensor, window: PoolWindow, include_pad: bool) -> Tensor:
    batch, height, width, channels = x.shape
    return low.op(
        "avg_pool2d",
        [x],
        (batch, *window.sizes((height, width)), channels),
        x.dtype,
        kernel=window.kernel,
        stride=window.stride,
        dilation=[1, 1],
        padding=window.padding,
        ceil_mode=window.ceil_mode,
        count_include_pad=include_pad,
    )


def _integer_average(
    low: Lowering, x: Tensor, window: PoolWindow, include_pad: bool, divisor: int | None
) -> Tensor:
    """Sum the windows and divide, rounding to zero, as PyTorch does with integers."""
    sizes = x.shape[1:-1]
    made = window.sizes(sizes)
    pads = []
    for size, count, kernel, step, pad in zip(sizes, made, *window[:3], strict=True):
        pads.append((pad, max((count - 1) * step + kernel - size - pad, 0)))
    padded = low.pad(x, [(0, 0), *pads, (0, 0)])
    total: Tensor | None = None
    for starts in itertools.product(*map(range, window.kernel)):
        part = padded
        for axis, start in enumerate(starts):
            step = window.stride[axis]
            part = low.slice(part, axis + 1, start, start + (made[axis] - 1) * step + 1, step)
        total = part if total is None else low.add(total, part)
    if total is None:
        raise ValueError("a window of no elements")
    if divisor is None:
        return low.div(total, low.constant(_counts(sizes, window, include_pad), x.dtype))
    return low.div(total, divisor)


def _counts(sizes: Sequence[int], window: PoolWindow, include_pad: bool) -> np.ndarray:
    """Return the number of elements of each window, as an array [..., 1].

    Padding behind the input counts up to `padding`, and not what ceil mode adds.
    """
    counts = np.ones((1,) * len(sizes))
    for axis, (size, made, kernel, step, pad) in enumerate(
        zip(sizes, window.sizes(sizes), *window[:3], strict=True)
    ):
        begin = np.arange(made) * step - pad
        end = np.minimum(begin + kernel, size + pad)
        if not include_pad:
            begin, end = np.maximum(begin, 0), np.minimum(end, size)
        shape = [1] * len(sizes)
        shape[axis] = made
        counts = counts * (end - begin).reshape(shape)
    return counts[..., None]
