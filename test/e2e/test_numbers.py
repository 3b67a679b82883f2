"""Python numbers that a model takes out of tensors, computes with, and returns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

import torch_ttir
from torch_ttir.importers.exporting import export_module
from torch_ttir.interpreters.eager import EagerModel
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_through_ttir

aten, prim = torch.ops.aten, torch.ops.prim
Program = Callable[[torch.Tensor, torch.Tensor], Any]

# What the program is made with, and what it is called with: the numbers of the first are nowhere.
EXAMPLE = (torch.tensor(7), torch.tensor(3.5))
CALLS = [(7, 3.5), (-7, 0.25), (2, -2.0), (0, 1.5), (1, 1e9)]

INTS: dict[str, Program] = {
    "int": lambda n, y: int(n),
    "of a float": lambda n, y: int(y),
    "of a bool tensor": lambda n, y: int(n > 1),
    "of one element": lambda n, y: int(n.reshape(1, 1)),
    "item": lambda n, y: n.item(),
    "arithmetic": lambda n, y: (int(n) + 3) * int(n) - 1,
    "floor division": lambda n, y: int(n) // 3,
    "remainder": lambda n, y: int(n) % 3,
    "negative": lambda n, y: -int(n),
    "absolute": lambda n, y: abs(int(n)),
    "square": lambda n, y: int(n) ** 2,
    "max": lambda n, y: max(int(n), 3),
    "min": lambda n, y: min(3, int(n)),
    "floor": lambda n, y: math.floor(float(n) / 2),
    "ceil": lambda n, y: math.ceil(float(n) / 2),
    "truncate": lambda n, y: math.trunc(float(n) / 2),
    "round half to even": lambda n, y: round(float(n) / 2),
    "choice": lambda n, y: torch.sym_ite(bool(n > 1), 4, 5),
    "operator of a tensor": lambda n, y: aten.Int(n),
    "operator of a bool tensor": lambda n, y: aten.Int(n > 1),
    "operator of a number is that of a bool": lambda n, y: aten.Int(int(n)),
    "operator ceil": lambda n, y: aten.ceil(float(n) / 2),
    "operator max": lambda n, y: prim.max(int(n), 3),
    "operator min of a list": lambda n, y: prim.min([int(n), 3, 2]),
    "operator remainder": lambda n, y: aten.remainder(int(n), 3),
    "operator floordiv": lambda n, y: aten.floordiv(int(n), 2),
    "operator neg": lambda n, y: aten.neg(int(n)),
    "implicit": lambda n, y: aten.IntImplicit(n),
}

FLOATS: dict[str, Program] = {
    "float": lambda n, y: float(y),
    "of an int": lambda n, y: float(n),
    "of a bool tensor": lambda n, y: float(n > 1),
    "item": lambda n, y: y.item(),
    "of an int number": lambda n, y: float(int(n)),
    "arithmetic": lambda n, y: (float(y) + 3) * float(n) - 1.5,
    "division of ints": lambda n, y: int(n) / 3,
    "division": lambda n, y: float(n) / float(y),
    "int and float": lambda n, y: int(n) * float(y),
    "floor division": lambda n, y: float(n) // 0.1,
    "remainder": lambda n, y: float(n) % 0.3,
    "negative": lambda n, y: -float(y),
    "absolute": lambda n, y: abs(float(y)),
    "power": lambda n, y: float(y) ** 2.0,
    "max": lambda n, y: max(float(y), 2.0),
    "min": lambda n, y: min(2.0, float(y)),
    "in 64 bits": lambda n, y: float(y) / 3,
    "not as reals": lambda n, y: (float(y) + 1e20) - 1e20,
    "square root": lambda n, y: math.sqrt(abs(float(n))),
    "operator sqrt": lambda n, y: aten.sqrt(abs(int(n))),
    "operator exp": lambda n, y: aten.exp(int(n)),
    "operator log": lambda n, y: aten.log(int(n) * int(n) + 1),
    "operator round": lambda n, y: aten.round(float(n) / 2),
    "operator pow": lambda n, y: aten.pow(int(n), 3),
    "operator Float": lambda n, y: aten.Float(aten.ScalarImplicit(n)),
    "operator max": lambda n, y: prim.max(float(y), 2),
    "operator floordiv": lambda n, y: aten.floordiv(float(n), 0.1),
    "operator of tensors": lambda n, y: float(aten.div(int(n), 3)),
}

BOOLS: dict[str, Program] = {
    "bool": lambda n, y: bool(n > 1),
    "of an int tensor": lambda n, y: bool(n),
    "of a float": lambda n, y: bool(y),
    "all": lambda n, y: bool((torch.arange(3) < n).all()),
    "equal": lambda n, y: int(n) == 7,
    "not equal": lambda n, y: int(n) != 7,
    "less": lambda n, y: float(y) < 1.5,
    "at most": lambda n, y: float(y) <= 1.5,
    "int and float": lambda n, y: int(n) > float(y),
    "bools": lambda n, y: bool(n > 1) == bool(y > 1),
    "and": lambda n, y: bool(n > 1) & bool(y > 1),
    "or": lambda n, y: bool(n > 1) | bool(y > 1),
    "not": lambda n, y: torch.sym_not(bool(n > 1)),
    "operator Bool": lambda n, y: aten.Bool(int(n)),
    "operator Bool of a float": lambda n, y: aten.Bool(float(y) - float(y)),
    "operator Bool of a tensor": lambda n, y: aten.Bool(n),
    "operator ge": lambda n, y: aten.ge(int(n), 2),
}

IN_TENSORS: dict[str, Program] = {
    "add": lambda n, y: torch.ones(2) + float(y),
    "add to itself": lambda n, y: n + int(n),
    "float to ints": lambda n, y: torch.arange(3) * float(y),
    "float to a 0-d f32": lambda n, y: y + float(n) / 3,
    "bool beside floats": lambda n, y: y * bool(n > 1),
    "alpha": lambda n, y: torch.add(torch.ones(2), torch.ones(2), alpha=int(n)),
    "full": lambda n, y: torch.full((2,), int(n)),
    "full of a float": lambda n, y: torch.full((2,), float(y)),
    "fill": lambda n, y: torch.zeros(2).fill_(float(y)),
    "clamp": lambda n, y: torch.arange(9).clamp(max=int(n)),
    "where": lambda n, y: torch.where(torch.tensor([True, False]), int(n), float(y)),
    "tensor of an int": lambda n, y: torch.tensor(int(n)),
    "tensor of a float": lambda n, y: torch.tensor(float(y)),
    "tensor of a list": lambda n, y: torch.tensor([int(n), 2]),
    "operators of numbers": lambda n, y: (aten.add(int(n), 2), aten.sub(int(n), float(y))),
    "NumToTensor": lambda n, y: (prim.NumToTensor(int(n)), prim.NumToTensor(float(y))),
    "list": lambda n, y: torch.stack([y, y + 1]).tolist(),
    "beside tensors": lambda n, y: {"n": int(n), "y": y * 2, "three": 3},
}


def check(function: Program, pipeline: str | None = None) -> None:
    program = torch_ttir.compile(function, EXAMPLE, pipeline=pipeline)
    for n, y in CALLS:
        inputs = torch.tensor(n), torch.tensor(y)
        found, wanted = program(*inputs), function(*inputs)
        assert type(found) is type(wanted)
        torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("name", INTS)
def test_ints(name: str) -> None:
    check(INTS[name])


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name: str) -> None:
    check(FLOATS[name])


@pytest.mark.parametrize("name", BOOLS)
def test_bools(name: str) -> None:
    check(BOOLS[name])


@pytest.mark.parametrize("name", IN_TENSORS)
def test_numbers_in_tensors(name: str) -> None:
    check(IN_TENSORS[name])


@pytest.mark.parametrize(
    "function",
    [
        INTS["floor division"],
        INTS["choice"],
        INTS["round half to even"],
        INTS["square"],
        FLOATS["arithmetic"],
        FLOATS["floor division"],
        FLOATS["max"],
        BOOLS["int and float"],
        BOOLS["and"],
        BOOLS["bool"],
        *IN_TENSORS.values(),
    ],
)
def test_in_the_torch_dialect(function: Program) -> None:
    check(function, "builtin.module(verify-ops,functionalize-inplace-ops)")


def test_a_program_with_numbers_can_be_saved(tmp_path: Any) -> None:
    program = torch_ttir.compile(lambda n, y: (int(n) + 1, y * int(n)), EXAMPLE)
    program.save(tmp_path / "model")
    loaded = torch_ttir.load(tmp_path / "model.mlir")
    found = loaded(torch.tensor(-3), torch.tensor(2.0))
    assert found[0] == -2
    assert type(found[0]) is int
    torch.testing.assert_close(found[1], torch.tensor(-6.0))


class Scaled(torch.nn.Module):
    """Reads its own state as a number, and writes it."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.tensor(3))
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, int]:
        self.count += 1
        return x * self.weight / int(self.count), int(self.count)


