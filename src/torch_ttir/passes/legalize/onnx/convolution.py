"""Rules for ONNX's convolutions and poolings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution import convolve
from torch_ttir.passes.legalize.convolution_deformed import convolve_deformed
from torch_ttir.passes.legalize.convolution_transpose import convolve_transposed
from torch_ttir.passes.legalize.convolution_window import Window
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.windows import Ints, conv_window, moves_of
from torch_ttir.passes.legalize.pooling_average import pool_average
from torch_ttir.passes.legalize.pooling_max import pool_max, pool_max_with_indices
from torch_ttir.passes.legalize.pooling_window import PoolWindow, channels_first, channels_last
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("onnx.Conv")
def conv(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Ints | None = None,
    group: int = 1,
    kernel_shape: Ints | None = None,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Tensor:
    """Conv(X, W, B; auto_pad, dilations, group, pads, strides) -> Y."""
    window = conv_window(x, weight, strides, dilations, pads, auto_pad, group)
    return convolve(low, x, weight, bias, window)


@RULES.lowers("onnx.ConvTranspose")
def conv_transpose(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Ints | None = None,
    group: int = 1,
    kernel_shape: Ints | None = None,
    output_padding: Ints | None = None,
    output_shape: Ints | None = None,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Tensor:
    """ConvTranspose(X, W, B; ...) -> Y; the declared sizes say what is cut off."""
    spatial = x.rank - 2
    steps, gaps = list(strides or [1] * spatial), list(dilations or [1] * spatial)
    extra = list(output_padding or [0] * spatial)
    full = [
        (size - 1) * step + gap * (kernel - 1) + 1 + more
        for size, step, gap, kernel, more in zip(
            x.shape[2:], steps, gaps, weight.shape[2:], extra, strict=True
        )
    ]
    lacking = [max(0, want - size) for want, size in zip(low.result.shape[2:], full, strict=True)]
    extra = [more + lack for more, lack in zip(extra, lacking, strict=True)]
    full = [size + lack for size, lack in zip(full, lacking, strict=True)]
    moves = Window(steps, [(0, 0)] * spatial, gaps, group)
    made = convolve_transposed(low, x, weight, bias, moves, extra)
    for axis, (size, wanted) in enumerate(zip(full, low.result.shape[2:], strict=True)):
        surplus = size - wanted
        if output_shape is None and auto_pad == "NOTSET":
            begin = pads[axis] if pads else 0
        else:
            begin = surplus - surplus // 2 if auto_pad == "SAME_LOWER" else surplus // 2
        low.expect(surplus >= 0 <= begin, "an output larger than the convolution makes it")
        made = low.slice(made, axis + 2, begin, begin + wanted)
    return made


@RULES.lowers("onnx.DeformConv")
def deform_conv(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    offset: Tensor,
    bias: Tensor | None = None,
    mask: Tensor | None = None,
    *,
    dilations: Ints | None = None,
    group: int = 1,
    kernel_shape: Ints | None = None,
    offset_group: int = 1,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Tensor:
    """DeformConv(X, W, offset, B, mask; dilations, group, offset_group, pads, strides) -> Y."""
    low.expect(x.rank == 4, f"deformable convolution of {x.rank - 2} spatial dimensions")
    window = conv_window(x, weight, strides, dilations, pads, "NOTSET", group)
    return convolve_deformed(low, x, weight, offset, mask, bias, window, offset_group)


@RULES.lowers("onnx.MaxPool")
def max_pool(
    low: Lowering,
    x: Tensor,
    *,
    kernel_shape: Ints,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Ints | None = None,
    pads: Ints | None = None,
    storage_order: int = 0,
    strides: Ints | None = None,
) -> Any:
    """MaxPool(X; kernel_shape, ...) -> Y, Indices."""
    spatial = x.rank - 2
    steps, gaps, pairs, reach = moves_of(
        x.shape[2:], kernel_shape, strides, dilations, pads, auto_pad
    )
    if len(low.results) == 2:
        same = all(before == behind for before, behind in pairs)
        low.expect(same, "indices of a pooling with different padding before and behind")
        low.expect(storage_order == 0 or spatial == 2, "column-major indices of a volume")
        window = PoolWindow(
            list(kernel_shape), steps, [before for before, _ in pairs], gaps, bool(ceil_mode)
        )
        return _with_plane_offsets(low, x, window, bool(storage_order))
    lowest = -np.inf if is_float(x.dtype) else _least(x.dtype)
    padded = _padded(low, x, reach, steps, pairs, lowest)
    window = PoolWindow(list(kernel_shape), steps, [0] * spatial, gaps, False)
    if not is_float(x.dtype):
        # Pooling computes in floats: integers of up to 32 bits are exact in f64.
        padded = low.cast(padded, "f64")
    made = pool_max(low, channels_last(low, padded, spatial), window)
    return low.cast(channels_first(low, made, low.result.shape), x.dtype)


@RULES.lowers("onnx.AveragePool")
def average_pool(
    low: Lowering,
    x: Tensor,
    *,
    kernel_shape: Ints,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    count_include_pad: int = 0,
    dilations: Ints | None = None,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Tensor:
    """AveragePool(X; kernel_shape, ...) -> Y; what ceil mode adds behind never counts."""
    spatial = x.rank - 2
    steps, gaps, pairs, reach = moves_of(
        x.shape[2:], kernel_shape, strides, dilations, pads, auto_pad
    )
    padded = _padded(low, x, reach, steps, pairs, 0)
    last = channels_last(low, padded, spatial)
    if any(gap > 1 for gap in gaps):
        total = _dilated_sum(low, last, kernel_shape, steps, gaps, low.result.shape[2:])
    else:
        window = PoolWindow(list(kernel_shape), steps, [0] * spatial, gaps, False)
        total = low.mul(
            pool_average(low, last, window, True, None),
            low.full((), math.prod(kernel_shape), x.dtype),
        )
    counts = _counts(
        x.shape[2:], kernel_shape, steps, gaps, pairs, low.result.shape[2:], bool(count_include_pad)
    )
    made = low.div(total, low.constant(counts[..., None], x.dtype))
    return channels_first(low, made, low.result.shape)


@RULES.lowers("onnx.LpPool")
def lp_pool(
    low: Lowering,
    x: Tensor,
    *,
    kernel_shape: Ints,
    auto_pad: str = "NOTSET",
    ceil_mode: int = 0,
    dilations: Ints | None = None,
    p: int = 2,
    pads: Ints | None = None,
    strides: Ints | None = None,
) -> Tensor:
    """LpPool(X; kernel_shape, p=2, ...) -> Y = (sum |x|^p)^(1/p)."""
    spatial = x.rank - 2
    steps, gaps, pairs, reach = moves_of(
        x.shape[2:], kernel_shape, strides, dilations, pads, auto_pad
    )
    power = low.binary("pow", low.unary("abs", x), low.full((), p, x.dtype))
    last = channels_last(low, _padded(low, power, reach, steps, pairs, 0), spatial)
    total = _dilated_sum(low, last, kernel_shape, steps, gaps, low.result.shape[2:])
    made = low.binary("pow", total, low.full((), 1 / p, x.dtype))
    return channels_first(low, made, low.result.shape)


@RULES.lowers("onnx.GlobalAveragePool")
def global_average_pool(low: Lowering, x: Tensor) -> Tensor:
    """GlobalAveragePool(X) -> Y."""
    return low.reduce("mean", x, list(range(2, x.rank)), True)


@RULES.lowers("onnx.GlobalMaxPool")
def global_max_pool(low: Lowering, x: Tensor) -> Tensor:
    """GlobalMaxPool(X) -> Y."""
    return low.reduce("max", x, list(range(2, x.rank)), True)


@RULES.lowers("onnx.GlobalLpPool")
def global_lp_pool(low: Lowering, x: Tensor, *, p: int = 2) -> Tensor:
    """GlobalLpPool(X; p=2) -> Y."""
    power = low.binary("pow", low.unary("abs", x), low.full((), p, x.dtype))
    total = low.reduce("sum", power, list(range(2, x.rank)), True)
    return low.binary("pow", total, low.full((), 1 / p, x.dtype))


def _padded(
    low: Lowering,
    x: Tensor,
    kernel: Ints,
    steps: Ints,
    pairs: Sequence[tuple[int, int]],
    value: float,
) -> Tensor:
    """Pad so that windows without padding give the declared sizes; cut what no window reaches."""
    for axis, (before, _) in enumerate(pairs):
        dim = axis + 2
        size = x.shape[dim]
        needed = (low.result.shape[dim] - 1) * steps[axis] + kernel[axis]
        behind = needed - size - before
        if behind < 0:
            x = low.slice(x, dim, 0, size + behind)
            behind = 0
        edges = [
            low.full((*x.shape[:dim], amount, *x.shape[dim + 1 :]), value, x.dtype)
            for amount in (before, behind)
        ]
        x = low.concat([edges[0], x, edges[1]], dim) if before or behind else x
    return x


def _counts(
    sizes: Ints,
    kernel: Ints,
    steps: Ints,
    gaps: Ints,
    pairs: Sequence[tuple[int, int]],
    made: Ints,
    include_pad: bool,
) -> np.ndarray[Any, Any]:
    """Return how many elements of each window count."""
    counts = np.ones((1,) * len(sizes))
    for axis, size in enumerate(sizes):
        before, behind = pairs[axis]
        begin = np.arange(made[axis]) * steps[axis] - before
        places = begin[:, None] + np.arange(kernel[axis]) * gaps[axis]
        first, last = (-before, size + behind) if include_pad else (0, size)
        line = ((places >= first) & (places < last)).sum(axis=1)
        shape = [1] * len(sizes)
        shape[axis] = made[axis]
        counts = counts * np.maximum(line, 1).reshape(shape)
    return counts


def _dilated_sum(
    low: Lowering, x: Tensor, kernel: Ints, steps: Ints, gaps: Ints, made: Ints
) -> Tensor:
    """Return the sums of the windows of x [N, ..., C], one dimension after the other."""
    for axis, width in enumerate(kernel):
        dim = axis + 1
        extent = (made[axis] - 1) * steps[axis] + 1
        parts = [
            low.slice(x, dim, place * gaps[axis], place * gaps[axis] + extent, steps[axis])
            for place in range(width)
        ]
        x = parts[0]
        for part in parts[1:]:
            x = low.add(x, part)
    return x


def _with_plane_offsets(
    low: Lowering, x: Tensor, window: PoolWindow, column_major: bool
) -> list[Tensor]:
    """Return maxima, and their indices into the whole of x, which ONNX counts through."""
    spatial = x.rank - 2
    made = pool_max_with_indices(low, channels_last(low, x, spatial), window, "i64")
    values, indices = (channels_first(low, part, low.result.shape) for part in made)
    if column_major:
        height, width = x.shape[2:]
        row = low.div(indices, width)
        column = low.sub(indices, low.mul(row, width))
        indices = low.add(low.mul(column, height), row)
    planes = np.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], *[1] * spatial)
    offsets = low.constant(planes * math.prod(x.shape[2:]), "i64")
    return [values, low.add(indices, offsets)]


def _least(dtype: str) -> int:
    unsigned, bits = dtype.startswith("u"), int(dtype.lstrip("usi"))
    return 0 if unsigned else -(2 ** (bits - 1))
