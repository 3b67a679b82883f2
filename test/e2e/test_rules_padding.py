"""Rules for padding against eager PyTorch."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from data_movement import Case, expect_equal
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import ttir_ops

aten = torch.ops.aten


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


CONSTANT: dict[str, Case] = {
    "last-dim-first": (lambda x: F.pad(x, (1, 2, 0, 3)), f(2, 3, 4)),
    "value": (lambda x: F.pad(x, (1, 2), value=-1.5), f(2, 3)),
    "infinity": (lambda x: F.pad(x, (1, 2), value=float("-inf")), f(2, 3)),
    "nan": (lambda x: F.pad(x, (1, 0), value=float("nan")), f(2, 3)),
    "negative-cuts": (lambda x: F.pad(x, (-1, 2, 1, -2), value=3.0), f(4, 5)),
    "cut-only": (lambda x: F.pad(x, (-1, -1)), f(2, 5)),
    "cut-to-nothing": (lambda x: F.pad(x, (-2, -3)), f(2, 5)),
    "of-nothing": (lambda x: F.pad(x, (1, 1)), f(2, 0)),
    "nothing-added": (lambda x: F.pad(x, (0, 0)) + 1, f(2, 2)),
    "inexact-value-in-f64": (lambda x: F.pad(x, (1, 2, 2, 0), value=0.1), f(2, 3).double()),
    "constant_pad_nd": (lambda x: aten.constant_pad_nd(x, [1, 1], 2), f(2, 3)),
}

EDGES: dict[str, Case] = {
    "reflect-1d": (lambda x: F.pad(x, (2, 1), "reflect"), f(2, 3, 4)),
    "reflect-2d": (lambda x: F.pad(x, (2, 1, 0, 2), "reflect"), f(2, 3, 4, 5)),
    "reflect-3d": (lambda x: F.pad(x, (1, 1, 2, 0, 0, 1), "reflect"), f(1, 2, 3, 4, 5)),
    "reflect-unbatched": (lambda x: F.pad(x, (1, 2), "reflect"), f(3, 4)),
    "reflect-what-is-cut": (lambda x: F.pad(x, (-2, 3), "reflect"), f(1, 1, 5)),
    "replicate-1d": (lambda x: F.pad(x, (2, 5), "replicate"), f(2, 3, 4)),
    "replicate-2d": (lambda x: F.pad(x, (2, 1, 0, 2), "replicate"), f(2, 3, 1, 5)),
    "replicate-3d": (lambda x: F.pad(x, (1, 1, 2, 0, 0, 4), "replicate"), f(1, 2, 3, 4, 5)),
    "replicate-what-is-cut": (lambda x: F.pad(x, (-4, 5, 0, 0), "replicate"), f(1, 2, 3, 4)),
    "circular-1d": (lambda x: F.pad(x, (2, 4), "circular"), f(2, 3, 4)),
    "circular-2d": (lambda x: F.pad(x, (2, 1, 0, 2), "circular"), f(2, 3, 4, 5)),
    "circular-3d": (lambda x: F.pad(x, (1, 1, 2, 0, 0, 1), "circular"), f(1, 2, 3, 4, 5)),
    "circular-of-the-rest": (lambda x: F.pad(x, (-1, 2), "circular"), f(1, 1, 5)),
    "reflection_pad1d": (lambda x: aten.reflection_pad1d(x, [1, 1]), f(2, 3, 4)),
    "replication_pad2d": (lambda x: aten.replication_pad2d(x, [1, 0, 0, 1]), f(2, 3, 4, 5)),
}


@pytest.mark.parametrize("case", [*CONSTANT.values(), *EDGES.values()], ids=[*CONSTANT, *EDGES])
def test_matches_eager(case: Case) -> None:
    expect_equal(*case)


@pytest.mark.parametrize(
    "dtype",
    [torch.bool, torch.int8, torch.uint8, torch.int64, torch.float16, torch.bfloat16],
    ids=str,
)
def test_each_type(dtype: torch.dtype) -> None:
    x = torch.tensor([[[1, 0, 3], [2, 127, 0]]]).to(dtype)

    def function(x: torch.Tensor) -> Any:
        around = F.pad(x, (1, 1), "replicate"), F.pad(x, (2, 1), "reflect")
        return *around, F.pad(x, (1, 1), value=1), F.pad(x, (1, 1), "circular")

    if dtype == torch.bool:
        expect_equal(lambda x: F.pad(x, (1, 1), value=1), x)
    else:
        expect_equal(function, x)


@pytest.mark.parametrize("value", [2**31 - 1, -(2**31) - 1, 2**24 + 1, 2**40], ids=str)
def test_integers_that_f32_does_not_hold(value: int) -> None:
    expect_equal(lambda x: F.pad(x, (1, 2, 1, 0), value=value), torch.arange(6).reshape(2, 3))


def test_stays_whole() -> None:
    assert ttir_ops(*CONSTANT["value"]) == ["pad"]
