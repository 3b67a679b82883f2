"""The verifiers of TTIR's elementwise ops: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ADAMW = (
    "lr = 0.1 : f32, beta1 = 0.1 : f32, beta2 = 0.1 : f32, beta1_pow = 0.1 : f32,"
    " beta2_pow = 0.1 : f32, epsilon = 0.1 : f32, weight_decay = 0.1 : f32"
)

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("abs", "2x3xf32 -> 2x3xf32", "", ""),
    ("abs", "f32 -> f32", "", ""),
    (
        "abs",
        "2x3xf32 -> 2x4xf32",
        "",
        "result shape [2, 4] must be the broadcast shape of the operands, [2, 3]",
    ),
    (
        "abs",
        "2x3xf32 -> 1x2x3xf32",
        "",
        "result shape [1, 2, 3] must be the broadcast shape of the operands, [2, 3]",
    ),
    ("abs", "2x3xf32 2x3xf32 -> 2x3xf32", "", "takes 1 operand (`input`), not 2"),
    ("abs", "-> 2x3xf32", "", "takes 1 operand (`input`), not 0"),
    (
        "abs",
        "2x?xf32 -> 2x3xf32",
        "",
        "operand `input` must be a tensor of static shape, not tensor<2x?xf32>",
    ),
    (
        "abs",
        "2x3xf32 -> 2x3xf32",
        "dim = 1 : si32",
        "has no attribute `dim`; its attributes are: none",
    ),
    ("abs", "2x3xf32 -> 2x3xf32", "operandSegmentSizes = array<i32: 1>, mine.note = 1", ""),
    ("add", "2x3xf32 2x3xf32 -> 2x3xf32", "", ""),
    ("add", "2x1xf32 3xf32 -> 2x3xf32", "", ""),
    ("add", "f32 2x3xf32 -> 2x3xf32", "", ""),
    ("add", "0x3xf32 1x3xf32 -> 0x3xf32", "", ""),
    ("add", "2x3xbf16 2x3xf32 -> 2x3xf32", "", ""),
    (
        "add",
        "2x3xf32 3xf32 -> 3xf32",
        "",
        "result shape [3] must be the broadcast shape of the operands, [2, 3]",
    ),
    (
        "add",
        "2x3xf32 4xf32 -> 2x4xf32",
        "",
        "operand shapes do not broadcast: 4 against 3 in dimension -1",
    ),
    (
        "add",
        "2x3xf32 0x3xf32 -> 2x3xf32",
        "",
        "operand shapes do not broadcast: 0 against 2 in dimension -2",
    ),
    ("add", "2x3xf32 -> 2x3xf32", "", "takes 2 operands (`lhs`, `rhs`), not 1"),
    ("add", "2x3xf32 2x3xf32 2x3xf32 -> 2x3xf32", "", "takes 2 operands (`lhs`, `rhs`), not 3"),
    ("add", "2x3xf32 2x3xf32 -> 2x3xf32 2x3xf32", "", "takes 1 result (`result`), not 2"),
    ("eq", "2x3xf32 2x3xf32 -> 2x3xi1", "", ""),
    ("where", "2x1xi1 2x3xf32 3xf32 -> 2x3xf32", "", ""),
    (
        "where",
        "2x1xi1 2x3xf32 4xf32 -> 2x3xf32",
        "",
        "operand shapes do not broadcast: 4 against 3 in dimension -1",
    ),
    ("typecast", "2xf32 -> 2xi32", "conservative_folding = true", ""),
    (
        "typecast",
        "2xf32 -> 2xi32",
        "conservative_folding = 1 : i32",
        "attribute `conservative_folding` must be bool, not 1 : i32",
    ),
    ("bitcast_convert", "2xf32 -> 2xi32", "", ""),
    ("bitcast_convert", "2xbf16 -> 2xui16", "", ""),
    ("bitcast_convert", "2xf8E4M3FN -> 2xi8", "", ""),
    (
        "bitcast_convert",
        "2xf32 -> 2xi16",
        "",
        "element types must have the same width, not 32 and 16 bits",
    ),
    (
        "bitcast_convert",
        "2xindex -> 2xi64",
        "",
        "element type of `input` must be an integer or float type, not index",
    ),
    (
        "bitcast_convert",
        "2xf32 -> 2xcomplex<f32>",
        "",
        "element type of `result` must be an integer or float type, not complex<f32>",
    ),
    ("leaky_relu", "2xf32 -> 2xf32", "parameter = 0.1 : f32", ""),
    ("leaky_relu", "2xf32 -> 2xf32", "", "requires attribute `parameter` (f32)"),
    (
        "leaky_relu",
        "2xf32 -> 2xf32",
        "parameter = 0.1",
        "attribute `parameter` must be f32, not 1.000000e-01 : f64",
    ),
    ("selu", "2xf32 -> 2xf32", "", ""),
    ("selu", "2xf32 -> 2xf32", "scale = 1.0 : f32, alpha = 1.0 : f32", ""),
    ("right_shift", "2xi32 2xi32 -> 2xi32", "", ""),
    ("logical_left_shift", "2xui8 2xui8 -> 2xui8", "", ""),
    (
        "logical_right_shift",
        "2xi32 2xf32 -> 2xi32",
        "",
        "element type of `rhs` must be an integer type, not f32",
    ),
    (
        "right_shift",
        "2xi32 2xi32 -> 2xf32",
        "",
        "element type of `result` must be an integer type, not f32",
    ),
    ("gelu_bw", "2x3xf32 2x3xf32 -> 2x3xf32", 'approximate = "tanh"', ""),
    (
        "gelu_bw",
        "2x3xf32 2x3xf32 -> 2x3xf32",
        'approximate = "sigmoid"',
        '`approximate` must be "none" or "tanh", not "sigmoid"',
    ),
    ("gelu_bw", "3xf32 3xf32 -> 3xf32", "", "`lhs` must have rank 2 to 4, not 1"),
    ("gelu_bw", "2x3xf32 1x2x3xf32 -> 1x2x3xf32", "", "`rhs` must have rank 2, not 3"),
    ("clamp_scalar", "2x3xf32 -> 2x3xf32", "min = 0.0 : f32, max = 0x7F800000 : f32", ""),
    ("clamp_scalar", "2x3xi32 -> 2x3xi32", "min = 0 : i32, max = 6 : i32", ""),
    ("clamp_scalar", "2x3xf32 -> 2x3xf32", "min = 0.0 : f32, max = 6 : i32", ""),
    (
        "clamp_scalar",
        "2x3xf32 -> 3x2xf32",
        "min = 0.0 : f32, max = 1.0 : f32",
        "shape of `result` must be [2, 3], not [3, 2]",
    ),
    (
        "clamp_scalar",
        "2x3xf32 -> 2x3xf32",
        "min = 0.0 : f32",
        "requires attribute `max` (f32 or i32)",
    ),
    (
        "clamp_scalar",
        "2x3xf32 -> 2x3xf32",
        "min = 0 : i64, max = 1 : i32",
        "attribute `min` must be f32 or i32, not 0 : i64",
    ),
    ("clamp_tensor", "2x3xf32 3xf32 2x1xf32 -> 2x3xf32", "", ""),
    (
        "clamp_tensor",
        "2x3xf32 4x2x3xf32 2x3xf32 -> 2x3xf32",
        "",
        "`min` of shape [4, 2, 3] does not broadcast to [2, 3]",
    ),
    (
        "clamp_tensor",
        "2x3xf32 2x3xf32 4xf32 -> 2x3xf32",
        "",
        "operand shapes do not broadcast: 4 against 3 in dimension -1",
    ),
    (
        "clamp_tensor",
        "1x3xf32 2x3xf32 2x3xf32 -> 2x3xf32",
        "",
        "shape of `result` must be [1, 3], not [2, 3]",
    ),
    ("adamw", "4xf32 4xf32 4xf32 4xf32 -> 4xf32 4xf32 4xf32", ADAMW, ""),
    ("adamw", "4xf32 4xf32 4xf32 4xf32 4xf32 -> 4xf32 4xf32 4xf32 4xf32", ADAMW, ""),
    (
        "adamw",
        "4xf32 4xf32 4xf32 4xf32 4xf32 -> 4xf32 4xf32 4xf32",
        ADAMW,
        "`max_exp_avg_sq` and `max_exp_avg_sq_out` must both be there, or neither",
    ),
    (
        "adamw",
        "4xf32 3xf32 4xf32 4xf32 -> 4xf32 4xf32 4xf32",
        ADAMW,
        "shape of `grad` must be [4], not [3]",
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
