"""The verifiers of TTIR's matrix products: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("matmul", "2x3xf32 3x4xf32 -> 2x4xf32", "", ""),
    ("matmul", "3xf32 3xf32 -> 1xf32", "", ""),
    ("matmul", "3xf32 3x4xf32 -> 4xf32", "", ""),
    ("matmul", "5x2x3xf32 3xf32 -> 5x2xf32", "", ""),
    ("matmul", "5x1x2x3xf32 7x3x4xf32 -> 5x7x2x4xf32", "", ""),
    ("matmul", "3x2xf32 4x3xf32 -> 2x4xf32", "transpose_a = true, transpose_b = true", ""),
    ("matmul", "3xf32 4x3xf32 -> 4xf32", "transpose_a = true, transpose_b = true", ""),
    ("matmul", "2x3xf32 3x4xf32 -> 4x2xf32", "", "shape of `result` must be [2, 4], not [4, 2]"),
    ("matmul", "2x3xf32 4x3xf32 -> 2x4xf32", "", "inner dimensions must be equal, not 3 and 4"),
    ("matmul", "3xf32 3xf32 -> f32", "", "shape of `result` must be [1], not []"),
    ("matmul", "f32 3xf32 -> 1xf32", "", "`a` must have rank 1 or more, not 0"),
    ("matmul", "3xf32 f32 -> 1xf32", "", "`b` must have rank 1 or more, not 0"),
    (
        "matmul",
        "5x2x3xf32 4x3x2xf32 -> 5x2x2xf32",
        "",
        "operand shapes do not broadcast: 4 against 5 in dimension -1",
    ),
    ("linear", "2x8xf32 4x8xf32 4xf32 -> 2x4xf32", "transpose_b = true", ""),
    ("linear", "2x8xf32 8x4xf32 -> 2x4xf32", "", ""),
    ("linear", "2x8xf32 8x4xf32 3x2x4xf32 -> 3x2x4xf32", "", ""),
    ("linear", "2x8xf32 8x4xf32 f32 -> 2x4xf32", "", "`bias` must have rank 1 or more, not 0"),
    (
        "linear",
        "2x8xf32 8x4xf32 3xf32 -> 2x4xf32",
        "",
        "operand shapes do not broadcast: 3 against 4 in dimension -1",
    ),
    (
        "linear",
        "2x8xf32 4x8xf32 4xf32 -> 2x4xf32",
        "",
        "inner dimensions must be equal, not 8 and 4",
    ),
    (
        "linear",
        "2x8xf32 8x4xf32 1x2x4xf32 -> 2x4xf32",
        "",
        "shape of `result` must be [1, 2, 4], not [2, 4]",
    ),
    (
        "linear",
        "2x8xf32 8x4xf32 4xf32 4xf32 -> 2x4xf32",
        "",
        "takes 2 to 3 operands (`a`, `b`, `bias`), not 4",
    ),
    (
        "dot_general",
        "5x2x3xf32 5x4x3xf32 -> 5x2x4xf32",
        "batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>,"
        " batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 2>",
        "",
    ),
    (
        "dot_general",
        "2x3xf32 4xf32 -> 2x3x4xf32",
        "batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64>,"
        " batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64>",
        "",
    ),
    (
        "dot_general",
        "3xf32 3xf32 -> f32",
        "batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 0>,"
        " batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>",
        "",
    ),
    (
        "dot_general",
        "5x2x3xf32 5x4x3xf32 -> 2x5x4xf32",
        "batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>,"
        " batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 2>",
        "shape of `result` must be [5, 2, 4], not [2, 5, 4]",
    ),
    (
        "dot_general",
        "2x3xf32 4x5xf32 -> 2x5xf32",
        "batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>,"
        " batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>",
        "contract dimensions must have equal sizes, not [3] and [4]",
    ),
    (
        "dot_general",
        "2x3xf32 4x3xf32 -> 3x3xf32",
        "batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64>,"
        " batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64>",
        "batch dimensions must have equal sizes, not [2] and [4]",
    ),
    (
        "dot_general",
        "2x3xf32 3x5xf32 -> 2x5xf32",
        "batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 2>,"
        " batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64: 0>",
        "`batch_dims_lhs` and `contract_dims_lhs` must be in [0, 2), not 2",
    ),
    (
        "dot_general",
        "2x3xf32 3x5xf32 -> 2x5xf32",
        "batch_dims_lhs = array<i64: 1>, contract_dims_lhs = array<i64: 1>,"
        " batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 0>",
        "`batch_dims_lhs` and `contract_dims_lhs` name a dimension twice: [1, 1]",
    ),
    (
        "dot_general",
        "2x3xf32 3x5xf32 -> 2x5xf32",
        "batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64: 1>,"
        " batch_dims_rhs = array<i64>",
        "requires attribute `contract_dims_rhs` (array<i64: ...>)",
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
