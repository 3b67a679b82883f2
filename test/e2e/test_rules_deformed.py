"""Deformable convolution against its definition, through an operator as torchvision has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir

Pair = tuple[int, int]
SCHEMA = """deform_conv2d(Tensor input, Tensor weight, Tensor offset, Tensor mask, Tensor bias,
    SymInt stride_h, SymInt stride_w, SymInt pad_h, SymInt pad_w, SymInt dilation_h,
    SymInt dilation_w, SymInt groups, SymInt offset_groups, bool use_mask) -> Tensor"""


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


def value(image: torch.Tensor, y: float, x: float) -> torch.Tensor:
    """Return an image [C, H, W] at a place between its elements, zero outside."""
    total = torch.zeros(len(image), dtype=image.dtype)
    top, left = int(y // 1), int(x // 1)
    for row, column in ((top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)):
        if 0 <= row < image.shape[1] and 0 <= column < image.shape[2]:
            total += image[:, row, column] * (1 - abs(y - row)) * (1 - abs(x - column))
    return total


def defined(x: Any, weight: Any, offset: Any, mask: Any, bias: Any, *rest: int) -> torch.Tensor:
    """Return what the operator stands for: one element of the result after the other."""
    *_, groups, offset_groups, use_mask = rest
    stride, padding, dilation = rest[:2], rest[2:4], rest[4:6]
    out_channels, _, height, width = weight.shape
    batch, _, rows, columns = offset.shape
    shape = (batch, offset_groups, height, width, 2, rows, columns)
    moves = offset.reshape(shape)
    scales = mask.reshape(shape[:4] + shape[5:]) if use_mask else torch.ones(shape[:4] + shape[5:])
    result = torch.zeros(batch, out_channels, rows, columns, dtype=x.dtype)
    for n, r, c in ((n, r, c) for n in range(batch) for r in range(rows) for c in range(columns)):
        patch = torch.zeros(x.shape[1], height, width, dtype=x.dtype)
        for i, j in ((i, j) for i in range(height) for j in range(width)):
            for g, images in enumerate(x[n].chunk(offset_groups)):
                down, right = moves[n, g, i, j, :, r, c].tolist()
                y = r * stride[0] - padding[0] + i * dilation[0] + down
                z = c * stride[1] - padding[1] + j * dilation[1] + right
                found = value(images, y, z) * scales[n, g, i, j, r, c]
                patch[g * len(images) : (g + 1) * len(images), i, j] = found
        result[n, :, r, c] = F.conv2d(patch[None], weight, bias, groups=groups)[0, :, 0, 0]
    return result


@pytest.fixture(scope="module", autouse=True)
def operator() -> Iterator[None]:
    with torch.library._scoped_library("torchvision", "FRAGMENT") as library:
        if not hasattr(torch.ops.torchvision, "deform_conv2d"):
            library.define(SCHEMA)
            library.impl("deform_conv2d", defined, "CPU")
            library.impl("deform_conv2d", _empty, "Meta")
        yield


def _empty(x: Any, weight: Any, offset: Any, *_: Any) -> torch.Tensor:
    return x.new_empty(len(x), len(weight), *offset.shape[2:])


@pytest.mark.parametrize("use_mask", [False, True], ids=["", "mask"])
@pytest.mark.parametrize(
    ("stride", "padding", "dilation", "groups", "offset_groups"),
    [
        ((1, 1), (0, 0), (1, 1), 1, 1),
        ((2, 1), (1, 2), (1, 2), 1, 1),
        ((1, 1), (1, 0), (1, 1), 2, 1),
        ((1, 2), (0, 1), (2, 1), 1, 2),
        ((1, 1), (1, 1), (1, 1), 2, 4),
    ],
)
def test_matches_its_definition(
    stride: Pair, padding: Pair, dilation: Pair, groups: int, offset_groups: int, use_mask: bool
) -> None:
    x, weight, bias = f(2, 4, 6, 5), f(6, 4 // groups, 3, 2), f(6)
    rest = (*stride, *padding, *dilation, groups, offset_groups, use_mask)
    sizes = F.conv2d(x, weight, None, stride, padding, dilation, groups).shape[2:]
    offset, mask = f(2, offset_groups * 12, *sizes) * 2, f(2, offset_groups * 6, *sizes)
    inputs = x, weight, offset, mask if use_mask else torch.zeros(2, 1), bias

    def function(*tensors: torch.Tensor) -> Any:
        return torch.ops.torchvision.deform_conv2d(*tensors, *rest)

    torch.testing.assert_close(run_through_ttir(function, *inputs), defined(*inputs, *rest))
