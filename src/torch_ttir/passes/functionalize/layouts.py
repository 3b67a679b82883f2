"""Where a tensor's elements lie in its storage: PyTorch's strides, and what they decide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

_MOST_ENUMERATED = 1 << 24
"""The most elements whose offsets are listed to settle whether two layouts meet."""


class Layout(NamedTuple):
    """Element `(i, j, ...)` lies at `offset + i * strides[0] + j * strides[1] + ...`."""

    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


def contiguous(sizes: Sequence[int]) -> Layout:
    """Return the row-major layout of a whole storage."""
    return Layout(0, tuple(sizes), contiguous_strides(sizes))


def contiguous_strides(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return row-major strides; a dimension without elements counts as one."""
    strides = [1] * len(sizes)
    for dim in range(len(sizes) - 2, -1, -1):
        strides[dim] = strides[dim + 1] * max(sizes[dim + 1], 1)
    return tuple(strides)


def is_contiguous(layout: Layout) -> bool:
    """Say whether the elements follow each other in row-major order, as `x.is_contiguous()`."""
    if 0 in layout.sizes:
        return True
    expected = 1
    for size, stride in zip(reversed(layout.sizes), reversed(layout.strides), strict=True):
        if size != 1:
            if stride != expected:
                return False
            expected *= size
    return True


def view_strides(
    sizes: Sequence[int], strides: Sequence[int], shape: Sequence[int]
) -> tuple[int, ...] | None:
    """Return the strides of `x.view(shape)`; None where a view cannot have that shape.

    The old dimensions fall into runs that can be walked with one stride; each run must be a
    product of new dimensions. Source: computeStride in aten/src/ATen/TensorUtils.cpp.
    """
    if 0 in sizes:
        same = tuple(shape) == tuple(sizes)
        return tuple(strides) if same else contiguous_strides(shape)
    result = [1] * len(shape)
    new = len(shape) - 1
    run = 1
    step = strides[-1] if strides else 1
    for old in range(len(sizes) - 1, -1, -1):
        run *= sizes[old]
        if old > 0 and (sizes[old - 1] == 1 or strides[old - 1] == run * step):
            continue
        filled = 1
        while new >= 0 and (filled < run or shape[new] == 1):
            result[new] = filled * step
            filled *= shape[new]
            new -= 1
        if filled != run:
            return None
        if old > 0:
            step, run = strides[old - 1], 1
    return tuple(result) if all(size == 1 for size in shape[: new + 1]) else None


def stride_order(layout: Layout) -> tuple[int, ...]:
    """Return the dimensions from the widest stride to the narrowest."""
    return tuple(sorted(range(len(layout.sizes)), key=lambda dim: -layout.strides[dim]))


def without_holes(layout: Layout) -> Layout:
    """Return the layout of the same order of dimensions that fills a storage of its own."""
    order = stride_order(layout)
    dense = contiguous_strides([layout.sizes[dim] for dim in order])
    return Layout(0, layout.sizes, tuple(dense[order.index(dim)] for dim in range(len(order))))


def overlaps_itself(layout: Layout) -> bool:
    """Say whether two elements lie in one place (or may, in a layout too large to list)."""
    if 0 in layout.sizes:
        return False
    reach = 0
    for stride, size in sorted(_walked(layout)):
        if stride <= reach:
            return _enumerated_overlap(layout)
        reach += (size - 1) * stride
    return False


def meet(a: Layout, b: Layout) -> bool:
    """Say whether the layouts have a place in common (or may, where they are too large to list)."""
    if 0 in a.sizes or 0 in b.sizes:
        return False
    if a.offset > _last(b) or b.offset > _last(a):
        return False
    radix = sorted({s for x in (a, b) for s, _ in _walked(x) if s} | {1}, reverse=True)
    boxes = [_box(x, radix) for x in (a, b)]
    if boxes[0] is not None and boxes[1] is not None:
        return all(
            low <= other_high and other_low <= high
            for (low, high), (other_low, other_high) in zip(*boxes, strict=True)
        )
    if max(math.prod(a.sizes), math.prod(b.sizes)) > _MOST_ENUMERATED:
        return True
    return bool(np.isin(_offsets(a), _offsets(b)).any())


def _walked(layout: Layout) -> list[tuple[int, int]]:
    """Return (stride, size) of the dimensions that have more than one element."""
    pairs = zip(layout.strides, layout.sizes, strict=True)
    return [(stride, size) for stride, size in pairs if size > 1]


def _last(layout: Layout) -> int:
    return layout.offset + sum((size - 1) * stride for stride, size in _walked(layout))


def _box(layout: Layout, radix: list[int]) -> list[tuple[int, int]] | None:
    """Return the range of each digit of the offsets in a mixed radix; None if digits would carry.

    Offsets are numbers whose digits have the weights `radix`; slices of one tensor move each
    digit in a range of its own, so that they meet where all ranges do.
    """
    sizes: dict[int, int] = {}
    for stride, size in _walked(layout):
        if stride in sizes:
            return None
        if stride:
            sizes[stride] = size
    ranges = []
    rest = layout.offset
    for position, weight in enumerate(radix):
        digit, rest = divmod(rest, weight)
        high = digit + sizes.get(weight, 1) - 1
        if position > 0 and (radix[position - 1] % weight or high >= radix[position - 1] // weight):
            return None
        ranges.append((digit, high))
    return ranges


def _enumerated_overlap(layout: Layout) -> bool:
    count = math.prod(layout.sizes)
    if any(stride == 0 for stride, _ in _walked(layout)) or count > _MOST_ENUMERATED:
        return True
    return len(np.unique(_offsets(layout))) < count


def _offsets(layout: Layout) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return the places of all elements."""
    offsets = np.full((1,), layout.offset, dtype=np.int64)
    for stride, size in _walked(layout):
        offsets = (offsets[:, None] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
    return offsets
