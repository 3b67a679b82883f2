"""The comparison of results with what is expected."""

from __future__ import annotations

import math

import pytest
import torch
from torch.testing._comparison import default_tolerances

from torch_ttir.interpreters.compare import compare, errors, pcc, tolerances

INF, NAN = math.inf, math.nan
T = torch.tensor


@pytest.mark.parametrize("value", [0.0, 1.0, -3e30])
def test_pcc_of_constant_tensors_is_one_when_they_are_close(value: float) -> None:
    x = torch.full((4,), value)
    assert pcc(x, x) == 1.0
    assert compare("y", x, x).agrees


def test_pcc_of_different_constants_is_zero() -> None:
    assert pcc(torch.ones(4), torch.full((4,), 2.0)) == 0.0
    assert not compare("y", torch.ones(4), torch.full((4,), 2.0)).agrees


def test_rounding_noise_on_a_constant_is_no_spread() -> None:
    x = torch.ones(100)
    noisy = x + 1e-7 * torch.tensor([1.0, -1.0]).repeat(50)
    assert pcc(noisy, x) == 1.0
    assert pcc(noisy, 2 - noisy) == 1.0
    assert compare("y", noisy, x).agrees


def test_a_perfect_correlation_does_not_hide_wrong_values() -> None:
    y = torch.randn(50, generator=torch.Generator().manual_seed(0))
    found = compare("y", 2 * y + 3, y)
    assert found.pcc == pytest.approx(1.0)
    assert not found.close
    assert not found.agrees
    assert found.absolute == pytest.approx(float((y + 3).abs().max()), rel=1e-6)


def test_a_low_correlation_is_seen_beside_a_loose_tolerance() -> None:
    x, y = T([1.0, 2.0, 3.0, 4.0]), T([4.0, 3.0, 2.0, 1.0])
    found = compare("y", x, y, rtol=0.0, atol=10.0)
    assert found.close
    assert found.pcc == 1.0  # the spread is within what the tolerance lets pass
    found = compare("y", 100 * x, 100 * y, rtol=0.0, atol=1.0)
    assert found.pcc == pytest.approx(-1.0)
    assert not found.agrees


def test_nan_equals_nan_only() -> None:
    assert pcc(T([NAN, 1.0]), T([NAN, 1.0])) == 1.0
    assert compare("y", T([NAN, 1.0, 2.0]), T([NAN, 1.0, 2.0])).agrees
    for x, y in ((T([NAN, 1.0]), T([0.0, 1.0])), (T([0.0, 1.0]), T([NAN, 1.0]))):
        found = compare("y", x, y)
        assert math.isnan(found.pcc)
        assert math.isnan(found.absolute)
        assert not found.agrees
    assert compare("y", T([NAN, NAN]), T([NAN, NAN])).agrees


def test_infinities() -> None:
    x = T([INF, -INF, 1.0, 2.0])
    assert compare("y", x, x).agrees
    assert errors(x, x) == (0.0, 0.0)
    found = compare("y", x, T([INF, INF, 1.0, 2.0]))
    assert not found.agrees
    assert found.absolute == INF
    assert not compare("y", T([INF, INF]), T([-INF, -INF])).agrees


def test_empty_and_0d_tensors() -> None:
    found = compare("y", torch.zeros(0, 3), torch.zeros(0, 3))
    assert found.agrees
    assert (found.pcc, found.absolute, found.relative) == (1.0, 0.0, 0.0)
    assert compare("y", T(2.5), T(2.5)).agrees
    assert not compare("y", T(2.5), T(2.6)).agrees


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.uint8, torch.uint32, torch.bool])
def test_integers_and_bools_are_exact(dtype: torch.dtype) -> None:
    x = T([1, 0, 1, 1]).to(dtype)
    assert compare("y", x, x.clone()).agrees
    assert not compare("y", x, T([1, 1, 1, 1]).to(dtype)).agrees


def test_large_integers_are_not_compared_as_floats() -> None:
    assert not compare("y", T([2**62]), T([2**62 + 1])).agrees


def test_dtype_and_shape_must_be_equal() -> None:
    found = compare("y", torch.ones(2, dtype=torch.float64), torch.ones(2))
    assert found.problem == "tensor<2xf64>, expected tensor<2xf32>"
    assert found.close
    assert not found.agrees
    found = compare("y", torch.ones(2, 1), torch.ones(2))
    assert found.problem == "tensor<2x1xf32>, expected tensor<2xf32>"
    assert not found.agrees


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int32, torch.bool]
)
def test_tolerances_are_those_of_assert_close(dtype: torch.dtype) -> None:
    assert tolerances(dtype) == default_tolerances(dtype)


def test_relative_error_where_zero_is_expected_is_infinite() -> None:
    assert errors(T([1.5, 0.0]), T([0.0, 0.0])) == (1.5, INF)
    assert errors(T([1.5, 0.0]), T([1.0, 0.0])) == (0.5, 0.5)
