"""Shape ops, slices and creation of the TTIR interpreter, against numpy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_op

X = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)


def same(got: torch.Tensor, expected: Any) -> None:
    assert np.array_equal(got.numpy(), np.asarray(expected)), (got, expected)
    assert tuple(got.shape) == np.asarray(expected).shape


def test_reshape_is_row_major_whatever_the_strides() -> None:
    x = X.permute(2, 0, 1)
    same(run_op("reshape", [x], ((6, 4), "f32"), shape=[6, -1]), x.numpy().reshape(6, 4))
    same(run_op("reshape", [X[:1, :1, :1]], ((), "f32"), shape=[]), np.float32(0))
    assert run_op("reshape", [torch.zeros(0, 3)], ((3, 0), "f32"), shape=[3, 0]).shape == (3, 0)


def test_permute_and_transpose() -> None:
    got = run_op("permute", [X], ((4, 2, 3), "f32"), permutation=[2, 0, 1])
    same(got, X.numpy().transpose(2, 0, 1))
    same(run_op("transpose", [X], ((4, 3, 2), "f32"), dim0=0, dim1=-1), X.numpy().swapaxes(0, 2))


def test_squeeze_and_unsqueeze() -> None:
    x = X[:, :1]
    same(run_op("squeeze", [x], ((2, 4), "f32"), dim=-2), x.numpy()[:, 0])
    same(run_op("unsqueeze", [X], ((2, 3, 4, 1), "f32"), dim=-1), X.numpy()[..., None])
    same(run_op("unsqueeze", [torch.tensor(5.0)], ((1,), "f32"), dim=0), np.float32([5]))


def test_broadcast_multiplies_dimensions() -> None:
    x = X[:, :1]
    got = run_op("broadcast", [x], ((2, 5, 4), "f32"), broadcast_dimensions=[1, 5, 1])
    same(got, np.broadcast_to(x.numpy(), (2, 5, 4)))


def test_repeat_and_repeat_interleave() -> None:
    got = run_op("repeat", [X], ((4, 3, 12), "f32"), repeat_dimensions=[2, 1, 3])
    same(got, np.tile(X.numpy(), (2, 1, 3)))
    got = run_op("repeat_interleave", [X], ((2, 9, 4), "f32"), repeats=3, dim=1)
    same(got, np.repeat(X.numpy(), 3, axis=1))


def test_concat() -> None:
    got = run_op("concat", [[X, X[:, :1]]], ((2, 4, 4), "f32"), dim=-2)
    same(got, np.concatenate([X.numpy(), X.numpy()[:, :1]], axis=1))


SLICES = [
    ([0, 1, 0], [2, 3, 4], [1, 1, 2]),
    ([-1, -3, -4], [2, -1, -1], [1, 1, 1]),
    ([0, 0, 3], [2, 3, 0], [1, 1, -1]),
    ([1, 2, 3], [-2, 0, 1], [-1, -2, -1]),
    ([0, 2, 0], [2, 2, 4], [1, 1, 3]),
]


@pytest.mark.parametrize(("begins", "ends", "step"), SLICES)
def test_slice(begins: list[int], ends: list[int], step: list[int]) -> None:
    index = []
    for size, begin, end, by in zip(X.shape, begins, ends, step, strict=True):
        # A negative bound gets the size once, so that -1 as an end is never "before 0".
        index.append(range(begin + size * (begin < 0), end + size * (end < 0), by))
    expected = X.numpy()[np.ix_(*map(np.array, [np.array(i, dtype=int) for i in index]))]
    got = run_op("slice_static", [X], (expected.shape, "f32"), begins=begins, ends=ends, step=step)
    same(got, expected)


def test_slice_dynamic_and_its_bounds() -> None:
    begins = torch.tensor([0, 1, 2], dtype=torch.int32)
    ends = torch.tensor([2, 3, 4], dtype=torch.int32)
    same(run_op("slice_dynamic", [X, begins, ends], ((2, 2, 2), "f32")), X.numpy()[:, 1:, 2:])
    with pytest.raises(CompileError, match="slice 0:3:1 of a dimension of size 2"):
        run_op("slice_dynamic", [X, begins, ends + 1], ((2, 2, 2), "f32"))
    with pytest.raises(CompileError, match=r"makes `tensor<2x2x2xf32>` where .*`tensor<1x2x2xf32>"):
        run_op("slice_dynamic", [X, begins, ends], ((1, 2, 2), "f32"))


def test_index_and_blocks() -> None:
    same(
        run_op("index", [X], ((2, 3, 2), "f32"), dim=2, begin=0, end=4, step=2), X.numpy()[..., ::2]
    )
    x = torch.arange(10, dtype=torch.int32)
    got = run_op("index_select", [x], ((5,), "i32"), dim=0, begin=1, length=2, stride=4)
    same(got, np.int32([1, 2, 5, 6, 9]))
    got = run_op("index_select", [x], ((3,), "i32"), dim=0, begin=4, length=3, stride=0)
    same(got, np.int32([4, 5, 6]))


def test_pad_starts_with_the_first_dimension() -> None:
    x = X[0]
    got = run_op("pad", [x], ((4, 9), "f32"), padding=[0, 1, 2, 3], value=-1.5)
    same(got, np.pad(x.numpy(), ((0, 1), (2, 3)), constant_values=-1.5))
    got = run_op("pad", [x], ((3, 3), "f32"), padding=[1, -1, -2, 1], value=7.0)
    same(got, np.pad(x.numpy(), ((1, 0), (0, 1)), constant_values=7)[:3, 2:])
    whole = torch.tensor([2**40], dtype=torch.int64)
    assert run_op("pad", [whole], ((2,), "i64"), padding=[0, 1], value=3.0).tolist() == [2**40, 3]
    with pytest.raises(CompileError, match="`value` = inf on an integer tensor"):
        run_op("pad", [whole], ((2,), "i64"), padding=[0, 1], value=math.inf)


def test_reverse_and_rearrange() -> None:
    same(run_op("reverse", [X], (X.shape, "f32"), dimensions=[0, 2]), X.numpy()[::-1, :, ::-1])
    got = run_op("rearrange", [X], ((4, 6), "f32"), pattern="b h w -> w (b h)")
    same(got, X.numpy().transpose(2, 0, 1).reshape(4, 6))


def test_get_dimension_size() -> None:
    assert run_op("get_dimension_size", [X], ((1,), "i32"), dimension=2).tolist() == [4]


FULLS = [
    (1.5, "f32", 1.5),
    (-1.9, "i32", -1),
    (-1, "i64", -1),
    (300, "ui8", 44),
    (-1, "ui32", 2**32 - 1),
    (3, "i1", True),
    (2, "i1", False),
    (math.inf, "bf16", math.inf),
    (1.00390625, "bf16", 1.0),
    (7, "f64", 7.0),
]


@pytest.mark.parametrize(("value", "dtype", "expected"), FULLS)
def test_full(value: float, dtype: str, expected: float) -> None:
    got = run_op("full", [], ((2, 3), dtype), shape=[2, 3], fill_value=value)
    assert got.tolist() == [[expected] * 3] * 2
    assert run_op("full", [], ((), dtype), shape=[], fill_value=value).item() == expected


@pytest.mark.parametrize("dtype", ["f32", "bf16", "i32", "ui16", "i1"])
def test_zeros_and_ones(dtype: str) -> None:
    assert run_op("zeros", [], ((2, 1), dtype), shape=[2, 1]).tolist() == [[0], [0]]
    assert run_op("ones", [], ((2, 1), dtype), shape=[2, 1]).tolist() == [[1], [1]]


def test_full_of_nan_in_integers_is_rejected() -> None:
    with pytest.raises(CompileError, match="`fill_value` = nan in a tensor of `i32`"):
        run_op("full", [], ((1,), "i32"), shape=[1], fill_value=math.nan)


ARANGES = [(0, 4, 1, 0, (4, 2)), (1, 13, 4, 1, (2, 3)), (5, -1, -2, 2, (2, 1, 3))]


@pytest.mark.parametrize(("start", "end", "step", "dim", "shape"), ARANGES)
@pytest.mark.parametrize("dtype", ["i32", "f32", "ui16"])
def test_arange(
    start: int, end: int, step: int, dim: int, shape: tuple[int, ...], dtype: str
) -> None:
    got = run_op(
        "arange", [], (shape, dtype), start=start, end=end, step=step, arange_dimension=dim
    )
    sizes = [-1 if axis == dim else 1 for axis in range(len(shape))]
    expected = np.broadcast_to(np.arange(start, end, step).reshape(sizes), shape)
    assert got.tolist() == expected.tolist()


def test_unset_floats_are_nan() -> None:
    assert run_op("empty", [], ((2,), "f32")).isnan().all()


def test_random_numbers_repeat_by_seed_and_keep_their_range() -> None:
    attrs: dict[str, Any] = {"size": [1000], "low": -2.0, "high": 3.0}
    first = run_op("rand", [], ((1000,), "f32"), seed=1, **attrs)
    assert torch.equal(first, run_op("rand", [], ((1000,), "f32"), seed=1, **attrs))
    assert not torch.equal(first, run_op("rand", [], ((1000,), "f32"), seed=2, **attrs))
    assert -2 <= first.min() < -1.9 < 2.9 < first.max() < 3


def test_dropout_keeps_and_scales() -> None:
    x = torch.ones(50, 40)
    got = run_op("dropout", [x], ((50, 40), "f32"), prob=0.25, scale=1.5, seed=3)
    assert set(got.unique().tolist()) == {0.0, 1.5}
    assert 0.7 < (got != 0).float().mean() < 0.8
    none = run_op("dropout", [x], ((50, 40), "f32"), prob=0.0, scale=1.0)
    assert torch.equal(none, x)
