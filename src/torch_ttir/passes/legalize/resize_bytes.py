"""Resizing of bytes, which PyTorch does in fixed-point numbers, one dimension after the other.

Source: HelperInterpBase::_compute_index_ranges_int16_weights.
"""

from __future__ import annotations

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.resize_axes import Array, Tap, take


def weigh_bytes(low: Lowering, x: Tensor, dim: int, taps: list[Tap]) -> Tensor:
    """Return the weighted sum of bytes, held in i32, along `dim`, rounded to bytes."""
    weights, bits = _fixed_point(taps, x.shape[dim])
    used = weights != 0
    first = used.argmax(1)
    spans = weights.shape[1] - used[:, ::-1].argmax(1) - first
    along = (-1,) + (1,) * (x.rank - dim - 1)
    rows = np.arange(len(weights))
    total = low.full((), 1 << (bits - 1), "i32")
    for step in range(int(spans.max())):
        index = np.minimum(first + step, weights.shape[1] - 1)
        weight = np.where(step < spans, weights[rows, index], 0)
        part = take(low, x, dim, index)
        total = low.add(total, low.mul(part, low.constant(weight.reshape(along), "i32")))
    # What a shift rounds down and a division up is below zero, and becomes zero.
    rounded = low.div(total, 1 << bits)
    return low.minimum(low.maximum(rounded, 0), 255)


def _fixed_point(taps: list[Tap], size: int) -> tuple[Array, int]:
    """Return one row of integer weights a new element, and how many bits are behind the point."""
    out = len(taps[0].index)
    real = np.zeros((out, size))
    for tap in taps:
        np.add.at(real, (np.arange(out), tap.index), tap.weight)
    bits = 0
    while bits < 22 and int(0.5 + real.max() * (1 << (bits + 1))) < 1 << 15:
        bits += 1
    scaled = real * (1 << bits)
    return np.trunc(scaled + np.where(scaled < 0, -0.5, 0.5)).astype(np.int64), bits
