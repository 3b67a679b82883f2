"""Programs of which tracing says less than kernels know, or another shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from torch_ttir.compiler import compile
from torch_ttir.ir.diagnostics import CompileError

X = torch.arange(24.0).reshape(2, 3, 4)
GRID = torch.zeros(3, 4, dtype=torch.int64)


def _double(x: torch.Tensor) -> torch.Tensor:
    dim = torch.ones([1], dtype=torch.int32)
    dim.add_(1)
    return torch.cumsum(x, int(dim))


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (lambda x: torch.cumsum(x, int(torch.ones([1], dtype=torch.int32).item())), X),
        (lambda x: torch.ops.aten.cumprod(x, torch.zeros((), dtype=torch.int64).item()), X),
        (lambda x: x.transpose(0, torch.full((1, 1), 2).item()) + torch.ones(2), X[:, :, :2]),
        (_double, X),
        (lambda x: torch.arange(1, 13, out=x), GRID),
        (lambda x: (torch.arange(1.1, 13.1, out=x.t()), x * 2), GRID),
        (lambda x: torch.linspace(0, 11, 12, out=x[:, :2]), torch.zeros(6, 3)),
        (lambda x: torch.arange(12, out=x[0]), torch.zeros(2, 12)),
    ],
    ids=["ones", "zeros", "full", "written", "grid", "transposed", "part", "one-dimension"],
)
def test_numbers_and_shapes(function: Callable[..., Any], x: torch.Tensor) -> None:
    found = compile(function, args=(x.clone(),))(x.clone())
    torch.testing.assert_close(found, function(x.clone()))


def test_a_range_that_resizes_its_out() -> None:
    with pytest.raises(CompileError, match="it resizes its `out`"):
        compile(lambda x: torch.arange(5, out=x), args=(GRID.clone(),))
