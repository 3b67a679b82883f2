"""Rules for pooling against eager PyTorch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir, ttir_ops

aten = torch.ops.aten
Case = tuple[Any, ...]
NAN = float("nan")


def f(*shape: int) -> torch.Tensor:
    """Negative floats for the most part: a padding of zeros would win over them."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape))) - 2


MAX: dict[str, Case] = {
    "2d": (lambda x: F.max_pool2d(x, 2), f(2, 3, 6, 5)),
    "2d-all": (lambda x: F.max_pool2d(x, (3, 2), (2, 1), (1, 0), (2, 3), True), f(2, 3, 9, 8)),
    "2d-ceil": (
        lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True),
        -torch.arange(16.0).reshape(1, 1, 4, 4) - 1,
    ),
    "2d-ceil-last-window-outside": (
        lambda x: F.max_pool2d(x, 2, 2, 1, ceil_mode=True),
        f(1, 1, 5, 5),
    ),
    "2d-ceil-larger-than-input": (
        lambda x: F.max_pool2d(x, 9, 9, 1, ceil_mode=True),
        f(1, 2, 4, 5),
    ),
    "2d-padding-of-width": (lambda x: F.max_pool2d(x, (1, 3), 1, (0, 1)), f(1, 1, 4, 4)),
    "2d-unbatched": (lambda x: F.max_pool2d(x, 2), f(3, 6, 5)),
    "2d-empty-batch": (lambda x: F.max_pool2d(x, 2), f(0, 3, 6, 5)),
    "2d-one-number": (lambda x: aten.max_pool2d(x, [2]), f(1, 3, 6, 5)),
    "1d": (lambda x: F.max_pool1d(x, 3, 2, 1, 2, True), f(2, 3, 9)),
    "1d-unbatched": (lambda x: F.max_pool1d(x, 3), f(3, 9)),
    "3d": (lambda x: F.max_pool3d(x, (2, 3, 2), (2, 1, 2), (1, 1, 0), 2, True), f(2, 3, 6, 7, 5)),
    "3d-unbatched": (lambda x: F.max_pool3d(x, 2), f(3, 4, 4, 4)),
}

INDICES: dict[str, Case] = {
    "2d": (lambda x: F.max_pool2d(x, (3, 2), 1, 1, return_indices=True), f(2, 3, 6, 5)),
    "2d-ceil": (lambda x: F.max_pool2d(x, 2, 2, 0, 1, True, True), f(1, 2, 5, 5)),
    "2d-ties": (lambda x: F.max_pool2d(x, 2, 1, return_indices=True), torch.ones(1, 1, 3, 3)),
    "1d": (lambda x: F.max_pool1d(x, 3, 2, 1, return_indices=True), f(2, 3, 9)),
    "3d": (lambda x: F.max_pool3d(x, 2, 1, 1, return_indices=True), f(2, 2, 4, 3, 5)),
    "3d-ties": (lambda x: F.max_pool3d(x, 2, 1, return_indices=True), torch.zeros(1, 1, 3, 3, 3)),
    "3d-all": (
        lambda x: F.max_pool3d(x, (2, 1, 3), 2, (1, 0, 1), (1, 2, 2), True, True),
        f(1, 2, 5, 4, 7),
    ),
    "adaptive-1d": (lambda x: F.adaptive_max_pool1d(x, 3, True), f(2, 3, 7)),
    "adaptive-2d": (lambda x: F.adaptive_max_pool2d(x, (3, 4), True), f(2, 3, 7, 5)),
    "adaptive-2d-whole": (lambda x: F.adaptive_max_pool2d(x, (2, 3), True), f(2, 3, 4, 9)),
    "adaptive-2d-larger": (lambda x: F.adaptive_max_pool2d(x, (3, 5), True), f(1, 2, 1, 4)),
    "adaptive-3d": (lambda x: F.adaptive_max_pool3d(x, (2, 3, 2), True), f(1, 2, 3, 4, 4)),
    "adaptive-unbatched": (lambda x: F.adaptive_max_pool2d(x, 2, True), f(3, 5, 5)),
}

