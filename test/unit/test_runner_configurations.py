"""The configurations of an end-to-end suite: compile without inputs, run on a trace."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
import torch

from torch_ttir.testing import CONFIGS


class Item(NamedTuple):
    symbol: str
    inputs: list[Any]
    output: Any


class Counter(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("total", torch.zeros(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.total.add_(x)
        return self.total + 0

    def scaled(self, x: torch.Tensor, by: int) -> tuple[torch.Tensor, int]:
        x.mul_(by)
        return x + self.total, by


@pytest.mark.parametrize("name", CONFIGS)
def test_a_trace_runs_from_one_state(name: str) -> None:
    config = CONFIGS[name]()
    one, two = torch.ones(2), torch.full((2,), 2.0)
    trace = [
        Item("forward", [one], None),
        Item("scaled", [two, 3], None),
        Item("forward", [two], None),
        Item("scaled", [two, 4], None),
    ]
    artifact = config.compile(Counter())
    outputs = [item.output for item in config.run(artifact, trace)]
    assert outputs[0].tolist() == [1, 1]
    assert (outputs[1][0].tolist(), outputs[1][1]) == ([7, 7], 3)
    assert outputs[2].tolist() == [3, 3]
    assert (outputs[3][0].tolist(), outputs[3][1]) == ([11, 11], 4)
    # The inputs of the trace have not changed.
    assert (one.tolist(), two.tolist()) == ([1, 1], [2, 2])
