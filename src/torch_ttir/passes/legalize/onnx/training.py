"""Rules for the optimizers of ONNX's preview of training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

Update = Callable[..., list[Tensor]]


@RULES.lowers("onnx.ai.onnx.preview.training.Momentum")
def momentum(
    low: Lowering,
    rate: Tensor,
    count: Tensor,
    *tensors: Tensor,
    alpha: float,
    beta: float,
    mode: str,
    norm_coefficient: float,
) -> Any:
    """Momentum(R, T, X..., G..., V...; ...) -> X_new..., V_new..."""

    def update(x: Tensor, gradient: Tensor, v: Tensor) -> list[Tensor]:
        g = low.add(low.mul(x, norm_coefficient), gradient)
        first = low.compare("gt", count, 0)
        factor = low.where(first, low.full((), beta, x.dtype), 1.0)
        new = low.add(low.mul(v, alpha), low.mul(low.reshape(factor, ()), g))
        move = new if mode == "standard" else low.add(g, low.mul(new, alpha))
        return [low.sub(x, low.mul(low.reshape(rate, ()), move)), new]

    return _for_each(tensors, 3, update)


@RULES.lowers("onnx.ai.onnx.preview.training.Adagrad")
def adagrad(
    low: Lowering,
    rate: Tensor,
    count: Tensor,
    *tensors: Tensor,
    decay_factor: float = 0.0,
    epsilon: float = 0.0,
    norm_coefficient: float = 0.0,
) -> Any:
    """Adagrad(R, T, X..., G..., H...; ...) -> X_new..., H_new..."""

    def update(x: Tensor, gradient: Tensor, h: Tensor) -> list[Tensor]:
        decay = low.add(low.mul(low.cast(count, x.dtype), decay_factor), 1.0)
        adjusted = low.reshape(low.div(low.cast(rate, x.dtype), decay), ())
        g = low.add(low.mul(x, norm_coefficient), gradient)
        new = low.add(h, low.mul(g, g))
        root = low.add(low.unary("sqrt", new), epsilon)
        return [low.sub(x, low.div(low.mul(adjusted, g), root)), new]

    return _for_each(tensors, 3, update)


@RULES.lowers("onnx.ai.onnx.preview.training.Adam")
def adam(
    low: Lowering,
    rate: Tensor,
    count: Tensor,
    *tensors: Tensor,
    alpha: float = 0.9,
    beta: float = 0.999,
    epsilon: float = 0.0,
    norm_coefficient: float = 0.0,
    norm_coefficient_post: float = 0.0,
) -> Any:
    """Adam(R, T, X..., G..., V..., H...; ...) -> X_new..., V_new..., H_new..."""

    def update(x: Tensor, gradient: Tensor, v: Tensor, h: Tensor) -> list[Tensor]:
        g = low.add(low.mul(x, norm_coefficient), gradient)
        new_v = low.add(low.mul(v, alpha), low.mul(g, 1 - alpha))
        new_h = low.add(low.mul(h, beta), low.mul(low.mul(g, g), 1 - beta))
        root = low.add(low.unary("sqrt", new_h), epsilon)
        time = low.cast(count, x.dtype)
        decays = [
            low.sub(1.0, low.binary("pow", low.full((), base, x.dtype), time))
            for base in (alpha, beta)
        ]
        corrected = low.div(low.mul(rate, low.unary("sqrt", decays[1])), decays[0])
        adjusted = low.where(low.compare("gt", count, 0), corrected, rate)
        step = low.mul(low.reshape(adjusted, ()), low.div(new_v, root))
        return [low.mul(low.sub(x, step), 1 - norm_coefficient_post), new_v, new_h]

    return _for_each(tensors, 4, update)


def _for_each(tensors: tuple[Tensor, ...], kinds: int, update: Update) -> Any:
    """Return the updates of several parameters, whose operands come kind by kind."""
    count = len(tensors) // kinds
    made = [update(*tensors[place::count]) for place in range(count)]
    return [values[kind] for kind in range(kinds - 1) for values in made]
