"""Rules for softmax and its logarithm."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import compute_dtype
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.softmax.int", "aten._softmax", "aten.special_softmax")
def softmax(low: Lowering, x: Tensor, dim: int, _dtype: int | bool | None = None) -> Tensor:
    """softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor.

    A given type is the result's, and the operand is converted before: so for `half_to_float`.
    """
    return stable_softmax(low, low.cast(x, low.result.dtype), dim)


@RULES.lowers("aten.log_softmax.int", "aten._log_softmax", "aten.special_log_softmax")
def log_softmax(low: Lowering, x: Tensor, dim: int, _dtype: int | bool | None = None) -> Tensor:
    """log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor."""
    dtype = low.result.dtype
    # A narrower dtype rounds the operand first.
    return low.cast(wide_log_softmax(low, low.cast(x, dtype), dim), dtype)


@RULES.lowers("aten._safe_softmax")
def safe_softmax(low: Lowering, x: Tensor, dim: int, _dtype: int | None = None) -> Tensor:
    """_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor.

    Where all of a row is minus infinity the result is zero, not NaN.
    """
    x = low.cast(x, low.result.dtype)
    made = stable_softmax(low, x, dim)
    highest = low.reduce("max", x, [low.dim(dim, x.rank)], keep=True) if x.rank else x
    return low.where(low.compare("eq", highest, float("-inf")), 0, made)


def stable_softmax(low: Lowering, x: Tensor, dim: int) -> Tensor:
    """Return the softmax of x, whose largest element is subtracted first; of 0-d tensors too."""
    row = x if x.rank else low.reshape(x, (1,))
    dim = low.dim(dim, x.rank)
    made = low.unary("softmax", row, None, dimension=dim, numericStable=True)
    return low.reshape(made, x.shape)


def wide_log_softmax(low: Lowering, x: Tensor, dim: int) -> Tensor:
    """Return the logarithm of softmax, in the type that PyTorch computes it in."""
    x = low.cast(x, compute_dtype(x.dtype))
    row = x if x.rank else low.reshape(x, (1,))
    dims = [low.dim(dim, x.rank)]
    shifted = low.sub(row, low.reduce("max", row, dims, keep=True))
    total = low.reduce("sum", low.unary("exp", shifted), dims, keep=True)
    return low.reshape(low.sub(shifted, low.unary("log", total)), x.shape)
