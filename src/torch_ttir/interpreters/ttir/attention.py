"""Attention, in f32 for f16 and bf16, and the head reshapes around it."""

from __future__ import annotations

import math

import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect, widen

MEANINGS = MeaningTable()


@MEANINGS.means("scaled_dot_product_attention")
def scaled_dot_product_attention(
    op: Decoded,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    sink: Tensor | None,
) -> Tensor:
    """Compute `softmax(query @ key.T * scale + mask) @ value`.

    A window replaces the causal mask. A row of the mask that is minus infinity throughout gives
    NaN, as the formula does, where PyTorch gives zeros.
    """
    attrs = op.attrs
    causal, window = attrs["is_causal"], attrs["sliding_window_size"]
    expect(mask is None or not causal, "`is_causal` with a mask")
    query, key, value, mask, sink = widen(query, key, value, mask, sink)
    queries, keys = query.shape[2], key.shape[2]
    expect(not causal or queries == keys, f"`is_causal` with {queries} queries and {keys} keys")
    if window is None and sink is None:
        grouped = query.shape[1] != key.shape[1]
        y = F.scaled_dot_product_attention(
            query, key, value, mask, 0.0, causal, scale=attrs["scale"], enable_gqa=grouped
        )
        return y if mask is None else _undefined_rows(y, mask)
    if window is not None:
        mask = _add(mask, _window_mask(queries, keys, window, causal))
    elif causal:
        mask = _add(mask, _band(queries, keys, -keys, 0))
    return _attention(query, key, value, mask, sink, attrs["scale"])


@MEANINGS.means("scaled_dot_product_attention_decode")
def scaled_dot_product_attention_decode(
    op: Decoded,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    position: Tensor,
    sink: Tensor | None,
) -> Tensor:
    """Attend from one query a user, [1, B, H, D]; causal: to the positions up to the current."""
    expect(sink is None, "`attention_sink` of the decode form")
    query, key, value, mask = widen(query.permute(1, 2, 0, 3), key, value, mask)
    if mask is not None:
        # [B, 1, H, S] has the heads where a query's positions stand.
        mask = mask.permute(0, 2, 1, 3)
    if op.attrs["is_causal"]:
        ahead = torch.arange(key.shape[2]) > position.reshape(-1, 1, 1, 1)
        mask = _add(mask, torch.zeros(ahead.shape).masked_fill(ahead, -math.inf))
    y = _attention(query, key, value, mask, None, op.attrs["scale"])
    return y.permute(2, 0, 1, 3)


@MEANINGS.means("sdpa_fw")
def sdpa_fw(
    op: Decoded, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None
) -> tuple[Tensor]:
    """Attend as in training, without dropout."""
    expect(not op.attrs["return_intermediates"], "`return_intermediates` = true")
    query, key, value, mask = widen(query, key, value, mask)
    return (_training_attention(op, query, key, value, mask),)


@MEANINGS.means("sdpa_bw")
def sdpa_bw(
    op: Decoded,
    grad: Tensor,
    output: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    intermediates: Tensor,
    mask: Tensor | None,
) -> tuple[Tensor, ...]:
    """Compute the gradients of query, key and value; what the forward op kept is not read."""
    grad, query, key, value, mask = widen(grad, query, key, value, mask)
    _, *backward = torch.func.vjp(
        lambda q, k, v: _training_attention(op, q, k, v, mask), query, key, value
    )
    gradients: tuple[Tensor, ...] = backward[0](grad)
    return gradients


@MEANINGS.means("split_query_key_value_and_split_heads")
def split_query_key_value_and_split_heads(
    op: Decoded, x: Tensor, kv: Tensor | None
) -> tuple[Tensor, ...]:
    """Split a fused projection [B, S, ...] into heads, [B, heads, S, D] each."""
    heads = op.attrs["num_heads"]
    kv_heads = op.attrs["num_kv_heads"] or heads
    fused = x if kv is None else torch.cat((x, kv), -1)
    parts = (heads, kv_heads, kv_heads)
    size = fused.shape[-1] // sum(parts)
    query, key, value = (
        part.reshape(*part.shape[:-1], -1, size).transpose(1, 2)
        for part in torch.split(fused, [count * size for count in parts], -1)
    )
    return query, key.mT if op.attrs["transpose_key"] else key, value


@MEANINGS.means("concatenate_heads")
def concatenate_heads(op: Decoded, x: Tensor) -> Tensor:
    """Join the heads: [B, H, S, D] to [B, S, H * D]."""
    return x.transpose(1, 2).flatten(2)


def _training_attention(
    op: Decoded, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None
) -> Tensor:
    kind, dropout = op.attrs["mask_type"], op.attrs["dropout_probability"]
    expect(dropout == 0, f"`dropout_probability` = {dropout}")
    expect((kind == "arbitrary") == (mask is not None), f"`mask_type` = {kind} and this mask")
    if kind == "causal":
        mask = _band(query.shape[2], key.shape[2], -key.shape[2], 0)
    return _attention(query, key, value, mask, None, None)


def _attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    sink: Tensor | None,
    scale: float | None,
) -> Tensor:
    group = query.shape[1] // key.shape[1]
    key, value = (x.repeat_interleave(group, 1) if group > 1 else x for x in (key, value))
    scores = query @ key.mT * (query.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        scores = scores + mask
    if sink is None:
        return torch.softmax(scores, -1) @ value
    # The sink is one more key that every query sees, and that has no value.
    logits = torch.cat((scores, sink.expand(*scores.shape[:-1], 1)), -1)
    return torch.softmax(logits, -1)[..., :-1] @ value


def _window_mask(queries: int, keys: int, window: int, causal: bool) -> Tensor:
    if causal:
        return _band(queries, keys, 1 - window, 0)
    return _band(queries, keys, -(window // 2), window // 2)


def _band(queries: int, keys: int, low: int, high: int) -> Tensor:
    """Return 0 where `low <= key - query <= high`, minus infinity elsewhere."""
    offset = torch.arange(keys) - torch.arange(queries)[:, None]
    outside = (offset < low) | (offset > high)
    return torch.zeros(queries, keys).masked_fill(outside, -math.inf)


def _undefined_rows(y: Tensor, mask: Tensor) -> Tensor:
    hidden = (mask == -math.inf).all(-1, keepdim=True)
    return y.masked_fill(hidden, math.nan) if bool(hidden.any()) else y


def _add(mask: Tensor | None, other: Tensor) -> Tensor:
    return other if mask is None else mask + other
