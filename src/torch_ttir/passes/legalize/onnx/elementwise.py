"""Rules for ONNX's elementwise ops."""

from __future__ import annotations

from functools import partial

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

UNARY = {"Relu": "relu", "Tanh": "tanh"}


def _unary(ttir: str, low: Lowering, x: Tensor) -> Tensor:
    return low.unary(ttir, x)


for _name, _ttir in UNARY.items():
    RULES.add(f"onnx.{_name}", partial(_unary, _ttir))


@RULES.lowers("onnx.LeakyRelu")
def leaky_relu(low: Lowering, x: Tensor, *, alpha: float = 0.01) -> Tensor:
    """LeakyRelu(X; alpha=0.01) -> Y."""
    return low.unary("leaky_relu", x, None, parameter=alpha)
