"""The verifiers of TTIR's random ops: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("rand", "-> 2x3xf32", "size = [2 : i32, 3 : i32], low = -1.0 : f32, seed = 7 : ui32", ""),
    (
        "rand",
        "-> 2x3xf32",
        "size = [3 : i32, 2 : i32]",
        "shape of `result` must be [3, 2], not [2, 3]",
    ),
    (
        "rand",
        "-> 2x3xf32",
        "size = [2 : i32, 3 : i32], low = 1.0 : f32",
        "`low` must be less than `high`, not 1.0 and 1.0",
    ),
    (
        "rand",
        "-> 2x3xf32",
        "size = [2 : i32, 3 : i32], seed = 7 : i32",
        "attribute `seed` must be ui32, not 7 : i32",
    ),
    (
        "dropout",
        "2x3xf32 -> 2x3xf32",
        "prob = 0.5 : f32, scale = 2.0 : f32, seed = 3 : ui32, use_per_device_seed = false",
        "",
    ),
    (
        "dropout",
        "2x3xf32 -> 2x3xbf16",
        "",
        "type of `result` must be `tensor<2x3xf32>`, not `tensor<2x3xbf16>`",
    ),
    ("dropout", "3xf32 -> 3xf32", "", "`input` must have rank 2 to 4, not 1"),
    ("dropout", "2x3xf32 -> 2x3xf32", "prob = 1.5 : f32", "`prob` must be in [0, 1], not 1.5"),
    ("dropout", "2x3xf32 -> 2x3xf32", "scale = 0.0 : f32", "`scale` must be more than 0, not 0.0"),
    ("sampling", "32x64xbf16 32x64xi32 32xui32 32xbf16 32xbf16 -> 32xui32", "seed = 1 : ui32", ""),
    (
        "sampling",
        "32x64xbf16 32x60xi32 32xui32 32xbf16 32xbf16 -> 32xui32",
        "",
        "shape of `input_indices` must be [32, 64], not [32, 60]",
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
