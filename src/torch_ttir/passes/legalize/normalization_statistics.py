"""Normalization written out, for where its statistics are results or must be exact in f64."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch_ttir.dialects.attributes import round_to_f32
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen


class Statistics(NamedTuple):
    """Of x over some dims, all kept: what is left without the mean, mean, variance, 1 / deviation.

    The variance is the biased one.
    """

    centered: Tensor
    mean: Tensor
    variance: Tensor
    reciprocal: Tensor

    def normalized(self, low: Lowering) -> Tensor:
        """Return x with mean 0 and deviation 1."""
        return low.mul(self.centered, self.reciprocal)


def statistics(low: Lowering, x: Tensor, dims: Sequence[int], epsilon: float) -> Statistics:
    """Return the statistics of x over `dims`, in the type that PyTorch computes in."""
    (x,) = widen(low, x)
    mean = low.reduce("mean", x, dims, keep=True)
    centered = low.sub(x, mean)
    variance = low.reduce("mean", low.mul(centered, centered), dims, keep=True)
    return Statistics(centered, mean, variance, reciprocal_root(low, variance, epsilon))


def reciprocal_root(low: Lowering, variance: Tensor, epsilon: float) -> Tensor:
    """Return `1 / sqrt(variance + epsilon)`."""
    return low.unary("rsqrt", low.add(variance, epsilon))


def scaled(low: Lowering, x: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    """Return `x * weight + bias`, either of which may be absent."""
    if weight is not None:
        x = low.mul(x, low.cast(weight, x.dtype))
    return x if bias is None else low.add(x, low.cast(bias, x.dtype))


def holds_epsilon(dtype: str, epsilon: float) -> bool:
    """Say whether TTIR's f32 attribute is exact enough for an op on `dtype`.

    PyTorch rounds to f32 as well, but in f64 it computes with the number itself.
    """
    return dtype != "f64" or round_to_f32(epsilon) == epsilon
