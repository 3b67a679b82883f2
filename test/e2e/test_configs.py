"""The configurations run programs of an end-to-end suite as they are, and agree with PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import CONFIGS


class TraceItem(NamedTuple):
    """As torch-mlir's end-to-end suite has it."""

    symbol: str
    inputs: list[Any]
    output: Any


class Program(torch.nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: Any) -> Any:
        return self.function(*inputs)


def _in_place(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x.add_(y)
    return x * 2


X, Y = torch.arange(6.0).reshape(2, 3) - 2, torch.ones(2, 3)

PROGRAMS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "tensor": (torch.tanh, [X]),
    "tuple": (lambda x: torch.sort(x, dim=1, descending=True), [X]),
    "nested": (lambda x: ([x + 1, (x * 2,)], {"sum": x.sum()}), [X]),
    "one-in-a-list": (lambda x: [x.relu()], [X]),
    "input-returned": (lambda x, y: (x, x + y), [X, Y]),
    "in-place": (_in_place, [X, Y]),
    "number-inputs": (lambda x, n, f, b: x * n + f + int(b), [X, 3, 0.5, True]),
    "number-returned": (lambda x: (x.exp(), x.shape[1], 2.5, True, None), [X]),
    "only-a-number": (lambda x: x.shape[0], [X]),
    "no-inputs": (lambda: torch.arange(3) * 2, []),
    "zero-d": (lambda x: x.mean(), [X]),
    "bools": (lambda x: (x > 0).any(), [X]),
    "empty": (lambda x: x[:, :0].exp(), [X]),
    "not-contiguous": (lambda x: x.reshape(-1), [X.t()]),
}


@pytest.mark.parametrize("config", ["torch-dialect", "ttir"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_pytorch(name: str, config: str) -> None:
    function, inputs = PROGRAMS[name]
    trace = [TraceItem("forward", inputs, None)]
    (wanted,) = _run("eager", Program(function), trace)
    (found,) = _run(config, Program(function), trace)
    assert isinstance(found, TraceItem)
    assert found.symbol == "forward"
    torch.testing.assert_close(found.output, wanted.output)


@pytest.mark.parametrize("config", ["torch-dialect", "ttir"])
def test_inputs_of_other_shapes_and_types_in_one_trace(config: str) -> None:
    trace = [TraceItem("forward", [x], None) for x in (X, X[:1], X.to(torch.int32), X.double(), X)]
    wanted = _run("eager", Program(lambda x: x * 2 + 1), trace)
    found = _run(config, Program(lambda x: x * 2 + 1), trace)
    torch.testing.assert_close([i.output for i in found], [i.output for i in wanted])


@pytest.mark.parametrize("config", ["torch-dialect", "ttir"])
def test_a_number_that_depends_on_the_data_is_returned_as_a_number(config: str) -> None:
    items = [TraceItem("forward", [torch.tensor(pair)], None) for pair in ([2, 3], [4, 5])]
    outputs = [item.output for item in _run(config, Program(lambda x: int(x.sum())), items)]
    assert outputs == [5, 9]
    assert [type(output) for output in outputs] == [int, int]


@pytest.mark.parametrize("config", ["torch-dialect", "ttir"])
def test_a_size_that_depends_on_the_data_is_rejected(config: str) -> None:
    program = Program(lambda x: torch.zeros(int(x.sum())))
    with pytest.raises(CompileError, match=r"depends? on the data"):
        _run(config, program, [TraceItem("forward", [torch.tensor([2, 3])], None)])


def _run(config: str, program: torch.nn.Module, trace: list[TraceItem]) -> list[Any]:
    made = CONFIGS[config]()
    return list(made.run(made.compile(program), trace))
