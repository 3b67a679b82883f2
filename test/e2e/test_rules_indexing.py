"""Rules that read at indices against eager PyTorch: gather, index, take, searchsorted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from data_movement import DTYPES, Case, expect_equal, f, i

from torch_ttir.dialects.context import make_context
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.passes.registry import PASSES
from torch_ttir.testing import import_function, run_through_ttir

aten = torch.ops.aten
T = torch.tensor


ROWS: dict[str, Case] = {
    "gather": (lambda x, j: x.gather(1, j), f(2, 4), T([[3, 0, 0], [1, 1, 2]])),
    "gather-smaller": (lambda x, j: x.gather(-1, j), f(3, 4), T([[3], [0]])),
    "gather-0d": (lambda x, j: x.gather(0, j), f(), T(0)),
    "gather-0d-index": (lambda x, j: x.gather(0, j), f(3), T([2])),
    "gather-empty": (lambda x, j: x.gather(0, j), f(3, 2), i(0, 2)),
    "index_select": (lambda x, j: x.index_select(1, j), f(2, 4, 3), T([3, 0, 3])),
    "index_select-0d-index": (lambda x, j: x.index_select(0, j), f(3, 2), T(1)),
    "index_select-0d": (lambda x, j: x.index_select(0, j), f(), T([0])),
    "index_select-int32": (lambda x, j: x.index_select(0, j.int()), f(3), T([2, 1])),
    "index_select-empty": (lambda x, j: x.index_select(0, j), f(3, 2), i(0)),
    "take": (lambda x, j: x.take(j), f(2, 3), T([[5, -1], [0, -6]])),
    "take-0d": (lambda x, j: x.take(j), f(), T([0, -1])),
    "take_along_dim": (lambda x, j: x.take_along_dim(j, 1), f(2, 4), T([[3], [-1]])),
    "take_along_dim-broadcast": (lambda x, j: x.take_along_dim(j, 0), f(3, 1), T([[2, 0]])),
    "take_along_dim-flat": (lambda x, j: x.take_along_dim(j), f(2, 3), T([[5, 0]])),
}

A, B = T([0, 2, -1]), T([[1], [-2]])
INDICES: dict[str, Case] = {
    "first": (lambda x, a: x[a], f(3, 4), A),
    "last": (lambda x, a: x[..., a], f(2, 3), A),
    "middle": (lambda x, a: x[:, a], f(2, 3, 4), A),
    "2d-index": (lambda x, b: x[:, b], f(2, 3, 4), B),
    "0d-index": (lambda x, a: aten.index(x, [a]), f(3, 2), T(-1)),
    "adjacent": (lambda x, a, b: x[:, a, b], f(2, 3, 4, 2), A, B),
    "separated": (lambda x, a, b: x[a, :, b], f(3, 2, 4), A, B),
    "separated-later": (lambda x, a, b: x[:, a, :, b], f(2, 3, 2, 4), A, B),
    "three": (lambda x, a, b: x[a, b, a], f(3, 4, 3), A, B),
    "with-slice": (lambda x, a: x[1:, a, ::2], f(3, 3, 4), A),
    "with-new-axis": (lambda x, a: x[a, None], f(3, 2), A),
    "with-integer": (lambda x, a: x[a, 1], f(3, 2), A),
    "unsigned-size-1": (lambda x, a: x[a, T([1])], f(3, 2), A),
    "int32": (lambda x, a: x[a.int()], f(3, 2), A),
    "known": (lambda x: x[:, [2, 0]], f(2, 3)),
    "known-run": (lambda x: x[[1, 3]], f(5, 2)),
    "known-run-negative": (lambda x: x[[-1]], f(5, 2)),
    "known-two": (lambda x: x[[0, 2], [1, -1]], f(3, 2)),
    "empty-index": (lambda x, a: x[a], f(3, 2), i(0)),
    "from-empty": (lambda x, a: x[a], f(3, 0), A),
    "unsafe": (lambda x, a: aten._unsafe_index(x, [None, a]), f(2, 3), A),
    "unsafe-masked": (
        lambda x, m, a: aten._unsafe_masked_index(x, m, [a, None], 7),
        f(3, 2),
        T([[True], [False], [True]]),
        T([2, 9, -4]),
    ),
}

EDGES = T([-1.5, 0.0, 0.0, 2.0, 7.0])
SEARCHES: dict[str, Case] = {
    "searchsorted": (torch.searchsorted, EDGES, T([[-2.0, 0.0], [7.0, 8.0]])),
    "searchsorted-right": (
        lambda e, v: torch.searchsorted(e, v, right=True, out_int32=True),
        EDGES,
        T([0.0, 7.0]),
    ),
    "searchsorted-rows": (
        lambda e, v: torch.searchsorted(e, v, side="right"),
        T([[1, 3, 5], [2, 4, 6]]),
        T([[3, 9], [1, 4]]),
    ),
    "searchsorted-sorter": (
        lambda e, s, v: torch.searchsorted(e, v, sorter=s),
        T([3.0, 1.0, 2.0]),
        T([1, 2, 0]),
        T([2.5, 0.0]),
    ),
    "searchsorted-nan": (torch.searchsorted, EDGES, T([float("nan"), float("inf")])),
    "searchsorted-scalar": (lambda e: torch.searchsorted(e, 2.5), T([1, 2, 3])),
    "searchsorted-0d": (torch.searchsorted, EDGES, T(1.0)),
    "searchsorted-empty": (torch.searchsorted, EDGES[:0], T([1.0])),
    "bucketize": (torch.bucketize, f(2, 3), EDGES),
    "bucketize-right-promotes": (
        lambda v, e: torch.bucketize(v, e, right=True),
        T([1.2, 2.0, 2.7]),
        T([1, 2, 3]),
    ),
    "bucketize-scalar": (lambda e: torch.bucketize(1, e), EDGES),
}

CASES = {**ROWS, **INDICES, **SEARCHES}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_matches_eager(case: Case) -> None:
    function, *inputs = case
    expect_equal(function, *inputs)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_element_type_is_read_exactly(dtype: torch.dtype) -> None:
    def function(x: torch.Tensor, a: torch.Tensor) -> Any:
        return x[a], x[a, a], x.gather(0, a[None]), x.take(a), x.index_select(1, a)

    x = T([[1, 0, 5], [127, 2, 0], [1, 77, 3]]).to(dtype)
    expect_equal(function, x, T([2, 0, 1]))


def test_large_integers_are_read_exactly() -> None:
    table = T([2049, 257, 300001, 16777217, 2**53 + 1])
    expect_equal(lambda t, a: (t[a], t.index_select(0, a)), table, T([0, 2, 3, 4]))
    expect_equal(lambda a: table[a], T([0, 2, 3, 4]))
    expect_equal(torch.nn.functional.embedding, T([0, 2, 3, 4]), table[:, None])


def test_known_indices_need_no_gather() -> None:
    text = legalized(lambda x: x[:, [1, 3]], f(2, 5))
    assert "slice_static" in text
    assert "gather" not in text


def test_indices_that_cannot_be_negative_are_not_wrapped() -> None:
    text = legalized(lambda x: x[torch.arange(3), [2, 0, 1]], f(3, 5))
    assert "ttir.gather" in text
    assert "ttir.where" not in text


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x, m: x[m], "depends on the data"),
        (lambda x, m: x.masked_select(m), "depends on the data"),
        (lambda x, m: m.nonzero(), "depends on the data"),
        (lambda x, m: x.unique(), "depends on the data"),
    ],
    ids=["mask", "masked_select", "nonzero", "unique"],
)
def test_a_shape_that_depends_on_data_is_rejected(
    function: Callable[..., Any], reason: str
) -> None:
    with pytest.raises(CompileError, match=reason):
        run_through_ttir(function, f(3), T([True, False, True]))


def legalized(function: Callable[..., Any], *inputs: Any) -> str:
    """Return the TTIR of a function as text."""
    with make_context() as context:
        imported, _, _ = import_function(function, inputs, context)
        PASSES["legalize-to-ttir"]().run(imported.module.operation)
        return str(imported.module)
