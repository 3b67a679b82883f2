"""Random ops: their distribution, what is certain in it, and that no two ops draw the same."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir

COUNT = 20_000
X = torch.linspace(-2, 2, COUNT)
Sample = Callable[[torch.Tensor], torch.Tensor]

# Mean, standard deviation, and the interval in which all values are.
DISTRIBUTIONS: dict[str, tuple[Sample, float, float, tuple[float, float]]] = {
    "rand": (lambda x: torch.rand(COUNT), 0.5, math.sqrt(1 / 12), (0, 1)),
    "rand_like": (torch.rand_like, 0.5, math.sqrt(1 / 12), (0, 1)),
    "rand-f64": (lambda x: torch.rand(COUNT, dtype=torch.float64), 0.5, math.sqrt(1 / 12), (0, 1)),
    "uniform": (lambda x: x.clone().uniform_(-3, 5), 1, 8 * math.sqrt(1 / 12), (-3, 5)),
    "randn": (lambda x: torch.randn(COUNT), 0, 1, (-7, 7)),
    "randn_like": (torch.randn_like, 0, 1, (-7, 7)),
    "normal": (lambda x: torch.normal(2.0, 3.0, (COUNT,)), 2, 3, (-20, 24)),
    "normal-tensors": (lambda x: torch.normal(torch.full_like(x, 2.0), 0.5), 2, 0.5, (-2, 6)),
    "normal_": (lambda x: x.clone().normal_(1, 2), 1, 2, (-14, 16)),
    "log_normal": (lambda x: x.clone().log_normal_(0, 0.25), 1.0317, 0.262, (0, 7)),
    "exponential": (lambda x: x.clone().exponential_(2), 0.5, 0.5, (0, 20)),
    "geometric": (lambda x: x.clone().geometric_(0.5), 2, math.sqrt(2), (1, 60)),
    "bernoulli": (lambda x: torch.bernoulli(torch.full_like(x, 0.3)), 0.3, 0.4583, (0, 1)),
    "bernoulli-p": (lambda x: torch.bernoulli(x, 0.3), 0.3, 0.4583, (0, 1)),
    "bernoulli_": (lambda x: x.clone().bernoulli_(0.7), 0.7, 0.4583, (0, 1)),
    "randint": (lambda x: torch.randint(-2, 5, (COUNT,)), 1, 2, (-2, 4)),
    "randint_like": (lambda x: torch.randint_like(x, 3), 1, math.sqrt(2 / 3), (0, 2)),
    "random_": (lambda x: x.to(torch.int8).random_(), 63.5, 36.95, (0, 127)),
    "dropout": (lambda x: F.dropout(torch.ones_like(x), 0.25), 1, math.sqrt(1 / 3), (0, 1.34)),
    "alpha_dropout": (lambda x: F.alpha_dropout(x * 0, 0.5, True), 0, 0.7792, (-1, 1)),
    "rrelu": (lambda x: F.rrelu(torch.full_like(x, -1), training=True), -11 / 48, 0.0602, (-1, 0)),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_distribution(name: str) -> None:
    function, mean, deviation, (least, most) = DISTRIBUTIONS[name]
    found, wanted = run_through_ttir(function, X), function(X)
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    values = found.double()
    assert least <= values.min()
    assert values.max() <= most
    # Five standard errors; the deviation of these has no longer tail than an exponential's.
    assert abs(values.mean() - mean) < 5 * deviation / math.sqrt(COUNT)
    assert abs(values.std() - deviation) < 0.05 * deviation + 1e-3


def test_two_ops_draw_different_numbers() -> None:
    first, second = run_through_ttir(lambda x: (torch.rand_like(x), torch.rand_like(x)), X)
    assert not torch.equal(first, second)


def test_native_dropout_returns_its_mask() -> None:
    kept, mask = run_through_ttir(lambda x: torch.native_dropout(x, 0.5, True), X)
    torch.testing.assert_close(kept, torch.where(mask, X * 2, 0))


@pytest.mark.parametrize("replacement", [False, True])
def test_multinomial_draws_by_weight(replacement: bool) -> None:
    weights = torch.tensor([0.0, 1.0, 3.0]).expand(COUNT // 2, 3)
    found = run_through_ttir(lambda w: torch.multinomial(w, 2, replacement), weights)
    assert (found.shape, found.dtype) == ((COUNT // 2, 2), torch.int64)
    assert found.min() == 1
    first = (found[:, 0] == 2).double().mean()
    assert abs(first - 0.75) < 5 * math.sqrt(0.75 * 0.25 / (COUNT / 2))
    assert replacement == bool((found[:, 0] == found[:, 1]).any())


def test_randperm_is_a_permutation() -> None:
    found = run_through_ttir(lambda x: torch.randperm(50), X)
    assert sorted(found.tolist()) == list(range(50))


CERTAIN: dict[str, Sample] = {
    "dropout in evaluation": lambda x: F.dropout(x, 0.5, training=False),
    "dropout of nothing": lambda x: F.dropout(x, 0.0),
    "dropout of everything": lambda x: F.dropout(x, 1.0),
    "dropout2d in evaluation": lambda x: F.dropout2d(x.reshape(1, 1, 4, -1), training=False),
    "alpha dropout in evaluation": lambda x: F.alpha_dropout(x, 0.5, training=False),
    "alpha dropout of everything": lambda x: F.alpha_dropout(x, 1.0, training=True),
    "native dropout in evaluation": lambda x: torch.native_dropout(x, 0.5, False)[0],
    "bernoulli of 0": lambda x: torch.bernoulli(x, 0.0),
    "bernoulli of 1": lambda x: torch.bernoulli(x, 1.0),
    "bernoulli of certain probabilities": lambda x: torch.bernoulli((x > 0).float()),
    "uniform without width": lambda x: x.clone().uniform_(3, 3),
    "rrelu in evaluation": F.rrelu,
}


@pytest.mark.parametrize("name", CERTAIN)
def test_certain_results_are_pytorchs(name: str) -> None:
    torch.testing.assert_close(run_through_ttir(CERTAIN[name], X), CERTAIN[name](X))
