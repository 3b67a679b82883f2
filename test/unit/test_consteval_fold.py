"""Folded programs: the same numbers, their own weights, and files that hold what they need."""

from pathlib import Path
from typing import Any

import pytest
import torch
from torch_mlir.dialects import func

import torch_ttir
from torch_ttir.dialects import ttcore
from torch_ttir.passes.fold_consteval import FOLDED_FROM

FOLDED = "builtin.module(torch-to-ttir,fold-consteval)"
T = torch.tensor


class Model(torch.nn.Module):
    """Has a weight that only a const-eval function uses, one used directly, and state."""

    def __init__(self) -> None:
        super().__init__()
        self.w = torch.nn.Parameter(torch.arange(6.0).reshape(2, 3))
        self.b = torch.nn.Parameter(T([1.0, -2.0], dtype=torch.bfloat16))
        self.used_never = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        self.calls.add_(1)
        scaled = x @ torch.relu(self.w * 2 - 3).t()
        return scaled + self.b.float(), self.w.t(), self.b, torch.arange(3), self.calls * 2


def argument_names(program: torch_ttir.Program) -> list[str]:
    entry = next(op for op in program.module.body if isinstance(op, func.FuncOp))
    return [ttcore.argument_name(entry, index) for index in range(len(entry.arguments))]


def test_a_folded_program_has_the_same_numbers_and_no_const_eval() -> None:
    model = Model()
    program = torch_ttir.compile(model, (torch.zeros(4, 3),), pipeline=FOLDED)
    text = str(program.module)
    assert "load_cached" not in text
    assert "const_eval" not in text.replace('"main_const_eval_', "")
    x = torch.randn(4, 3)
    for _ in range(2):
        calls = model.calls.clone()
        expected = model(x)
        model.calls.copy_(calls)
        torch.testing.assert_close(program(x), expected)
    assert program.const_eval.evaluations == 0
    # `w` and `used_never` are used by nothing any more; the state is the model's own still.
    assert {"w", "used_never"}.isdisjoint(program.parameters)
    assert program.parameters["calls"] is model.calls
    assert int(model.calls) == 2


def test_the_results_say_what_they_were_folded_from() -> None:
    class Sum(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = torch.nn.Parameter(T([1.0, 2.0]))
            self.second = torch.nn.Parameter(T([10.0, 20.0]))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * (self.first + self.second)

    program = torch_ttir.compile(Sum(), (torch.zeros(2),), pipeline=FOLDED)
    assert argument_names(program) == ["x", "main_const_eval_0.0"]
    assert f'{FOLDED_FROM} = ["first", "second"]' in str(program.module)
    assert torch.equal(program.parameters["main_const_eval_0.0"], T([11.0, 22.0]))


def test_folded_weights_do_not_follow_the_model() -> None:
    class Transposed(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(torch.ones(2, 3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + self.w.t()

    model = Transposed()
    program = torch_ttir.compile(model, (torch.zeros(3, 2),), pipeline=FOLDED)
    model.w.data.fill_(5.0)
    # Not even where the result is a view of the weight: all of them are of one moment.
    assert torch.equal(program(torch.zeros(3, 2)), torch.ones(3, 2))
    program.parameters["main_const_eval_0.0"].fill_(7.0)
    assert torch.equal(program(torch.zeros(3, 2)), torch.full((3, 2), 7.0))


def test_what_is_constant_throughout_folds_to_its_results() -> None:
    class Constant(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(T([1.0, 2.0]))

        def forward(self) -> tuple[torch.Tensor, torch.Tensor]:
            return self.w * 2 + 1, self.w

    program = torch_ttir.compile(Constant(), pipeline=FOLDED)
    torch.testing.assert_close(program(), (T([3.0, 5.0]), T([1.0, 2.0])))
    assert argument_names(program) == ["w", "main_const_eval_0.0"]


def test_a_folded_program_comes_back_from_files(tmp_path: Path) -> None:
    model = Model()
    program = torch_ttir.compile(model, (torch.zeros(4, 3),), pipeline=FOLDED)
    x = torch.randn(4, 3)
    program.save(tmp_path / "model")
    loaded = torch_ttir.load(tmp_path / "model")
    assert set(loaded.parameters) == set(program.parameters)
    found: Any = loaded(x)
    torch.testing.assert_close(found, program(x))


def test_folding_twice_changes_nothing() -> None:
    model = Model()
    args = (torch.zeros(4, 3),)
    once = torch_ttir.compile(model, args, pipeline=FOLDED)
    twice = FOLDED.replace("fold-consteval", "fold-consteval,hoist-consteval,fold-consteval")
    assert str(torch_ttir.compile(model, args, pipeline=twice).module) == str(once.module)


def test_weights_without_data_are_named() -> None:
    with torch.device("meta"):
        model = Model()
    exported = torch.export.export(model, (torch.zeros(4, 3, device="meta"),))
    with pytest.raises(torch_ttir.CompileError) as caught:
        torch_ttir.compile(exported, pipeline=FOLDED)
    text = str(caught.value)
    assert "needs the values of `w`" in text
    assert "needs the values of `b`" in text
    assert "in pass 'fold-consteval'" in text
