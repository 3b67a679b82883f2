"""The verifiers of TTIR's convolutions: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CONV = "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32"
TCONV = (
    "stride = 2 : i32, padding = 0 : i32, output_padding = 0 : i32,"
    " dilation = 1 : i32, groups = 1 : i32"
)

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("conv1d", "1x8x3xf32 4x3x3xf32 -> 1x6x4xf32", CONV, ""),
    (
        "conv1d",
        "1x8x3xf32 4x3x3xf32 1x1x4xf32 -> 1x4x4xf32",
        "stride = array<i32: 2>, padding = array<i32: 1, 0>, dilation = array<i32: 1>,"
        " groups = 1 : i32",
        "",
    ),
    (
        "conv1d",
        "1x3x8xf32 4x3x3xf32 -> 1x4x6xf32",
        f"{CONV}, channel_dim = 1 : i64, length_dim = 2 : i64",
        "",
    ),
    (
        "conv1d",
        "1x8x3xf32 4x3x3xf32 -> 1x7x4xf32",
        CONV,
        "shape of `result` must be [1, 6, 4], not [1, 7, 4]",
    ),
    (
        "conv1d",
        "1x8x3xf32 4x3x3xf32 -> 1x6x4xf32",
        "stride = array<i32: 1, 1>, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32",
        "`stride` must be a number or a list of 1, not of 2: [1, 1]",
    ),
    (
        "conv1d",
        "1x8x3xf32 4x3x3xf32 -> 1x6x4xf32",
        "stride = 1 : i32, padding = array<i32: 0, 0, 0>, dilation = 1 : i32, groups = 1 : i32",
        "`padding` must be a number or a list of 1 or 2, not of 3: [0, 0, 0]",
    ),
    (
        "conv2d",
        "1x3x8x8xf32 4x3x3x3xf32 1x4x1x1xf32 -> 1x4x8x8xf32",
        "stride = array<i32: 1, 1>, padding = array<i32: 1, 1>, dilation = array<i32: 1, 1>,"
        " groups = 1 : i32, batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64,"
        " width_dim = 3 : i64",
        "",
    ),
    (
        "conv2d",
        "1x8x8x4xf32 8x2x3x3xf32 -> 1x4x4x8xf32",
        "stride = 2 : i32, padding = array<i32: 1, 1, 0, 0>, dilation = 1 : i32, groups = 2 : i32",
        "",
    ),
    (
        "conv2d",
        "1x9x9x1xf32 1x1x3x3xf32 -> 1x5x5x1xf32",
        "stride = 1 : i32, padding = 0 : i32, dilation = 2 : i32, groups = 1 : i32",
        "",
    ),
    (
        "conv2d",
        "1x9x9x1xf32 1x1x3x3xf32 -> 1x9x7x1xf32",
        "stride = 1 : i32, padding = array<i32: 2, 0, 0, 0>, dilation = 1 : i32, groups = 1 : i32",
        "",
    ),
    ("conv2d", "1x8x8xf32 4x3x3x3xf32 -> 1x6x6x4xf32", CONV, "`input` must have rank 4, not 3"),
    ("conv2d", "1x8x8x3xf32 4x3x3xf32 -> 1x6x6x4xf32", CONV, "`weight` must have rank 4, not 3"),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 4xf32 -> 1x6x6x4xf32",
        CONV,
        "`bias` must have rank 4, not 1",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 1x4x1x1xf32 -> 1x6x6x4xf32",
        CONV,
        "shape of `bias` must be [1, 1, 1, 4], not [1, 4, 1, 1]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x4x3x3xf32 -> 1x6x6x4xf32",
        CONV,
        "`weight` must have 3 channels a group in dimension 1, not 4",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x3xf32",
        CONV,
        "shape of `result` must be [1, 6, 6, 4], not [1, 6, 6, 3]",
    ),
    (
        "conv2d",
        "2x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        CONV,
        "shape of `result` must be [2, 6, 6, 4], not [1, 6, 6, 4]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x8x8x4xf32",
        CONV,
        "shape of `result` must be [1, 6, 6, 4], not [1, 8, 8, 4]",
    ),
    (
        "conv2d",
        "1x2x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        CONV,
        "the kernel reaches over 3 elements, more than the padded size 2",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        f"{CONV}, channel_dim = 1 : i64",
        "`batch_dim`, `height_dim`, `width_dim`, `channel_dim` must be 0 to 3, each once,"
        " not [0, 1, 2, 1]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        f"{CONV}, channel_dim = -1 : i64",
        "`batch_dim`, `height_dim`, `width_dim`, `channel_dim` must be 0 to 3, each once,"
        " not [0, 1, 2, -1]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = 0 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32",
        "`stride` must be at least 1, not [0, 0]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = array<i32: 0, -1>, dilation = 1 : i32, groups = 1 : i32",
        "`padding` must be at least 0, not [0, -1]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = array<i32: 0, 0, 0>, dilation = 1 : i32, groups = 1 : i32",
        "`padding` must be a number or a list of 2 or 4, not of 3: [0, 0, 0]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = 0 : i32, dilation = array<i32: 1>, groups = 1 : i32",
        "`dilation` must be a number or a list of 2, not of 1: [1]",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 0 : i32",
        "`groups` must be at least 1, not 0",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 2 : i32",
        "`input` has 3 channels, not a multiple of `groups` = 2",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x1x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 3 : i32",
        "`weight` has 4 output channels, not a multiple of `groups` = 3",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = 0 : i32, groups = 1 : i32",
        "requires attribute `dilation` (i32 or array<i32: ...>)",
    ),
    (
        "conv2d",
        "1x8x8x3xf32 4x3x3x3xf32 -> 1x6x6x4xf32",
        "stride = [1 : i32], padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32",
        "attribute `stride` must be i32 or array<i32: ...>, not [1 : i32]",
    ),
    (
        "conv3d",
        "1x5x8x8x3xf32 4x3x3x3x3xf32 1x1x1x1x4xf32 -> 1x5x8x8x4xf32",
        "stride = 1 : i32, padding = array<i32: 1, 1, 1>, groups = 1 : i32,"
        ' padding_mode = "replicate"',
        "",
    ),
    (
        "conv3d",
        "1x5x8x8x3xf32 4x3x3x3x3xf32 -> 1x2x3x3x4xf32",
        "stride = array<i32: 2, 2, 2>, padding = 0 : i32, groups = 1 : i32",
        "",
    ),
    (
        "conv3d",
        "1x5x8x8x3xf32 4x3x3x3x3xf32 -> 1x5x8x8x4xf32",
        'stride = 1 : i32, padding = 1 : i32, groups = 1 : i32, padding_mode = "reflect"',
        '`padding_mode` must be "zeros" or "replicate", not "reflect"',
    ),
    (
        "conv3d",
        "1x5x8x8x3xf32 4x3x3x3x3xf32 -> 1x5x8x8x4xf32",
        "stride = 1 : i32, padding = array<i32: 1, 1, 1, 1, 1, 1>, groups = 1 : i32",
        "`padding` must be a number or a list of 3, not of 6: [1, 1, 1, 1, 1, 1]",
    ),
    (
        "conv3d",
        "1x5x8x8x3xf32 4x3x3x3x3xf32 -> 1x5x8x8x4xf32",
        "stride = 1 : i32, padding = 1 : i32, groups = 1 : i32, dilation = 1 : i32",
        "has no attribute `dilation`; its attributes are: `stride`, `padding`, `groups`,"
        " `batch_dim`, `depth_dim`, `height_dim`, `width_dim`, `channel_dim`, `padding_mode`",
    ),
    ("conv_transpose2d", "1x4x4x3xf32 3x4x3x3xf32 1x1x1x4xf32 -> 1x9x9x4xf32", TCONV, ""),
    (
        "conv_transpose2d",
        "1x3x4x4xf32 3x2x3x3xf32 -> 1x2x10x8xf32",
        "stride = 2 : i32, padding = array<i32: 0, 1>, output_padding = array<i32: 1, 1>,"
        " dilation = 1 : i32, groups = 1 : i32, channel_dim = 1 : i64, height_dim = 2 : i64,"
        " width_dim = 3 : i64",
        "",
    ),
    (
        "conv_transpose2d",
        "1x4x4x4xf32 4x2x3x3xf32 -> 1x6x6x4xf32",
        "stride = 1 : i32, padding = 0 : i32, output_padding = 0 : i32, dilation = 1 : i32,"
        " groups = 2 : i32",
        "",
    ),
    (
        "conv_transpose2d",
        "1x4x4x3xf32 4x3x3x3xf32 -> 1x9x9x3xf32",
        TCONV,
        "`weight` must have 3 input channels in dimension 0, not 4",
    ),
    (
        "conv_transpose2d",
        "1x4x4x3xf32 3x4x3x3xf32 -> 1x8x9x4xf32",
        TCONV,
        "shape of `result` must be [1, 9, 9, 4], not [1, 8, 9, 4]",
    ),
    (
        "conv_transpose2d",
        "1x4x4x3xf32 3x4x3x3xf32 -> 1x9x9x4xf32",
        "stride = 2 : i32, padding = 0 : i32, output_padding = -1 : i32, dilation = 1 : i32,"
        " groups = 1 : i32",
        "`output_padding` must be at least 0, not [-1, -1]",
    ),
    (
        "conv_transpose2d",
        "1x1x1x3xf32 3x4x1x1xf32 -> 1x9x9x4xf32",
        "stride = 1 : i32, padding = 1 : i32, output_padding = 0 : i32, dilation = 1 : i32,"
        " groups = 1 : i32",
        "height and width of the result must be positive, not [-1, -1]",
    ),
    (
        "conv_transpose2d",
        "1x4x4x3xf32 3x4x3x3xf32 -> 1x9x9x4xf32",
        "stride = 2 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32",
        "requires attribute `output_padding` (i32 or array<i32: ...>)",
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
