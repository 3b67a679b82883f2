"""The verifiers of TTIR's poolings: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

POOL = (
    "kernel = array<i32: 2, 2>, stride = 2 : i32, dilation = 1 : i32,"
    " padding = 0 : i32, ceil_mode = false"
)

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("max_pool2d", "1x8x8x4xf32 -> 1x4x4x4xf32", POOL, ""),
    (
        "max_pool2d",
        "1x7x8x4xf32 -> 1x4x4x4xf32",
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32,"
        " ceil_mode = true",
        "",
    ),
    (
        "max_pool2d",
        "1x7x7x1xf32 -> 1x4x4x1xf32",
        "kernel = 1 : i32, stride = 2 : i32, dilation = 1 : i32, padding = array<i32: 0, 0,"
        " 0, 0>, ceil_mode = true",
        "",
    ),
    (
        "max_pool2d",
        "1x4x4x1xf32 -> 1x2x2x1xf32",
        "kernel = 2 : i32, stride = 3 : i32, dilation = 1 : i32, padding = 0 : i32,"
        " ceil_mode = true",
        "",
    ),
    (
        "max_pool2d",
        "1x3x3x1xf32 -> 1x2x2x1xf32",
        "kernel = 1 : i32, stride = 2 : i32, dilation = 1 : i32, padding = array<i32: 0, 0,"
        " 1, 1>, ceil_mode = true",
        "",
    ),
    (
        "max_pool2d",
        "1x7x8x4xf32 -> 1x4x4x4xf32",
        POOL,
        "shape of `result` must be [1, 3, 4, 4], not [1, 4, 4, 4]",
    ),
    (
        "max_pool2d",
        "1x8x8x4xf32 -> 1x4x4x3xf32",
        POOL,
        "shape of `result` must be [1, 4, 4, 4], not [1, 4, 4, 3]",
    ),
    ("max_pool2d", "8x8x4xf32 -> 4x4x4xf32", POOL, "`input` must have rank 4, not 3"),
    (
        "max_pool2d",
        "1x1x8x4xf32 -> 1x1x4x4xf32",
        POOL,
        "the kernel reaches over 2 elements, more than the padded size 1",
    ),
    (
        "max_pool2d",
        "1x8x8x4xf32 -> 1x4x4x4xf32",
        "kernel = array<i32: 2, 0>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32,"
        " ceil_mode = false",
        "`kernel` must be at least 1, not [2, 0]",
    ),
    (
        "max_pool2d",
        "1x8x8x4xf32 -> 1x4x4x4xf32",
        "kernel = 2 : i32, stride = array<i32: 2>, dilation = 1 : i32, padding = 0 : i32,"
        " ceil_mode = false",
        "`stride` must be a number or a list of 2, not of 1: [2]",
    ),
    (
        "max_pool2d",
        "1x8x8x4xf32 -> 1x4x4x4xf32",
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = array<i32: -1, 0>,"
        " ceil_mode = false",
        "`padding` must be at least 0, not [-1, 0]",
    ),
    (
        "max_pool2d",
        "1x8x8x4xf32 -> 1x4x4x4xf32",
        "kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32",
        "requires attribute `ceil_mode` (bool)",
    ),
    ("avg_pool2d", "1x8x8x4xf32 -> 1x4x4x4xf32", f"{POOL}, count_include_pad = false", ""),
    (
        "avg_pool2d",
        "1x8x8x4xf32 -> 1x4x8x4xf32",
        POOL,
        "shape of `result` must be [1, 4, 4, 4], not [1, 4, 8, 4]",
    ),
    ("max_pool2d_with_indices", "1x8x8x4xf32 -> 1x4x4x4xf32 1x4x4x4xi32", POOL, ""),
    (
        "max_pool2d_with_indices",
        "1x8x8x4xf32 -> 1x4x4x4xf32 1x4x4x1xi32",
        POOL,
        "shape of `result_indices` must be [1, 4, 4, 4], not [1, 4, 4, 1]",
    ),
    (
        "max_pool2d_with_indices",
        "1x8x8x4xf32 -> 1x4x4x4xf32 1x4x4x4xf32",
        POOL,
        "element type of `result_indices` must be an integer type, not f32",
    ),
    ("global_avg_pool2d", "2x8x8x4xf32 -> 2x1x1x4xf32", "", ""),
    (
        "global_avg_pool2d",
        "2x8x8x4xf32 -> 2x4xf32",
        "",
        "shape of `result` must be [2, 1, 1, 4], not [2, 4]",
    ),
    ("global_avg_pool2d", "8x8x4xf32 -> 1x1x4xf32", "", "`input` must have rank 4, not 3"),
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