def test_state_and_weights() -> None:
    model, x = Scaled(), torch.tensor([3.0, 4.0])
    program = torch_ttir.compile(Scaled(), (x,))
    for _ in range(3):
        found, wanted = program(x), model(x)
        assert found[1] == wanted[1]
        torch.testing.assert_close(found[0], wanted[0].detach())


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * True,
        lambda x: x + True,
        lambda x: (x == True, x | True, x ^ True),  # noqa: E712
        lambda x: torch.full_like(x, True),
        lambda x: (x.int() * True, x.float() + True),
        lambda x: torch.where(x, True, False),
    ],
)
def test_bools_where_the_torch_dialect_has_numbers(function: Callable[..., Any]) -> None:
    x = torch.tensor([True, False])
    program = torch_ttir.compile(function, (x,), pipeline="builtin.module(verify-ops)")
    torch.testing.assert_close(program(x), function(x))
    torch.testing.assert_close(run_through_ttir(function, x), function(x))


def test_numbers_of_a_function_traced_by_make_fx() -> None:
    found = run_through_ttir(lambda x: (x.sum().item(), x * 2), torch.tensor([1, 2]))
    assert found[0] == 3
    assert type(found[0]) is int


def test_a_model_run_eagerly_gives_its_numbers_as_tensors() -> None:
    eager = EagerModel(export_module(lambda n, y: (int(n), 3, y, float(y)), EXAMPLE))
    results, _ = eager({"n": EXAMPLE[0], "y": EXAMPLE[1]})
    wanted = [*EXAMPLE, EXAMPLE[1].double()]
    torch.testing.assert_close(results, wanted)


