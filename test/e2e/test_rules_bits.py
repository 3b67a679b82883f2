"""Rules for views of memory as another dtype against eager PyTorch."""

from __future__ import annotations

import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_through_ttir


@pytest.mark.parametrize("target", [torch.int8, torch.uint8, torch.int16, torch.float16])
@pytest.mark.parametrize("source", [torch.float64, torch.float32, torch.int64, torch.uint16])
def test_a_view_of_narrower_numbers(source: torch.dtype, target: torch.dtype) -> None:
    numbers = torch.tensor([[-1.5, 3e-39, 257.0, -2.0], [65535.0, 0.0, -0.0, 1e9]])
    x = (numbers.abs() % 65536 if source is torch.uint16 else numbers).to(source)
    for function in (lambda x: x.view(target), lambda x: x[:, :3].view(target)):
        found = run_through_ttir(function, x)
        assert found.dtype == target
        assert torch.equal(found.view(torch.uint8), function(x).contiguous().view(torch.uint8))


@pytest.mark.parametrize("target", [torch.float64, torch.float32, torch.int64, torch.int32])
@pytest.mark.parametrize("source", [torch.int8, torch.uint8, torch.int16, torch.bfloat16])
def test_a_view_of_wider_numbers(source: torch.dtype, target: torch.dtype) -> None:
    count = 16 if source.itemsize == 1 else 8
    x = torch.arange(-count, count).reshape(2, count).to(source) * 11
    found = run_through_ttir(lambda x: x.view(target), x)
    assert found.dtype == target
    assert torch.equal(found.view(torch.uint8), x.view(torch.uint8))


def test_views_of_bools() -> None:
    x = torch.tensor([True, False, True])
    assert run_through_ttir(lambda x: x.view(torch.uint8), x).tolist() == [1, 0, 1]
    with pytest.raises(CompileError, match="a view of i8 as i1 may have bits that are neither"):
        run_through_ttir(lambda x: x.view(torch.bool), torch.ones(3, dtype=torch.int8))
