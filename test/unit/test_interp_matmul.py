"""Matrix products of the TTIR interpreter, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from torch_ttir.testing import run_op

RNG = np.random.default_rng(0)


def values(*shape: int) -> torch.Tensor:
    return torch.from_numpy(RNG.normal(size=shape).astype(np.float32))


MATMULS = [
    ((3,), (3,), (1,)),
    ((3,), (3, 2), (2,)),
    ((2, 3), (3,), (2,)),
    ((2, 3), (3, 4), (2, 4)),
    ((5, 1, 2, 3), (4, 3, 2), (5, 4, 2, 2)),
    ((0, 3), (3, 4), (0, 4)),
    ((2, 0), (0, 4), (2, 4)),
]


@pytest.mark.parametrize(("left", "right", "shape"), MATMULS)
def test_matmul(left: tuple[int, ...], right: tuple[int, ...], shape: tuple[int, ...]) -> None:
    a, b = values(*left), values(*right)
    got = run_op("matmul", [a, b], (shape, "f32"))
    torch.testing.assert_close(
        got, torch.from_numpy(np.matmul(a.numpy(), b.numpy()).reshape(shape))
    )


@pytest.mark.parametrize("transpose_a", [False, True])
@pytest.mark.parametrize("transpose_b", [False, True])
@pytest.mark.parametrize("bias", [None, (4,), (2, 4), (1,), (6, 2, 4)])
def test_linear(transpose_a: bool, transpose_b: bool, bias: tuple[int, ...] | None) -> None:
    a, b = values(2, 3), values(3, 4)
    c = None if bias is None else values(*bias)
    expected = a.numpy() @ b.numpy() + (0 if c is None else c.numpy())
    got = run_op(
        "linear",
        [a.T if transpose_a else a, b.T if transpose_b else b, c],
        (expected.shape, "f32"),
        transpose_a=transpose_a,
        transpose_b=transpose_b,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected))


def test_transposes_of_batches_leave_vectors_alone() -> None:
    a, b = values(5, 3, 2), values(3)
    got = run_op("matmul", [a, b], ((5, 2), "f32"), transpose_a=True, transpose_b=True)
    torch.testing.assert_close(got, torch.from_numpy(np.einsum("bki,k->bi", a.numpy(), b.numpy())))


def test_linear_of_a_vector_and_in_batches() -> None:
    a, b, c = values(3), values(4, 3), values(4)
    got = run_op("linear", [a, b, c], ((4,), "f32"), transpose_b=True)
    torch.testing.assert_close(got, torch.from_numpy(b.numpy() @ a.numpy() + c.numpy()))
    a = values(2, 5, 3)
    got = run_op("linear", [a, b, c], ((2, 5, 4), "f32"), transpose_b=True)
    torch.testing.assert_close(got, torch.from_numpy(a.numpy() @ b.numpy().T + c.numpy()))


def test_integers_wrap() -> None:
    a = torch.full((1, 2), 2**30, dtype=torch.int32)
    b = torch.full((2, 1), 4, dtype=torch.int32)
    assert run_op("matmul", [a, b], ((1, 1), "i32")).item() == 0


def test_low_precision_and_mixed() -> None:
    a, b = values(8, 64).bfloat16(), values(64, 8).bfloat16()
    expected = (a.double() @ b.double()).bfloat16()
    torch.testing.assert_close(run_op("matmul", [a, b], ((8, 8), "bf16")), expected)
    mixed = run_op("matmul", [a, b.float()], ((8, 8), "f32"))
    torch.testing.assert_close(mixed, (a.double() @ b.double()).float())


def test_dot_general_orders_batch_left_right() -> None:
    a, b = values(2, 3, 4, 5), values(5, 6, 3, 2)
    got = run_op(
        "dot_general",
        [a, b],
        ((3, 2, 4, 6), "f32"),
        batch_dims_lhs=[1, 0],
        contract_dims_lhs=[3],
        batch_dims_rhs=[2, 3],
        contract_dims_rhs=[0],
    )
    expected = np.einsum("abcd,deba->bace", a.numpy(), b.numpy())
    torch.testing.assert_close(got, torch.from_numpy(expected))


def test_dot_general_without_batch_or_contraction_is_an_outer_product() -> None:
    a, b = values(2), values(3)
    empty: dict[str, list[int]] = {
        f"{kind}_dims_{side}": [] for kind in ("batch", "contract") for side in ("lhs", "rhs")
    }
    got = run_op("dot_general", [a, b], ((2, 3), "f32"), **empty)
    torch.testing.assert_close(got, torch.from_numpy(np.outer(a.numpy(), b.numpy())))