COURSES: dict[str, Program] = {
    "if": lambda n, y: y + 1 if int(n) > 3 else y,
    "if of a bool": lambda n, y: y + 1 if n > 3 else y,
    "a loop": lambda n, y: sum(y for _ in range(int(n))),
    "an index of a list": lambda n, y: [y, y + 1][int(n)],
    "a power that may be a float": lambda n, y: int(n) ** int(n),
}


@pytest.mark.parametrize("name", COURSES)
def test_a_course_that_depends_on_data(name: str) -> None:
    with pytest.raises(CompileError) as caught:
        torch_ttir.compile(COURSES[name], EXAMPLE)
    (fault,) = caught.value.diagnostics
    assert "a branch or a size depends on the data" in fault.message
    assert fault.location.startswith(__file__)


def test_a_size_that_depends_on_data() -> None:
    with pytest.raises(CompileError, match="depends on the data"):
        torch_ttir.compile(lambda n, y: torch.zeros(int(n)), EXAMPLE)


def test_what_a_model_prints_of_data_is_not_said(capsys: pytest.CaptureFixture[str]) -> None:
    def forward(n: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        print(f"n is {int(n)}")
        return y * int(n)

    program = torch_ttir.compile(forward, EXAMPLE)
    assert capsys.readouterr().out == ""
    torch.testing.assert_close(program(torch.tensor(2), EXAMPLE[1]), torch.tensor(7.0))


def test_an_assertion_on_data_is_a_branch() -> None:
    def forward(n: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        assert n > 3
        return y

    with pytest.raises(CompileError, match="a branch or a size depends on the data"):
        torch_ttir.compile(forward, EXAMPLE)


def test_a_check_of_a_number_is_dropped() -> None:
    def forward(n: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        torch._check(n.item() > 3)
        torch._check_is_size(n.item())
        return y * n.item()

    program = torch_ttir.compile(forward, EXAMPLE)
    torch.testing.assert_close(program(*EXAMPLE), torch.tensor(24.5))
