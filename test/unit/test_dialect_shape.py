"""The verifiers of TTIR's ops that move data: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("reshape", "2x6xf32 -> 3x4xf32", "shape = [3 : i32, 4 : i32]", ""),
    ("reshape", "2x6xf32 -> 3x4xf32", "shape = [-1 : i32, 4 : i32]", ""),
    ("reshape", "1xf32 -> f32", "shape = []", ""),
    ("reshape", "f32 -> 1x1xf32", "shape = [1 : i32, 1 : i32]", ""),
    ("reshape", "2x0xf32 -> 0x5xf32", "shape = [0 : i32, 5 : i32]", ""),
    (
        "reshape",
        "2x6xf32 -> 3x5xf32",
        "shape = [3 : i32, 5 : i32]",
        "cannot make [3, 5] (15 elements) of [2, 6] (12)",
    ),
    (
        "reshape",
        "2x6xf32 -> 3x4xf32",
        "shape = [4 : i32, 3 : i32]",
        "`shape` must be the result's, [3, 4], with at most one -1 for a size, not [4, 3]",
    ),
    (
        "reshape",
        "2x6xf32 -> 3x4xf32",
        "shape = [12 : i32]",
        "`shape` must be the result's, [3, 4], with at most one -1 for a size, not [12]",
    ),
    (
        "reshape",
        "2x6xf32 -> 3x4xf32",
        "shape = [-1 : i32, -1 : i32]",
        "`shape` must be the result's, [3, 4], with at most one -1 for a size, not [-1, -1]",
    ),
    (
        "reshape",
        "2x6xf32 -> 3x4xf32",
        "shape = array<i32: 3, 4>",
        "attribute `shape` must be [... : i32], not array<i32: 3, 4>",
    ),
    (
        "reshape",
        "2x6xf32 -> 3x4xf32",
        "shape = [3 : i64, 4 : i64]",
        "attribute `shape` must be [... : i32], not [3, 4]",
    ),
    ("permute", "2x3x4xf32 -> 4x2x3xf32", "permutation = array<i64: 2, 0, 1>", ""),
    ("permute", "f32 -> f32", "permutation = array<i64>", ""),
    (
        "permute",
        "2x3x4xf32 -> 2x3x4xf32",
        "permutation = array<i64: 2, 0, 1>",
        "shape of `result` must be [4, 2, 3], not [2, 3, 4]",
    ),
    (
        "permute",
        "2x3x4xf32 -> 4x2x3xf32",
        "permutation = array<i64: -1, 0, 1>",
        "`permutation` must have each of the 3 dimensions once, not [-1, 0, 1]",
    ),
    (
        "permute",
        "2x3x4xf32 -> 4x2xf32",
        "permutation = array<i64: 2, 0>",
        "`permutation` must have each of the 3 dimensions once, not [2, 0]",
    ),
    (
        "permute",
        "2x3x4xf32 -> 4x2x3xf32",
        "permutation = array<i32: 2, 0, 1>",
        "attribute `permutation` must be array<i64: ...>, not array<i32: 2, 0, 1>",
    ),
    ("transpose", "2x3x4xf32 -> 2x4x3xf32", "dim0 = -1 : si32, dim1 = -2 : si32", ""),
    (
        "transpose",
        "2x3x4xf32 -> 3x4x2xf32",
        "dim0 = 1 : si32, dim1 = 2 : si32",
        "shape of `result` must be [2, 4, 3], not [3, 4, 2]",
    ),
    (
        "transpose",
        "2xf32 -> 2xf32",
        "dim0 = 0 : si32, dim1 = 0 : si32",
        "`input` must have rank 2 or more, not 1",
    ),
    (
        "transpose",
        "2x3xf32 -> 3x2xf32",
        "dim0 = 0 : si32, dim1 = 2 : si32",
        "`dim1` must be in [-2, 2), not 2",
    ),
    (
        "transpose",
        "2x3xf32 -> 3x2xf32",
        "dim0 = -3 : si32, dim1 = 1 : si32",
        "`dim0` must be in [-2, 2), not -3",
    ),
    ("squeeze", "2x1x3xf32 -> 2x3xf32", "dim = -2 : si32", ""),
    (
        "squeeze",
        "2x1x3xf32 -> 1x3xf32",
        "dim = 0 : si32",
        "`dim` must be a dimension of size 1, not of 2",
    ),
    (
        "squeeze",
        "1xf32 -> f32",
        "dim = 0 : si32",
        "cannot give a tensor of rank 0: `ttir.reshape` can",
    ),
    (
        "squeeze",
        "2x1x3xf32 -> 2x3x1xf32",
        "dim = 1 : si32",
        "shape of `result` must be [2, 3], not [2, 3, 1]",
    ),
    ("squeeze", "2x1x3xf32 -> 2x3xf32", "dim = 3 : si32", "`dim` must be in [-3, 3), not 3"),
    ("unsqueeze", "2x3xf32 -> 2x3x1xf32", "dim = -1 : si32", ""),
    ("unsqueeze", "f32 -> 1xf32", "dim = 0 : si32", ""),
    (
        "unsqueeze",
        "2x3xf32 -> 1x2x3xf32",
        "dim = 1 : si32",
        "shape of `result` must be [2, 1, 3], not [1, 2, 3]",
    ),
    ("unsqueeze", "2x3xf32 -> 2x3x1xf32", "dim = 3 : si32", "`dim` must be in [-3, 3), not 3"),
    ("broadcast", "1x3xf32 -> 5x3xf32", "broadcast_dimensions = array<i64: 5, 1>", ""),
    ("broadcast", "1x3xf32 -> 0x3xf32", "broadcast_dimensions = array<i64: 0, 1>", ""),
    ("broadcast", "f32 -> f32", "broadcast_dimensions = array<i64>", ""),
    (
        "broadcast",
        "2x3xf32 -> 4x3xf32",
        "broadcast_dimensions = array<i64: 2, 1>",
        "`broadcast_dimensions` has multiplier 2 for dimension 0 of size 2: only a dimension"
        " of size 1 can be stretched",
    ),
    (
        "broadcast",
        "1x3xf32 -> 5x3xf32",
        "broadcast_dimensions = array<i64: 5, 3>",
        "`broadcast_dimensions` has multiplier 3 for dimension 1 of size 3: only a dimension"
        " of size 1 can be stretched",
    ),
    (
        "broadcast",
        "1x3xf32 -> 5x3xf32",
        "broadcast_dimensions = array<i64: 4, 1>",
        "shape of `result` must be [4, 3], not [5, 3]",
    ),
    (
        "broadcast",
        "1x3xf32 -> 5x3xf32",
        "broadcast_dimensions = array<i64: -1, 1>",
        "`broadcast_dimensions` has multiplier -1 for dimension 0 of size 1: only a dimension"
        " of size 1 can be stretched",
    ),
    (
        "broadcast",
        "3xf32 -> 5x3xf32",
        "broadcast_dimensions = array<i64: 5, 1>",
        "`broadcast_dimensions` must have 1 entry, not 2: [5, 1]",
    ),
    (
        "broadcast",
        "1x3xf32 -> 5x1x3xf32",
        "broadcast_dimensions = array<i64: 5, 1>",
        "shape of `result` must be [5, 3], not [5, 1, 3]",
    ),
    ("repeat", "2x3xf32 -> 4x9xf32", "repeat_dimensions = array<i64: 2, 3>", ""),
    (
        "repeat",
        "2x3xf32 -> 4x3xf32",
        "repeat_dimensions = array<i64: 2, 3>",
        "shape of `result` must be [4, 9], not [4, 3]",
    ),
    (
        "repeat",
        "2x3xf32 -> 0x9xf32",
        "repeat_dimensions = array<i64: 0, 3>",
        "`repeat_dimensions` must be at least 1, not [0, 3]",
    ),
    (
        "repeat",
        "3xf32 -> 2x9xf32",
        "repeat_dimensions = array<i64: 2, 3>",
        "`repeat_dimensions` must have 1 entry, not 2: [2, 3]",
    ),
    ("repeat_interleave", "2x3xf32 -> 2x6xf32", "repeats = 2 : ui32, dim = 1 : si32", ""),
    (
        "repeat_interleave",
        "2x3xf32 -> 2x3xf32",
        "repeats = 2 : ui32, dim = 1 : si32",
        "shape of `result` must be [2, 6], not [2, 3]",
    ),
    (
        "repeat_interleave",
        "2x3xf32 -> 2x0xf32",
        "repeats = 0 : ui32, dim = 1 : si32",
        "`repeats` must be at least 1, not 0",
    ),
    (
        "repeat_interleave",
        "2x3xf32 -> 2x6xf32",
        "repeats = 2 : ui32, dim = 2 : si32",
        "`dim` must be in [-2, 2), not 2",
    ),
    (
        "repeat_interleave",
        "f32 -> 2xf32",
        "repeats = 2 : ui32, dim = 0 : si32",
        "`dim` must be a dimension, and a tensor of rank 0 has none",
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
