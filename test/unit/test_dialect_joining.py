"""The verifiers of TTIR's ops that join, pad and flip: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("concat", "2x3xf32 2x4xf32 2x4xf32 -> 2x11xf32", "dim = -1 : si32", ""),
    ("concat", "2x3xf32 -> 2x3xf32", "dim = 0 : si32", ""),
    (
        "concat",
        "2x3xf32 2x4xf32 -> 2x8xf32",
        "dim = 1 : si32",
        "shape of `result` must be [2, 7], not [2, 8]",
    ),
    (
        "concat",
        "2x3xf32 2x4xf32 -> 4x3xf32",
        "dim = 0 : si32",
        "operand 1 of shape [2, 4] does not fit [2, 3] outside dimension 0",
    ),
    (
        "concat",
        "2x3xf32 3xf32 -> 3x3xf32",
        "dim = 0 : si32",
        "operand 1 of shape [3] does not fit [2, 3] outside dimension 0",
    ),
    ("concat", "2x3xf32 2x4xf32 -> 2x7xf32", "dim = 2 : si32", "`dim` must be in [-2, 2), not 2"),
    (
        "concat",
        "f32 f32 -> 2xf32",
        "dim = 0 : si32",
        "`dim` must be a dimension, and a tensor of rank 0 has none",
    ),
    ("pad", "2x3xf32 -> 2x6xf32", "padding = array<i32: 0, 0, 1, 2>, value = 0.0 : f32", ""),
    ("pad", "2x3xi32 -> 2x2xi32", "padding = array<i32: 1, -1, -1, 0>, value = 1.0 : f32", ""),
    ("pad", "f32 -> f32", "padding = array<i32>, value = 0.0 : f32", ""),
    (
        "pad",
        "2x3xf32 -> 2x6xf32",
        "padding = array<i32: 1, 2, 0, 0>, value = 0.0 : f32",
        "shape of `result` must be [5, 3], not [2, 6]",
    ),
    (
        "pad",
        "2x3xf32 -> 2x6xf32",
        "padding = array<i32: 1, 2>, value = 0.0 : f32",
        "`padding` must have 4 entries, not 2: [1, 2]",
    ),
    (
        "pad",
        "2x3xf32 -> 2x0xf32",
        "padding = array<i32: 0, 0, -2, -2>, value = 0.0 : f32",
        "`padding` crops [2, 3] to [2, -1]",
    ),
    (
        "pad",
        "2x3xi32 -> 2x6xi32",
        "padding = array<i32: 0, 0, 1, 2>, value = 0 : i32",
        "attribute `value` must be f32, not 0 : i32",
    ),
    ("reverse", "2x3xf32 -> 2x3xf32", "dimensions = array<i64: 1, 0>", ""),
    (
        "reverse",
        "2x3xf32 -> 2x3xf32",
        "dimensions = array<i64: 1, 1>",
        "`dimensions` names one twice: [1, 1]",
    ),
    (
        "reverse",
        "2x3xf32 -> 2x3xf32",
        "dimensions = array<i64: -1>",
        "`dimensions` must be in [0, 2), not -1",
    ),
    (
        "reverse",
        "2x3xf32 -> 3x2xf32",
        "dimensions = array<i64: 1>",
        "shape of `result` must be [2, 3], not [3, 2]",
    ),
    ("rearrange", "2x3x4x5xf32 -> 2x12x5xf32", 'pattern = "b h w c -> b (h w) c"', ""),
    ("rearrange", "2x3x4xf32 -> 4x6xf32", 'pattern = "a b c->c (b a)"', ""),
    (
        "rearrange",
        "2x3x4xf32 -> 4x5xf32",
        'pattern = "a b c -> c (b a)"',
        "shape of `result` must be [4, 6], not [4, 5]",
    ),
    (
        "rearrange",
        "2x3x4xf32 -> 4x6xf32",
        'pattern = "a b c"',
        '`pattern` must be "axes -> axes", not "a b c"',
    ),
    (
        "rearrange",
        "2x3x4xf32 -> 4x6xf32",
        'pattern = "a b -> (a b)"',
        "`pattern` names 2 axes of an operand of rank 3",
    ),
    (
        "rearrange",
        "2x3x4xf32 -> 4x6xf32",
        'pattern = "a b c -> c b"',
        '`pattern` must name each axis once on both sides, and merge on the right: "a b c -> c b"',
    ),
    (
        "rearrange",
        "2x3x4xf32 -> 4x6xf32",
        'pattern = "(a b) c -> a b c"',
        "`pattern` must name each axis once on both sides,"
        ' and merge on the right: "(a b) c -> a b c"',
    ),
    (
        "rearrange",
        "2x3x4xf32 -> 4x6xf32",
        'pattern = "a b c -> c (b a) 1"',
        "`pattern` must name each axis once on both sides,"
        ' and merge on the right: "a b c -> c (b a) 1"',
    ),
    ("get_dimension_size", "2x3xf32 -> 1xi32", "dimension = 1 : i32", ""),
    ("get_dimension_size", "2x3xf32 -> 1xui32", "dimension = 0 : i32", ""),
    (
        "get_dimension_size",
        "2x3xf32 -> 1xi32",
        "dimension = 2 : i32",
        "`dimension` must be in [0, 2), not 2",
    ),
    (
        "get_dimension_size",
        "2x3xf32 -> i32",
        "dimension = 1 : i32",
        "shape of `result` must be [1], not []",
    ),
    (
        "get_dimension_size",
        "2x3xf32 -> 1xi64",
        "dimension = 1 : i32",
        "element type of `result` must be i32 or ui32, not i64",
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
