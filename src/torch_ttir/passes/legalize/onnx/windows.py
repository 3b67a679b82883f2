"""How the windows of ONNX's convolutions and poolings move, with the standard's defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution_window import Window

Ints = Sequence[int]


class Moves(NamedTuple):
    """One entry a spatial dimension: stride, dilation, padding, and how far a window reaches."""

    steps: list[int]
    gaps: list[int]
    pairs: list[tuple[int, int]]
    reach: list[int]


def moves_of(
    sizes: Ints,
    kernel: Ints,
    strides: Ints | None,
    dilations: Ints | None,
    pads: Ints | None,
    auto_pad: str,
) -> Moves:
    """Return the moves of a window of the spatial sizes `kernel` over an input of `sizes`."""
    steps, gaps = list(strides or [1] * len(sizes)), list(dilations or [1] * len(sizes))
    reach = [gap * (size - 1) + 1 for gap, size in zip(gaps, kernel, strict=True)]
    return Moves(steps, gaps, _padding(sizes, reach, steps, pads, auto_pad), reach)


def conv_window(
    x: Tensor,
    weight: Tensor,
    strides: Ints | None,
    dilations: Ints | None,
    pads: Ints | None,
    auto_pad: str,
    group: int,
) -> Window:
    """Return the window of the convolution of x [N, C, ...] with weight [O, C / group, ...]."""
    moves = moves_of(x.shape[2:], weight.shape[2:], strides, dilations, pads, auto_pad)
    return Window(moves.steps, moves.pairs, moves.gaps, group)


def _padding(
    sizes: Ints, kernel: Ints, steps: Ints, pads: Ints | None, auto_pad: str
) -> list[tuple[int, int]]:
    """Return the padding before and behind each spatial dimension."""
    spatial = len(sizes)
    if auto_pad in ("NOTSET", ""):
        flat = list(pads or [0] * 2 * spatial)
        return list(zip(flat[:spatial], flat[spatial:], strict=True))
    if auto_pad == "VALID":
        return [(0, 0)] * spatial
    pairs = []
    for size, width, step in zip(sizes, kernel, steps, strict=True):
        total = max((-(-size // step) - 1) * step + width - size, 0)
        half = total // 2
        pairs.append((half, total - half) if auto_pad == "SAME_UPPER" else (total - half, half))
    return pairs
