"""Ops of the user's own: taken apart where PyTorch code defines them for all devices."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import torch_ttir
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_through_ttir

X = torch.tensor([[-1.5, 0.0, 2.0], [3.0, -4.0, 0.25]])
LIBRARY = torch.library.Library("user_ops_test", "DEF")
LIBRARY.define("shifted_sine(Tensor x, float shift=1.0) -> Tensor")
LIBRARY.impl("shifted_sine", lambda x, shift=1.0: x.sin() + shift, "CompositeExplicitAutograd")
LIBRARY.impl("shifted_sine", lambda x, shift=1.0: torch.empty_like(x), "Meta")


@torch.library.custom_op("user_ops_test::split_signs", mutates_args=())
def split_signs(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x.relu(), (-x).relu().double()


@split_signs.register_fake
def _(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.empty_like(x), torch.empty_like(x, dtype=torch.float64)


@torch.library.custom_op("user_ops_test::add_twice", mutates_args=("out",))
def add_twice(out: torch.Tensor, x: torch.Tensor) -> None:
    out.add_(x)
    out.copy_(out + x)


@torch.library.custom_op("user_ops_test::by_the_sum", mutates_args=())
def by_the_sum(x: torch.Tensor) -> torch.Tensor:
    return x * 2 if x.sum() > 0 else x.clone()


@by_the_sum.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


@torch.library.custom_op("user_ops_test::on_the_cpu", mutates_args=(), device_types="cpu")
def on_the_cpu(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(x.numpy() * 2)


@on_the_cpu.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(x)


def _written(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros(3, 2)
    add_twice(y.t()[:1], x[:1])
    return y


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.ops.user_ops_test.shifted_sine(x),
        lambda x: torch.ops.user_ops_test.shifted_sine(x, shift=2.0),
        lambda x: split_signs(x),
        _written,
    ],
    ids=["library", "library-with-argument", "two-results", "writes"],
)
def test_definitions_in_pytorch(function: Any) -> None:
    wanted = function(X)
    torch.testing.assert_close(run_through_ttir(function, X), wanted)
    torch.testing.assert_close(torch_ttir.compile(function, (X,))(X), wanted)


@pytest.mark.parametrize("op", [by_the_sum, on_the_cpu], ids=["course-of-data", "for-a-device"])
def test_what_no_trace_shows_is_refused(op: Any) -> None:
    with pytest.raises(CompileError, match="no rule lowers it to TTIR") as caught:
        torch_ttir.compile(lambda x: op(x), (X,))
    assert caught.value.diagnostics[0].op.startswith("torch.user_ops_test.")
