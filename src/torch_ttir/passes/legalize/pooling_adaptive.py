"""Rules for adaptive pooling, whose windows divide the input into a given number of parts.

Window i of a dimension reaches from floor(i * in / out) to ceil((i + 1) * in / out). With g the
greatest common divisor of the sizes, these windows repeat g times, in / g apart: each of the
out / g different ones is a pooling with stride in / g, and their results are interleaved.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution_window import spread
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.pooling_average import pool_average
from torch_ttir.passes.legalize.pooling_max import pool_max_with_indices, shift_indices
from torch_ttir.passes.legalize.pooling_window import (
    PoolWindow,
    channels_first,
    channels_last,
    pool_window,
)
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@dataclass(frozen=True)
class _Repeated:
    """A window of one dimension: it begins at `start`, and `count` times `step` further on."""

    start: int
    kernel: int
    step: int
    count: int

    @property
    def end(self) -> int:
        """Where the last repetition ends."""
        return self.start + (self.count - 1) * self.step + self.kernel


def _windows(size: int, out: int) -> list[_Repeated]:
    count = math.gcd(size, out)
    step, parts = size // count, out // count
    return [
        _Repeated(i * step // parts, -(-(i + 1) * step // parts) - i * step // parts, step, count)
        for i in range(parts)
    ]


def _adaptive_average(spatial: int, low: Lowering, x: Tensor, output_size: Sequence[int]) -> Tensor:
    """adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor."""
    out = spread(output_size, spatial)
    if set(out) == {1}:
        dims = list(range(x.rank - spatial, x.rank))
        return low.reduce("mean", x, dims, keep=True)
    last = channels_last(low, x, spatial)
    axes = [_windows(size, count) for size, count in zip(last.shape[1:-1], out, strict=True)]
    if all(len(windows) == 1 for windows in axes):
        kernel = [windows[0].kernel for windows in axes]
        window = pool_window(spatial, kernel, [], [0], [1], False)
        made = pool_average(low, last, window, True, None)
    else:
        (made,) = widen(low, last)
        for axis, windows in enumerate(axes):
            made = _average_axis(low, made, axis + 1, windows)
        made = low.cast(made, x.dtype)
    return channels_first(low, made, low.result.shape)


def _average_axis(low: Lowering, x: Tensor, axis: int, windows: list[_Repeated]) -> Tensor:
    before, size, behind = x.shape[:axis], x.shape[axis], x.shape[axis + 1 : -1]
    rows = (math.prod(before), size, math.prod(behind), x.shape[-1])
    flat = low.reshape(x, rows)
    parts = []
    for window in windows:
        part = low.slice(flat, 1, window.start, window.end)
        moves = PoolWindow([window.kernel, 1], [window.step, 1], [0, 0], [1, 1], False)
        part = pool_average(low, part, moves, True, None)
        parts.append(low.reshape(part, (rows[0], window.count, 1, *rows[2:])))
    out = len(windows) * windows[0].count
    return low.reshape(low.concat(parts, 2), (*before, out, *behind, x.shape[-1]))


def _adaptive_max(
    spatial: int, low: Lowering, x: Tensor, output_size: Sequence[int]
) -> list[Tensor]:
    """adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)."""
    out = spread(output_size, spatial)
    last = channels_last(low, x, spatial)
    sizes = last.shape[1:-1]
    axes = [_windows(size, count) for size, count in zip(sizes, out, strict=True)]
    found = {
        choice: _max_of_windows(low, last, [axes[axis][i] for axis, i in enumerate(choice)])
        for choice in itertools.product(*(range(len(windows)) for windows in axes))
    }
    made = [
        _interleave(low, {choice: pair[which] for choice, pair in found.items()}, spatial)
        for which in (0, 1)
    ]
    return [channels_first(low, part, low.result.shape) for part in made]


def _max_of_windows(
    low: Lowering, x: Tensor, windows: Sequence[_Repeated]
) -> tuple[Tensor, Tensor]:
    sizes = x.shape[1:-1]
    part = x
    for axis, window in enumerate(windows):
        part = low.slice(part, axis + 1, window.start, window.end)
    kernel, stride = [w.kernel for w in windows], [w.step for w in windows]
    moves = pool_window(len(windows), kernel, stride, [0], [1], False)
    values, index = pool_max_with_indices(low, part, moves, low.results[1].dtype)
    starts = [window.start for window in windows]
    return values, shift_indices(low, index, part.shape[1:-1], starts, sizes)


def _interleave(low: Lowering, parts: dict[tuple[int, ...], Tensor], spatial: int) -> Tensor:
    """Join results by choice of window: those of one repetition stand side by side."""
    for axis in reversed(range(spatial)):
        joined: dict[tuple[int, ...], list[Tensor]] = {}
        for choice, part in parts.items():
            shape = (*part.shape[: axis + 2], 1, *part.shape[axis + 2 :])
            joined.setdefault(choice[:axis], []).append(low.reshape(part, shape))
        parts = {}
        for choice, items in joined.items():
            made = low.concat(items, axis + 2)
            size = made.shape[axis + 1] * len(items)
            shape = (*made.shape[: axis + 1], size, *made.shape[axis + 3 :])
            parts[choice] = low.reshape(made, shape)
    return parts[()]


for _spatial in (1, 2, 3):
    RULES.add(f"aten.adaptive_avg_pool{_spatial}d", partial(_adaptive_average, _spatial))
    RULES.add(f"aten.adaptive_max_pool{_spatial}d", partial(_adaptive_max, _spatial))
for _spatial in (2, 3):
    RULES.add(f"aten._adaptive_avg_pool{_spatial}d", partial(_adaptive_average, _spatial))
