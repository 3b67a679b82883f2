"""Rules for ONNX's Fourier transforms: products with constant matrices, numbers as pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import Ints, integers
from torch_ttir.passes.legalize.onnx.along import apply_matrix
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

Array = np.ndarray[Any, Any]
Transform = Callable[[Array], Array]
"""A linear map of complex vectors, along the last axis."""


@RULES.lowers("onnx.DFT")
def dft(
    low: Lowering,
    x: Tensor,
    dft_length: Ints = None,
    axis: Tensor | int | list[int] | None = None,
    *,
    inverse: int = 0,
    onesided: int = 0,
) -> Tensor:
    """DFT(input, dft_length, axis; inverse=0, onesided=0) -> output."""
    place = -2 if low.opset >= 20 else 1
    if isinstance(axis, int):
        place = axis
    elif axis is not None:
        place = (integers(low, axis, "axis") or [place])[0]
    dim = low.dim(place, x.rank)
    given = integers(low, dft_length, "dft_length")
    size = x.shape[dim]
    length = given[0] if given else 2 * (size - 1) if inverse and onesided else size

    def transform(vectors: Array) -> Array:
        if inverse and onesided:
            return np.fft.irfft(vectors, n=length)
        if inverse:
            return np.fft.ifft(vectors, n=length)
        made = np.fft.fft(vectors, n=length)
        return made[:, : length // 2 + 1] if onesided else made

    return _transformed(low, x, dim, transform)


@RULES.lowers("onnx.STFT")
def stft(
    low: Lowering,
    x: Tensor,
    frame_step: Ints,
    window: Tensor | None = None,
    frame_length: Ints = None,
    *,
    onesided: int = 1,
) -> Tensor:
    """STFT(signal, frame_step, window, frame_length; onesided=1) -> output [N, frames, bins, 2]."""
    step = (integers(low, frame_step, "frame_step") or [1])[0]
    given = integers(low, frame_length, "frame_length")
    length = given[0] if given else window.shape[0] if window is not None else x.shape[1]
    starts = np.arange(low.result.shape[1]) * step
    index = low.constant(starts[:, None] + np.arange(length), "i64")
    frames = take_rows(low, x, 1, index)
    if window is not None:
        frames = low.mul(frames, low.reshape(window, (length, 1)))

    def transform(vectors: Array) -> Array:
        made = np.fft.fft(vectors)
        return made[:, : length // 2 + 1] if onesided else made

    return _transformed(low, frames, 2, transform)


def _transformed(low: Lowering, x: Tensor, dim: int, transform: Transform) -> Tensor:
    """Return the transform of x along `dim`, where the last dimension of x is (real, imaginary)."""
    last = x.rank - 1
    unit = np.eye(x.shape[dim])
    parts = [low.slice(x, last, place, place + 1) for place in range(x.shape[last])]
    images = [transform(unit * factor).T for factor in (1, 1j)[: len(parts)]]
    sides: list[Tensor] = []
    for take in (np.real, np.imag)[: low.result.shape[-1]]:
        made = [
            apply_matrix(low, part, dim, take(image))
            for part, image in zip(parts, images, strict=True)
        ]
        sides.append(made[0] if len(made) == 1 else low.add(*made))
    return low.concat(sides, last)
