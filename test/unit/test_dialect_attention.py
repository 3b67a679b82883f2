"""The verifiers of TTIR's attention ops: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x1x16x16xf32 -> 1x8x16x32xf32",
        "is_causal = false, scale = 0.5 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        "",
    ),
    (
        "scaled_dot_product_attention",
        "2x8x4x32xf32 2x8x16x32xf32 2x8x16x32xf32 2x8x4x16xf32 1x8x1x1xf32 -> 2x8x4x32xf32",
        "is_causal = false, sliding_window_size = 4 : ui32,"
        " operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>",
        "",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x1x16x16xf32 -> 1x8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        "takes no `attention_mask` with `is_causal`, which is true unless set to false",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x4x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x4x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "`is_causal` needs as many queries as keys, not 4 and 16",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x1x16x16xi1 -> 1x8x16x32xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        "element type of `attention_mask` must be a float type, not i1",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x4x16x16xf32 -> 1x8x16x32xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        "`attention_mask` must have size 1 or 8 in dimension 1, not 4",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x1x16x1xf32 -> 1x8x16x32xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        "`attention_mask` must have size 16 in dimension 3, not 1",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 16x16xf32 -> 1x8x16x32xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>",
        "`attention_mask` must have rank 4, not 2",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x4x1x1xf32 -> 1x8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>",
        "shape of `attention_sink` must be [1, 8, 1, 1], not [1, 4, 1, 1]",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x16xf32 -> 1x8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "type of `value` must be `tensor<1x2x16x32xf32>`, not `tensor<1x2x16x16xf32>`",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xbf16 -> 1x8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "type of `value` must be `tensor<1x2x16x32xf32>`, not `tensor<1x2x16x32xbf16>`",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xbf16",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "type of `result` must be `tensor<1x8x16x32xf32>`, not `tensor<1x8x16x32xbf16>`",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x3x16x32xf32 1x3x16x32xf32 -> 1x8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "`query` has 8 heads, not a multiple of the 3 of `key`",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 2x2x16x32xf32 2x2x16x32xf32 -> 1x8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "shape of `key` must be [1, 2, 16, 32], not [2, 2, 16, 32]",
    ),
    (
        "scaled_dot_product_attention",
        "8x16x32xf32 8x16x32xf32 8x16x32xf32 -> 8x16x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "`query` must have rank 4, not 3",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32",
        "sliding_window_size = 0 : ui32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>",
        "`sliding_window_size` must be at least 1, not 0",
    ),
    (
        "scaled_dot_product_attention",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32",
        "",
        "requires attribute `operandSegmentSizes` (array<i32: ...>)",
    ),
    (
        "scaled_dot_product_attention_decode",
        "1x3x8x32xf32 3x2x64x32xf32 3x2x64x32xf32 3xi32 -> 1x3x8x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>",
        "",
    ),
    (
        "scaled_dot_product_attention_decode",
        "1x3x8x32xf32 3x2x64x32xf32 3x2x64x32xf32 1x1x8x64xf32 3xi32 8x32xf32 -> 1x3x8x32xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>",
        "",
    ),
    (
        "scaled_dot_product_attention_decode",
        "2x3x8x32xf32 3x2x64x32xf32 3x2x64x32xf32 3xi32 -> 2x3x8x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>",
        "`query` must have size 1 in dimension 0, not 2",
    ),
    (
        "scaled_dot_product_attention_decode",
        "1x3x8x32xf32 3x2x64x32xf32 3x2x64x32xf32 2xi32 -> 1x3x8x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>",
        "shape of `cur_pos_tensor` must be [3], not [2]",
    ),
    (
        "scaled_dot_product_attention_decode",
        "1x3x8x32xf32 3x2x64x32xf32 3x2x64x32xf32 3xf32 -> 1x3x8x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>",
        "element type of `cur_pos_tensor` must be an integer type, not f32",
    ),
    (
        "scaled_dot_product_attention_decode",
        "1x3x8x32xf32 3x2x64x32xf32 3x2x64x32xf32 3x3x8x64xf32 3xi32 -> 1x3x8x32xf32",
        "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>",
        "`attention_mask` must have size 1 in dimension 1, not 3",
    ),
    (
        "scaled_dot_product_attention_decode",
        "1x3x8x32xf32 3x2x64x32xf32 3x2x64x32xf32 3xi32 8xf32 -> 1x3x8x32xf32",
        "operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>",
        "shape of `attention_sink` must be [8, 32], not [8]",
    ),
    (
        "sdpa_fw",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32 1x8x16x32xf32",
        "return_intermediates = true",
        "",
    ),
    (
        "sdpa_fw",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x1x16x16xf32 -> 1x8x16x32xf32",
        "mask_type = #ttcore.attention_mask_type<arbitrary>",
        "",
    ),
    (
        "sdpa_fw",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32",
        "return_intermediates = true",
        "`return_intermediates` needs `intermediates`",
    ),
    (
        "sdpa_fw",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32 1x8x16x16xf32",
        "return_intermediates = true",
        "shape of `intermediates` must be [1, 8, 16, 32], not [1, 8, 16, 16]",
    ),
    (
        "sdpa_fw",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32",
        "mask_type = #ttcore.attention_mask_type<arbitrary>",
        "needs `attention_mask` where `mask_type` is arbitrary",
    ),
    (
        "sdpa_fw",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32",
        "mask_type = #ttcore.attention_mask_type<some>",
        "attribute `mask_type` must be #ttcore.attention_mask_type<none|causal|arbitrary>,"
        " not #ttcore.attention_mask_type<some>",
    ),
    (
        "sdpa_fw",
        "1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 -> 1x8x16x32xf32",
        "dropout_probability = 0.5 : f32",
        "`dropout_probability` must be 0, not 0.5",
    ),
    (
        "sdpa_bw",
        "1x8x16x32xf32 1x8x16x32xf32 1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x8x16x32xf32"
        " -> 1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32",
        "mask_type = #ttcore.attention_mask_type<causal>",
        "",
    ),
    (
        "sdpa_bw",
        "1x8x16x32xf32 1x8x16x32xf32 1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x8x16x32xf32"
        " 1x1x16x16xf32 -> 1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32",
        "",
        "",
    ),
    (
        "sdpa_bw",
        "1x8x16x32xf32 1x8x16x32xf32 1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x8x16x32xf32"
        " -> 1x8x16x32xf32 1x2x16x32xf32 1x8x16x32xf32",
        "mask_type = #ttcore.attention_mask_type<causal>",
        "shape of `grad_value` must be [1, 2, 16, 32], not [1, 8, 16, 32]",
    ),
    (
        "sdpa_bw",
        "1x8x16x32xf32 1x2x16x32xf32 1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32 1x8x16x32xf32"
        " -> 1x8x16x32xf32 1x2x16x32xf32 1x2x16x32xf32",
        "mask_type = #ttcore.attention_mask_type<causal>",
        "shape of `attn_output` must be [1, 8, 16, 32], not [1, 2, 16, 32]",
    ),
    (
        "split_query_key_value_and_split_heads",
        "2x5x96xf32 -> 2x4x5x8xf32 2x4x8x5xf32 2x4x5x8xf32",
        "num_heads = 4 : ui32, transpose_key = true",
        "",
    ),
    (
        "split_query_key_value_and_split_heads",
        "2x5x32xf32 2x5x32xf32 -> 2x4x5x8xf32 2x2x5x8xf32 2x2x5x8xf32",
        "num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = false",
        "",
    ),
    (
        "split_query_key_value_and_split_heads",
        "2x5x97xf32 -> 2x4x5x8xf32 2x4x8x5xf32 2x4x5x8xf32",
        "num_heads = 4 : ui32, transpose_key = true",
        "`input_tensor` has 97 features, which do not split into 12 heads",
    ),
    (
        "split_query_key_value_and_split_heads",
        "2x5x96xf32 -> 2x4x5x8xf32 2x4x5x8xf32 2x4x5x8xf32",
        "num_heads = 4 : ui32, transpose_key = true",
        "shape of `key` must be [2, 4, 8, 5], not [2, 4, 5, 8]",
    ),
    (
        "split_query_key_value_and_split_heads",
        "2x5x32xf32 2x5x30xf32 -> 2x4x5x8xf32 2x2x5x8xf32 2x2x5x8xf32",
        "num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = false",
        "shape of `kv_input_tensor` must be [2, 5, 32], not [2, 5, 30]",
    ),
    (
        "split_query_key_value_and_split_heads",
        "2x5x96xf32 -> 2x4x5x8xf32 2x4x8x5xf32 2x4x5x8xf32",
        "num_heads = 0 : ui32, transpose_key = true",
        "`num_heads` and `num_kv_heads` must be at least 1",
    ),
    ("concatenate_heads", "2x4x5x8xf32 -> 2x5x32xf32", "", ""),
    (
        "concatenate_heads",
        "2x4x5x8xf32 -> 2x4x40xf32",
        "",
        "shape of `result` must be [2, 5, 32], not [2, 4, 40]",
    ),
    ("concatenate_heads", "4x5x8xf32 -> 5x32xf32", "", "`input` must have rank 4, not 3"),
]


@pytest.mark.parametrize(
    ("op", "types", "attributes", "message"),
    CASES,
    ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)],
)
def test_the_verifier(
    verify_op: Callable[[str, str, str], str], op: str, types: str, attributes: str, message: str
) -> None:
    assert verify_op(op, types, attributes) == message
