"""Rules for resizing and for sampling at computed positions, against eager PyTorch."""

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


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


def resized(mode: str, size: Any = None, **options: Any) -> Callable[..., Any]:
    return lambda x: F.interpolate(x, size, mode=mode, **options)


SMALL = torch.tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
NEAREST: dict[str, Case] = {
    f"{mode}-{name}": (resized(mode, *sizes, **options), x)
    for mode in ("nearest", "nearest-exact")
    for name, x, sizes, options in (
        ("fixed-size", torch.arange(3.0).reshape(1, 1, 1, 3), ((1, 5),), {}),
        ("1d", f(2, 3, 7), (10,), {}),
        ("1d-twice", f(2, 3, 7), (14,), {}),
        ("1d-factor", f(2, 3, 7), (), {"scale_factor": 2.6}),
        ("1d-smaller", f(2, 3, 9), (3,), {}),
        ("2d-whole", f(2, 3, 4, 3), ((8, 9),), {}),
        ("2d", f(2, 3, 4, 3), ((7, 2),), {}),
        ("2d-factors", f(2, 3, 4, 5), (), {"scale_factor": (1.5, 0.7)}),
        ("2d-recomputed", f(1, 3, 4, 5), (), {"scale_factor": 1.7, "recompute_scale_factor": True}),
        ("3d", f(1, 2, 3, 4, 2), ((5, 4, 4),), {}),
        ("same-size-by-factor", f(1, 1, 4), (), {"scale_factor": 1.2}),
    )
}

SMOOTH: dict[str, Case] = {
    "bilinear-corners": (resized("bilinear", (2, 4), align_corners=True), SMALL),
    "bilinear-edges": (resized("bilinear", (2, 4), align_corners=False), SMALL),
    "bilinear-whole": (resized("bilinear", (8, 9)), f(2, 3, 4, 3)),
    "bilinear-smaller": (resized("bilinear", (3, 2)), f(2, 3, 7, 5)),
    "bilinear-factors": (resized("bilinear", scale_factor=(1.7, 0.6)), f(2, 3, 4, 5)),
    "bilinear-to-1": (resized("bilinear", 1, align_corners=True), f(1, 2, 4, 5)),
    "bilinear-from-1": (resized("bilinear", 4, align_corners=True), f(1, 2, 1, 1)),
    "linear": (resized("linear", 9), f(2, 3, 4)),
    "linear-corners": (resized("linear", 9, align_corners=True), f(2, 3, 4)),
    "trilinear": (resized("trilinear", (5, 2, 6)), f(1, 2, 3, 4, 3)),
    "trilinear-corners": (resized("trilinear", 5, align_corners=True), f(1, 2, 3, 4, 3)),
    "bicubic": (resized("bicubic", (9, 3)), f(1, 2, 4, 5)),
    "bicubic-corners": (resized("bicubic", (9, 3), align_corners=True), f(1, 2, 4, 5)),
    "bicubic-factor": (resized("bicubic", scale_factor=2.3), f(1, 2, 4, 5)),
    "area": (resized("area", (3, 2)), f(1, 2, 7, 5)),
    "antialias-bilinear": (resized("bilinear", (3, 9), antialias=True), f(1, 2, 8, 5)),
    "antialias-bicubic": (resized("bicubic", (3, 9), antialias=True), f(1, 2, 8, 5)),
    "antialias-factor": (resized("bicubic", scale_factor=0.4, antialias=True), f(1, 2, 9, 8)),
    "antialias-lanczos": (lambda x: aten._upsample_lanczos2d_aa(x, [3, 9], False), f(1, 2, 8, 5)),
    "upsample_bilinear2d": (lambda x: aten.upsample_bilinear2d(x, [5, 6], False), f(1, 2, 3, 4)),
    "upsample_nearest2d": (lambda x: aten.upsample_nearest2d(x, [5, 6], 1.7, None), f(1, 2, 3, 4)),
}


@pytest.mark.parametrize("case", [*NEAREST.values(), *SMOOTH.values()], ids=[*NEAREST, *SMOOTH])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_matches_eager(case: Case, dtype: torch.dtype) -> None:
    function, x = case
    x = x.to(dtype)
    torch.testing.assert_close(run_through_ttir(function, x), function(x))


@pytest.mark.parametrize("case", SMOOTH.values(), ids=SMOOTH.keys())
def test_narrow_floats_round_once(case: Case) -> None:
    """As much as eager does, or less: what is compared with is computed in float32."""
    function, x = case
    x = x.bfloat16()
    torch.testing.assert_close(run_through_ttir(function, x), function(x.float()).bfloat16())


@pytest.mark.parametrize("dtype", [torch.uint8, torch.float16, torch.bfloat16], ids=str)
def test_nearest_copies_each_type(dtype: torch.dtype) -> None:
    x = torch.arange(12).reshape(1, 2, 2, 3).to(dtype)

    def function(x: torch.Tensor) -> Any:
        return F.interpolate(x, (4, 6)), F.interpolate(x, (3, 5), mode="nearest-exact")

    torch.testing.assert_close(run_through_ttir(function, x), function(x), rtol=0, atol=0)


