"""Attention written out, for those of its intermediate values that PyTorch returns."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.softmax import stable_softmax


def scores(low: Lowering, query: Tensor, key: Tensor, mask: Tensor | None, scale: float) -> Tensor:
    """Return `query @ key.T * scale + mask`, [batch, heads, queries, keys]."""
    made = low.mul(low.matmul(query, key, transpose_b=True), scale)
    return made if mask is None else low.add(made, low.cast(mask, made.dtype))


def attention_weights(low: Lowering, logits: Tensor) -> Tensor:
    """Return the softmax of scores over the keys; zeros where all of them are minus infinity."""
    highest = low.reduce("max", logits, [3], keep=True)
    hidden = low.compare("eq", highest, float("-inf"))
    return low.where(hidden, 0, stable_softmax(low, logits, 3))


def log_sum_exp(low: Lowering, logits: Tensor) -> Tensor:
    """Return the logarithm of the sum over the keys of `e ** logits`."""
    highest = low.reduce("max", logits, [3], keep=True)
    finite = low.where(low.unary("isfinite", highest, "i1"), highest, 0)
    total = low.reduce("sum", low.unary("exp", low.sub(logits, finite)), [3], keep=True)
    return low.add(low.unary("log", total), finite)
