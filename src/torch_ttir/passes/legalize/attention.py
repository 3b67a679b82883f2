"""Rules for scaled dot product attention, which TTIR has whole in four dimensions."""

from __future__ import annotations

import math

import numpy as np

from torch_ttir.passes.legalize.attention_heads import Heads, attend, scale_of
from torch_ttir.passes.legalize.attention_scores import attention_weights, log_sum_exp, scores
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.random import is_chosen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.scaled_dot_product_attention")
def scaled_dot_product_attention(
    low: Lowering,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout: float,
    causal: bool,
    scale: float | None,
    grouped: bool,
) -> Tensor:
    """scaled_dot_product_attention(Tensor query, key, value, Tensor? attn_mask, ...) -> Tensor."""
    heads = _heads(low, query, key, value, grouped)
    if dropout:
        logits = _scores(low, heads, mask, causal, scale)
        made = _weigh_with_dropout(low, attention_weights(low, logits), heads.value, dropout)
        return low.cast(low.reshape(made, low.result.shape), low.result.dtype)
    additive = _additive_mask(low, mask, causal, heads)
    made = attend(low, heads, additive, causal and additive is None, scale)
    if mask is not None and additive is not None and _may_hide_rows(mask):
        # PyTorch gives zeros where no key is seen, the formula 0 / 0.
        seen = low.reduce("max", additive, [3], keep=True)
        made = low.where(low.compare("eq", seen, float("-inf")), 0, made)
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten._scaled_dot_product_flash_attention_for_cpu")
def flash_attention_for_cpu(
    low: Lowering,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout: float,
    causal: bool,
    mask: Tensor | None,
    scale: float | None,
) -> list[Tensor]:
    """_scaled_dot_product_flash_attention_for_cpu(...) -> (Tensor output, Tensor logsumexp)."""
    made = scaled_dot_product_attention(low, query, key, value, mask, dropout, causal, scale, False)
    return [made, _log_sum_exp(low, query, key, value, mask, causal, scale)]


@RULES.lowers("aten._scaled_dot_product_efficient_attention")
def efficient_attention(
    low: Lowering,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    _compute_log_sum_exp: bool,
    dropout: float,
    causal: bool,
    scale: float | None,
) -> list[Tensor]:
    """_scaled_dot_product_efficient_attention(...) -> (output, log_sumexp, seed, offset)."""
    made = scaled_dot_product_attention(low, query, key, value, mask, dropout, causal, scale, False)
    if 0 in low.results[1].shape:
        total = low.full(low.results[1].shape, 0, low.results[1].dtype)
    else:
        total = _log_sum_exp(low, query, key, value, mask, causal, scale)
    # Without dropout, nothing reads the random state.
    return [made, total, *(low.full(info.shape, 0, info.dtype) for info in low.results[2:])]


@RULES.lowers("aten._scaled_dot_product_attention_math")
def attention_math(
    low: Lowering,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout: float,
    causal: bool,
    _dropout_mask: Tensor | None,
    scale: float | None,
    grouped: bool,
) -> list[Tensor]:
    """_scaled_dot_product_attention_math(...) -> (Tensor output, Tensor weights)."""
    made = scaled_dot_product_attention(
        low, query, key, value, mask, dropout, causal, scale, grouped
    )
    heads = _heads(low, query, key, value, grouped)
    logits = _scores(low, heads, mask, causal, scale)
    weights, to = attention_weights(low, logits), low.results[1]
    return [made, low.cast(low.reshape(weights, to.shape), to.dtype)]


def _heads(low: Lowering, query: Tensor, key: Tensor, value: Tensor, grouped: bool) -> Heads:
    """Bring operands of any rank to four dimensions; the last batch dimension holds the heads."""
    # Grouped queries have heads of their own, and each key serves some of them.
    own = 3 if grouped else 2
    batch = low.result.shape[:-own]
    flat = []
    for part in (query, key, value):
        shape = (*batch, *part.shape[-own:])
        heads = shape[-3] if len(shape) > 2 else 1
        wide = low.broadcast(part, shape)
        flat.append(low.reshape(wide, (math.prod(shape[:-2]) // heads, heads, *shape[-2:])))
    query, key, value = flat
    if key.shape[1] != value.shape[1]:
        key, value = (_repeated(low, part, query.shape[1]) for part in (key, value))
    return Heads(query, key, value)


def _repeated(low: Lowering, x: Tensor, heads: int) -> Tensor:
    times = heads // x.shape[1]
    shape = (x.shape[0], heads, *x.shape[2:])
    return low.op("repeat_interleave", [x], shape, x.dtype, repeats=times, dim=1)


def _additive_mask(low: Lowering, mask: Tensor | None, causal: bool, heads: Heads) -> Tensor | None:
    """Return the mask that TTIR takes, [1 or batch, 1 or heads, 1 or queries, keys]; added."""
    queries, keys = heads.lengths
    if mask is None:
        if not causal or queries == keys:
            return None
        # PyTorch's causal mask is aligned at the first query and key.
        hidden = np.triu(np.full((queries, keys), -np.inf), 1)
        return low.constant(hidden[None, None], heads.query.dtype)
    low.expect(not causal, "is_causal=True with a mask is not supported by PyTorch")
    if mask.dtype == "i1":
        zero = low.full((), 0, heads.query.dtype)
        mask = low.where(mask, zero, float("-inf"))
    batch = low.result.shape[:-3]
    if math.prod(mask.shape[:-3]) > 1:
        mask = low.broadcast(mask, (*batch, *mask.shape[-3:]))
    shape = (math.prod(mask.shape[:-3]), *(1,) * (3 - mask.rank), *mask.shape[-3:])
    return low.broadcast(low.reshape(mask, shape), (*shape[:3], keys))


def _may_hide_rows(mask: Tensor) -> bool:
    """Say whether some query may see no key at all, as far as the program tells."""
    known = known_array(mask)
    return known is None or not bool(known.any(-1).all())


def _scores(
    low: Lowering, heads: Heads, mask: Tensor | None, causal: bool, scale: float | None
) -> Tensor:
    additive = _additive_mask(low, mask, causal, heads)
    queries, keys = heads.lengths
    if causal and additive is None:
        hidden = np.triu(np.full((queries, keys), -np.inf), 1)
        additive = low.constant(hidden[None, None], heads.query.dtype)
    query, key = widen(low, heads.query, heads.key)
    if key.shape[1] != query.shape[1]:
        key = _repeated(low, key, query.shape[1])
    return scores(low, query, key, additive, scale_of(scale, query.shape[3]))


def _log_sum_exp(
    low: Lowering,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    causal: bool,
    scale: float | None,
) -> Tensor:
    logits = _scores(low, _heads(low, query, key, value, False), mask, causal, scale)
    to = low.results[1]
    return low.cast(low.reshape(log_sum_exp(low, logits), to.shape), to.dtype)


def _weigh_with_dropout(low: Lowering, weights: Tensor, value: Tensor, dropout: float) -> Tensor:
    """Return `dropout(weights) @ value`; TTIR's attention has no dropout."""
    kept = low.mul(weights, 1 / (1 - dropout) if dropout < 1 else 0.0)
    kept = low.where(is_chosen(low, weights.shape, 1 - dropout), kept, 0)
    (value,) = widen(low, value)
    if value.shape[1] != kept.shape[1]:
        value = _repeated(low, value, kept.shape[1])
    return low.matmul(kept, value)
