"""Rules for elementwise ops: arithmetic, comparisons, logic, activations, casts."""

from __future__ import annotations

from functools import partial

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

UNARY = {"aten.relu": "relu", "aten.tanh": "tanh"}


def _unary(ttir: str, low: Lowering, x: Tensor) -> Tensor:
    return low.unary(ttir, low.cast(x, low.result.dtype))


for _name, _ttir in UNARY.items():
    RULES.add(_name, partial(_unary, _ttir))


@RULES.lowers("aten.add.Tensor", "aten.add.Scalar")
def add(low: Lowering, x: Tensor, y: Tensor | float, alpha: float) -> Tensor:
    """add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor."""
    dtype = low.result.dtype
    x, y = low.cast(x, dtype), low.scalar(y, dtype)
    return low.add(x, y if alpha == 1 else low.mul(y, low.scalar(alpha, dtype)))
