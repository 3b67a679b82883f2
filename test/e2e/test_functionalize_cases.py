"""In-place ops, views and state as people reported them broken elsewhere, with the right values.

Each runs twice: as TTIR, and as the Torch dialect right behind `functionalize-inplace-ops`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

import torch_ttir
from torch_ttir.dialects import ttcore
from torch_ttir.program import Program

T = torch.tensor
PIPELINES = ["torch-to-ttir", "builtin.module(functionalize-inplace-ops)"]


@pytest.fixture(params=PIPELINES, ids=["ttir", "torch"])
def pipeline(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(pipeline: str, function: Callable[..., Any], *inputs: torch.Tensor) -> tuple[Any, ...]:
    """Return the result of a compiled function, and what the inputs are after the call."""
    program = torch_ttir.compile(function, tuple(x.clone() for x in inputs), pipeline=pipeline)
    given = [x.clone() for x in inputs]
    return program(*given), *given


def expect(found: Any, wanted: Any) -> None:
    torch.testing.assert_close(found, wanted)


def updates(program: Program) -> list[str]:
    """Return what each result of the entry function updates, an empty name for the user's."""
    entry = next(op for op in program.module.body if op.name.value == "main")
    with program.module.context:
        return [
            ttcore.updated_argument(entry, index) or "" for index in range(len(entry.type.results))
        ]


