"""The verifiers of TTIR's normalizations: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("softmax", "4x8xf32 -> 4x8xf32", "dimension = -1 : si32, numericStable = true", ""),
    (
        "softmax",
        "4x8xf32 -> 4x8xf32",
        "dimension = 2 : si32",
        "`dimension` must be in [-2, 2), not 2",
    ),
    (
        "softmax",
        "4x8xf32 -> 4x1xf32",
        "dimension = 1 : si32",
        "shape of `result` must be [4, 8], not [4, 1]",
    ),
    (
        "softmax",
        "4x8xf32 -> 4x8xf32",
        "dimension = 1 : i32",
        "attribute `dimension` must be si32, not 1 : i32",
    ),
    (
        "softmax",
        "4x8xf32 -> 4x8xf32",
        "dimension = 1 : si32, numeric_stable = true",
        "has no attribute `numeric_stable`; its attributes are: `dimension`, `numericStable`",
    ),
    (
        "batch_norm_inference",
        "2x4x8x8xf32 4xf32 4xf32 4xf32 4xf32 -> 2x4x8x8xf32",
        "epsilon = 1.0e-05 : f32, dimension = 1 : i32",
        "",
    ),
    (
        "batch_norm_inference",
        "2x4x8x8xf32 1x4x1x1xf32 1x4x1x1xf32 1x4x1x1xf32 1x4x1x1xf32 -> 2x4x8x8xf32",
        "epsilon = 1.0e-05 : f32, dimension = 1 : i32",
        "",
    ),
    (
        "batch_norm_inference",
        "2x4x8x8xf32 4xf32 4xf32 4xf32 8xf32 -> 2x4x8x8xf32",
        "epsilon = 1.0e-05 : f32, dimension = 1 : i32",
        "shape of `variance` must be [4] or [1, 4, 1, 1], not [8]",
    ),
    (
        "batch_norm_inference",
        "2x4x8x8xf32 4xf32 4xf32 4xf32 4xf32 -> 2x4x8xf32",
        "epsilon = 1.0e-05 : f32, dimension = 1 : i32",
        "shape of `result` must be [2, 4, 8, 8], not [2, 4, 8]",
    ),
    (
        "batch_norm_inference",
        "4xf32 4xf32 4xf32 4xf32 4xf32 -> 4xf32",
        "epsilon = 1.0e-05 : f32, dimension = 0 : i32",
        "`operand` must have rank 2 to 5, not 1",
    ),
    (
        "batch_norm_inference",
        "2x4xf32 4xf32 4xf32 4xf32 4xf32 -> 2x4xf32",
        "epsilon = 1.0e-05 : f32, dimension = -1 : i32",
        "`dimension` must be in [0, 2), not -1",
    ),
    (
        "batch_norm_training",
        "2x4xf32 4xf32 4xf32 4xf32 4xf32 -> 2x4xf32 4xf32 4xf32",
        "epsilon = 1.0e-05 : f32, dimension = 1 : i32, momentum = 0.1 : f32",
        "",
    ),
    (
        "batch_norm_training",
        "2x4xf32 4xf32 4xf32 4xf32 4xf32 -> 2x4xf32 2xf32 4xf32",
        "epsilon = 1.0e-05 : f32, dimension = 1 : i32, momentum = 0.1 : f32",
        "shape of `batch_mean` must be [4] or [1, 4, 1, 1], not [2]",
    ),
    (
        "batch_norm_training",
        "2x4xf32 4xf32 4xf32 4xf32 4xf32 -> 2x4xf32 4xf32 4xf32",
        "epsilon = 1.0e-05 : f32, dimension = 1 : i32",
        "requires attribute `momentum` (f32)",
    ),
    (
        "layer_norm",
        "2x4x8xf32 8xf32 8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, epsilon = 1.0e-05 : f32,"
        " operandSegmentSizes = array<i32: 1, 1, 1>",
        "",
    ),
    (
        "layer_norm",
        "2x4x8xf32 4x8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 0, 1>",
        "",
    ),
    (
        "layer_norm",
        "2x4x8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 0>",
        "",
    ),
    (
        "layer_norm",
        "2x4x8xf32 8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>",
        "requires attribute `operandSegmentSizes` (array<i32: ...>)",
    ),
    (
        "layer_norm",
        "2x4x8xf32 8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>",
        "`operandSegmentSizes` is [1, 1, 1] for 2 operands; it has `input` 1,"
        " `weight` 0 or 1, `bias` 0 or 1",
    ),
    (
        "layer_norm",
        "2x4x8xf32 8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1>",
        "`operandSegmentSizes` is [1, 1] for 2 operands; it has `input` 1, `weight` 0 or 1,"
        " `bias` 0 or 1",
    ),
    (
        "layer_norm",
        "2x4x8xf32 8xf32 8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 2, 0>",
        "`operandSegmentSizes` is [1, 2, 0] for 3 operands; it has `input` 1,"
        " `weight` 0 or 1, `bias` 0 or 1",
    ),
    (
        "layer_norm",
        "2x4x8xf32 8xf32 8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = [1 : i32, 1 : i32, 1 : i32]",
        "attribute `operandSegmentSizes` must be array<i32: ...>, not [1 : i32, 1 : i32, 1 : i32]",
    ),
    (
        "layer_norm",
        "2x4x8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64>, operandSegmentSizes = array<i32: 1, 0, 0>",
        "`normalized_shape` must not be empty",
    ),
    (
        "layer_norm",
        "2x4x8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 4>, operandSegmentSizes = array<i32: 1, 0, 0>",
        "`normalized_shape` must be the last dimensions of [2, 4, 8], not [4]",
    ),
    (
        "layer_norm",
        "2x4x8xf32 1x8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 0>",
        "shape of `weight` must be [8], not [1, 8]",
    ),
    (
        "layer_norm",
        "2x4x8xf32 -> 2x4xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 0>",
        "shape of `result` must be [2, 4, 8], not [2, 4]",
    ),
    (
        "rms_norm",
        "2x4x8xf32 8xf32 8xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>",
        "",
    ),
    (
        "rms_norm",
        "2x4x8xf32 4xf32 -> 2x4x8xf32",
        "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 0, 1>",
        "shape of `bias` must be [8], not [4]",
    ),
    (
        "group_norm",
        "2x4x8x8xf32 4xf32 4xf32 -> 2x4x8x8xf32",
        "num_groups = 2 : i64, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1>",
        "",
    ),
    (
        "group_norm",
        "2x8x8x4xf32 -> 2x8x8x4xf32",
        "num_groups = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>",
        "",
    ),
    (
        "group_norm",
        "2x4x8xf32 -> 2x4x8xf32",
        "num_groups = 2 : i64, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>",
        "`input` must have rank 4 or more, not 3",
    ),
    (
        "group_norm",
        "2x4x8x8xf32 -> 2x4x8x8xf32",
        "num_groups = 3 : i64, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>",
        "`input` has 4 channels, not a multiple of `num_groups` = 3",
    ),
    (
        "group_norm",
        "2x4x8x8xf32 -> 2x4x8x8xf32",
        "num_groups = 0 : i64, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>",
        "`num_groups` must be at least 1, not 0",
    ),
    (
        "group_norm",
        "2x4x8x8xf32 -> 2x4x8x8xf32",
        "num_groups = 2 : i64, channel_dim = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>",
        "`channel_dim` must be in [0, 4), not 4",
    ),
    (
        "group_norm",
        "2x4x8x8xf32 8xf32 -> 2x4x8x8xf32",
        "num_groups = 2 : i64, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 0>",
        "shape of `weight` must be [4], not [8]",
    ),
    (
        "group_norm",
        "2x4x8x8xf32 -> 2x4x8x4xf32",
        "num_groups = 2 : i64, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>",
        "shape of `result` must be [2, 4, 8, 8], not [2, 4, 8, 4]",
    ),
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
