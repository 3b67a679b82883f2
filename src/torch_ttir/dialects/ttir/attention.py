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
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import (
    expect,
    expect_integer,
    expect_rank,
    expect_shape,
    expect_type,
)
from torch_ttir.ir.types import TensorInfo, is_float


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

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check heads, lengths, mask and sink; the result is typed as the query."""
        query, key = op.operands["query"], op.operands["key"]
        _check_key_and_value(query, key, op.operands["value"], batch=0, heads=1)
        batch, heads, length, _ = query.shape
        _check_mask(op.operands["attention_mask"], (batch, heads, length), key.shape[2])
        if op.attrs["is_causal"]:
            expect(
                op.operands["attention_mask"] is None,
                "takes no `attention_mask` with `is_causal`, which is true unless set to false",
            )
            expect(
                length == key.shape[2],
                f"`is_causal` needs as many queries as keys, not {length} and {key.shape[2]}",
            )
        window = op.attrs["sliding_window_size"]
        expect(window is None or window > 0, "`sliding_window_size` must be at least 1, not 0")
        if op.operands["attention_sink"] is not None:
            expect_shape(op.operands["attention_sink"], (1, heads, 1, 1), "attention_sink")
        expect_type(op.results["result"], query, "result")


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

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check users, heads, mask and sink; the result is typed as the query."""
        query, key = op.operands["query"], op.operands["key"]
        _check_key_and_value(query, key, op.operands["value"], batch=1, heads=2)
        one, users, heads, _ = query.shape
        expect(one == 1, f"`query` must have size 1 in dimension 0, not {one}")
        mask = op.operands["attention_mask"]
        if mask is not None:
            _check_mask(mask, (users, 1, heads), key.shape[2])
        expect_shape(op.operands["cur_pos_tensor"], (users,), "cur_pos_tensor")
        expect_integer(op.operands["cur_pos_tensor"], "cur_pos_tensor")
        if op.operands["attention_sink"] is not None:
            expect_shape(op.operands["attention_sink"], (heads, 32), "attention_sink")
        expect_type(op.results["result"], query, "result")


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

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check heads, lengths and mask, and the shapes of the results."""
        query, key = op.operands["query"], op.operands["key"]
        _check_training(op, query, key)
        expect_type(op.results["output"], query, "output")
        intermediates = op.results["intermediates"]
        if op.attrs["return_intermediates"]:
            expect(intermediates is not None, "`return_intermediates` needs `intermediates`")
        else:
            expect(intermediates is None, "has `intermediates` without `return_intermediates`")
        if intermediates is not None:
            expect_shape(intermediates, (*query.shape[:3], 32), "intermediates")


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

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check heads, lengths and mask, and that gradients are typed as their values."""
        query, key = op.operands["query"], op.operands["key"]
        _check_training(op, query, key)
        for name in ("grad_output", "attn_output"):
            expect_shape(op.operands[name], query.shape, name)
        expect_shape(op.operands["intermediates"], (*query.shape[:3], 32), "intermediates")
        for name in ("query", "key", "value"):
            expect_shape(op.results[f"grad_{name}"], op.operands[name].shape, f"grad_{name}")


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

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the heads divide the projection, and the shapes of the results."""
        info, other = op.operands["input_tensor"], op.operands["kv_input_tensor"]
        expect_rank(info, 3, 3, "input_tensor")
        batch, length, width = info.shape
        heads = op.attrs["num_heads"]
        kv_heads = heads if op.attrs["num_kv_heads"] is None else op.attrs["num_kv_heads"]
        expect(min(heads, kv_heads) > 0, "`num_heads` and `num_kv_heads` must be at least 1")
        parts = heads + 2 * kv_heads if other is None else heads
        expect(
            width % parts == 0,
            f"`input_tensor` has {width} features, which do not split into {parts} heads",
        )
        size = width // parts
        if other is not None:
            expect_shape(other, (batch, length, 2 * kv_heads * size), "kv_input_tensor")
        key = (size, length) if op.attrs["transpose_key"] else (length, size)
        expect_shape(op.results["query"], (batch, heads, length, size), "query")
        expect_shape(op.results["key"], (batch, kv_heads, *key), "key")
        expect_shape(op.results["value"], (batch, kv_heads, length, size), "value")


class ConcatenateHeadsOp(TTIROp, name="concatenate_heads", traits=[Pure]):
    """[B, H, S, D] to [B, S, H * D]."""

    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has the heads side by side."""
        expect_rank(op.operands["input"], 4, 4, "input")
        batch, heads, length, size = op.operands["input"].shape
        expect_shape(op.results["result"], (batch, length, heads * size), "result")


def _check_key_and_value(
    query: TensorInfo, key: TensorInfo, value: TensorInfo, batch: int, heads: int
) -> None:
    """Check key and value [B, Hkv, Sk, D] against a query with B and Hq at the given places."""
    expect_rank(query, 4, 4, "query")
    expect_rank(key, 4, 4, "key")
    expect_type(value, key, "value")
    kv_heads, length = key.shape[1:3]
    expect_shape(key, (query.shape[batch], kv_heads, length, query.shape[3]), "key")
    expect(
        kv_heads > 0 and query.shape[heads] % kv_heads == 0,
        f"`query` has {query.shape[heads]} heads, not a multiple of the {kv_heads} of `key`",
    )


def _check_mask(mask: TensorInfo | None, sizes: tuple[int, ...], length: int) -> None:
    """Check an additive mask: of each of `sizes`, or 1 there, and `length` keys."""
    if mask is None:
        return
    expect_rank(mask, 4, 4, "attention_mask")
    # It is added to the logits, so that a boolean one would hide nothing.
    expect(
        is_float(mask.dtype),
        f"element type of `attention_mask` must be a float type, not {mask.dtype}",
    )
    for dim, (found, size) in enumerate(zip(mask.shape, (*sizes, length), strict=True)):
        wanted = str(size) if dim == 3 or size == 1 else f"1 or {size}"
        expect(
            found == size or (dim != 3 and found == 1),
            f"`attention_mask` must have size {wanted} in dimension {dim}, not {found}",
        )


def _check_training(op: Decoded, query: TensorInfo, key: TensorInfo) -> None:
    _check_key_and_value(query, key, op.operands["value"], batch=0, heads=1)
    mask = op.operands["attention_mask"]
    kind = op.attrs["mask_type"]
    if kind == "arbitrary":
        expect(mask is not None, "needs `attention_mask` where `mask_type` is arbitrary")
    else:
        expect(mask is None, f"takes no `attention_mask` where `mask_type` is {kind}")
    _check_mask(mask, query.shape[:3], key.shape[2])
    probability = op.attrs["dropout_probability"]
    expect(probability == 0, f"`dropout_probability` must be 0, not {probability}")
