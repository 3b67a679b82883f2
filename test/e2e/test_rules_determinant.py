"""Rules for determinants against eager PyTorch."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_through_ttir


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


T = torch.tensor
MATRICES = {
    "one": f(1, 1),
    "two": f(2, 2),
    "four": f(4, 4),
    "twelve": f(12, 12),
    "none": f(0, 0),
    "batches": f(2, 3, 5, 5) + 3 * torch.eye(5),
    "no-batches": f(0, 3, 3),
    "of-nothing": f(2, 0, 0),
    "zero-first": T([[0.0, 2.0, 1.0], [3.0, 0.0, 1.0], [1.0, 1.0, 0.0]]),
    "needs-pivoting": T([[1e-20, 1.0], [1.0, 1.0]]),
    "rows-out-of-order": T([[0.0, 0, 1, 0], [0, 0, 0, 2], [3, 0, 0, 0], [0, 4, 0, 0]]),
    "singular": T([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 5.0]]),
    "zeros": torch.zeros(3, 3),
    "singular-and-regular": torch.stack([torch.ones(3, 3), torch.eye(3)]),
    "nan": T([[1.0, 2.0], [float("nan"), 4.0]]),
}


@pytest.mark.parametrize("x", MATRICES.values(), ids=MATRICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_matches_eager(x: torch.Tensor, dtype: torch.dtype) -> None:
    x = x.to(dtype)

    def function(x: torch.Tensor) -> Any:
        return torch.linalg.det(x), torch.det(x.mT), *torch.linalg.slogdet(x), torch.slogdet(x)[1]

    torch.testing.assert_close(run_through_ttir(function, x), function(x), equal_nan=True)


def test_the_sign_of_a_row_exchange() -> None:
    x = torch.eye(4)[[1, 0, 2, 3]]
    assert run_through_ttir(torch.linalg.det, x).item() == -1


def test_large_matrices_are_rejected() -> None:
    with pytest.raises(CompileError, match="matrices of more than 64 rows are not supported: 65"):
        run_through_ttir(torch.linalg.det, f(65, 65))
