"""Reductions, norms, scans and orderings against eager PyTorch: dims, dtypes, edge values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from torch_ttir.testing import run_through_ttir

T = torch.tensor
aten, prims, linalg = torch.ops.aten, torch.ops.prims, torch.linalg
inf, nan = float("inf"), float("nan")
Function = Callable[[torch.Tensor], Any]


def sample(dtype: torch.dtype, shape: tuple[int, ...] = (3, 4, 5)) -> torch.Tensor:
    """Values without ties in floats; small ones of both signs in integers."""
    generator = torch.Generator().manual_seed(0)
    if dtype.is_floating_point:
        return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)
    if dtype is torch.bool:
        return torch.rand(shape, generator=generator) > 0.3
    return torch.randint(-9, 9, shape, generator=generator).to(dtype)


REDUCTIONS: dict[str, Function] = {
    "all": torch.all,
    "all-dim": lambda x: torch.all(x, 1),
    "all-dims": lambda x: torch.all(x, (0, 2), keepdim=True),
    "all-no-dims": lambda x: aten.all.dims(x, []),
    "amax": torch.amax,
    "amax-dims": lambda x: torch.amax(x, (0, -1)),
    "amin-keepdim": lambda x: torch.amin(x, 1, keepdim=True),
    "aminmax": torch.aminmax,
    "aminmax-dim": lambda x: torch.aminmax(x, dim=-1, keepdim=True),
    "any": torch.any,
    "any-dim": lambda x: torch.any(x, -1, keepdim=True),
    "any-dims": lambda x: torch.any(x, (0, 2)),
    "any-no-dims": lambda x: aten.any.dims(x, []),
    "argmax": torch.argmax,
    "argmax-dim": lambda x: torch.argmax(x, 1),
    "argmax-keepdim": lambda x: torch.argmax(x, keepdim=True),
    "argmin": torch.argmin,
    "argmin-dim": lambda x: torch.argmin(x, -1, keepdim=True),
    "argsort": lambda x: torch.argsort(x, dim=1, descending=True, stable=True),
    "count_nonzero": torch.count_nonzero,
    "count_nonzero-dims": lambda x: torch.count_nonzero(x, (0, 2)),
    "cummax": lambda x: torch.cummax(x, 1),
    "cummin": lambda x: torch.cummin(x, -1),
    "cumprod": lambda x: torch.cumprod(x, 0),
    "cumsum": lambda x: torch.cumsum(x, -2),
    "cumsum-dtype": lambda x: torch.cumsum(x, 0, dtype=torch.float64),
    "diff": torch.diff,
    "diff-twice": lambda x: torch.diff(x, 2, 1, prepend=x[:, :1], append=x[:, :2]),
    "dist": lambda x: torch.dist(x, x.flip(0), 3),
    "frobenius": lambda x: aten.frobenius_norm.dim(x, [1, 2], True),
    "kthvalue": lambda x: torch.kthvalue(x, 2, 1).values,
    "linalg-norm": linalg.norm,
    "linalg-norm-dim": lambda x: linalg.norm(x, 3, 1),
    "linalg-norm-matrix": lambda x: linalg.norm(x, 1, (0, 1), keepdim=True),
    "logcumsumexp": lambda x: torch.logcumsumexp(x, 1),
    "logsumexp": lambda x: torch.logsumexp(x, (0, 2)),
    "logsumexp-keepdim": lambda x: torch.logsumexp(x, -1, keepdim=True),
    "matrix-norm": linalg.matrix_norm,
    "matrix-norm-inf": lambda x: linalg.matrix_norm(x, inf),
    "matrix-norm-minus-1": lambda x: linalg.matrix_norm(x, -1, dim=(0, 2), keepdim=True),
    "max": torch.max,
    "max-dim": lambda x: torch.max(x, 1),
    "mean": torch.mean,
    "mean-dims": lambda x: torch.mean(x, (0, -1), keepdim=True),
    "mean-dtype": lambda x: torch.mean(x, 1, dtype=torch.float32),
    "median": torch.median,
    "median-dim": lambda x: torch.median(x, 1).values,
    "min": torch.min,
    "min-dim": lambda x: torch.min(x, -1, keepdim=True),
    "mode": lambda x: torch.mode(x, -1).values,
    "msort": torch.msort,
    "nanmean": lambda x: torch.nanmean(x, 1),
    "nanmedian": torch.nanmedian,
    "nanmedian-dim": lambda x: torch.nanmedian(x, 1, keepdim=True).values,
    "nansum": torch.nansum,
    "nansum-dims": lambda x: torch.nansum(x, (0, 1), dtype=torch.float64),
    "norm": torch.norm,
    "norm-0": lambda x: torch.norm(x, 0, 1),
    "norm-1": lambda x: torch.norm(x, 1, 1, keepdim=True),
    "norm-3": lambda x: torch.norm(x, 3),
    "norm-dtype": lambda x: torch.norm(x, 2, (0, 1), dtype=torch.float64),
    "norm-inf": lambda x: torch.norm(x, inf, (0, 1)),
    "norm-minus-inf": lambda x: torch.norm(x, -inf, 2),
    "prod": torch.prod,
    "prod-dim": lambda x: torch.prod(x, 1, keepdim=True),
    "prod-dtype": lambda x: torch.prod(x, dtype=torch.float32),
    "renorm": lambda x: torch.renorm(x, 2, 1, 2.5),
    "sort": lambda x: torch.sort(x, stable=True),
    "sort-descending": lambda x: torch.sort(x, dim=0, descending=True, stable=True),
    "std": torch.std,
    "std_mean": lambda x: torch.std_mean(x, 1, keepdim=True),
    "sum": torch.sum,
    "sum-dims": lambda x: torch.sum(x, (0, 2)),
    "sum-dtype": lambda x: torch.sum(x, -1, dtype=torch.float64),
    "sum-no-dims": lambda x: torch.sum(x, ()),
    "topk": lambda x: torch.topk(x, 2, 1).values,
    "topk-smallest": lambda x: torch.topk(x, 3, -1, largest=False).values,
    "var": torch.var,
    "var-biased": lambda x: torch.var(x, unbiased=False),
    "var-correction": lambda x: torch.var(x, 1, correction=2, keepdim=True),
    "var-fraction": lambda x: aten.var.correction(x, [0, 1], correction=0.5),
    "var_mean": torch.var_mean,
    "var_mean-dims": lambda x: torch.var_mean(x, (0, -1), correction=0),
    "vector-norm": lambda x: linalg.vector_norm(x, -1.5, (0, 2)),
}
DTYPES = (
    torch.float32,
    torch.float64,
    torch.bfloat16,
    torch.float16,
    torch.int64,
    torch.int32,
    torch.int8,
    torch.uint8,
    torch.bool,
)


def supported(function: Function, x: torch.Tensor) -> bool:
    try:
        function(x)
    except (NotImplementedError, RuntimeError, TypeError, IndexError):
        return False
    return True


@pytest.mark.parametrize("name", REDUCTIONS)
def test_every_dtype(name: str) -> None:
    function = REDUCTIONS[name]
    inputs = [x for x in map(sample, DTYPES) if supported(function, x)]
    assert inputs, "PyTorch runs it on no dtype"
    found = run_through_ttir(lambda *xs: [function(x) for x in xs], *inputs)
    for x, made in zip(inputs, found, strict=True):
        torch.testing.assert_close(
            tuple(made) if isinstance(made, tuple) else made,
            function(x),
            msg=lambda text, x=x: f"{x.dtype}: {text}",
        )


WITHOUT_DIMENSIONS = [name for name in REDUCTIONS if supported(REDUCTIONS[name], T(2.5))]


@pytest.mark.parametrize("name", WITHOUT_DIMENSIONS)
def test_no_dimensions(name: str) -> None:
    x = T(2.5)
    found = run_through_ttir(REDUCTIONS[name], x)
    torch.testing.assert_close(found, REDUCTIONS[name](x), equal_nan=True)


NAN = T([[1.0, nan, 3.0, nan], [inf, -1.0, 5.0, inf], [-inf, 2.0, -inf, 0.0], [nan] * 4])


@pytest.mark.parametrize(
    "name",
    [
        "all", "amax", "amin-keepdim", "any", "argmax", "argmin", "aminmax", "count_nonzero", "max",
        "mean", "median", "nanmean", "nanmedian", "nansum", "norm-inf", "prod", "std", "sum", "var",
    ],
)  # fmt: skip
def test_nan_and_infinities(name: str) -> None:
    found = run_through_ttir(REDUCTIONS[name], NAN[:3])
    torch.testing.assert_close(found, REDUCTIONS[name](NAN[:3]), equal_nan=True)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.cummax(x, 1),
        lambda x: torch.cummin(x, 1),
        lambda x: torch.logsumexp(x, 1),
        lambda x: torch.logcumsumexp(x, 1),
        lambda x: torch.max(x, 1),
        lambda x: torch.min(x, 1),
        lambda x: torch.median(x, 1),
        lambda x: torch.nanmedian(x[:3], 1),
        lambda x: torch.nanmedian(x, 1).values,
        lambda x: torch.sort(x, dim=1, stable=True),
        lambda x: torch.sort(x, dim=1, descending=True, stable=True),
        lambda x: torch.argmax(x, 1),
        lambda x: torch.argmin(x, 1),
        lambda x: torch.topk(x, 2, 1).values,
    ],
)
def test_nan_and_infinities_along_a_dimension(function: Function) -> None:
    found = run_through_ttir(function, NAN)
    torch.testing.assert_close(found, function(NAN), equal_nan=True)


@pytest.mark.parametrize(
    "function",
    [
        torch.sum,
        torch.mean,
        torch.prod,
        torch.any,
        torch.all,
        torch.std,
        lambda x: torch.sum(x, 0),
        lambda x: torch.mean(x, 0),
        lambda x: torch.var(x, 0),
        lambda x: torch.amax(x, 1),
        lambda x: torch.cumsum(x, 0),
        lambda x: torch.cummax(x, 0),
        lambda x: torch.sort(x, 0),
        lambda x: torch.logsumexp(x, 0),
        lambda x: torch.norm(x),
        lambda x: torch.count_nonzero(x, 0),
    ],
)
def test_no_elements(function: Function) -> None:
    x = torch.zeros(0, 3)
    torch.testing.assert_close(run_through_ttir(function, x), function(x), equal_nan=True)


VALUES: dict[str, tuple[Function, torch.Tensor, Any]] = {
    "argmax of all, kept": (
        lambda x: torch.argmax(x, None, True),
        T([[1.0, 3.0], [3.0, 0.0]]),
        T([[1]]),
    ),
    "argmax takes the first of equals": (
        lambda x: torch.argmax(x, -1, True),
        T([[2.0, 2.0], [0.0, 5.0]]),
        T([[0], [1]]),
    ),
    "argmax finds NaN": (torch.argmax, T([1.0, nan, 3.0]), T(1)),
    "argmin of the smallest integers": (torch.argmin, T([0, -(2**63), 5]), T(1)),
    "argmin of unsigned integers": (torch.argmin, T([3, 0, 255], dtype=torch.uint8), T(1)),
    "max with indices": (
        lambda x: tuple(x.max(dim=0)),
        T([[5.0, 1.0], [2.0, 8.0]]),
        (T([5.0, 8.0]), T([0, 1])),
    ),
    "amax of -inf": (lambda x: torch.amax(x, 0), T([-inf, -inf]), T(-inf)),
    "cumsum of int32 is int64": (
        lambda x: torch.cumsum(x, dim=-2),
        T([[1, 2], [3, 4]], dtype=torch.int32),
        T([[1, 2], [4, 6]]),
    ),
    "sum of bools": (torch.sum, T([True, False, True]), T(2)),
    "sum of int8 does not wrap": (torch.sum, T([100, 100], dtype=torch.int8), T(200)),
    "any of u8 is u8": (torch.any, T([0, 7], dtype=torch.uint8), T(1, dtype=torch.uint8)),
    "variance far from zero": (torch.var, T([1e4, 1e4 + 1, 1e4 + 2]), T(1.0)),
    "variance of one": (torch.var, T([3.0]), T(nan)),
    "cummax at the last of equals": (
        lambda x: torch.cummax(x, 0).indices,
        T([1.0, 3.0, 3.0, 2.0]),
        T([0, 1, 2, 2]),
    ),
    "median is the lower one": (torch.median, T([4.0, 1.0, 3.0, 2.0]), T(2.0)),
    "mode is the smallest": (
        lambda x: tuple(torch.mode(x)),
        T([3, 1, 3, 1, 2]),
        (T(1), T(3)),
    ),
    "logsumexp of large values": (lambda x: torch.logsumexp(x, 0), T([1e4, 1e4]), T(10000.693)),
    "norm of order 0": (lambda x: torch.norm(x, 0), T([0.0, 2.0, -3.0]), T(2.0)),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    function, x, wanted = VALUES[name]
    torch.testing.assert_close(function(x), wanted, equal_nan=True)
    torch.testing.assert_close(run_through_ttir(function, x), wanted, equal_nan=True)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: prims.sum(x, [0, 2]),
        lambda x: prims.prod(x, [1]),
        lambda x: prims.var(x, [1], 2),
        lambda x: torch.diff(x, 0, 1, prepend=x),
        lambda x: linalg.norm(x[:0, 0], inf),
    ],
)
def test_other_forms(function: Function) -> None:
    x = sample(torch.float32)
    torch.testing.assert_close(run_through_ttir(function, x), function(x))


def test_indices_point_at_values() -> None:
    """Of equal elements, PyTorch promises none; what TTIR finds must be one of them."""
    x = T([[2, 1, 2, 0, 1], [5, 5, 5, 5, 5]])
    for function in (
        lambda x: torch.kthvalue(x, 3, 1),
        lambda x: torch.median(x, 1),
        lambda x: torch.topk(x, 1, 1),
        torch.sort,
    ):
        values, indices = run_through_ttir(function, x)
        if values.dim() == 1:
            values, indices = values[:, None], indices[:, None]
        torch.testing.assert_close(x.gather(1, indices), values)
