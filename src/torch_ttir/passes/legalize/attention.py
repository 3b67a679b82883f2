"""Rules for scaled dot product attention, which TTIR has whole in four dimensions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from torch_ttir.dialects.attributes import round_to_f32
from torch_ttir.passes.legalize.attention_scores import attention_weights, log_sum_exp, scores
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
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
    _expect_no_dropout(low, dropout)
    heads = _heads(low, query, key, value, grouped)
    additive = _additive_mask(low, mask, causal, heads)
    made = _attend(low, heads, additive, causal, scale)
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


class _Heads(NamedTuple):
    """Query, key and value as [batch, heads, length, size]; query and key of one size."""

    query: Tensor
    key: Tensor
    value: Tensor

    @property
    def lengths(self) -> tuple[int, int]:
        """The number of queries and of keys."""
        return self.query.shape[2], self.key.shape[2]


def _heads(low: Lowering, query: Tensor, key: Tensor, value: Tensor, grouped: bool) -> _Heads:
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
    return _Heads(query, key, value)


def _repeated(low: Lowering, x: Tensor, heads: int) -> Tensor:
    times = heads // x.shape[1]
    shape = (x.shape[0], heads, *x.shape[2:])
    return low.op("repeat_interleave", [x], shape, x.dtype, repeats=times, dim=1)


def _attend(
    low: Lowering, heads: _Heads, mask: Tensor | None, causal: bool, scale: float | None
) -> Tensor:
    query, key, value = heads
    queries, keys = heads.lengths
    size, wanted = query.shape[3], value.shape[3]
    if not keys:
        return low.full((*query.shape[:3], wanted), 0, query.dtype)
    if size < wanted:
        # Zeros add nothing to a product; only the scale must stay what it was.
        scale = _scale(scale, size)
        query, key = (_extended(low, part, wanted) for part in (query, key))
    value = _extended(low, value, size)
    if scale is not None and query.dtype == "f64" and round_to_f32(scale) != scale:
        query, scale = low.mul(query, scale), 1.0
    made = low.op(
        "scaled_dot_product_attention",
        [query, key, value, mask, None],
        query.shape,
        query.dtype,
        is_causal=causal and queries == keys,
        scale=scale,
    )
    return low.slice(made, 3, 0, wanted)


def _scale(scale: float | None, size: int) -> float:
    if scale is not None:
        return scale
    return 1 / math.sqrt(size) if size else 1.0


def _extended(low: Lowering, x: Tensor, size: int) -> Tensor:
    return low.pad(x, [(0, 0)] * 3 + [(0, max(0, size - x.shape[3]))])


def _additive_mask(
    low: Lowering, mask: Tensor | None, causal: bool, heads: _Heads
) -> Tensor | None:
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
    low: Lowering, heads: _Heads, mask: Tensor | None, causal: bool, scale: float | None
) -> Tensor:
    additive = _additive_mask(low, mask, causal, heads)
    queries, keys = heads.lengths
    if causal and additive is None:
        hidden = np.triu(np.full((queries, keys), -np.inf), 1)
        additive = low.constant(hidden[None, None], heads.query.dtype)
    query, key = widen(low, heads.query, heads.key)
    if key.shape[1] != query.shape[1]:
        key = _repeated(low, key, query.shape[1])
    return scores(low, query, key, additive, _scale(scale, query.shape[3]))


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


def _expect_no_dropout(low: Lowering, dropout: float) -> None:
    low.expect(dropout == 0, f"dropout_p={dropout} is random; TTIR's attention has none")
