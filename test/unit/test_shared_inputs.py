"""Inputs that share memory: read they are as any others, written they are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import torch_ttir
from torch_ttir.ir.diagnostics import CompileError


def added(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x * y


class Shifted(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("shift", torch.arange(4.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return added(x, self.shift)


def same() -> tuple[torch.Tensor, ...]:
    return (torch.arange(4.0),) * 2


def windows() -> tuple[torch.Tensor, ...]:
    base = torch.arange(5.0)
    return base[:4], base[1:]


@pytest.mark.parametrize("inputs", [same, windows])
def test_a_written_input_must_not_share_memory(inputs: Callable[[], Any]) -> None:
    program = torch_ttir.compile(added, (torch.zeros(4), torch.zeros(4)))
    x, y = inputs()
    with pytest.raises(CompileError, match="memory of their own") as raised:
        program(x, y)
    assert "input `x`" in str(raised.value)
    assert "input `y`" in str(raised.value)
    torch.testing.assert_close(x, torch.arange(4.0), msg="nothing has been written")


@pytest.mark.parametrize("inputs", [same, windows])
def test_inputs_that_are_only_read_may_share_memory(inputs: Callable[[], Any]) -> None:
    program = torch_ttir.compile(lambda x, y: x * y, (torch.zeros(4), torch.zeros(4)))
    x, y = inputs()
    torch.testing.assert_close(program(x, y), x * y)


def test_parts_of_one_tensor_that_do_not_meet_may_be_written() -> None:
    program = torch_ttir.compile(added, (torch.zeros(4), torch.zeros(4)))
    base = torch.arange(8.0)
    torch.testing.assert_close(program(base[:4], base[4:]), (torch.arange(4.0) + 1) * base[4:])
    torch.testing.assert_close(base[:4], torch.arange(4.0) + 1)


def test_a_written_input_must_not_be_a_buffer() -> None:
    model = Shifted()
    program = torch_ttir.compile(model, (torch.zeros(4),))
    with pytest.raises(CompileError, match="`shift`"):
        program(model.shift)


def test_an_expanded_input_must_not_be_written() -> None:
    program = torch_ttir.compile(added, (torch.zeros(4), torch.zeros(4)))
    with pytest.raises(CompileError, match="several of its elements are one in memory"):
        program(torch.zeros(1).expand(4), torch.zeros(4))