def test_copy_to_an_input(pipeline: str) -> None:
    def f(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.copy_(y)
        return x + 1

    result, x, y = run(pipeline, f, torch.ones(2), torch.zeros(2))
    expect((result, x, y), (T([1.0, 1.0]), T([0.0, 0.0]), T([0.0, 0.0])))


def test_read_of_an_input_after_a_write_to_its_row(pipeline: str) -> None:
    def f(x: torch.Tensor) -> torch.Tensor:
        v = x[0]
        v.add_(1.0)
        return x * 2

    result, x = run(pipeline, f, torch.zeros(2, 3))
    expect(result, T([[2.0, 2, 2], [0, 0, 0]]))
    expect(x, T([[1.0, 1, 1], [0, 0, 0]]))


def test_a_written_input_that_is_returned_is_one_result_and_one_update(pipeline: str) -> None:
    def f(x: torch.Tensor) -> torch.Tensor:
        x.mul_(3.0)
        return x

    program = torch_ttir.compile(f, (torch.ones(2, 2),), pipeline=pipeline)
    assert updates(program) == ["", "x"]
    x = torch.ones(2, 2)
    expect((program(x), x), (torch.full((2, 2), 3.0), torch.full((2, 2), 3.0)))


def test_assignment_to_a_row(pipeline: str) -> None:
    def f(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x[-1, :] = y
        return (x * x).sum()

    result, x, _ = run(pipeline, f, torch.zeros(2, 3), T([1.0, 2, 3]))
    expect((result, x), (T(14.0), T([[0.0, 0, 0], [1, 2, 3]])))


def test_copy_to_a_slice_that_ends_past_its_dimension(pipeline: str) -> None:
    def f(b: torch.Tensor) -> torch.Tensor:
        z = torch.full((2, 4), 9.0)
        z[:, 1:99].copy_(b)
        return z

    result, _ = run(pipeline, f, T([[1.0, 2, 3], [4, 5, 6]]))
    expect(result, T([[9.0, 1, 2, 3], [9, 4, 5, 6]]))


def test_a_write_whose_result_has_no_user(pipeline: str) -> None:
    def f(x: torch.Tensor) -> torch.Tensor:
        c = x.clone()
        c.clamp_(min=0.0)
        return c.half()

    expect(run(pipeline, f, T([-1.0, 2]))[0], T([0.0, 2], dtype=torch.float16))


def test_write_to_a_slice_of_integers(pipeline: str) -> None:
    def f(v: torch.Tensor) -> torch.Tensor:
        t = torch.full((2, 5), -1, dtype=torch.int64)
        t[1, 2:4] = v
        return t

    expect(run(pipeline, f, T([7, 9]))[0], T([[-1, -1, -1, -1, -1], [-1, -1, 7, 9, -1]]))


def test_write_through_a_slice_of_a_transposition(pipeline: str) -> None:
    def f(a: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        v = a.t()[1:]
        v.mul_(10)
        return a, v

    (a, v), given = run(pipeline, f, torch.arange(6.0).reshape(2, 3))
    expect((a, v), (T([[0.0, 10, 20], [3, 40, 50]]), T([[10.0, 40], [20, 50]])))
    expect(given, a)


def test_overlapping_views_with_reads_between_writes(pipeline: str) -> None:
    def f(a: torch.Tensor) -> tuple[torch.Tensor, ...]:
        lo, hi = a[:3], a[1:]
        before = lo.clone()
        hi.add_(1)
        lo.mul_(2)
        return a, before, lo, hi

    found, a = run(pipeline, f, torch.zeros(4))
    expect(found, (T([0.0, 2, 2, 1]), T([0.0, 0, 0]), T([0.0, 2, 2]), T([2.0, 2, 1])))
    expect(a, T([0.0, 2, 2, 1]))


def test_results_that_are_no_tensors_keep_their_places(pipeline: str) -> None:
    def f(x: torch.Tensor) -> tuple[torch.Tensor, int, None]:
        x.add_(1.0)
        return x * 2, 7, None

    (tensor, number, nothing), x = run(pipeline, f, torch.zeros(2))
    assert (number, nothing) == (7, None)
    expect((tensor, x), (T([2.0, 2]), T([1.0, 1])))


def test_index_put_of_an_index_that_is_an_input_and_a_constant_one(pipeline: str) -> None:
    def f(u: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        c = torch.zeros(3, 4)
        c[i, T([2])] = u
        return c

    result = run(pipeline, f, T([10.0, 11]), T([0, 2]))[0]
    expect(result, T([[0.0, 0, 10, 0], [0, 0, 0, 0], [0, 0, 11, 0]]))


def test_index_put_of_a_mask(pipeline: str) -> None:
    def f(z: torch.Tensor, m: torch.Tensor) -> torch.Tensor:
        z[m] = T([1.0, 2.0, 3.0])
        return z

    mask = T([[True, False, True], [False, True, False]])
    expect(run(pipeline, f, torch.zeros(2, 3), mask)[0], T([[1.0, 0, 2], [0, 3, 0]]))


def test_index_put_that_accumulates(pipeline: str) -> None:
    def f(z: torch.Tensor) -> torch.Tensor:
        return z.index_put_((T([1, 1, 2]),), T([1.0, 2.0, 3.0]), accumulate=True)

    result, z = run(pipeline, f, torch.zeros(4))
    expect((result, z), (T([0.0, 3, 3, 0]), T([0.0, 3, 3, 0])))


def test_the_destination_of_a_copy_keeps_shape_and_dtype(pipeline: str) -> None:
    def f(x: torch.Tensor) -> torch.Tensor:
        return torch.zeros(2, 3, dtype=torch.int32).copy_(x)

    result = run(pipeline, f, T([1.9, -1.9, 2.5]))[0]
    expect(result, T([[1, -1, 2], [1, -1, 2]], dtype=torch.int32))


def test_the_destination_of_arithmetic_keeps_its_dtype(pipeline: str) -> None:
    def f(x: torch.Tensor) -> torch.Tensor:
        return torch.ones(2, dtype=torch.bfloat16).add_(x)

    expect(run(pipeline, f, T([0.5, 0.25]))[0], T([1.5, 1.25], dtype=torch.bfloat16))


def test_every_later_use_of_a_written_tensor_has_the_new_value(pipeline: str) -> None:
    def f(i: torch.Tensor, j: torch.Tensor) -> torch.Tensor:
        i.bitwise_xor_(j)
        return i

    expect(run(pipeline, f, T([4, 2]), T([1, 2]))[0], T([5, 0]))
