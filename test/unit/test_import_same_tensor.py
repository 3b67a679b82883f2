"""One tensor as the example of several inputs: the program still has an input for each."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import torch_ttir
from torch_ttir.ir.diagnostics import CompileError

X = torch.arange(6.0).reshape(2, 3)
A, B = X + 1, X * X


class Scaled(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.full((2, 3), 2.0))
        self.register_buffer("shift", torch.full((2, 3), 5.0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight - self.shift


def test_two_inputs_are_told_apart() -> None:
    program = torch_ttir.compile(lambda x, y: x - 2 * y, (X, X))
    torch.testing.assert_close(program(A, B), A - 2 * B)


def test_nested_and_keyword_inputs_are_told_apart() -> None:
    def model(pair: dict[str, Any], *, third: torch.Tensor) -> torch.Tensor:
        return pair["x"] - 2 * pair["y"][0] + 3 * third

    program = torch_ttir.compile(model, ({"x": X, "y": [X]},), {"third": X})
    inputs: Any = {"x": A, "y": [B]}
    torch.testing.assert_close(program(inputs, third=X), A - 2 * B + 3 * X)


def test_a_write_to_one_input_leaves_the_other() -> None:
    program = torch_ttir.compile(lambda x, y: x.add_(1) * y, (X.clone(),) * 2)
    x = A.clone()
    torch.testing.assert_close(program(x, B), (A + 1) * B)
    torch.testing.assert_close(x, A + 1)


@pytest.mark.parametrize("name", ["weight", "shift"])
def test_an_input_is_told_from_a_weight(name: str) -> None:
    model = Scaled()
    program = torch_ttir.compile(model, (getattr(model, name),))
    with torch.no_grad():
        torch.testing.assert_close(program(A), model(A))


def test_a_program_that_was_exported_so_is_refused() -> None:
    exported = torch.export.export(torch.nn.Bilinear(3, 3, 2), (X, X))
    with pytest.raises(CompileError, match=r"`input2` was the same tensor as `input1` at export"):
        torch_ttir.compile(exported)
