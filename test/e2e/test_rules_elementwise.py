"""Elementwise functions of one tensor against eager PyTorch: every dtype, and values at the edges.

In bfloat16 and float16, results must be equal to the bit: PyTorch rounds once an op.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir

Function = Callable[[torch.Tensor], torch.Tensor]

inf, nan = float("inf"), float("nan")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, inf, -inf, nan, 1e-3, 3.0, 20.0, -20.0]
FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
INTEGERS = (torch.int64, torch.int32, torch.int8, torch.uint8, torch.bool)


def values(dtype: torch.dtype) -> torch.Tensor:
    """Edge values and random ones; of integers, the extremes too."""
    generator = torch.Generator().manual_seed(0)
    if dtype.is_floating_point:
        spread = torch.randn(64, generator=generator, dtype=torch.float64) * 3
        few = torch.tensor(SPECIAL, dtype=torch.float64)
        # A multiple of 64 elements: PyTorch rounds the last, odd ones differently.
        return torch.cat([few, spread])[torch.arange(128) % 80].to(dtype)
    if dtype is torch.bool:
        return torch.tensor([True, False, True])
    info = torch.iinfo(dtype)
    few = torch.tensor([info.min, info.max, 0, 1, 2, 3, 100])
    return torch.cat([few.to(dtype), (-few[2:]).to(dtype)])


NAMES = """
    abs acos acosh angle asin asinh atan atanh ceil cos cosh deg2rad digamma erf erfc erfinv exp
    exp2 expm1 floor frac i0 isfinite isinf isnan isneginf isposinf isreal lgamma log log10 log1p
    log2 logical_not logit nan_to_num neg positive rad2deg reciprocal round rsqrt sgn sigmoid sign
    signbit sin sinc sinh sqrt square tan tanh trunc
"""
SPECIAL_NAMES = "entr erfcx i0e i1 i1e log_ndtr ndtr ndtri spherical_bessel_j0"
FUNCTIONS: dict[str, Function] = {n: getattr(torch, n) for n in NAMES.split()}
FUNCTIONS |= {f"special.{n}": getattr(torch.special, n) for n in SPECIAL_NAMES.split()}
FUNCTIONS |= {
    "bitwise_not": torch.bitwise_not,
    "celu": lambda x: F.celu(x, 0.7),
    "clamp": lambda x: x.clamp(-1, 2),
    "clamp-crossed": lambda x: x.clamp(2, -1),
    "clamp-fraction": lambda x: x.clamp(-0.3, 0.1),
    "clamp-max": lambda x: x.clamp(max=1),
    "clamp-min": lambda x: x.clamp(min=1.5),
    "elu": lambda x: F.elu(x, 1.3),
    "gelu": F.gelu,
    "gelu-tanh": lambda x: F.gelu(x, approximate="tanh"),
    "hardshrink": lambda x: F.hardshrink(x, 0.7),
    "hardsigmoid": F.hardsigmoid,
    "hardswish": F.hardswish,
    "hardtanh": lambda x: F.hardtanh(x, -0.3, 0.7),
    "leaky_relu": lambda x: F.leaky_relu(x, 0.1),
    "logit-eps": lambda x: torch.logit(x, 0.1),
    "logsigmoid": F.logsigmoid,
    "mish": F.mish,
    "nan_to_num-values": lambda x: torch.nan_to_num(x, 1.5, 2.5, -3.5),
    "relu": F.relu,
    "relu6": F.relu6,
    "round-2": lambda x: torch.round(x, decimals=2),
    "round-minus-1": lambda x: torch.round(x, decimals=-1),
    "rrelu": F.rrelu,
    "selu": F.selu,
    "silu": F.silu,
    "softplus": F.softplus,
    "softplus-beta": lambda x: F.softplus(x, 2.0, 3.0),
    "softshrink": lambda x: F.softshrink(x, 0.3),
    "softsign": F.softsign,
    "tanhshrink": F.tanhshrink,
    "threshold": lambda x: F.threshold(x, 1, 7),
    "trigamma": lambda x: torch.polygamma(1, x),
}
# Equal to a bit: another formula than PyTorch's, rounded to 16 bits from f32.
ROUGH = {"lgamma"}


def supported(name: str, dtype: torch.dtype) -> bool:
    try:
        FUNCTIONS[name](values(dtype))
    except (NotImplementedError, RuntimeError, TypeError):
        return False
    return True


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_dtype(name: str) -> None:
    function = FUNCTIONS[name]
    dtypes = [dtype for dtype in (*FLOATS, *INTEGERS) if supported(name, dtype)]
    assert dtypes, "PyTorch runs it on no dtype"
    inputs = [values(dtype) for dtype in dtypes]
    found = run_through_ttir(lambda *xs: [function(x) for x in xs], *inputs)
    for x, made in zip(inputs, found, strict=True):
        exact = {"rtol": 0, "atol": 0} if x.itemsize == 2 and name not in ROUGH else {}
        torch.testing.assert_close(
            made,
            function(x),
            equal_nan=True,
            msg=lambda text, x=x: f"{x.dtype}: {text}",
            **exact,
        )


@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3)], ids=str)
@pytest.mark.parametrize("name", ["round", "sinh", "logit", "softplus", "clamp", "isnan", "lgamma"])
def test_no_dimensions_and_no_elements(name: str, shape: tuple[int, ...]) -> None:
    x = torch.full(shape, 0.25)
    torch.testing.assert_close(run_through_ttir(FUNCTIONS[name], x), FUNCTIONS[name](x))


def test_not_contiguous() -> None:
    x = torch.randn(3, 4).t()[:, ::2]
    torch.testing.assert_close(run_through_ttir(torch.sinh, x), torch.sinh(x))


@pytest.mark.parametrize(
    ("function", "value", "wanted"),
    [
        (torch.round, -0.4, -0.0),
        (torch.round, 0.49999997, 0.0),
        (torch.round, 8388609.0, 8388609.0),
        (torch.sinh, -0.0, -0.0),
        (torch.sinh, 89.0, 2.2448059e38),
        (torch.cosh, -89.0, 2.2448059e38),
        (torch.acosh, 1e30, 69.77070618),
        (lambda x: torch.nan_to_num(x), inf, 3.4028234663852886e38),
        (F.relu, nan, nan),
    ],
)
def test_single_values(function: Function, value: float, wanted: float) -> None:
    found = run_through_ttir(function, torch.tensor([value]))
    torch.testing.assert_close(found, torch.tensor([wanted]), equal_nan=True)
    assert torch.equal(found.signbit(), torch.tensor([wanted]).signbit())