@pytest.mark.parametrize("antialias", [False, True], ids=["plain", "antialias"])
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
def test_bytes_are_resized_in_fixed_point(mode: str, antialias: bool) -> None:
    x = torch.randint(0, 256, (1, 3, 9, 7), generator=torch.Generator().manual_seed(0)).byte()

    def function(x: torch.Tensor) -> list[Any]:
        options = {"mode": mode, "antialias": antialias}
        sized = [F.interpolate(x, size, **options) for size in ((5, 4), (12, 7), (18, 14))]
        return [*sized, F.interpolate(x, (6, 9), align_corners=True, **options)]

    torch.testing.assert_close(run_through_ttir(function, x), function(x), rtol=0, atol=0)


@pytest.mark.parametrize("exact", [False, True], ids=["nearest", "exact"])
def test_nearest_of_many_sizes(exact: bool) -> None:
    op = aten._upsample_nearest_exact1d if exact else aten.upsample_nearest1d
    x = torch.arange(47.0)[None, None]

    def function(x: torch.Tensor) -> list[Any]:
        sizes = itertools.product((1, 2, 3, 7, 41, 47), (1, 2, 5, 13, 41, 47, 94))
        return [op(x[..., :size], [out]) for size, out in sizes]

    torch.testing.assert_close(run_through_ttir(function, x), function(x), rtol=0, atol=0)


def test_infinities_stay_where_they_are() -> None:
    x = f(1, 1, 6, 5)
    x[0, 0, 2, 3] = float("inf")

    def function(x: torch.Tensor) -> Any:
        modes = ("bilinear", "bicubic")
        plain = [F.interpolate(x, (9, 4), mode=mode) for mode in modes]
        return plain + [F.interpolate(x, (3, 7), mode=mode, antialias=True) for mode in modes]

    torch.testing.assert_close(run_through_ttir(function, x), function(x), equal_nan=True)


def test_gradients_of_nearest() -> None:
    def function(g: torch.Tensor) -> list[Any]:
        plane = aten.upsample_nearest2d_backward(g, [7, 9], [1, 2, 4, 3])
        factors = aten.upsample_nearest2d_backward(g, [7, 9], [1, 2, 4, 3], 1.9, 3.1)
        line = aten._upsample_nearest_exact1d_backward(g[0], [9], [2, 7, 4])
        return [
            plane,
            factors,
            line,
            aten.upsample_nearest3d_backward(g[None], [2, 7, 9], [1, 1, 1, 3, 12]),
        ]

    g = f(1, 2, 7, 9)
    torch.testing.assert_close(run_through_ttir(function, g), function(g))


@pytest.mark.parametrize(
    ("case", "ops"),
    [
        (NEAREST["nearest-2d-whole"], ["permute", "upsample2d", "permute"]),
        (SMOOTH["bilinear-whole"], ["permute", "upsample2d", "permute"]),
        (NEAREST["nearest-1d-twice"], ["repeat_interleave"]),
        (NEAREST["nearest-1d-smaller"], ["slice_static"]),
    ],
    ids=["nearest", "bilinear", "repeated", "sliced"],
)
def test_stays_whole(case: Case, ops: list[str]) -> None:
    assert ttir_ops(*case) == ops


GRIDS = list(
    itertools.product(("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection"))
)


@pytest.mark.parametrize(("mode", "padding"), GRIDS, ids="-".join)
@pytest.mark.parametrize("corners", [False, True], ids=["edges", "corners"])
def test_grid_sample(mode: str, padding: str, corners: bool) -> None:
    x, grid = f(2, 3, 5, 4), f(2, 3, 6, 2) * 1.5

    def function(x: torch.Tensor, grid: torch.Tensor) -> torch.Tensor:
        return F.grid_sample(x, grid, mode, padding, corners)

    torch.testing.assert_close(run_through_ttir(function, x, grid), function(x, grid))
    if mode != "bicubic":
        x, grid = f(1, 2, 3, 4, 5), f(1, 2, 3, 2, 3) * 1.5
        torch.testing.assert_close(run_through_ttir(function, x, grid), function(x, grid))


def test_grid_sample_far_outside_and_between() -> None:
    """Half-way positions go to the even neighbour; no position is converted out of range."""
    x = f(1, 1, 4, 1)
    places = [-1e30, -1.0, -0.75, -0.25, 0.25, 0.75, 1.0, 1e30, float("inf")]
    grid = torch.tensor([[0.0, place] for place in places])[None, None]

    def function(x: torch.Tensor, grid: torch.Tensor) -> Any:
        near = [F.grid_sample(x, grid, "nearest", pad, False) for pad in ("zeros", "border")]
        return [*near, F.grid_sample(x, grid[:, :, 1:7], "bilinear", "zeros", True)]

    torch.testing.assert_close(run_through_ttir(function, x, grid), function(x, grid))


@pytest.mark.parametrize("corners", [False, True], ids=["edges", "corners"])
def test_affine_grid(corners: bool) -> None:
    def function(plane: torch.Tensor, space: torch.Tensor) -> Any:
        flat = F.affine_grid(plane, [2, 1, 3, 1], corners)
        return flat, F.affine_grid(space, [1, 1, 2, 3, 2], corners)

    given = f(2, 2, 3), f(1, 3, 4)
    torch.testing.assert_close(run_through_ttir(function, *given), function(*given))
