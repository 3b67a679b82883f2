"""The verifiers of TTIR's gathers, scatters and caches: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("gather", "5x4xf32 2x4xi32 -> 2x4xf32", "dim = 0 : i32", ""),
    ("gather", "5x4xf32 7x3xi64 -> 7x3xf32", "dim = -2 : i32", ""),
    ("gather", "5x4xf32 2xi32 -> 2xf32", "dim = 0 : i32", "`index` must have rank 2, not 1"),
    ("gather", "f32 i32 -> f32", "dim = 0 : i32", "`input` must have rank 1 or more, not 0"),
    (
        "gather",
        "5x4xf32 2x4xf32 -> 2x4xf32",
        "dim = 0 : i32",
        "element type of `index` must be an integer type, not f32",
    ),
    (
        "gather",
        "5x4xf32 2x4xi32 -> 5x4xf32",
        "dim = 0 : i32",
        "shape of `result` must be [2, 4], not [5, 4]",
    ),
    (
        "gather",
        "5x4xf32 2x5xi32 -> 2x5xf32",
        "dim = 0 : i32",
        "`index` has size 5 in dimension 1, more than the 4 of `input`",
    ),
    ("gather", "5x4xf32 2x4xi32 -> 2x4xf32", "dim = 2 : i32", "`dim` must be in [-2, 2), not 2"),
    (
        "gather",
        "5x4xf32 2x4xi32 -> 2x4xf32",
        "dim = 0 : si32",
        "attribute `dim` must be i32, not 0 : si32",
    ),
    (
        "scatter",
        "10x4xf32 6x4xi32 6x4xf32 -> 10x4xf32",
        "dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>",
        "",
    ),
    (
        "scatter",
        "10x4xf32 6x4xi32 5x4xf32 -> 10x4xf32",
        "dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>",
        "shape of `source` must be [6, 4], not [5, 4]",
    ),
    (
        "scatter",
        "10x4xf32 6x4xi32 6x4xf32 -> 6x4xf32",
        "dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>",
        "shape of `result` must be [10, 4], not [6, 4]",
    ),
    (
        "scatter",
        "10x4xf32 6x5xi32 6x5xf32 -> 10x4xf32",
        "dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>",
        "`index` has size 5 in dimension 1, more than the 4 of `input`",
    ),
    (
        "scatter",
        "10x4xf32 6xi32 6xf32 -> 10x4xf32",
        "dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>",
        "`index` must have rank 2, not 1",
    ),
    (
        "scatter",
        "10x4xf32 6x4xi32 6x4xf32 -> 10x4xf32",
        "dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<add>",
        "attribute `scatter_reduce_type` must be"
        " #ttcore.reduce_type<sum|mean|max|min|std|var|prod|invalid>, not #ttcore.reduce_type<add>",
    ),
    (
        "scatter",
        "10x4xf32 6x4xi32 6x4xf32 -> 10x4xf32",
        'dim = 0 : i32, scatter_reduce_type = "sum"',
        "attribute `scatter_reduce_type` must be"
        ' #ttcore.reduce_type<sum|mean|max|min|std|var|prod|invalid>, not "sum"',
    ),
    (
        "scatter",
        "10x4xf32 6x4xi32 6x4xf32 -> 10x4xf32",
        "dim = -3 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>",
        "`dim` must be in [-2, 2), not -3",
    ),
    ("embedding", "2x5xi32 10x8xf32 -> 2x5x8xf32", "", ""),
    ("embedding", "i32 1x1x10x8xf32 -> 8xf32", "", ""),
    ("embedding", "2x5x3xi32 10x8xf32 -> 2x5x3x8xf32", "", "`input` must have rank 0 to 2, not 3"),
    ("embedding", "2x5xi32 8xf32 -> 2x5x8xf32", "", "`weight` must have rank 2 or more, not 1"),
    (
        "embedding",
        "2x5xi32 2x10x8xf32 -> 2x5x8xf32",
        "",
        "`weight` must have size 1 in all but the last two dimensions: [2, 10, 8]",
    ),
    (
        "embedding",
        "2x5xi32 10x8xf32 -> 2x5x10xf32",
        "",
        "shape of `result` must be [2, 5, 8], not [2, 5, 10]",
    ),
    ("embedding_backward", "2x5xi32 10x8xf32 2x5x8xf32 -> 10x8xf32", "", ""),
    ("embedding_backward", "2x5xi32 10x8xf32 1x1x10x8xf32 -> 10x8xf32", "", ""),
    (
        "embedding_backward",
        "2x5xi32 1x10x8xf32 2x5x8xf32 -> 1x10x8xf32",
        "",
        "`weight` must have rank 2, not 3",
    ),
    (
        "embedding_backward",
        "2x5xi32 10x8xf32 2x5x4xf32 -> 10x8xf32",
        "",
        "`in_gradient` must have 10 rows of 8, not shape [2, 5, 4]",
    ),
    (
        "embedding_backward",
        "2x5xi32 10x8xf32 f32 -> 10x8xf32",
        "",
        "`in_gradient` must have 10 rows of 8, not shape []",
    ),
    (
        "embedding_backward",
        "2x5xi32 10x8xf32 2x5x8xf32 -> 8x10xf32",
        "",
        "shape of `result` must be [10, 8], not [8, 10]",
    ),
    (
        "embedding_backward",
        "2x5xi32 10x8xf32 2x5x8xf32 -> 10x8xbf16",
        "",
        "element type of `result` must be f32, not bf16",
    ),
    ("update_cache", "2x4x16x8xf32 1x4x2x8xf32 1xi32 -> ", "batch_offset = 0 : i32", ""),
    (
        "update_cache",
        "2x4x16x8xf32 2x4x2x8xf32 1xi32 -> ",
        "batch_offset = 0 : i32",
        "`input` must have size 1 in dimension 0, not 2",
    ),
    (
        "update_cache",
        "2x4x16x8xf32 1x4x2x8xf32 1xi32 -> ",
        "batch_offset = 1 : i32",
        "batch entries [1, 3) do not fit the 2 of the cache",
    ),
    (
        "update_cache",
        "2x4x16x8xf32 1x3x2x8xf32 1xi32 -> ",
        "batch_offset = 0 : i32",
        "`input` must have size 4 in dimension 1, as the cache, not 3",
    ),
    ("fill_cache", "2x4x16x8xf32 1x4x5x8xf32 -> ", "batch_offset = 1 : i32", ""),
    (
        "fill_cache",
        "2x4x16x8xf32 1x4x17x8xf32 -> ",
        "batch_offset = 0 : i32",
        "`input` has 17 positions, the cache 16",
    ),
    (
        "fill_cache",
        "2x4x16x8xf32 1x4x5x4xf32 -> ",
        "batch_offset = 0 : i32",
        "`input` must have size 8 in dimension 3, as the cache, not 4",
    ),
    (
        "fill_cache",
        "2x4x16x8xf32 1x4x5x8xbf16 -> ",
        "batch_offset = 0 : i32",
        "element type of `input` must be f32, not bf16",
    ),
    (
        "fill_cache",
        "2x4x16x8xf32 1x4x5x8xf32 -> ",
        "batch_offset = -1 : i32",
        "batch entries [-1, 0) do not fit the 2 of the cache",
    ),
    (
        "fill_cache",
        "4x16x8xf32 4x5x8xf32 -> ",
        "batch_offset = 0 : i32",
        "`cache` must have rank 4, not 3",
    ),
    (
        "fill_cache",
        "2x4x16x8xf32 1x4x5x8xf32 -> 2x4x16x8xf32",
        "batch_offset = 0 : i32",
        "takes 0 results, not 1",
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
