"""Resizing one dimension: which elements each new element is made of, with which weights.

Positions are computed in the type that PyTorch computes them in, so that both round alike.
Source: aten/src/ATen/native/UpSample.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import compute_dtype

Array = np.ndarray[Any, Any]


class Axis(NamedTuple):
    """How one dimension is resized; `factor` is what the user asked for, None for sizes."""

    size: int
    out: int
    factor: float | None
    align_corners: bool
    real: type[np.floating[Any]]

    @property
    def scale(self) -> np.floating[Any]:
        """The distance between neighbours of the result, in elements of the input."""
        real = self.real
        if self.align_corners:
            return real(self.size - 1) / real(self.out - 1) if self.out > 1 else real(0)
        if self.factor is not None and self.factor > 0:
            return real(1.0 / self.factor)
        return real(self.size) / real(self.out)

    def positions(self) -> Array:
        """Return where in the input each element of the result lies."""
        steps = np.arange(self.out)
        if self.align_corners:
            return np.asarray(self.scale * steps.astype(self.real))
        # Rounded once, as by the fused instruction that PyTorch's kernels compile to.
        return (np.float64(self.scale) * (steps + 0.5) - 0.5).astype(self.real)


@dataclass(frozen=True)
class Tap:
    """One of the elements that make up a new one: its index, its weight, and whether it counts."""

    index: Array
    weight: Array
    counts: Array | None = None


def real_type(dtype: str) -> type[np.floating[Any]]:
    """Return the type in which PyTorch computes positions for tensors of `dtype`."""
    return np.float64 if compute_dtype(dtype) == "f64" else np.float32


def nearest_index(axis: Axis, exact: bool) -> Array:
    """Return the index of each new element, rounded down; `exact` takes the middle of it."""
    if exact:
        positions = np.maximum(axis.positions(), 0) + axis.real(0.5)
    else:
        positions = axis.scale * np.arange(axis.out).astype(axis.real)
    return np.asarray(np.minimum(np.floor(positions).astype(np.int64), axis.size - 1))


def linear_taps(axis: Axis) -> list[Tap]:
    """Return the two neighbours of each new element."""
    positions = np.maximum(axis.positions(), 0)
    below = np.minimum(positions.astype(np.int64), axis.size - 1)
    weight = np.clip(positions - below.astype(axis.real), 0, 1)
    if axis.size == axis.out:
        below, weight = np.arange(axis.out), np.zeros(axis.out, axis.real)
    above = np.minimum(below + 1, axis.size - 1)
    return [Tap(below, 1 - weight), Tap(above, weight)]


def cubic_taps(axis: Axis) -> list[Tap]:
    """Return the four neighbours of each new element, with the weights of cubic convolution."""
    positions = axis.positions()
    below = np.floor(positions).astype(np.int64)
    rest = np.clip(positions - below.astype(axis.real), 0, 1)
    distances = (rest + 1, rest, 1 - rest, 2 - rest)
    return [
        Tap(np.clip(below + step, 0, axis.size - 1), cubic(distance, -0.75))
        for step, distance in zip((-1, 0, 1, 2), distances, strict=True)
    ]


def cubic(distance: Array, a: float) -> Array:
    """Return Keys' cubic kernel with parameter `a` at non-negative distances."""
    x = distance
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0)).astype(distance.dtype)


def antialias_taps(axis: Axis, kernel: str) -> list[Tap]:
    """Return the elements under a kernel that is as wide as a new element, if that is wider.

    A dimension that keeps its size is left alone, whatever the factor.
    Source: HelperInterpBase::_compute_indices_min_size_weights_aa.
    """
    if axis.size == axis.out:
        return [Tap(np.arange(axis.out), np.ones(axis.out, axis.real))]
    real, scale = axis.real, axis.scale
    reach = {"linear": 2, "cubic": 4, "lanczos": 6}[kernel]
    wide = scale >= 1
    support = real(reach * 0.5) * scale if wide else real(reach * 0.5)
    inverse = real(1) / scale if wide else real(1)
    center = scale * (np.arange(axis.out).astype(real) + real(0.5))
    first = np.maximum((center - support + real(0.5)).astype(np.int64), 0)
    end = np.minimum((center + support + real(0.5)).astype(np.int64), axis.size)
    count = np.clip(end - first, 0, math.ceil(support) * 2 + 1)
    steps = np.arange(int(count.max()))[:, None]
    distance = np.abs((steps + first - center + real(0.5)) * inverse).astype(real)
    kernels: dict[str, Callable[[Array], Array]] = {
        "linear": _triangle,
        "cubic": partial(cubic, a=-0.5),
        "lanczos": _lanczos,
    }
    weight = kernels[kernel](distance)
    counts = steps < count
    weight = np.where(counts, weight, 0)
    weight = (weight / weight.sum(0)).astype(real)
    index = first + np.minimum(steps, count - 1)
    return [Tap(*parts) for parts in zip(index, weight, counts, strict=True)]


def _triangle(distance: Array) -> Array:
    return np.asarray(np.maximum(1 - distance, 0))


def _lanczos(distance: Array) -> Array:
    return np.where(distance < 3, np.sinc(distance) * np.sinc(distance / 3), 0)


def take(low: Lowering, x: Tensor, dim: int, index: Array) -> Tensor:
    """Return the slices of x at `index` along `dim`, repeated ones as TTIR repeats them."""
    size, times = x.shape[dim], len(index) // x.shape[dim]
    if np.array_equal(index, np.arange(size)):
        return x
    if times > 1 and np.array_equal(index, np.arange(size).repeat(times)):
        shape = (*x.shape[:dim], len(index), *x.shape[dim + 1 :])
        return low.op("repeat_interleave", [x], shape, x.dtype, repeats=times, dim=dim)
    return take_rows(low, x, dim, low.constant(index, "i64"))


def weigh(low: Lowering, x: Tensor, dim: int, taps: list[Tap]) -> Tensor:
    """Return the weighted sum of the slices of x at each tap's index along `dim`."""
    along = (-1,) + (1,) * (x.rank - dim - 1)
    total: Tensor | None = None
    for tap in taps:
        weight = low.constant(tap.weight.reshape(along), x.dtype)
        part = low.mul(take(low, x, dim, tap.index), weight)
        if tap.counts is not None and not tap.counts.all():
            # Zero times an infinity would be NaN.
            part = low.where(low.constant(tap.counts.reshape(along), "i1"), part, 0)
        total = part if total is None else low.add(total, part)
    if total is None:
        raise ValueError("a sum of no elements")
    return total