AVERAGE: dict[str, Case] = {
    "2d-ceil-larger-than-input": (
        lambda x: F.avg_pool2d(x, (7, 3), (7, 2), (1, 1), ceil_mode=True, count_include_pad=False),
        f(1, 2, 4, 5),
    ),
    "2d": (lambda x: F.avg_pool2d(x, 2), f(2, 3, 6, 5)),
    "2d-exclude-pad": (lambda x: F.avg_pool2d(x, 3, 2, 1, True, False), f(2, 3, 6, 5)),
    "2d-include-pad-ceil": (lambda x: F.avg_pool2d(x, 3, 2, 1, True, True), f(2, 3, 6, 5)),
    "2d-divisor": (lambda x: F.avg_pool2d(x, (3, 2), 1, divisor_override=4), f(1, 2, 5, 5)),
    "2d-divisor-ceil": (lambda x: F.avg_pool2d(x, 3, 2, 1, True, False, 7), f(1, 2, 6, 6)),
    "2d-unbatched": (lambda x: F.avg_pool2d(x, 2), f(3, 6, 5)),
    "1d-ceil": (lambda x: F.avg_pool1d(x, 3, 2, ceil_mode=True), torch.arange(1.0, 5.0)[None]),
    "1d": (lambda x: F.avg_pool1d(x, 3, 2, 1, True, False), f(2, 3, 8)),
    "3d": (lambda x: F.avg_pool3d(x, 2, 1, 1), f(2, 2, 4, 3, 4)),
    "3d-exclude-pad": (lambda x: F.avg_pool3d(x, 3, 2, 1, True, False), f(2, 2, 5, 6, 4)),
    "3d-divisor": (lambda x: F.avg_pool3d(x, 3, 2, 1, True, divisor_override=5), f(1, 2, 4, 4, 4)),
    "adaptive-1d": (lambda x: F.adaptive_avg_pool1d(x, 3), f(2, 3, 7)),
    "adaptive-2d": (lambda x: F.adaptive_avg_pool2d(x, (3, 4)), f(2, 3, 7, 5)),
    "adaptive-2d-one": (lambda x: F.adaptive_avg_pool2d(x, 1), f(2, 3, 7, 5)),
    "adaptive-2d-whole": (lambda x: F.adaptive_avg_pool2d(x, (2, 5)), f(2, 3, 8, 5)),
    "adaptive-2d-repeating": (lambda x: F.adaptive_avg_pool2d(x, (6, 4)), f(1, 2, 9, 10)),
    "adaptive-2d-none": (lambda x: F.adaptive_avg_pool2d(x, (None, 2)), f(1, 2, 5, 5)),
    "adaptive-2d-larger": (lambda x: F.adaptive_avg_pool2d(x, (4, 3)), f(1, 2, 3, 1)),
    "adaptive-3d": (lambda x: F.adaptive_avg_pool3d(x, (2, 3, 2)), f(1, 2, 3, 4, 4)),
    "adaptive-unbatched": (lambda x: F.adaptive_avg_pool2d(x, 2), f(3, 5, 5)),
    "adaptive-to-nothing": (lambda x: F.adaptive_avg_pool2d(x, (0, 2)), f(1, 2, 5, 5)),
    "lp": (lambda x: F.lp_pool2d(x, 2.0, 2), f(1, 2, 4, 4)),
    "lp-1d": (lambda x: F.lp_pool1d(x, 3.0, 2, ceil_mode=True), f(1, 2, 5)),
}
CASES = {
    f"{kind}-{name}": case
    for kind, cases in (("max", MAX), ("indices", INDICES), ("avg", AVERAGE))
    for name, case in cases.items()
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_matches_eager(case: Case) -> None:
    function, x = case
    torch.testing.assert_close(run_through_ttir(function, x), function(x), equal_nan=True)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16], ids=str)
def test_other_floats(dtype: torch.dtype) -> None:
    """Each result is rounded once: what is compared with is computed in float64."""

    def function(x: torch.Tensor) -> list[torch.Tensor]:
        plane, space = x[:, :, 0], x
        means = F.avg_pool2d(plane, 3, 2, 1), F.adaptive_avg_pool2d(plane, 3)
        overridden = F.avg_pool2d(plane, 2, divisor_override=3), F.avg_pool3d(space, 2)
        return [*means, *overridden, F.adaptive_avg_pool3d(space, 3), F.max_pool3d(space, 2)]

    x = f(1, 2, 4, 7, 5).to(dtype)
    wanted = [y.to(dtype) for y in function(x.double())]
    torch.testing.assert_close(run_through_ttir(function, x), wanted)


@pytest.mark.parametrize(
    "dtype", [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64], ids=str
)
def test_maxima_of_integers(dtype: torch.dtype) -> None:
    low = torch.iinfo(dtype).min
    x = torch.tensor([[low, low, 5], [low, low, low], [3, low, low + 1]]).to(dtype)[None, None]
    function = lambda x: F.max_pool2d(x, 2, 2, 1, 2, return_indices=True)  # noqa: E731
    torch.testing.assert_close(run_through_ttir(function, x), function(x))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: F.avg_pool2d(x, 2, 1, 1, count_include_pad=False),
        lambda x: F.avg_pool2d(x, 3, 2, ceil_mode=True),
        lambda x: F.avg_pool2d(x, 2, divisor_override=3),
    ],
    ids=["exclude-pad", "ceil", "divisor"],
)
def test_averages_of_integers_round_to_zero(function: Callable[..., Any]) -> None:
    x = torch.tensor([[-7, 3, 2, 9], [5, -8, 0, 1], [1, 1, -3, 4], [9, -9, 2, 2]])[None, None]
    torch.testing.assert_close(run_through_ttir(function, x), function(x))


