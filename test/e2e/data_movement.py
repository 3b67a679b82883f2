"""What the tests of data movement share: awkward inputs, and agreement with PyTorch to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from torch_ttir.testing import run_through_ttir

Case = tuple[Any, ...]
"""A function and its inputs."""

DTYPES = [
    torch.float64,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.int8,
    torch.uint8,
    torch.bool,
]
"""Element types beside float32, which most rows have."""


def f(*shape: int) -> torch.Tensor:
    """Floats of both signs, with a zero, a NaN and an infinity among them."""
    x = torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))
    flat = x.view(-1)
    for index, value in enumerate((0.0, float("nan"), float("-inf"))):
        if flat.numel() > index + 1:
            flat[index] = value
    return x


def i(*shape: int) -> torch.Tensor:
    """Integers from 0 on, all different."""
    return torch.arange(torch.Size(shape).numel()).reshape(shape)


def expect_equal(function: Callable[..., Any], *inputs: Any) -> None:
    """Check that TTIR gives exactly what eager PyTorch does, types and all."""
    found, wanted = run_through_ttir(function, *inputs), function(*inputs)
    torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)
