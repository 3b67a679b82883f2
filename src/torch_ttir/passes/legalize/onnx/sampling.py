"""Rules for ONNX's sampling and unfolding ops: GridSample, RoiAlign, Col2Im, MaxUnpool."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import Ints, aten, integers
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

_MODES = {"linear": 0, "bilinear": 0, "nearest": 1, "cubic": 2, "bicubic": 2}
_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


@RULES.lowers("onnx.GridSample")
def grid_sample(
    low: Lowering,
    x: Tensor,
    grid: Tensor,
    *,
    align_corners: int = 0,
    mode: str = "linear",
    padding_mode: str = "zeros",
) -> Tensor:
    """GridSample(X, grid; align_corners=0, mode="linear", padding_mode="zeros") -> Y."""
    low.expect(x.rank in (4, 5), f"sampling of {x.rank - 2} spatial dimensions")
    low.expect(mode not in ("cubic", "bicubic") or x.rank == 4, "cubic sampling of volumes")
    options = (_MODES[mode], _PADDINGS[padding_mode], bool(align_corners))
    return aten(low, "grid_sampler", x, grid, *options)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Col2Im")
def col2im(
    low: Lowering,
    x: Tensor,
    image_shape: Ints,
    block_shape: Ints,
    *,
    dilations: Sequence[int] | None = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    """Col2Im(input [N, C * block, L], image_shape, block_shape; ...) -> output; overlaps add up."""
    image = integers(low, image_shape, "image_shape") or []
    block = integers(low, block_shape, "block_shape") or []
    count = len(image)
    gaps, steps = dilations or [1] * count, strides or [1] * count
    edges = list(pads or [0] * 2 * count)
    padded = [size + edges[i] + edges[i + count] for i, size in enumerate(image)]
    index: np.ndarray[Any, Any] = np.zeros((1,) * 2 * count, np.int64)
    for i, size in enumerate(padded):
        moves = (size - gaps[i] * (block[i] - 1) - 1) // steps[i] + 1
        places = np.arange(block[i])[:, None] * gaps[i] + np.arange(moves) * steps[i]
        shape = [1] * 2 * count
        shape[i], shape[count + i] = places.shape
        index = index + places.reshape(shape) * math.prod(padded[i + 1 :])
    lead = low.result.shape[:2]
    source = low.reshape(x, (*lead, index.size))
    zeros = low.full((*lead, math.prod(padded)), 0, x.dtype)
    flat = low.constant(index.reshape(-1), "i64")
    made = low.reshape(put_rows(low, zeros, 2, flat, source, "sum"), (*lead, *padded))
    for i, size in enumerate(image):
        made = low.slice(made, i + 2, edges[i], edges[i] + size)
    return made


@RULES.lowers("onnx.MaxUnpool")
def max_unpool(
    low: Lowering,
    x: Tensor,
    indices: Tensor,
    output_shape: Ints = None,
    *,
    kernel_shape: Sequence[int],
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    """MaxUnpool(X, I, output_shape; kernel_shape, ...) -> output.

    The indices count through the tensor that the attributes say was pooled; a larger
    `output_shape` has that in its front corner.
    """
    count = x.rank - 2
    steps, edges = strides or [1] * count, pads or [0] * 2 * count
    sizes = [
        (x.shape[i + 2] - 1) * steps[i] - edges[i] - edges[i + count] + kernel_shape[i]
        for i in range(count)
    ]
    shape = (*x.shape[:2], *sizes)
    zeros = low.full((math.prod(shape),), 0, x.dtype)
    flat = (math.prod(x.shape),)
    made = put_rows(low, zeros, 0, low.reshape(indices, flat), low.reshape(x, flat))
    made = low.reshape(made, shape)
    margins = [(0, size - old) for size, old in zip(low.result.shape, shape, strict=True)]
    low.expect(min(margins)[1] >= 0, "an `output_shape` smaller than what was pooled")
    return low.pad(made, margins)


@RULES.lowers("onnx.RoiAlign")
def roi_align(
    low: Lowering,
    x: Tensor,
    rois: Tensor,
    batch_indices: Tensor,
    *,
    coordinate_transformation_mode: str | None = None,
    mode: str = "avg",
    output_height: int = 1,
    output_width: int = 1,
    sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
) -> Tensor:
    """RoiAlign(X [N, C, H, W], rois [R, 4], batch_indices [R]; ...) -> Y [R, C, h, w]."""
    low.expect(sampling_ratio > 0, "`sampling_ratio` 0: the number of samples depends on the data")
    kind = coordinate_transformation_mode or (
        "half_pixel" if low.opset >= 16 else "output_half_pixel"
    )
    half = 0.5 if kind == "half_pixel" else 0.0
    low.expect(mode == "avg", f"mode `{mode}`")
    count, samples = rois.shape[0], sampling_ratio
    lines = []
    for axis, (size, made) in enumerate(((x.shape[2], output_height), (x.shape[3], output_width))):
        first, last = (
            low.sub(low.mul(low.slice(rois, 1, place, place + 1), spatial_scale), half)
            for place in (1 - axis, 3 - axis)
        )
        extent = low.sub(last, first)
        extent = extent if half else low.maximum(extent, 1.0)
        steps = (np.arange(made * samples) + 0.5) / (made * samples)
        place = low.add(first, low.mul(extent, low.constant(steps[None], x.dtype)))
        weights = _weights(low, place, size)
        grouped = low.reshape(weights, (count, made, samples, size))
        lines.append(low.reduce("mean", grouped, [2], False))
    rows, cols = (low.reshape(line, (count, 1, *line.shape[1:])) for line in lines)
    planes = take_rows(low, x, 0, batch_indices)
    return low.matmul(low.matmul(rows, planes), cols, transpose_b=True)


def _weights(low: Lowering, place: Tensor, size: int) -> Tensor:
    """Return the weights [.., samples, size] of linear interpolation at each place.

    Places outside of [-1, size] count as zeros, and the others as those at the border.
    """
    shape = (*place.shape, 1)
    outside = low.binary(
        "logical_or", low.compare("lt", place, -1.0), low.compare("gt", place, float(size))
    )
    near = low.minimum(low.maximum(place, 0.0), float(size - 1))
    ticks = low.constant(np.arange(size)[None, None], place.dtype)
    distance = low.unary("abs", low.sub(low.reshape(near, shape), ticks))
    weight = low.maximum(low.sub(1.0, distance), 0.0)
    return low.where(low.reshape(outside, shape), 0.0, weight)
