"""The verifiers of TTIR's reductions, scans and sorts: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("sum", "4x8xf32 -> 4x1xf32", "dim_arg = [1 : i32], keep_dim = true", ""),
    ("sum", "4x8xf32 -> 4xf32", "dim_arg = [-1 : i32], keep_dim = false", ""),
    ("sum", "4x8xf32 -> f32", "keep_dim = false", ""),
    ("sum", "4x8xf32 -> 1x1xf32", "keep_dim = true", ""),
    ("mean", "4x8x2xf32 -> 8xf32", "dim_arg = [2 : i32, 0 : i32], keep_dim = false", ""),
    ("max", "f32 -> f32", "keep_dim = false", ""),
    ("argmax", "4x8xf32 -> 4xi32", "dim_arg = [1 : i32], keep_dim = false", ""),
    ("reduce_or", "4x8xi1 -> i1", "keep_dim = false", ""),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim_arg = [1 : i32], keep_dim = true",
        "shape of `result` must be [4, 1], not [4]",
    ),
    (
        "sum",
        "4x8xf32 -> 4x8xf32",
        "dim_arg = [], keep_dim = true",
        "`dim_arg` must not be empty: leave it out to reduce all dimensions",
    ),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim_arg = [2 : i32], keep_dim = false",
        "`dim_arg` must be in [-2, 2), not 2",
    ),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim_arg = [-3 : i32], keep_dim = false",
        "`dim_arg` must be in [-2, 2), not -3",
    ),
    (
        "sum",
        "f32 -> f32",
        "dim_arg = [0 : i32], keep_dim = false",
        "`dim_arg` must be a dimension, and a tensor of rank 0 has none",
    ),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim_arg = [1 : i32, 1 : i32], keep_dim = false",
        "`dim_arg` names a dimension twice: [1, 1]",
    ),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim_arg = [1 : i32, -1 : i32], keep_dim = false",
        "`dim_arg` names a dimension twice: [1, -1]",
    ),
    ("sum", "4x8xf32 -> 4xf32", "dim_arg = [1 : i32]", "requires attribute `keep_dim` (bool)"),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim_arg = array<i32: 1>, keep_dim = false",
        "attribute `dim_arg` must be [... : i32], not array<i32: 1>",
    ),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim_arg = [1], keep_dim = false",
        "attribute `dim_arg` must be [... : i32], not [1]",
    ),
    (
        "sum",
        "4x8xf32 -> 4xf32",
        "dim = [1 : i32], keep_dim = false",
        "has no attribute `dim`; its attributes are: `keep_dim`, `dim_arg`",
    ),
    ("cumsum", "4x8xf32 -> 4x8xf32", "dim = -2 : i64", ""),
    ("cumprod", "4x8xf32 -> 4x8xf32", "dim = 1", ""),
    ("cumsum", "4x8xf32 -> 4x8xf32", "dim = 2 : i64", "`dim` must be in [-2, 2), not 2"),
    (
        "cumsum",
        "4x8xf32 -> 4x7xf32",
        "dim = 1 : i64",
        "shape of `result` must be [4, 8], not [4, 7]",
    ),
    ("cumsum", "4x8xf32 -> 4x8xf32", "dim = 1 : i32", "attribute `dim` must be i64, not 1 : i32"),
    ("sort", "4x8xf32 -> 4x8xf32 4x8xi32", "", ""),
    ("sort", "4x8xf32 -> 4x8xf32 4x8xi64", "dim = 0 : si32, descending = true, stable = true", ""),
    (
        "sort",
        "4x8xf32 -> 4x8xbf16 4x8xi32",
        "",
        "type of `values` must be `tensor<4x8xf32>`, not `tensor<4x8xbf16>`",
    ),
    ("sort", "4x8xf32 -> 4x8xf32 4xi32", "", "shape of `indices` must be [4, 8], not [4]"),
    ("sort", "4x8xf32 -> 4x8xf32 4x8xi32", "dim = 2 : si32", "`dim` must be in [-2, 2), not 2"),
    (
        "sort",
        "4x8xf32 -> 4x8xf32 4x8xi32",
        "dim = 1 : i32",
        "attribute `dim` must be si32, not 1 : i32",
    ),
    ("sort", "4x8xf32 -> 4x8xf32", "", "takes 2 results (`values`, `indices`), not 1"),
    ("topk", "4x8xf32 -> 4x2xf32 4x2xi32", "k = 2 : i32", ""),
    (
        "topk",
        "4x8xf32 -> 2x8xf32 2x8xi64",
        "k = 2 : i32, dim = 0 : i32, largest = false, sorted = true",
        "",
    ),
    ("topk", "4x8xf32 -> 4x9xf32 4x9xi32", "k = 9 : i32", "`k` must be in [1, 8], not 9"),
    ("topk", "4x8xf32 -> 4x0xf32 4x0xi32", "k = 0 : i32", "`k` must be in [1, 8], not 0"),
    (
        "topk",
        "4x8xf32 -> 4x3xf32 4x2xi32",
        "k = 2 : i32",
        "shape of `values` must be [4, 2], not [4, 3]",
    ),
    (
        "topk",
        "4x8xf32 -> 4x2xf32 4x3xi32",
        "k = 2 : i32",
        "shape of `indices` must be [4, 2], not [4, 3]",
    ),
    (
        "topk",
        "4x8xf32 -> 4x2xf32 4x2xi32",
        "k = 2 : i32, dim = -3 : i32",
        "`dim` must be in [-2, 2), not -3",
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
