"""Discrete Fourier transforms as products with matrices of cosines and sines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

Parts = tuple[torch.Tensor, torch.Tensor]


def c2c(
    real: torch.Tensor, imaginary: torch.Tensor, dims: Sequence[int], scaling: int, forward: bool
) -> Parts:
    """Transform complex numbers along `dims`; `scaling` is PyTorch's `fft_norm_mode`."""
    parts = real, imaginary
    for dim in dims:
        count = real.shape[dim]
        parts = _product(*parts, dim, _waves(real, count, count, forward))
    return _scaled(parts, _factor([real.shape[dim] for dim in dims], scaling))


def r2c(x: torch.Tensor, dims: Sequence[int], scaling: int, onesided: bool) -> Parts:
    """Transform real numbers along `dims`; with `onesided`, to the first half along the last."""
    *others, last = dims
    count = x.shape[last]
    waves = _waves(x, count, count // 2 + 1 if onesided else count, True)
    parts = _apply(x, last, waves[0]), _apply(x, last, waves[1])
    parts = c2c(*parts, others, 0, True)
    return _scaled(parts, _factor([x.shape[dim] for dim in dims], scaling))


def c2r(
    real: torch.Tensor, imaginary: torch.Tensor, dims: Sequence[int], scaling: int, count: int
) -> torch.Tensor:
    """Transform half of a symmetric spectrum back to `count` real numbers along the last dim."""
    *others, last = dims
    real, imaginary = c2c(real, imaginary, others, 0, False)
    half = count // 2 + 1
    real, imaginary = (x.narrow(last, 0, half) for x in (real, imaginary))
    cosines, sines = _waves(real, half, count, False, period=count)
    # All but the first, and the middle of an even number, stand for two.
    index = torch.arange(half, device=real.device)
    twice = ((index > 0) & (index * 2 != count)).to(real.dtype).add(1).unsqueeze(-1)
    whole = _apply(real, last, cosines * twice) - _apply(imaginary, last, sines * twice)
    sizes = [count if dim == last else real.shape[dim] for dim in dims]
    return whole * _factor(sizes, scaling)


def _waves(
    like: torch.Tensor, inputs: int, outputs: int, forward: bool, period: int | None = None
) -> Parts:
    """Return the cosines and sines, `[inputs, outputs]`, of the angles that a transform turns by.

    Multiples of the period are taken off as integers, so that no angle is large.
    """
    period = inputs if period is None else period
    rows, columns = (torch.arange(n, device=like.device) for n in (inputs, outputs))
    steps = torch.remainder(rows.unsqueeze(-1) * columns, period).to(torch.float64)
    angles = steps * ((-2 if forward else 2) * math.pi / period)
    return angles.cos().to(like.dtype), angles.sin().to(like.dtype)


def _product(real: torch.Tensor, imaginary: torch.Tensor, dim: int, waves: Parts) -> Parts:
    cosines, sines = waves
    return (
        _apply(real, dim, cosines) - _apply(imaginary, dim, sines),
        _apply(real, dim, sines) + _apply(imaginary, dim, cosines),
    )


def _apply(x: torch.Tensor, dim: int, matrix: torch.Tensor) -> torch.Tensor:
    return (x.movedim(dim, -1) @ matrix).movedim(-1, dim)


def _scaled(parts: Parts, factor: float) -> Parts:
    return parts if factor == 1 else (parts[0] * factor, parts[1] * factor)


def _factor(sizes: Sequence[int], scaling: int) -> float:
    """Return what a transform of these sizes is multiplied by: ATen/native/SpectralOpsUtils.h."""
    count = math.prod(sizes)
    return {0: 1.0, 1: 1 / math.sqrt(count), 2: 1 / count}[scaling]
