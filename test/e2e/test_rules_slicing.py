"""Rules for parts of tensors against eager PyTorch: slices, diagonals, windows, flips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from data_movement import DTYPES, Case, expect_equal, f, i

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_through_ttir

aten, prims = torch.ops.aten, torch.ops.prims
LAST = 9223372036854775807


SLICES: dict[str, Case] = {
    "select": (lambda x: x.select(1, 2), f(2, 3)),
    "select-negative": (lambda x: x.select(-1, -1), f(2, 3)),
    "select-to-0d": (lambda x: x[1], f(3)),
    "select_copy": (lambda x: torch.select_copy(x, 0, 1), f(2, 3)),
    "slice-open": (lambda x: aten.slice(x, 0, 1, LAST), f(4)),
    "slice-none": (lambda x: aten.slice(x, 1), f(2, 3)),
    "slice-negative-past-end": (lambda x: x[-3:100], i(5)),
    "slice-before-start": (lambda x: x[-100:2], i(5)),
    "slice-reversed-bounds": (lambda x: x[3:1], i(5)),
    "slice-of-flip": (lambda x: x.flip(0)[1:4], i(5)),
    "slice-then-flip": (lambda x: x.reshape(2, 4, 2)[:, 1:3].flip(1), f(16)),
    "slice-step": (lambda x: x[:, 1::3], f(2, 8)),
    "slice-step-past-size": (lambda x: x[::9], f(4)),
    "slice-begin-at-size": (lambda x: x[4:], f(4)),
    "slice-of-empty": (lambda x: x[0:3], f(0, 2)),
    "slice_copy": (lambda x: torch.slice_copy(x, 1, -2), f(2, 5)),
    "narrow": (lambda x: x.narrow(1, -3, 2), f(2, 5)),
    "narrow-empty": (lambda x: x.narrow(0, 2, 0), f(2, 5)),
    "narrow_copy": (lambda x: torch.narrow_copy(x, 0, 1, 2), f(4, 2)),
}

REPLACEMENTS: dict[str, Case] = {
    "select_scatter": (lambda x, y: x.select_scatter(y, 1, -1), f(2, 3), f(2)),
    "slice_scatter": (lambda x, y: x.slice_scatter(y, 1, 1, -1), f(2, 5), f(2, 3)),
    "slice_scatter-all": (lambda x, y: x.slice_scatter(y), f(2, 3), f(2, 3)),
    "slice_scatter-step": (lambda x, y: x.slice_scatter(y, 0, 1, LAST, 2), f(5, 2), f(2, 2)),
    "slice_scatter-nothing": (lambda x, y: x.slice_scatter(y, 0, 3, 1), f(5, 2), f(0, 2)),
    "diagonal_scatter": (lambda x, y: x.diagonal_scatter(y), f(3, 3), f(3)),
    "diagonal_scatter-wide": (lambda x, y: x.diagonal_scatter(y, 1), f(3, 5), f(3)),
    "diagonal_scatter-below": (lambda x, y: x.diagonal_scatter(y, -1), f(5, 3), f(3)),
    "diagonal_scatter-dims": (
        lambda x, y: x.diagonal_scatter(y, 1, 2, 0),
        f(3, 4, 2),
        f(4, 2),
    ),
    "diagonal_scatter-outside": (lambda x, y: x.diagonal_scatter(y, 9), f(3, 3), f(0)),
    "as_strided_scatter": (
        lambda x, y: x.as_strided_scatter(y, (2, 2), (3, 2), 1),
        f(2, 4),
        f(2, 2),
    ),
    "select_backward": (lambda y: aten.select_backward(y, [2, 3], 1, 2), f(2)),
    "slice_backward": (lambda y: aten.slice_backward(y, [2, 6], 1, 1, LAST, 2), f(2, 3)),
    "diagonal_backward": (lambda y: aten.diagonal_backward(y, [2, 3], 1, 0, 1), f(2)),
}

DIAGONALS: dict[str, Case] = {
    "diagonal": (torch.diagonal, f(3, 3)),
    "diagonal-above": (lambda x: x.diagonal(2), f(3, 4)),
    "diagonal-below": (lambda x: x.diagonal(-1), f(4, 3)),
    "diagonal-outside": (lambda x: x.diagonal(5), f(3, 4)),
    "diagonal-dims": (lambda x: x.diagonal(-1, 2, 0), f(3, 4, 5)),
    "diagonal_copy": (lambda x: torch.diagonal_copy(x, 1, -2, -1), f(2, 3, 3)),
    "linalg.diagonal": (torch.linalg.diagonal, f(2, 3, 4)),
    "diag-of-matrix": (lambda x: torch.diag(x, 1), f(3, 4)),
    "diag-of-vector": (lambda x: torch.diag(x, -1), f(3)),
    "diagflat": (lambda x: torch.diagflat(x, 1), f(2, 2)),
    "diagflat-0d": (torch.diagflat, f()),
    "diag_embed": (torch.diag_embed, f(2, 3)),
    "diag_embed-dims": (lambda x: torch.diag_embed(x, -1, 0, 2), f(2, 3)),
    "diag_embed-empty": (lambda x: torch.diag_embed(x, 2), f(0)),
    "trace": (torch.trace, i(3, 4) / 2),
    "trace-int": (torch.trace, i(3, 3).to(torch.int8)),
    "trace-empty": (torch.trace, f(0, 3)),
    "tril": (torch.tril, f(2, 3, 4)),
    "tril-above": (lambda x: x.tril(1), f(3, 3)),
    "triu": (lambda x: x.triu(-1), f(4, 3)),
    "triu-bool": (torch.triu, torch.ones(3, 3, dtype=torch.bool)),
    "triu-none": (lambda x: x.triu(9), f(3, 3)),
    "tril_indices": (lambda: torch.tril_indices(3, 4, 1),),
    "triu_indices": (lambda: torch.triu_indices(3, 4, -1, dtype=torch.int32),),
    "triu_indices-none": (lambda: torch.triu_indices(3, 4, 9),),
}

WINDOWS: dict[str, Case] = {
    "unfold": (lambda x: x.unfold(1, 3, 2), f(2, 8, 2)),
    "unfold-overlapping": (lambda x: x.unfold(0, 4, 1), f(6)),
    "unfold-even": (lambda x: x.unfold(-1, 2, 2), f(2, 5)),
    "unfold-gaps": (lambda x: x.unfold(0, 1, 3), f(8)),
    "unfold-0d": (lambda x: x.unfold(0, 1, 1), f()),
    "unfold-size-0": (lambda x: x.unfold(0, 0, 1), f(3)),
    "unfold-many": (lambda x: x.unfold(0, 70, 1), f(150)),
    "unfold_copy": (lambda x: torch.unfold_copy(x, 0, 2, 1), f(3, 2)),
    "im2col": (lambda x: torch.nn.functional.unfold(x, (2, 3), 2, 1, (1, 2)), f(2, 3, 6, 7)),
    "im2col-patches": (lambda x: torch.nn.functional.unfold(x, 2, stride=2), f(2, 3, 4, 6)),
    "im2col-no-batch": (lambda x: torch.nn.functional.unfold(x, 2), f(3, 4, 4)),
    "as_strided": (lambda x: x.as_strided((2, 2), (3, 1), 1), f(2, 4)),
    "as_strided-overlapping": (lambda x: x.as_strided((3, 2), (1, 2)), f(6)),
    "as_strided-expanded": (lambda x: x.as_strided((2, 3), (0, 2), 1), f(6)),
    "as_strided-run": (lambda x: x.as_strided((2, 2), (4, 2), 1), f(8)),
    "as_strided-0d": (lambda x: x.as_strided((), (), 2), f(4)),
    "as_strided_copy": (lambda x: torch.as_strided_copy(x, (2,), (2,)), f(4)),
}

TURNS: dict[str, Case] = {
    "flip": (lambda x: x.flip(0, -1), f(2, 3, 4)),
    "flip-nothing": (lambda x: x.flip(()), f(2, 3)),
    "flip-0d": (lambda x: x.flip(0), f()),
    "fliplr": (torch.fliplr, f(2, 3)),
    "flipud": (torch.flipud, f(2, 3)),
    "prims-rev": (lambda x: prims.rev(x, [1]), f(2, 3)),
    "roll": (lambda x: x.roll(2, 0), f(5, 2)),
    "roll-flat": (lambda x: x.roll(-4), f(2, 3)),
    "roll-dims": (lambda x: x.roll((1, -7), (0, -1)), f(3, 4)),
    "roll-twice": (lambda x: x.roll((1, 1), (0, 0)), f(3, 2)),
    "roll-empty": (lambda x: x.roll(1, 0), f(0, 2)),
    "roll-0d": (lambda x: x.roll(1), f()),
    **{f"rot90-{k}": (lambda x, k=k: x.rot90(k, (0, 2)), f(2, 3, 4)) for k in (-1, 0, 1, 2, 7)},
}

CASES = {**SLICES, **REPLACEMENTS, **DIAGONALS, **WINDOWS, **TURNS}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_matches_eager(case: Case) -> None:
    function, *inputs = case
    expect_equal(function, *inputs)


@pytest.mark.parametrize(
    ("kernel", "dilation", "padding", "stride"),
    [((2, 2), 1, 0, 2), ((2, 3), (2, 1), 1, (1, 2)), ((3, 3), 1, 2, 1)],
)
def test_overlapping_columns_add_up(
    kernel: tuple[int, int], dilation: Any, padding: Any, stride: Any
) -> None:
    options = {"dilation": dilation, "padding": padding, "stride": stride}
    columns = torch.nn.functional.unfold(torch.zeros(2, 3, 6, 8), kernel, **options)
    x = torch.randn(columns.shape, generator=torch.Generator().manual_seed(0))
    for given in (x, x[0]):
        function = lambda c: torch.nn.functional.fold(c, (6, 8), kernel, **options)  # noqa: E731
        torch.testing.assert_close(run_through_ttir(function, given), function(given))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_element_type_is_moved_exactly(dtype: torch.dtype) -> None:
    def function(x: torch.Tensor) -> Any:
        moved = x.diag_embed(1).triu(), x.diagonal(), x.unfold(1, 2, 1), x.roll(1, 1).flip(0)
        return *moved, x.slice_scatter(x[:, 1:3], 1, 0, 2), x.select_scatter(x[1], 0, 0)

    expect_equal(function, torch.tensor([[1, 0, 5], [127, 2, 0], [1, 77, 3]]).to(dtype))


def test_large_integers_are_moved_exactly() -> None:
    big = torch.tensor([[2**62 + 1, -(2**63)], [2**53 + 1, 2**31 + 5]])
    expect_equal(lambda x: (x.tril(), x.diagonal(1), x.roll(1), torch.diag_embed(x)), big)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.as_strided_scatter(x, torch.ones(2, 2), (2, 2), (3, 1)),
        lambda x: torch.as_strided_scatter(x.relu(), torch.ones(2, 2), (2, 2), (3, 1)),
    ],
    ids=["scatter", "scatter-into-result"],
)
def test_writes_to_storage_not_in_row_major_order_are_rejected(
    function: Callable[..., Any],
) -> None:
    with pytest.raises(CompileError, match="of a view looks at memory that the view does not show"):
        run_through_ttir(function, f(4, 3).t())


def test_storage_of_what_elementwise_ops_make_is_in_row_major_order() -> None:
    expect_equal(lambda x: (x.relu() + 1).as_strided((2, 2), (3, 1)), f(4, 3))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[1].as_strided((2, 2), (3, 1)),
        lambda x: x[1:].squeeze(0).as_strided((2, 4), (4, 1), 4),
        lambda x: x.t().as_strided((3,), (2,)),
        lambda x: torch.as_strided_copy((x * 2)[:, 1:].unbind()[1], (2,), (3,)),
        lambda x: x.view(4, 3).chunk(2)[1].t()[1].as_strided((2, 2), (1, 2)),
        lambda x: x[1].view_as(x[:, :3].t().reshape(6)).as_strided((2,), (2,)),
    ],
    ids=["row", "slice-and-squeeze", "transposed", "copy-of-a-part", "chain", "like-another"],
)
def test_memory_outside_of_a_view(function: Callable[..., Any]) -> None:
    expect_equal(function, f(2, 6))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.as_strided((2, 2), (3, 1), 1),
        lambda x: torch.as_strided_copy(x, (2, 2), (3, 1)),
        lambda x: x.relu().as_strided((2, 5), (6, 1)),
        lambda x: x.contiguous().as_strided((2, 3), (5, 1), 1),
        lambda x: x.contiguous()[1:].as_strided((2, 2), (1, 2)),
        lambda x: x.view(1, 4, 3, 1).relu()[:, 1].as_strided((5,), (2,)),
    ],
    ids=["argument", "copy", "result", "contiguous", "contiguous-part", "part-of-result"],
)
def test_storage_that_is_not_in_row_major_order(function: Callable[..., Any]) -> None:
    expect_equal(function, f(4, 3).t().contiguous().t())


@pytest.mark.parametrize(
    "laid",
    [
        lambda x: x.contiguous(memory_format=torch.channels_last),
        lambda x: x.to(memory_format=torch.channels_last),
        lambda x: x.to(memory_format=torch.channels_last)[:, 1:],
    ],
    ids=["contiguous", "to", "part"],
)
def test_storage_of_channels_last(laid: Callable[..., Any]) -> None:
    expect_equal(lambda x: laid(x).as_strided((2, 4, 3), (12, 3, 1), 2), f(2, 3, 2, 5))