@pytest.mark.parametrize("value", [NAN, float("inf"), float("-inf")], ids=str)
def test_special_values(value: float) -> None:
    x = f(1, 1, 7, 6)
    x[0, 0, 2, 3] = value

    def function(x: torch.Tensor) -> Any:
        maxima = F.max_pool2d(x, 3, 2, 1, return_indices=True), F.adaptive_max_pool2d(x, 4)
        return (
            maxima,
            F.avg_pool2d(x, 2),
            F.adaptive_avg_pool2d(x, (5, 4)),
            F.max_pool3d(x, (1, 2, 2)),
        )

    found, wanted = run_through_ttir(function, x), function(x)
    torch.testing.assert_close(found, wanted, equal_nan=True)


def test_all_is_minus_infinity() -> None:
    x = torch.full((1, 1, 3, 3), float("-inf"))
    function = lambda x: F.max_pool2d(x, 2, 1, 1, return_indices=True)  # noqa: E731
    torch.testing.assert_close(run_through_ttir(function, x), function(x))


@pytest.mark.parametrize("spatial", [1, 2, 3])
def test_unpooling(spatial: int) -> None:
    pool = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[spatial - 1]
    unpool = (F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)[spatial - 1]
    x = f(2, 3, *[6, 4, 4][:spatial])
    y, indices = pool(x, 2, return_indices=True)
    function = lambda y, indices: unpool(y, indices, 2)  # noqa: E731
    torch.testing.assert_close(run_through_ttir(function, y, indices), function(y, indices))


@pytest.mark.parametrize("spatial", [2, 3])
def test_gradient_of_maxima(spatial: int) -> None:
    """Windows overlap: what falls on one element is added up."""
    pool = (F.max_pool2d, F.max_pool3d)[spatial - 2]
    backward = (aten.max_pool2d_with_indices_backward, aten.max_pool3d_with_indices_backward)
    x = f(2, 3, *[5, 4, 4][:spatial])
    y, indices = pool(x, 3, 1, 1, return_indices=True)
    ones = [1] * spatial

    def function(grad: Any, x: Any, indices: Any) -> Any:
        window = ([3] * spatial, ones, ones, ones, False)
        return backward[spatial - 2](grad, x, *window, indices)

    grad = f(*y.shape)
    torch.testing.assert_close(
        run_through_ttir(function, grad, x, indices), function(grad, x, indices)
    )


SIZES = list(itertools.product(range(1, 8), range(1, 6)))


def test_adaptive_windows_of_many_sizes() -> None:
    x = f(1, 1, 1, 40)

    def function(x: torch.Tensor) -> list[Any]:
        parts = [(x[..., :size], out) for size, out in SIZES]
        means = [F.adaptive_avg_pool2d(part, (1, out)) for part, out in parts]
        return means + [F.adaptive_max_pool2d(part, (1, out), True) for part, out in parts]

    torch.testing.assert_close(run_through_ttir(function, x), function(x))


@pytest.mark.parametrize(
    ("case", "op"),
    [
        (MAX["2d-all"], "max_pool2d"),
        (MAX["1d"], "max_pool2d"),
        (AVERAGE["2d-include-pad-ceil"], "avg_pool2d"),
        (AVERAGE["adaptive-2d-whole"], "avg_pool2d"),
        (INDICES["2d"], "max_pool2d_with_indices"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_stays_whole(case: Case, op: str) -> None:
    names = ttir_ops(*case)
    assert names.count(op) == 1
    assert set(names) <= {op, "permute", "reshape"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16], ids=str)
@pytest.mark.parametrize("out", [(5, 4), (1, 6), (3, 1)], ids=str)
def test_fractional_pooling(out: tuple[int, int], dtype: torch.dtype) -> None:
    x, samples = f(2, 3, 9, 8).to(dtype), (f(2, 3, 2) + 2).sigmoid().to(dtype)
    x[0, 1, 2:4, 3] = NAN

    def function(x: torch.Tensor, samples: torch.Tensor) -> Any:
        return F.fractional_max_pool2d_with_indices(x, (2, 3), out, _random_samples=samples)

    found, wanted = run_through_ttir(function, x, samples), function(x, samples)
    torch.testing.assert_close(found, wanted, equal_nan=True)


def test_fractional_pooling_in_three_dimensions() -> None:
    x, samples = f(2, 3, 5, 6, 7), (f(2, 3, 3) + 2).sigmoid()

    def function(x: torch.Tensor, samples: torch.Tensor) -> Any:
        return aten.fractional_max_pool3d(x, [2, 1, 3], [3, 2, 4], samples)

    torch.testing.assert_close(run_through_ttir(function, x, samples), function(x, samples))
