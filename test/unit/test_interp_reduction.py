"""Reductions, scans and orderings of the TTIR interpreter, against numpy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_op

X = torch.tensor(np.random.default_rng(0).normal(size=(2, 3, 4)).astype(np.float32))
NUMPY = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod}
DIMS = [None, (0,), (1,), (-1,), (0, 2), (2, 0), (0, 1, 2)]


def reduce(
    name: str, x: torch.Tensor, dims: tuple[int, ...] | None, keep: bool, dtype: str = "f32"
) -> Any:
    axes = range(x.dim()) if dims is None else [dim % x.dim() for dim in dims]
    shape = [1 if d in axes else n for d, n in enumerate(x.shape) if keep or d not in axes]
    return run_op(name, [x], (shape, dtype), dim_arg=dims, keep_dim=keep)


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("dims", DIMS)
@pytest.mark.parametrize("name", NUMPY)
def test_reduction(name: str, dims: tuple[int, ...] | None, keep: bool) -> None:
    expected = NUMPY[name](X.numpy().astype(np.float64), axis=dims, keepdims=keep)
    got = reduce(name, X, dims, keep)
    torch.testing.assert_close(got, torch.from_numpy(np.asarray(expected)).float())


@pytest.mark.parametrize(("name", "function"), [("reduce_and", np.all), ("reduce_or", np.any)])
def test_logical_reductions_ask_for_not_zero(name: str, function: Any) -> None:
    x = torch.tensor([[0.0, 2.0, -1.0], [math.nan, 0.5, 3.0], [0.0, 0.0, -0.0]])
    for dims in (None, (0,), (1,), (0, 1)):
        expected = function(x.numpy() != 0, axis=dims)
        got = reduce(name, x, dims, False, "f32")
        assert got.dtype is torch.float32
        assert np.array_equal(got.numpy(), np.asarray(expected, dtype=np.float32))


def test_sum_wraps_in_the_declared_width() -> None:
    x = torch.full((4,), 2**30, dtype=torch.int32)
    assert reduce("sum", x, None, False, "i32").item() == 0
    assert reduce("sum", x, None, False, "i64").item() == 2**32
    assert reduce("sum", torch.tensor([True, True, False]), (0,), False, "i32").item() == 2


def test_product_of_integers_wraps() -> None:
    x = torch.full((3, 11), 8, dtype=torch.int32)
    assert reduce("prod", x, (1,), False, "i32").tolist() == [0, 0, 0]
    assert reduce("prod", x, (1,), False, "i64").tolist() == [2**33] * 3


def test_nan_spreads() -> None:
    x = torch.tensor([1.0, math.nan, -math.inf])
    for name in NUMPY:
        assert math.isnan(reduce(name, x, None, False).item())


def test_reductions_of_nothing() -> None:
    empty = torch.zeros(0, 3)
    assert reduce("sum", empty, (0,), False).tolist() == [0, 0, 0]
    assert reduce("prod", empty, (0,), False).tolist() == [1, 1, 1]
    assert all(math.isnan(v) for v in reduce("mean", empty, (0,), False).tolist())
    assert reduce("reduce_and", empty, (0,), False, "i1").tolist() == [True] * 3
    with pytest.raises(CompileError, match=r"'ttir\.max'"):
        reduce("max", empty, (0,), False)


def test_reductions_of_0d() -> None:
    x = torch.tensor(-2.5)
    for name in NUMPY:
        assert reduce(name, x, None, False).item() == -2.5
    assert reduce("argmax", x, None, False, "i32").item() == 0


def test_mean_of_integers_is_rejected() -> None:
    with pytest.raises(CompileError, match="does not model the mean of integers"):
        reduce("mean", torch.tensor([1, 2]), None, False, "i64")


def test_low_precision_sums_in_wide_steps() -> None:
    x = torch.full((1000,), 1.0, dtype=torch.bfloat16)
    assert reduce("sum", x, None, False, "bf16").item() == 1000.0


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("dims", [None, (0,), (2,), (-2,), (0, 2), (2, 1)])
def test_argmax_counts_in_row_major_order(dims: tuple[int, ...] | None, keep: bool) -> None:
    axes = sorted(d % 3 for d in ((0, 1, 2) if dims is None else dims))
    kept = [d for d in range(3) if d not in axes]
    moved = X.numpy().transpose(*kept, *axes).reshape(*(X.shape[d] for d in kept), -1)
    expected = moved.argmax(-1)
    got = reduce("argmax", X, dims, keep, "i32")
    assert got.dtype is torch.int32
    assert np.array_equal(got.numpy().reshape(expected.shape), expected)


def test_argmax_takes_the_first_of_equals_and_nan_over_all() -> None:
    assert reduce("argmax", torch.tensor([1, 3, 3, 0]), (0,), False, "i32").item() == 1
    x = torch.tensor([1.0, math.nan, math.inf, math.nan])
    assert reduce("argmax", x, (0,), False, "i64").item() == 1
    assert reduce("argmax", torch.tensor([False, True, True]), (0,), False, "i64").item() == 1


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_scans(dim: int) -> None:
    for name, function in (("cumsum", np.cumsum), ("cumprod", np.cumprod)):
        got = run_op(name, [X], (X.shape, "f32"), dim=dim)
        torch.testing.assert_close(got, torch.from_numpy(function(X.numpy(), axis=dim)))
    narrow = torch.full((3,), 100, dtype=torch.int8)
    assert run_op("cumsum", [narrow], ((3,), "i8"), dim=0).tolist() == [100, -56, 44]


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_sort(dim: int, descending: bool) -> None:
    values, indices = run_op(
        "sort", [X], (X.shape, "f32"), (X.shape, "i32"), dim=dim, descending=descending
    )
    order = np.argsort(-X.numpy() if descending else X.numpy(), axis=dim, kind="stable")
    assert indices.dtype is torch.int32
    assert np.array_equal(indices.numpy(), order)
    assert np.array_equal(values.numpy(), np.take_along_axis(X.numpy(), order, dim))


def test_sort_puts_nan_last_and_keeps_the_order_of_equals() -> None:
    x = torch.tensor([2.0, math.nan, 1.0, 2.0, -math.inf])
    values, indices = run_op("sort", [x], ((5,), "f32"), ((5,), "i64"))
    expected = torch.tensor([-math.inf, 1, 2, 2, math.nan])
    torch.testing.assert_close(values, expected, equal_nan=True)
    assert indices.tolist() == [4, 2, 0, 3, 1]


@pytest.mark.parametrize("largest", [False, True])
def test_topk(largest: bool) -> None:
    values, indices = run_op(
        "topk", [X], ((2, 2, 4), "f32"), ((2, 2, 4), "i32"), k=2, dim=1, largest=largest
    )
    order = np.argsort(-X.numpy() if largest else X.numpy(), axis=1)[:, :2]
    assert np.array_equal(indices.numpy(), order)
    assert np.array_equal(values.numpy(), np.take_along_axis(X.numpy(), order, 1))
