"""Rules for dropout and randomized activations; the random ones as `random` says."""

from __future__ import annotations

import math
from typing import Any

from torch_ttir.passes.legalize.activation import leaky_relu
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import widened
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.random import is_chosen, uniform
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.dropout")
def dropout(low: Lowering, x: Tensor, p: float, train: bool) -> Tensor:
    """dropout(Tensor input, float p, bool train) -> Tensor."""
    return _kept(low, x, is_chosen(low, x.shape, 1 - p), p) if train and p else x


@RULES.lowers("aten.feature_dropout")
def feature_dropout(low: Lowering, x: Tensor, p: float, train: bool) -> Tensor:
    """feature_dropout(Tensor input, float p, bool train) -> Tensor; whole channels are dropped."""
    if not train or not p:
        return x
    return _kept(low, x, is_chosen(low, _channels(x), 1 - p), p)


def _channels(x: Tensor) -> tuple[int, ...]:
    """Return the shape of one number a sample and channel."""
    return (*x.shape[:2], *(1,) * (x.rank - 2))


@RULES.lowers("aten.alpha_dropout")
def alpha_dropout(low: Lowering, x: Tensor, p: float, train: bool) -> Tensor:
    """alpha_dropout(Tensor input, float p, bool train) -> Tensor; keeps mean and variance."""
    return _alpha_kept(low, x, is_chosen(low, x.shape, 1 - p), p) if train and p else x


@RULES.lowers("aten.feature_alpha_dropout")
def feature_alpha_dropout(low: Lowering, x: Tensor, p: float, train: bool) -> Tensor:
    """feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor; whole channels."""
    if not train or not p:
        return x
    return _alpha_kept(low, x, is_chosen(low, _channels(x), 1 - p), p)


@widened
def _alpha_kept(low: Lowering, x: Tensor, mask: Tensor, p: float) -> Tensor:
    """Return `a x + b`, with SELU's value at minus infinity in place of a dropped `x`."""
    if p == 1:
        return low.mul(x, 0)
    alpha = 1.7580993408473766
    a = 1 / math.sqrt((alpha**2 * p + 1) * (1 - p))
    kept = low.where(mask, x, -alpha)
    return low.add(low.mul(kept, a), alpha * a * p)


@RULES.lowers("aten.native_dropout")
def native_dropout(low: Lowering, x: Tensor, p: float, train: bool | None) -> list[Tensor]:
    """native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor mask)."""
    if not train and train is not None:
        return [x, low.full(x.shape, 1, "i1")]
    mask = is_chosen(low, x.shape, 1 - p)
    return [_kept(low, x, mask, p), mask]


@widened
def _kept(low: Lowering, x: Tensor, mask: Tensor, p: float) -> Tensor:
    """Return `x` where the mask is true, scaled so that the mean stays; zero elsewhere."""
    return low.mul(low.mul(x, mask), 1 / (1 - p) if p < 1 else 0.0)


@RULES.lowers("aten.rrelu")
def rrelu(
    low: Lowering,
    x: Tensor,
    lower: Number = 1 / 8,
    upper: Number = 1 / 3,
    training: bool = False,
    generator: object = None,
) -> Tensor:
    """rrelu(Tensor self, Scalar lower, Scalar upper, bool training, Generator? generator)."""
    if not training:
        return leaky_relu(low, x, (lower + upper) / 2)
    return _randomized(low, x, lower, upper)[0]


@RULES.lowers("aten.rrelu_with_noise")
def rrelu_with_noise(
    low: Lowering, x: Tensor, noise: Tensor, lower: Number, upper: Number, training: bool, *_: Any
) -> Tensor:
    """rrelu_with_noise(Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training)."""
    return rrelu(low, x, lower, upper, training)


@RULES.lowers("aten.rrelu_with_noise_functional")
def rrelu_with_noise_functional(
    low: Lowering, x: Tensor, noise: Tensor, lower: Number, upper: Number, training: bool, *_: Any
) -> list[Tensor]:
    """rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower, Scalar upper, ...)."""
    if not training:
        return [leaky_relu(low, x, (lower + upper) / 2), noise]
    return _randomized(low, x, lower, upper)


def _randomized(low: Lowering, x: Tensor, lower: Number, upper: Number) -> list[Tensor]:
    """Return the activation, and the slopes: random ones below zero, 1 elsewhere."""
    drawn = (
        low.full(x.shape, lower, x.dtype)
        if lower == upper
        else low.cast(uniform(low, x.shape, lower, upper), x.dtype)
    )
    slopes = low.where(low.compare("le", x, 0), drawn, 1)
    return [low.mul(x, slopes), slopes]


@RULES.lowers("aten.rrelu_with_noise_backward")
def rrelu_with_noise_backward(
    low: Lowering,
    grad: Tensor,
    x: Tensor,
    noise: Tensor,
    lower: Number,
    upper: Number,
    training: bool,
    self_is_result: bool,
) -> Tensor:
    """rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, ...).

    The recorded slopes in training, when they are more than 1e-6 apart; else their mean below 0.
    """
    if training and upper - lower > 1e-6:
        return low.mul(grad, noise)
    slope = (lower + upper) / 2
    return low.where(low.compare("gt", x, 0), grad, low.mul(grad, slope))
