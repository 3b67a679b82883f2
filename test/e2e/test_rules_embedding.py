"""Rules for embeddings and distances against eager PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir

aten = torch.ops.aten
Case = tuple[Any, ...]
T = torch.tensor


def f(*shape: int) -> torch.Tensor:
    """Small multiples of 1/8 of both signs, whose sums are exact in any order."""
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randint(-24, 24, shape, generator=generator) / 8


IDS, OFFSETS = T([1, 3, 3, 0, 2, 3]), T([0, 0, 4])
EMBEDDINGS: dict[str, Case] = {
    "1d": (F.embedding, IDS, f(4, 3)),
    "2d": (F.embedding, IDS.view(2, 3), f(4, 3)),
    "3d": (F.embedding, IDS.view(1, 2, 3), f(4, 3)),
    "0d": (F.embedding, T(2), f(4, 3)),
    "empty": (F.embedding, torch.zeros(0, 3, dtype=torch.long), torch.ones(4, 2)),
    "int32-indices": (F.embedding, IDS.int(), f(4, 3)),
    "padding": (
        lambda i, w: F.embedding(i, w, padding_idx=0),
        T([[0, 2]]),
        torch.arange(6.0).reshape(3, 2),
    ),
    "bfloat16": (F.embedding, IDS, f(4, 3).bfloat16()),
    "dense_backward": (
        lambda g, i: aten.embedding_dense_backward(g, i, 5, -1, False),
        f(2, 3, 4),
        IDS.view(2, 3),
    ),
    "dense_backward-padding": (
        lambda g, i: aten.embedding_dense_backward(g, i, 5, 3, False),
        f(6, 4),
        IDS,
    ),
    "dense_backward-by-frequency": (
        lambda g, i: aten.embedding_dense_backward(g, i, 5, 0, True),
        f(6, 4) * 3,
        IDS,
    ),
    "one_hot": (lambda x: F.one_hot(x, 5), IDS.view(2, 3)),
    "one_hot-0d": (lambda x: F.one_hot(x, 4), T(3)),
    "one_hot-empty": (lambda x: F.one_hot(x, 4), IDS[:0]),
}

BAGS: dict[str, Case] = {
    **{
        f"bag-{mode}-{name}": (
            lambda i, w, o, mode=mode, options=options: F.embedding_bag(
                i, w, o, mode=mode, **options
            ),
            IDS,
            f(4, 3),
            offsets,
        )
        for mode in ("sum", "mean", "max")
        for name, offsets, options in (
            ("offsets", OFFSETS, {}),
            ("last-offset", T([0, 2, 2, 6]), {"include_last_offset": True}),
            ("padding", OFFSETS, {"padding_idx": 3}),
            ("padding-from-end", OFFSETS, {"padding_idx": -1}),
        )
    },
    "bag-2d": (lambda i, w: F.embedding_bag(i, w), IDS.view(2, 3), f(4, 3)),
    "bag-weights": (
        lambda i, w, o, p: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=p),
        IDS,
        f(4, 3),
        OFFSETS,
        f(6),
    ),
    "bag-infinite-elsewhere": (
        lambda i, w, o: F.embedding_bag(i, w, o, mode="sum"),
        T([0, 1]),
        T([[1.0, 2.0], [float("inf"), float("nan")]]),
        T([0, 1]),
    ),
    "bag-all-results-max": (
        lambda w, i, o: aten.embedding_bag(w, i, o, False, 2),
        f(4, 3),
        IDS,
        OFFSETS,
    ),
    "bag-all-results-mean": (
        lambda w, i, o: aten.embedding_bag(w, i, o, False, 1, False, None, False, 3),
        f(4, 3),
        IDS,
        OFFSETS,
    ),
    "bag-all-results-sum": (lambda w, i, o: aten._embedding_bag(w, i, o), f(4, 3), IDS, OFFSETS),
    "bag-forward-only": (
        lambda w, i, o: aten._embedding_bag_forward_only(w, i, o, False, 1)[0],
        f(4, 3),
        IDS,
        OFFSETS,
    ),
}

DISTANCES: dict[str, Case] = {
    **{
        f"cdist-{p}": (lambda x, y, p=p: torch.cdist(x, y, p), f(2, 3, 4), f(2, 5, 4))
        for p in (0.0, 1.0, 2.0, 3.5, float("inf"))
    },
    "cdist-many-rows": (torch.cdist, f(30, 4), f(27, 4)),
    "cdist-broadcast": (torch.cdist, f(2, 1, 3, 4), f(3, 2, 4)),
    "cdist-no-columns": (torch.cdist, f(3, 0), f(2, 0)),
    "pdist": (torch.pdist, f(5, 3)),
    "pdist-1": (lambda x: torch.pdist(x, 1.0), f(4, 3)),
    "pairwise_distance": (F.pairwise_distance, f(3, 4), f(4)),
    "pairwise_distance-1-keepdim": (
        lambda x, y: F.pairwise_distance(x, y, 1.0, keepdim=True),
        f(3, 4),
        f(3, 4),
    ),
    "pairwise_distance-uint8": (F.pairwise_distance, T([1, 2]).byte(), T([3, 1]).byte()),
    "vander": (lambda x: torch.vander(x, 3), f(4)),
    "vander-increasing": (lambda x: torch.vander(x, increasing=True), T([1, 2, 3])),
    "linalg.vander": (lambda x: torch.linalg.vander(x, N=4), f(2, 3)),
}

CASES = {**EMBEDDINGS, **BAGS, **DISTANCES}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_matches_eager(case: Case) -> None:
    function, *inputs = case
    expect_close(function, *inputs)


@pytest.mark.parametrize("norm_type", [1.0, 2.0, float("inf")])
def test_rows_that_are_looked_up_are_renormalized(norm_type: float) -> None:
    def function(indices: torch.Tensor, weight: torch.Tensor) -> Any:
        weight = weight.clone()
        return F.embedding(indices, weight, max_norm=1.5, norm_type=norm_type), weight

    expect_close(function, T([1, 3, 1]), f(5, 3))


def expect_close(function: Callable[..., Any], *inputs: Any) -> None:
    found, wanted = run_through_ttir(function, *inputs), function(*inputs)
    torch.testing.assert_close(found, wanted, equal_nan=True)
