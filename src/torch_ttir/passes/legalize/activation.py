"""Rules for activations: one-to-one ops, and compositions computed as PyTorch's kernels do."""

from __future__ import annotations

import math
from functools import partial

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import widened
from torch_ttir.passes.legalize.elementwise_select import clamp_numbers
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

ONE_TO_ONE = {
    "aten.hardsigmoid": "hardsigmoid",
    "aten.mish": "mish",
    "aten.relu": "relu",
    "aten.relu6": "relu6",
    "aten.silu": "silu",
}


def _activation(ttir: str, low: Lowering, x: Tensor) -> Tensor:
    return low.unary(ttir, x)


for _name, _ttir in ONE_TO_ONE.items():
    RULES.add(_name, partial(_activation, _ttir))


@RULES.lowers("aten.hardtanh")
def hardtanh(low: Lowering, x: Tensor, lower: Number = -1, upper: Number = 1) -> Tensor:
    """hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor."""
    if is_float(x.dtype) and (lower, upper) == (0, 6):
        return low.unary("relu6", x)
    return clamp_numbers(low, x, lower, upper)


@RULES.lowers("aten.hardswish")
@widened
def hardswish(low: Lowering, x: Tensor) -> Tensor:
    """hardswish(Tensor self) -> Tensor."""
    return low.mul(x, low.unary("hardsigmoid", x))


@RULES.lowers("aten.gelu")
def gelu(low: Lowering, x: Tensor, approximate: str = "none") -> Tensor:
    """gelu(Tensor self, *, str approximate='none') -> Tensor; `ttir.gelu` is the exact form."""
    return low.unary("gelu", x) if approximate == "none" else _gelu_tanh(low, x)


@widened
def _gelu_tanh(low: Lowering, x: Tensor) -> Tensor:
    cube = low.mul(low.mul(x, x), x)
    inner = low.mul(low.add(x, low.mul(cube, 0.044715)), math.sqrt(2 / math.pi))
    return low.mul(low.mul(x, 0.5), low.add(low.unary("tanh", inner), 1))


@RULES.lowers("aten.elu")
@widened
def elu(
    low: Lowering, x: Tensor, alpha: float = 1, scale: float = 1, input_scale: float = 1
) -> Tensor:
    """elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor."""
    inner = x if input_scale == 1 else low.mul(x, input_scale)
    below = _times(low, low.unary("expm1", inner), alpha * scale)
    return low.where(low.compare("le", x, 0), below, _times(low, x, scale))


def _times(low: Lowering, x: Tensor, factor: float) -> Tensor:
    return x if factor == 1 else low.mul(x, factor)


@RULES.lowers("aten.celu")
def celu(low: Lowering, x: Tensor, alpha: float = 1) -> Tensor:
    """celu(Tensor self, Scalar alpha=1.0) -> Tensor."""
    low.expect(alpha != 0, "`alpha` = 0 makes it divide by zero")
    return elu(low, x, alpha, 1, 1 / alpha)


@RULES.lowers("aten.selu")
def selu(low: Lowering, x: Tensor) -> Tensor:
    """selu(Tensor self) -> Tensor; the attributes of `ttir.selu` are too short for f64."""
    if x.dtype == "f64":
        return elu(low, x, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946)
    return low.unary("selu", x)


@RULES.lowers("aten.leaky_relu")
def leaky_relu(low: Lowering, x: Tensor, negative_slope: float = 0.01) -> Tensor:
    """leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor."""
    if x.dtype == "f64":
        return low.where(low.compare("gt", x, 0), x, low.mul(x, negative_slope))
    return low.unary("leaky_relu", x, parameter=float(negative_slope))


@RULES.lowers("aten.prelu")
def prelu(low: Lowering, x: Tensor, weight: Tensor) -> Tensor:
    """prelu(Tensor self, Tensor weight) -> Tensor; one weight, or one a channel (dimension 1)."""
    channels = math.prod(weight.shape)
    shape = () if channels == 1 else (channels, *(1,) * (x.rank - 2))
    return prelu_kernel(low, x, low.reshape(weight, shape))


@RULES.lowers("aten._prelu_kernel")
def prelu_kernel(low: Lowering, x: Tensor, weight: Tensor) -> Tensor:
    """_prelu_kernel(Tensor self, Tensor weight) -> Tensor; the weight broadcasts."""
    return low.where(low.compare("gt", x, 0), x, low.mul(x, weight))


@RULES.lowers("aten.softplus")
@widened
def softplus(low: Lowering, x: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor."""
    scaled = _times(low, x, beta)
    made = low.unary("log1p", low.unary("exp", scaled))
    made = made if beta == 1 else low.div(made, beta)
    return low.where(low.compare("gt", scaled, threshold), x, made)


@RULES.lowers("aten.log_sigmoid")
@widened
def log_sigmoid(low: Lowering, x: Tensor) -> Tensor:
    """log_sigmoid(Tensor self) -> Tensor."""
    return low.sub(low.minimum(x, 0), low.unary("log1p", _exp_minus_abs(low, x)))


@RULES.lowers("aten.log_sigmoid_forward")
def log_sigmoid_forward(low: Lowering, x: Tensor) -> list[Tensor]:
    """log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)."""
    shape, dtype = low.results[1]
    buffer = _exp_minus_abs(low, x) if shape == x.shape else low.full(shape, 0, dtype)
    return [log_sigmoid(low, x), buffer]


def _exp_minus_abs(low: Lowering, x: Tensor) -> Tensor:
    return low.unary("exp", low.unary("neg", low.unary("abs", x)))


@RULES.lowers("aten.softshrink")
@widened
def softshrink(low: Lowering, x: Tensor, lambd: float = 0.5) -> Tensor:
    """softshrink(Tensor self, Scalar lambd=0.5) -> Tensor; NaN stays NaN."""
    moved = low.where(low.compare("gt", x, 0), low.sub(x, lambd), low.add(x, lambd))
    return low.where(_is_within(low, x, lambd), 0, moved)


@RULES.lowers("aten.hardshrink")
def hardshrink(low: Lowering, x: Tensor, lambd: float = 0.5) -> Tensor:
    """hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor."""
    return low.where(_is_within(low, x, lambd), 0, x)


def _is_within(low: Lowering, x: Tensor, bound: float) -> Tensor:
    """Return where -bound <= x <= bound; nowhere for a negative bound."""
    inside = low.compare("ge", x, -bound), low.compare("le", x, bound)
    return low.binary("logical_and", *inside)


@RULES.lowers("aten.threshold")
def threshold(low: Lowering, x: Tensor, bound: Number, value: Number) -> Tensor:
    """threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor; NaN stays NaN."""
    return low.where(low.compare("le", x, bound), value, x)


@RULES.lowers("aten.glu")
@widened
def glu(low: Lowering, x: Tensor, dim: int = -1) -> Tensor:
    """glu(Tensor self, int dim=-1) -> Tensor; the first half times the sigmoid of the second."""
    dim = low.dim(dim, x.rank)
    half, odd = divmod(x.shape[dim], 2)
    low.expect(not odd, f"dimension {dim} has the odd size {x.shape[dim]}")
    gate = low.unary("sigmoid", low.slice(x, dim, half, 2 * half))
    return low.mul(low.slice(x, dim, 0, half), gate)
