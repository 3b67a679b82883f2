"""Rules for losses whose rounding PyTorch's decompositions change in 16 bits."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import in_result_dtype
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.mse_loss")
@in_result_dtype
def mse_loss(low: Lowering, x: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    """mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor."""
    return _reduced(low, low.unary("square", low.sub(x, target)), reduction)


@RULES.lowers("aten.soft_margin_loss")
@in_result_dtype
def soft_margin_loss(low: Lowering, x: Tensor, target: Tensor, reduction: int = 1) -> Tensor:
    """soft_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor."""
    grown = low.unary("exp", low.mul(low.unary("neg", x), target))
    return _reduced(low, low.unary("log1p", grown), reduction)


def _reduced(low: Lowering, x: Tensor, reduction: int) -> Tensor:
    """Return all losses (0), their mean (1) or their sum (2)."""
    if reduction == 0:
        return x
    return low.reduce("mean" if reduction == 1 else "sum", x, low.dims(None, x.rank), False)
