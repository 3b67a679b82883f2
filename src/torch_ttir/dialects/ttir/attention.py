# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's attention ops."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import (
    ATTENTION_MASK_TYPE,
    BOOL,
    F32,
    UI32,
    optional,
    required,
)
from torch_ttir.dialects.ttir.base import TTIROp


class ScaledDotProductAttentionOp(TTIROp, name="scaled_dot_product_attention", traits=[Pure]):
    """`softmax(query @ key.T * scale + mask) @ value`; causal by default."""

    attrs = {
        "is_causal": optional(BOOL, True),
        "scale": optional(F32),
        "sliding_window_size": optional(UI32),
    }
    query: Operand[Any]
    key: Operand[Any]
    value: Operand[Any]
    attention_mask: Operand[Any] | None
    attention_sink: Operand[Any] | None
    result: Result[Any]


class ScaledDotProductAttentionDecodeOp(
    TTIROp, name="scaled_dot_product_attention_decode", traits=[Pure]
):
    """Attention of one query position a user on a KV cache."""

    attrs = {"is_causal": optional(BOOL, True), "scale": optional(F32)}
    query: Operand[Any]
    key: Operand[Any]
    value: Operand[Any]
    attention_mask: Operand[Any] | None
    cur_pos_tensor: Operand[Any]
    attention_sink: Operand[Any] | None
    result: Result[Any]


class SdpaFwOp(TTIROp, name="sdpa_fw", traits=[Pure]):
    """Attention in training: the output, and what the backward op needs."""

    attrs = {
        "mask_type": optional(ATTENTION_MASK_TYPE, "causal"),
        "dropout_probability": optional(F32, 0.0),
        "return_intermediates": optional(BOOL, False),
    }
    query: Operand[Any]
    key: Operand[Any]
    value: Operand[Any]
    attention_mask: Operand[Any] | None
    output: Result[Any]
    intermediates: Result[Any] | None


class SdpaBwOp(TTIROp, name="sdpa_bw", traits=[Pure]):
    """The gradients of attention in training."""

    attrs = {
        "mask_type": optional(ATTENTION_MASK_TYPE, "arbitrary"),
        "dropout_probability": optional(F32, 0.0),
    }
    grad_output: Operand[Any]
    attn_output: Operand[Any]
    query: Operand[Any]
    key: Operand[Any]
    value: Operand[Any]
    intermediates: Operand[Any]
    attention_mask: Operand[Any] | None
    grad_query: Result[Any]
    grad_key: Result[Any]
    grad_value: Result[Any]


class SplitQueryKeyValueAndSplitHeadsOp(
    TTIROp, name="split_query_key_value_and_split_heads", traits=[Pure]
):
    """Split a fused projection [B, S, ...] into query, key and value [B, heads, S, D]."""

    attrs = {
        "num_heads": required(UI32),
        "num_kv_heads": optional(UI32),
        "transpose_key": required(BOOL),
    }
    input_tensor: Operand[Any]
    kv_input_tensor: Operand[Any] | None
    query: Result[Any]
    key: Result[Any]
    value: Result[Any]


class ConcatenateHeadsOp(TTIROp, name="concatenate_heads", traits=[Pure]):
    """[B, H, S, D] to [B, S, H * D]."""

    input: Operand[Any]
    result: Result[Any]
