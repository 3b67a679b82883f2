"""Rules for layer, RMS, group and instance normalization, which TTIR has whole."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from torch_ttir.ir.constants import NUMPY_DTYPES
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.normalization_statistics import (
    holds_epsilon,
    reciprocal_root,
    scaled,
    statistics,
)
from torch_ttir.passes.legalize.precision import compute_dtype, widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.layer_norm")
def layer_norm(
    low: Lowering,
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    bias: Tensor | None,
    epsilon: float,
    _cudnn_enable: bool = False,
) -> Tensor:
    """layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, bias, float eps)."""
    if not holds_epsilon(x.dtype, epsilon):
        made = statistics(low, x, _last(x, normalized_shape), epsilon).normalized(low)
        return scaled(low, made, weight, bias)
    x, weight, bias = _one_type(low, x, weight, bias)
    made = low.op(
        "layer_norm",
        [x, weight, bias],
        x.shape,
        x.dtype,
        normalized_shape=normalized_shape,
        epsilon=epsilon,
    )
    return low.cast(made, low.result.dtype)


@RULES.lowers("aten.native_layer_norm")
def native_layer_norm(
    low: Lowering,
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    bias: Tensor | None,
    epsilon: float,
) -> list[Tensor]:
    """native_layer_norm(Tensor input, ..., float eps) -> (Tensor, Tensor mean, Tensor rstd)."""
    found = statistics(low, x, _last(x, normalized_shape), epsilon)
    made = layer_norm(low, x, normalized_shape, weight, bias, epsilon)
    return [
        made,
        low.cast(found.mean, low.results[1].dtype),
        low.cast(found.reciprocal, low.results[2].dtype),
    ]


@RULES.lowers("aten.rms_norm")
def rms_norm(
    low: Lowering,
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    epsilon: float | None = None,
) -> Tensor:
    """rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, float? eps) -> Tensor."""
    epsilon = _epsilon(x.dtype, epsilon)
    if not holds_epsilon(x.dtype, epsilon):
        root = _reciprocal_rms(low, x, normalized_shape, epsilon)
        return scaled(low, low.mul(x, root), weight, None)
    x, weight, _ = _one_type(low, x, weight, None)
    made = low.op(
        "rms_norm",
        [x, weight, None],
        x.shape,
        x.dtype,
        normalized_shape=normalized_shape,
        epsilon=epsilon,
    )
    return low.cast(made, low.result.dtype)


@RULES.lowers("aten._fused_rms_norm")
def fused_rms_norm(
    low: Lowering,
    x: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None,
    epsilon: float | None,
) -> list[Tensor]:
    """_fused_rms_norm(Tensor input, int[] normalized_shape, ...) -> (Tensor, Tensor rstd)."""
    root = _reciprocal_rms(low, x, normalized_shape, _epsilon(x.dtype, epsilon))
    made = rms_norm(low, x, normalized_shape, weight, epsilon)
    return [made, low.cast(root, low.results[1].dtype)]


@RULES.lowers("aten.group_norm")
def group_norm(
    low: Lowering,
    x: Tensor,
    groups: int,
    weight: Tensor | None,
    bias: Tensor | None,
    epsilon: float,
    _cudnn_enabled: bool = False,
) -> Tensor:
    """group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps, ...)."""
    if not holds_epsilon(x.dtype, epsilon):
        grouped = _grouped(low, x, groups)
        made = statistics(low, grouped, [2], epsilon).normalized(low)
        parts = [part and _along_channels(low, part, x.rank) for part in (weight, bias)]
        return scaled(low, low.reshape(made, x.shape), *parts)
    result = low.result
    x, weight, bias = _one_type(low, x, weight, bias)
    # TTIR wants at least four dimensions.
    plane = low.reshape(x, x.shape + (1,) * (4 - x.rank))
    made = low.op(
        "group_norm",
        [plane, None, weight, bias],
        plane.shape,
        x.dtype,
        num_groups=groups,
        epsilon=epsilon,
        channel_dim=1,
    )
    return low.cast(low.reshape(made, result.shape), result.dtype)


@RULES.lowers("aten.native_group_norm")
def native_group_norm(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    _batch: int,
    _channels: int,
    _area: int,
    groups: int,
    epsilon: float,
) -> list[Tensor]:
    """native_group_norm(Tensor input, ..., int group, float eps) -> (Tensor, mean, rstd)."""
    found = statistics(low, _grouped(low, x, groups), [2], epsilon)
    made = group_norm(low, x, groups, weight, bias, epsilon)
    pairs = zip((found.mean, found.reciprocal), low.results[1:], strict=True)
    return [made, *(low.cast(low.reshape(part, to.shape), to.dtype) for part, to in pairs)]


@RULES.lowers("aten.instance_norm")
def instance_norm(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_variance: Tensor | None,
    use_input_stats: bool,
    _momentum: float,
    epsilon: float,
    _cudnn_enabled: bool = False,
) -> Tensor:
    """instance_norm(Tensor input, Tensor? weight, ..., bool use_input_stats, ...) -> Tensor."""
    low.expect(
        use_input_stats and running_mean is None and running_variance is None,
        "running statistics of instance_norm are not supported",
    )
    return group_norm(low, x, x.shape[1], weight, bias, epsilon)


def _one_type(
    low: Lowering, x: Tensor, weight: Tensor | None, bias: Tensor | None
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """Widen all if their types differ: PyTorch takes f32 weights for bf16 values."""
    given = [part for part in (weight, bias) if part is not None]
    if all(part.dtype == x.dtype for part in given):
        return x, weight, bias
    wide = compute_dtype(x.dtype)
    x, weight, bias = (part and low.cast(part, wide) for part in (x, weight, bias))  # type: ignore[assignment]
    return x, weight, bias


def _last(x: Tensor, normalized_shape: Sequence[int]) -> list[int]:
    return list(range(x.rank - len(normalized_shape), x.rank))


def _grouped(low: Lowering, x: Tensor, groups: int) -> Tensor:
    batch = x.shape[0]
    return low.reshape(x, (batch, groups, math.prod(x.shape[1:]) // groups))


def _along_channels(low: Lowering, x: Tensor, rank: int) -> Tensor:
    return low.reshape(x, (*x.shape, *[1] * (rank - 2)))


def _epsilon(dtype: str, epsilon: float | None) -> float:
    """Return the given epsilon, or that of the type that PyTorch computes in."""
    if epsilon is not None:
        return epsilon
    return float(np.finfo(NUMPY_DTYPES[compute_dtype(dtype)]).eps)


def _reciprocal_rms(
    low: Lowering, x: Tensor, normalized_shape: Sequence[int], epsilon: float
) -> Tensor:
    (x,) = widen(low, x)
    mean = low.reduce("mean", low.mul(x, x), _last(x, normalized_shape), keep=True)
    return reciprocal_root(low, mean, epsilon)
