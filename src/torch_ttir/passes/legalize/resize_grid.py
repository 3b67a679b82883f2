"""Rules for sampling at computed positions: grid_sampler and affine_grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import round_half_even
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

_BILINEAR, _NEAREST, _BICUBIC = range(3)
_ZEROS, _BORDER, _REFLECTION = range(3)


@RULES.lowers("aten.grid_sampler", "aten.grid_sampler_2d", "aten.grid_sampler_3d")
def grid_sampler(
    low: Lowering, x: Tensor, grid: Tensor, mode: int, padding: int, align_corners: bool
) -> Tensor:
    """grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, ...).

    Positions of x [N, C, ...] in grid [N, ..., 2 or 3] run from -1 to 1, the last dimension first.
    Source: aten/src/ATen/native/GridSampler.h.
    """
    result = low.result
    x, grid = widen(low, x, grid)
    sizes = x.shape[2:]
    points = []
    for axis, size in enumerate(sizes):
        part = low.slice(grid, grid.rank - 1, len(sizes) - 1 - axis, len(sizes) - axis)
        part = low.reshape(part, (grid.shape[0], 1, math.prod(grid.shape[1:-1])))
        points.append(_unnormalized(low, part, size, align_corners))
    flat = low.reshape(x, (*x.shape[:2], math.prod(sizes)))
    if mode == _BICUBIC:
        made = _bicubic(low, flat, points, sizes, padding, align_corners)
    else:
        inside = [
            _padded(low, point, size, padding, align_corners)
            for point, size in zip(points, sizes, strict=True)
        ]
        if mode == _NEAREST:
            made = _fetch(low, flat, [round_half_even(low, point) for point in inside], sizes)
        else:
            made = sample_linear(low, flat, inside, sizes)
    return low.cast(low.reshape(made, result.shape), result.dtype)


@RULES.lowers("aten.affine_grid_generator")
def affine_grid(low: Lowering, theta: Tensor, size: Sequence[int], align_corners: bool) -> Tensor:
    """affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor."""
    sizes = size[2:]
    steps = []
    for count in sizes:
        line = np.linspace(-1, 1, count) if count > 1 else np.zeros(1)
        steps.append(line if align_corners else line * (count - 1) / count)
    planes = np.meshgrid(*steps, indexing="ij")
    ones = np.ones(tuple(sizes))
    base = np.stack([*reversed(planes), ones], -1).reshape(-1, len(sizes) + 1)
    wide = widen(low, theta)[0]
    made = low.matmul(low.constant(base, wide.dtype), wide, transpose_b=True)
    return low.cast(low.reshape(made, low.result.shape), low.result.dtype)


def _unnormalized(low: Lowering, x: Tensor, size: int, align_corners: bool) -> Tensor:
    """Return positions from -1 to 1 as indices: of the outer elements' middles, or edges."""
    x = low.add(x, 1)
    if align_corners:
        return low.mul(low.div(x, 2), size - 1)
    return low.div(low.sub(low.mul(x, size), 1), 2)


def _padded(low: Lowering, x: Tensor, size: int, padding: int, align_corners: bool) -> Tensor:
    """Return positions brought into the input, as the padding mode says."""
    if padding == _ZEROS:
        return x
    if padding == _REFLECTION:
        x = _reflected(low, x, size, align_corners)
    return low.minimum(low.maximum(x, 0), size - 1)


def _reflected(low: Lowering, x: Tensor, size: int, align_corners: bool) -> Tensor:
    start, span = (0.0, size - 1.0) if align_corners else (-0.5, float(size))
    if span == 0:
        return low.full(x.shape, 0, x.dtype)
    x = low.unary("abs", low.sub(x, start))
    flips = low.unary("floor", low.div(x, span))
    extra = low.sub(x, low.mul(flips, span))
    odd = low.compare("ne", low.binary("remainder", flips, 2), 0)
    return low.add(low.where(odd, low.sub(span, extra), extra), start)


def _fetch(low: Lowering, x: Tensor, places: Sequence[Tensor], sizes: Sequence[int]) -> Tensor:
    """Return x [N, C, elements] at whole positions, zero outside of it."""
    index = inside = None
    for place, size in zip(places, sizes, strict=True):
        within = low.binary(
            "logical_and", low.compare("ge", place, 0), low.compare("le", place, size - 1)
        )
        inside = within if inside is None else low.binary("logical_and", inside, within)
        # Only what is in range may be converted.
        whole = low.cast(low.where(within, place, 0), "i64")
        index = whole if index is None else low.add(low.mul(index, size), whole)
    if index is None or inside is None:
        raise ValueError("a position in no dimension")
    spread = low.broadcast(index, (x.shape[0], x.shape[1], index.shape[2]))
    taken = low.op("gather", [x, spread], spread.shape, x.dtype, dim=2)
    return low.where(inside, taken, 0)


def sample_linear(
    low: Lowering, x: Tensor, points: Sequence[Tensor], sizes: Sequence[int]
) -> Tensor:
    """Return x [N, C, elements] at points [N, 1, P], one tensor a dimension of x, by its indices.

    Between elements it is linear, outside of them zero.
    """
    sides = []
    for point in points:
        below = low.unary("floor", point)
        rest = low.sub(point, below)
        sides.append([(below, low.sub(1, rest)), (low.add(below, 1), rest)])
    return _sum(low, x, sides, sizes)


def _bicubic(
    low: Lowering,
    x: Tensor,
    points: Sequence[Tensor],
    sizes: Sequence[int],
    padding: int,
    align_corners: bool,
) -> Tensor:
    sides = []
    for point, size in zip(points, sizes, strict=True):
        below = low.unary("floor", point)
        rest = low.sub(point, below)
        left = low.sub(1, rest)
        weights = (
            _cubic_far(low, low.add(rest, 1)),
            _cubic_near(low, rest),
            _cubic_near(low, left),
            _cubic_far(low, low.add(left, 1)),
        )
        places = [
            _padded(low, low.add(below, step), size, padding, align_corners)
            for step in (-1, 0, 1, 2)
        ]
        sides.append(list(zip(places, weights, strict=True)))
    return _sum(low, x, sides, sizes)


def _sum(
    low: Lowering,
    x: Tensor,
    sides: Sequence[Sequence[tuple[Tensor, Tensor]]],
    sizes: Sequence[int],
) -> Tensor:
    """Return the sum over all combinations of (place, weight), one of each dimension."""
    total: Tensor | None = None
    for corner in itertools.product(*sides):
        value = _fetch(low, x, [place for place, _ in corner], sizes)
        for _, weight in corner:
            value = low.mul(value, weight)
        total = value if total is None else low.add(total, value)
    if total is None:
        raise ValueError("a sum of no elements")
    return total


def _cubic_near(low: Lowering, x: Tensor) -> Tensor:
    """Return Keys' cubic kernel with a = -0.75 for distances up to 1."""
    inner = low.sub(low.mul(x, 1.25), 2.25)
    return low.add(low.mul(low.mul(inner, x), x), 1)


def _cubic_far(low: Lowering, x: Tensor) -> Tensor:
    """Return the same kernel for distances from 1 to 2."""
    inner = low.add(low.mul(x, -0.75), 3.75)
    inner = low.sub(low.mul(inner, x), 6)
    return low.add(low.mul(inner, x), 3)
