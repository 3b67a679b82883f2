"""Creation ops against eager PyTorch: every value, dtype and kind of range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from torch_ttir.testing import run_through_ttir

T = torch.tensor
aten, prims = torch.ops.aten, torch.ops.prims
f16, bf16, f32, f64 = torch.float16, torch.bfloat16, torch.float32, torch.float64
u8, i8, i32, i64 = torch.uint8, torch.int8, torch.int32, torch.int64
X = T([[1.5, -2.0, 3.0]])

CREATED: dict[str, Callable[[torch.Tensor], Any]] = {
    "zeros": lambda x: torch.zeros(2, 3, dtype=i32),
    "zeros-0d": lambda x: torch.zeros(()),
    "zeros_like": lambda x: torch.zeros_like(x, dtype=torch.bool),
    "new_zeros": lambda x: x.new_zeros(3),
    "zero": lambda x: aten.zero(x),
    "ones": lambda x: torch.ones(2, 0, 3),
    "ones_like": lambda x: torch.ones_like(x, dtype=u8),
    "new_ones": lambda x: x.new_ones(2, 2, dtype=f64),
    "full": lambda x: torch.full((2,), 0.1),
    "full-f64": lambda x: torch.full((2,), 0.1, dtype=f64),
    "full-bf16": lambda x: torch.full((2,), 0.1, dtype=bf16),
    "full-large": lambda x: torch.full((2, 2), 2**40 + 1),
    "full-negative": lambda x: torch.full((2,), -3, dtype=i8),
    "full-inf": lambda x: torch.full((2,), float("-inf")),
    "full-nan": lambda x: torch.full((), float("nan")),
    "full-bool": lambda x: torch.full((2,), True),
    "full-bool-of-number": lambda x: torch.full((2,), 2, dtype=torch.bool),
    "full-int-of-fraction": lambda x: torch.full((2,), 2.9, dtype=i64),
    "full_like": lambda x: torch.full_like(x, 7, dtype=f16),
    "new_full": lambda x: x.new_full((2,), 2.5),
    "fill": lambda x: aten.fill(x, 1.5),
    "fill-tensor": lambda x: aten.fill(x, T(4)),
    "scalar_tensor": lambda x: torch.scalar_tensor(3, dtype=i64),
    "tensor": lambda x: T([[1, 2], [3, 4]]) + x[0, 0],
    "tensor-bf16": lambda x: T([0.1, -1.0], dtype=bf16) + x[0, 0],
    "tensor-bool": lambda x: T([True, False]) & (x[0, 0] > 0),
    "arange": lambda x: torch.arange(5),
    "arange-empty": lambda x: torch.arange(0),
    "arange-rest": lambda x: torch.arange(0, 5, 2),
    "arange-down": lambda x: torch.arange(5, -4, -3),
    "arange-float": lambda x: torch.arange(3, dtype=f32),
    "arange-fraction": lambda x: torch.arange(-1, 1, 0.1),
    "arange-fraction-f64": lambda x: torch.arange(0, 2, 0.3, dtype=f64),
    "arange-fraction-bf16": lambda x: torch.arange(0, 2, 0.3, dtype=bf16),
    "arange-fraction-f16": lambda x: torch.arange(0.5, 40, 0.7, dtype=f16),
    "arange-int-of-fractions": lambda x: torch.arange(0.5, 5.5, 1.5, dtype=i64),
    "arange-large": lambda x: torch.arange(2**40, 2**40 + 3),
    "arange-i32": lambda x: torch.arange(2, 9, dtype=i32),
    "iota": lambda x: prims.iota(4, start=3, step=-2, dtype=i64, device="cpu", requires_grad=False),
    "linspace": lambda x: torch.linspace(-1, 2, 7),
    "linspace-one": lambda x: torch.linspace(3, 9, 1),
    "linspace-none": lambda x: torch.linspace(3, 9, 0),
    "linspace-int": lambda x: torch.linspace(0, 10, 4, dtype=i64),
    "linspace-bf16": lambda x: torch.linspace(0, 1, 11, dtype=bf16),
    "linspace-tensors": lambda x: torch.linspace(x[0, 0], x[0, 2], 5),
    "linspace-tensor-number": lambda x: torch.linspace(x[0, 0], 7, 4),
    "logspace": lambda x: torch.logspace(-2, 2, 5),
    "logspace-base": lambda x: torch.logspace(0, 3, 4, base=2, dtype=f64),
    "eye": lambda x: torch.eye(3),
    "eye-wide": lambda x: torch.eye(2, 4, dtype=i64),
    "eye-bool": lambda x: torch.eye(3, 2, dtype=torch.bool),
    "hann": lambda x: torch.hann_window(7),
    "kaiser": lambda x: torch.kaiser_window(6),
    "kaiser-symmetric": lambda x: torch.kaiser_window(6, periodic=False),
    "kaiser-beta": lambda x: torch.kaiser_window(1, True, 7.5, dtype=f64),
}


@pytest.mark.parametrize("name", CREATED)
def test_created(name: str) -> None:
    function = CREATED[name]
    torch.testing.assert_close(run_through_ttir(function, X), function(X), equal_nan=True)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.empty(2, 3),
        lambda x: torch.empty_like(x, dtype=i64),
        lambda x: torch.empty_strided((2, 3), (1, 2)),
        lambda x: torch.empty_permuted((2, 3), (1, 0)),
        lambda x: x.new_empty(4),
        lambda x: x.new_empty_strided((2, 2), (2, 1)),
    ],
)
def test_empty_has_the_type_that_is_asked(function: Callable[[torch.Tensor], Any]) -> None:
    found, wanted = run_through_ttir(function, X), function(X)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
