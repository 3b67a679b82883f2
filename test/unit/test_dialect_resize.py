"""The verifiers of TTIR's the resize op: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("upsample2d", "1x4x4x3xf32 -> 1x8x8x3xf32", "scale_factor = 2 : si32", ""),
    (
        "upsample2d",
        "1x4x4x3xf32 -> 1x8x12x3xf32",
        'scale_factor = array<i32: 2, 3>, mode = "bilinear"',
        "",
    ),
    (
        "upsample2d",
        "1x4x4x3xf32 -> 1x8x8x3xf32",
        "scale_factor = 2 : i32",
        "attribute `scale_factor` must be si32 or array<i32: ...>, not 2 : i32",
    ),
    (
        "upsample2d",
        "1x4x4x3xf32 -> 1x8x8x6xf32",
        "scale_factor = 2 : si32",
        "shape of `result` must be [1, 8, 8, 3], not [1, 8, 8, 6]",
    ),
    (
        "upsample2d",
        "1x4x4x3xf32 -> 1x8x8x3xf32",
        "scale_factor = 0 : si32",
        "`scale_factor` must be at least 1, not [0, 0]",
    ),
    (
        "upsample2d",
        "1x4x4x3xf32 -> 1x8x8x3xf32",
        "scale_factor = array<i32: 2>",
        "`scale_factor` must be a number or a list of 2, not of 1: [2]",
    ),
    (
        "upsample2d",
        "4x4x3xf32 -> 8x8x3xf32",
        "scale_factor = 2 : si32",
        "`input` must have rank 4, not 3",
    ),
    (
        "upsample2d",
        "1x4x4x3xf32 -> 1x8x8x3xf32",
        'scale_factor = 2 : si32, mode = "cubic"',
        '`mode` must be "nearest" or "bilinear", not "cubic"',
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
