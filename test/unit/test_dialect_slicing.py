"""The verifiers of TTIR's slices: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32, 1 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 2 : i32]",
        "",
    ),
    (
        "slice_static",
        "2x6xf32 -> 1x2xf32",
        "begins = [-1 : i32, -3 : i32], ends = [2 : i32, -1 : i32], step = [1 : i32, 1 : i32]",
        "",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x2xf32",
        "begins = [0 : i32, 4 : i32], ends = [2 : i32, 0 : i32], step = [1 : i32, -2 : i32]",
        "",
    ),
    (
        "slice_static",
        "2x6xf32 -> 0x6xf32",
        "begins = [2 : i32, 0 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 1 : i32]",
        "",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x4xf32",
        "begins = [0 : i32, 1 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 2 : i32]",
        "shape of `result` must be [2, 3], not [2, 4]",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xbf16",
        "begins = [0 : i32, 1 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 2 : i32]",
        "element type of `result` must be f32, not bf16",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32, 1 : i32], ends = [2 : i32, 7 : i32], step = [1 : i32, 2 : i32]",
        "bounds 1:7 of dimension 1 are out of range for size 6",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32, 6 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, -1 : i32]",
        "bounds 6:3 of dimension 1 are out of range for size 6",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32, -7 : i32], ends = [2 : i32, 3 : i32], step = [1 : i32, 1 : i32]",
        "bounds -7:3 of dimension 1 are out of range for size 6",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32, 4 : i32], ends = [2 : i32, 1 : i32], step = [1 : i32, 1 : i32]",
        "bounds 4:1 of dimension 1 run against the step 1",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32, 1 : i32], ends = [2 : i32, 4 : i32], step = [1 : i32, -1 : i32]",
        "bounds 1:4 of dimension 1 run against the step -1",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32, 1 : i32], ends = [2 : i32, 4 : i32], step = [1 : i32, 0 : i32]",
        "the step of dimension 1 must not be 0",
    ),
    (
        "slice_static",
        "2x6xf32 -> 2x3xf32",
        "begins = [0 : i32], ends = [2 : i32], step = [1 : i32]",
        "`begins` must have 2 entries, not 1: [0]",
    ),
    (
        "slice_static",
        "f32 -> f32",
        "begins = [], ends = [], step = []",
        "`input` must have rank 1 or more, not 0",
    ),
    ("slice_dynamic", "2x6xf32 2xi32 2xi32 -> 2x3xf32", "", ""),
    ("slice_dynamic", "2x6xf32 2xi32 2xi32 -> 2x3xf32", "step = [1 : i32, 2 : i32]", ""),
    (
        "slice_dynamic",
        "2x6xf32 3xi32 2xi32 -> 2x3xf32",
        "",
        "shape of `begins` must be [2], not [3]",
    ),
    (
        "slice_dynamic",
        "2x6xf32 2xi32 2xf32 -> 2x3xf32",
        "",
        "element type of `ends` must be an integer type, not f32",
    ),
    ("slice_dynamic", "2x6xf32 2xi32 2xi32 -> 6xf32", "", "`result` must have rank 2, not 1"),
    (
        "slice_dynamic",
        "2x6xf32 2xi32 2xi32 -> 2x3xf16",
        "",
        "element type of `result` must be f32, not f16",
    ),
    (
        "slice_dynamic",
        "2x6xf32 2xi32 2xi32 -> 2x3xf32",
        "step = [1 : i32]",
        "`step` must have 2 entries, not 1: [1]",
    ),
    (
        "slice_dynamic",
        "2x6xf32 2xi32 2xi32 -> 2x3xf32",
        "step = [1 : i32, 0 : i32]",
        "`step` must not be 0: [1, 0]",
    ),
    (
        "index",
        "2x6xf32 -> 2x3xf32",
        "dim = 1 : i32, begin = 0 : i32, end = 6 : i32, step = 2 : i32",
        "",
    ),
    (
        "index",
        "2x6xf32 -> 2x2xf32",
        "dim = 1 : i32, begin = -3 : i32, end = -1 : i32, step = 1 : i32",
        "",
    ),
    (
        "index",
        "2x6xf32 -> 2x3xf32",
        "dim = -1 : i32, begin = 0 : i32, end = 6 : i32, step = 2 : i32",
        "`dim` must be in [0, 2), not -1",
    ),
    (
        "index",
        "2x6xf32 -> 2x0xf32",
        "dim = 1 : i32, begin = 6 : i32, end = 6 : i32, step = 1 : i32",
        "`begin` must be in [-6, 6), not 6",
    ),
    (
        "index",
        "2x6xf32 -> 2x3xf32",
        "dim = 1 : i32, begin = 0 : i32, end = 7 : i32, step = 2 : i32",
        "bounds 0:7 of dimension 1 are out of range for size 6",
    ),
    (
        "index",
        "2x6xf32 -> 2x2xf32",
        "dim = 1 : i32, begin = 0 : i32, end = 6 : i32, step = 2 : i32",
        "shape of `result` must be [2, 3], not [2, 2]",
    ),
    (
        "index",
        "2x6xf32 -> 2x3xi32",
        "dim = 1 : i32, begin = 0 : i32, end = 6 : i32, step = 2 : i32",
        "element type of `result` must be f32, not i32",
    ),
    # Blocks at 1, 5 and 9, the last clipped.
    (
        "index_select",
        "10x2xf32 -> 7x2xf32",
        "dim = 0 : si32, begin = 1 : si32, length = 3 : si32, stride = 4 : si32",
        "",
    ),
    (
        "index_select",
        "9223372036854775807xf32 -> 9223372036854775807xf32",
        "dim = 0 : si32, begin = 0 : si32, length = 1 : si32, stride = 1 : si32",
        "",
    ),
    (
        "index_select",
        "10x2xf32 -> 6x2xf32",
        "dim = 0 : si32, begin = 0 : si32, length = 2 : si32, stride = 4 : si32",
        "",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf32",
        "dim = -2 : si32, begin = 1 : si32, length = 3 : si32",
        "",
    ),
    (
        "index_select",
        "10x2xf32 -> 5x2xf32",
        "dim = 0 : si32, begin = 1 : si32, length = 3 : si32, stride = 6 : si32",
        "shape of `result` must be [6, 2], not [5, 2]",
    ),
    (
        "index_select",
        "10x2xf32 -> 4x2xf32",
        "dim = 0 : si32, begin = 1 : si32, length = 3 : si32, stride = 6 : si32",
        "shape of `result` must be [6, 2], not [4, 2]",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf32",
        "dim = 0 : si32, begin = 10 : si32, length = 3 : si32",
        "`begin` must be in [0, 10), not 10",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf32",
        "dim = 0 : si32, begin = 8 : si32, length = 3 : si32",
        "`length` must be in [1, 2], not 3",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf32",
        "dim = 0 : si32, begin = 0 : si32, length = 5 : si32, stride = 4 : si32",
        "`length` must be in [1, 4], not 5",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf32",
        "dim = 0 : si32, begin = 0 : si32, length = 5 : si32, stride = 11 : si32",
        "`stride` must be in [0, 10], not 11",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf32",
        "dim = 0 : si32, begin = 0 : si32, length = 0 : si32, stride = 4 : si32",
        "`length` must be in [1, 4], not 0",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf32",
        "dim = 2 : si32, begin = 0 : si32, length = 3 : si32",
        "`dim` must be in [-2, 2), not 2",
    ),
    (
        "index_select",
        "10x2xf32 -> 3x2xf64",
        "dim = 0 : si32, begin = 0 : si32, length = 3 : si32",
        "element type of `result` must be f32, not f64",
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
