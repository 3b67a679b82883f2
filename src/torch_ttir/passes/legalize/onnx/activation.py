"""Rules for ONNX's activations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import add_aten, aten
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

add_aten(
    RULES,
    {
        "HardSwish": "hardswish",
        "Mish": "mish",
        "Relu": "relu",
        "Sigmoid": "sigmoid",
    },
)


@RULES.lowers("onnx.Softplus")
def softplus(low: Lowering, x: Tensor) -> Tensor:
    """Softplus(X) -> Y = log(exp(x) + 1)."""
    return aten(low, "softplus", x, 1, 20)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Softsign")
def softsign(low: Lowering, x: Tensor) -> Tensor:
    """Softsign(input) -> output = x / (1 + |x|)."""
    return low.unary("softsign", x)


@RULES.lowers("onnx.LeakyRelu")
def leaky_relu(
    low: Lowering, x: Tensor, *, alpha: float = 0.01, consumed_inputs: Any = None
) -> Tensor:
    """LeakyRelu(X; alpha=0.01) -> Y."""
    return aten(low, "leaky_relu", x, alpha)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Elu")
def elu(low: Lowering, x: Tensor, *, alpha: float = 1.0, consumed_inputs: Any = None) -> Tensor:
    """Elu(X; alpha=1) -> Y."""
    return aten(low, "elu", x, alpha, 1, 1)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Celu")
def celu(low: Lowering, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """Celu(X; alpha=1) -> Y."""
    return aten(low, "celu", x, alpha)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Selu")
def selu(
    low: Lowering,
    x: Tensor,
    *,
    alpha: float = 1.67326319217681884765625,
    gamma: float = 1.05070102214813232421875,
    consumed_inputs: Any = None,
) -> Tensor:
    """Selu(X; alpha, gamma) -> Y = gamma * (x > 0 ? x : alpha * (exp(x) - 1))."""
    return aten(low, "elu", x, alpha, gamma, 1)  # type: ignore[no-any-return]


@RULES.lowers("onnx.HardSigmoid")
def hard_sigmoid(
    low: Lowering, x: Tensor, *, alpha: float = 0.2, beta: float = 0.5, consumed_inputs: Any = None
) -> Tensor:
    """HardSigmoid(X; alpha=0.2, beta=0.5) -> Y = max(0, min(1, alpha * x + beta))."""
    line = low.add(low.mul(x, low.full((), alpha, x.dtype)), low.full((), beta, x.dtype))
    low_bound, high_bound = low.full((), 0, x.dtype), low.full((), 1, x.dtype)
    return low.minimum(low.maximum(line, low_bound), high_bound)


@RULES.lowers("onnx.Gelu")
def gelu(low: Lowering, x: Tensor, *, approximate: str = "none") -> Tensor:
    """Gelu(X; approximate="none") -> Y."""
    return aten(low, "gelu", x, approximate)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Swish")
def swish(low: Lowering, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """Swish(X; alpha=1) -> Y = x * sigmoid(alpha * x)."""
    gate = x if alpha == 1 else low.mul(x, low.full((), alpha, x.dtype))
    return low.mul(x, low.unary("sigmoid", gate))


@RULES.lowers("onnx.ThresholdedRelu")
def thresholded_relu(low: Lowering, x: Tensor, *, alpha: float = 1.0) -> Tensor:
    """ThresholdedRelu(X; alpha=1) -> Y = x > alpha ? x : 0."""
    above = low.compare("gt", x, low.full((), alpha, x.dtype))
    return low.where(above, x, low.full((), 0, x.dtype))


@RULES.lowers("onnx.Shrink")
def shrink(low: Lowering, x: Tensor, *, bias: float = 0.0, lambd: float = 0.5) -> Tensor:
    """Shrink(input; bias=0, lambd=0.5) -> output."""
    offset, zero = low.full((), bias, x.dtype), low.full((), 0, x.dtype)
    below = low.compare("lt", x, low.full((), -lambd, x.dtype))
    above = low.compare("gt", x, low.full((), lambd, x.dtype))
    return low.where(below, low.add(x, offset), low.where(above, low.sub(x, offset), zero))


def _scaled_tanh(low: Lowering, x: Tensor, alpha: float, beta: float) -> Tensor:
    return low.mul(low.unary("tanh", low.mul(x, beta)), alpha)


class Activation(NamedTuple):
    """An activation of a recurrent network: its rule, and the defaults of what it takes."""

    lower: Callable[..., Tensor]
    alpha: float | None = None
    beta: float | None = None


ACTIVATIONS = {
    "relu": Activation(lambda low, x: low.unary("relu", x)),
    "tanh": Activation(lambda low, x: low.unary("tanh", x)),
    "sigmoid": Activation(lambda low, x: low.unary("sigmoid", x)),
    "softsign": Activation(lambda low, x: low.unary("softsign", x)),
    "leakyrelu": Activation(lambda low, x, a: leaky_relu(low, x, alpha=a), 0.01),
    "elu": Activation(lambda low, x, a: elu(low, x, alpha=a), 1.0),
    "thresholdedrelu": Activation(lambda low, x, a: thresholded_relu(low, x, alpha=a), 1.0),
    "hardsigmoid": Activation(lambda low, x, a, b: hard_sigmoid(low, x, alpha=a, beta=b), 0.2, 0.5),
    "affine": Activation(lambda low, x, a, b: low.add(low.mul(x, a), b), 1.0, 0.0),
    "scaledtanh": Activation(_scaled_tanh, 1.0, 1.0),
}
"""Activations by name in lower case: the standard takes names as not case-sensitive."""
