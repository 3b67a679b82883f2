"""Rules for batch normalization: by given statistics, which TTIR has whole, and by the batch's."""

from __future__ import annotations

import math

from torch_ttir.ir.types import TensorInfo
from torch_ttir.passes.legalize.builder import Rejected, Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.normalization_statistics import (
    Statistics,
    holds_epsilon,
    reciprocal_root,
    scaled,
    statistics,
)
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.batch_norm")
def batch_norm(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    training: bool,
    momentum: float,
    epsilon: float,
    _cudnn_enabled: bool,
) -> Tensor:
    """batch_norm(Tensor input, Tensor? weight, bias, running_mean, running_var, ...) -> Tensor."""
    return native_batch_norm(low, x, weight, bias, mean, variance, training, momentum, epsilon)[0]


@RULES.lowers("aten.native_batch_norm", "aten._native_batch_norm_legit")
def native_batch_norm(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    training: bool,
    _momentum: float,
    epsilon: float,
) -> list[Tensor]:
    """native_batch_norm(Tensor input, ..., float eps) -> (Tensor, Tensor mean, Tensor rstd)."""
    if training:
        # The op writes its operands without its schema saying so.
        low.expect(
            mean is None and variance is None,
            "its update of the running statistics would be lost: run `functionalize-inplace-ops`",
        )
        return _by_batch(low, x, weight, bias, epsilon)[0]
    return _by_running(low, x, weight, bias, mean, variance, epsilon)


@RULES.lowers("aten._native_batch_norm_legit.no_stats")
def batch_norm_no_stats(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    _training: bool,
    _momentum: float,
    epsilon: float,
) -> list[Tensor]:
    """_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, ...)."""
    return _by_batch(low, x, weight, bias, epsilon)[0]


@RULES.lowers("aten._native_batch_norm_legit_no_training", "aten._batch_norm_no_update")
def batch_norm_no_training(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    _momentum: float,
    epsilon: float,
) -> list[Tensor]:
    """_native_batch_norm_legit_no_training(Tensor input, ..., Tensor running_var, ...)."""
    return _by_running(low, x, weight, bias, mean, variance, epsilon)


@RULES.lowers("aten._native_batch_norm_legit_functional")
def batch_norm_functional(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    training: bool,
    momentum: float,
    epsilon: float,
) -> list[Tensor]:
    """_native_batch_norm_legit_functional(...) -> (out, mean, rstd, running_mean, running_var)."""
    if not training:
        made = _by_running(low, x, weight, bias, mean, variance, epsilon)
        return [*made[:3], mean, variance]
    made, found = _by_batch(low, x, weight, bias, epsilon)
    return [*made[:3], *_updated(low, x, found, mean, variance, momentum)]


@RULES.lowers("aten._batch_norm_with_update_functional")
def batch_norm_with_update(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor,
    variance: Tensor,
    momentum: float,
    epsilon: float,
) -> list[Tensor]:
    """_batch_norm_with_update_functional(...) -> (out, mean, rstd, reserve, running stats)."""
    made, found = _by_batch(low, x, weight, bias, epsilon)
    return [*made, *_updated(low, x, found, mean, variance, momentum)]


def _by_running(
    low: Lowering,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    epsilon: float,
) -> list[Tensor]:
    """Return x normalized by given statistics, and the further results, which have no elements."""
    if mean is None or variance is None:
        raise Rejected("without running statistics, `training` must be true")
    out, *rest = low.results
    empty = [_nothing(low, info) for info in rest]
    weight = weight or low.full(mean.shape, 1, mean.dtype)
    bias = bias or low.full(mean.shape, 0, mean.dtype)
    if not holds_epsilon(x.dtype, epsilon):
        mean, variance, weight, bias = (
            _along_channels(low, part, x.rank) for part in (mean, variance, weight, bias)
        )
        made = low.mul(low.sub(x, mean), reciprocal_root(low, variance, epsilon))
        return [scaled(low, made, weight, bias), *empty]
    parts = (x, weight, bias, mean, variance)
    if any(part.dtype != x.dtype for part in parts):
        parts = widen(low, *parts)  # type: ignore[assignment]
    # TTIR wants two to five dimensions.
    shape = x.shape if x.rank <= 5 else (*x.shape[:2], math.prod(x.shape[2:]))
    operands = [low.reshape(parts[0], shape), *parts[1:]]
    made = low.op(
        "batch_norm_inference", operands, shape, parts[0].dtype, epsilon=epsilon, dimension=1
    )
    return [low.cast(low.reshape(made, out.shape), out.dtype), *empty]


def _by_batch(
    low: Lowering, x: Tensor, weight: Tensor | None, bias: Tensor | None, epsilon: float
) -> tuple[list[Tensor], Statistics]:
    """Return x normalized by its own statistics with those, one entry a result, and all of them."""
    found = statistics(low, x, [dim for dim in range(x.rank) if dim != 1], epsilon)
    parts = [part and _along_channels(low, part, x.rank) for part in (weight, bias)]
    made = [scaled(low, found.normalized(low), *parts), found.mean, found.reciprocal]
    made = [
        low.cast(low.reshape(part, to.shape), to.dtype)
        for part, to in zip(made, low.results, strict=False)
    ]
    # What cuDNN reserves is empty here.
    return made + [_nothing(low, to) for to in low.results[3:4]], found


def _updated(
    low: Lowering, x: Tensor, found: Statistics, mean: Tensor, variance: Tensor, momentum: float
) -> list[Tensor]:
    """Return the new running statistics; the running variance takes the unbiased one."""
    count = math.prod(x.shape) // x.shape[1]
    unbiased = low.mul(found.variance, count / (count - 1) if count > 1 else float("nan"))
    made = []
    pairs = ((mean, found.mean), (variance, unbiased))
    for (old, batch), to in zip(pairs, low.results[-2:], strict=True):
        new = low.mul(low.reshape(batch, old.shape), momentum)
        kept = low.mul(low.cast(old, batch.dtype), 1 - momentum)
        made.append(low.cast(low.add(new, kept), to.dtype))
    return made


def _nothing(low: Lowering, info: TensorInfo) -> Tensor:
    return low.full(info.shape, 0, info.dtype)


def _along_channels(low: Lowering, x: Tensor, rank: int) -> Tensor:
    return low.reshape(x, (*x.shape, *[1] * (rank - 2)))
