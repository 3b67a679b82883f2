"""Elementwise ops of the TTIR interpreter, against formulas written with numpy and `math`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_op

INF, NAN = math.inf, math.nan
FLOATS = torch.tensor([-INF, -3.5, -1.0, -0.5, -0.0, 0.0, 0.25, 1.0, 2.5, INF, NAN])


def unary(name: str, x: torch.Tensor, dtype: str = "f32", **attrs: Any) -> Any:
    return run_op(name, [x], (x.shape, dtype), **attrs)


def binary(name: str, x: torch.Tensor, y: torch.Tensor, dtype: str) -> Any:
    shape = torch.broadcast_shapes(x.shape, y.shape)
    return run_op(name, [x, y], (shape, dtype))


def _erf(x: Any) -> Any:
    return np.vectorize(math.erf, otypes=[np.float64])(x)


UNARY: dict[str, Callable[[Any], Any]] = {
    "abs": np.abs,
    "neg": lambda x: 0.0 - x + np.where(x == 0, -x, 0),
    "ceil": np.ceil,
    "floor": np.floor,
    "trunc": np.trunc,
    "frac": lambda x: x - np.trunc(x),
    "square": lambda x: x * x,
    "sqrt": lambda x: x**0.5 if np.isscalar(x) else np.sqrt(x),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "cbrt": np.cbrt,
    "reciprocal": lambda x: 1 / x,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "tanh": np.tanh,
    "erf": _erf,
    "erfc": np.vectorize(math.erfc, otypes=[np.float64]),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.where(np.isnan(x), x, np.where(x > 0, x, 0)),
    "relu6": lambda x: np.where(np.isnan(x), x, np.minimum(np.maximum(x, 0), 6)),
    "hardsigmoid": lambda x: np.where(np.isnan(x), x, np.minimum(np.maximum(x / 6 + 0.5, 0), 1)),
}
# These are not finite at the infinities by their formula, where the limit is meant.
LIMITS: dict[str, Callable[[Any], Any]] = {
    "silu": lambda x: x / (1 + np.exp(-x)),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "gelu": lambda x: x * 0.5 * (1 + _erf(x / math.sqrt(2))),
}


@pytest.mark.parametrize("name", UNARY)
@np.errstate(all="ignore")
def test_unary_is_its_formula(name: str) -> None:
    expected = UNARY[name](FLOATS.double().numpy())
    torch.testing.assert_close(
        unary(name, FLOATS), torch.from_numpy(expected).float(), equal_nan=True
    )


@pytest.mark.parametrize("name", LIMITS)
def test_unary_with_limits_is_its_formula(name: str) -> None:
    x = FLOATS[torch.isfinite(FLOATS)]
    expected = LIMITS[name](x.double().numpy())
    torch.testing.assert_close(unary(name, x), torch.from_numpy(expected).float())


@pytest.mark.parametrize("name", [*UNARY, *LIMITS])
@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_low_precision_is_the_rounded_result(name: str, dtype: str) -> None:
    low = {"bf16": torch.bfloat16, "f16": torch.float16}[dtype]
    x = torch.tensor([-2.5, -0.75, -0.125, 0.25, 0.5, 3.0]).to(low)
    wide = unary(name, x.double(), "f64")
    torch.testing.assert_close(unary(name, x, dtype), wide.to(low), equal_nan=True)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3)])
def test_0d_and_empty(shape: tuple[int, ...]) -> None:
    x = torch.full(shape, 0.5)
    assert unary("tanh", x).shape == shape
    torch.testing.assert_close(unary("tanh", x), torch.full(shape, math.tanh(0.5)))


def test_truth_values_take_the_declared_dtype() -> None:
    finite = [0.0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
    assert unary("isfinite", FLOATS).tolist() == finite
    assert unary("isfinite", FLOATS, "i1").tolist() == [bool(v) for v in finite]
    assert unary("signbit", torch.tensor([-0.0, 0.0, -2.0, 3.0]), "i32").tolist() == [1, 0, 1, 0]
    assert unary("logical_not", torch.tensor([0.0, -0.0, NAN, 2.0]), "bf16").tolist() == [
        1,
        1,
        0,
        0,
    ]
    assert unary("sign", torch.tensor([-3.0, 0.0, 2.0])).tolist() == [-1, 0, 1]


def test_integer_operand_of_a_float_function_takes_the_results_dtype() -> None:
    x = torch.tensor([1, 2, 3])
    torch.testing.assert_close(unary("exp", x, "f64"), torch.from_numpy(np.exp(x.numpy() * 1.0)))


def test_parameters_of_activations() -> None:
    x = torch.tensor([-2.0, -0.5, 0.0, 1.5])
    leaky = torch.where(x > 0, x, x * 0.25)
    torch.testing.assert_close(unary("leaky_relu", x, parameter=0.25), leaky)
    scale, alpha = 1.5, 0.5
    expected = scale * (x.clamp(min=0) + (alpha * (x.exp() - 1)).clamp(max=0))
    torch.testing.assert_close(unary("selu", x, scale=scale, alpha=alpha), expected)


CASTS: list[tuple[list[float], torch.dtype, str, list[float]]] = [
    ([2.9, -2.9, 0.0], torch.float32, "i32", [2, -2, 0]),
    ([0.5, 0.0, -0.0, NAN], torch.float32, "i1", [1, 0, 0, 1]),
    ([300, -1, 255], torch.int32, "ui8", [44, 255, 255]),
    ([-1, 2**31, 5], torch.int64, "i32", [-1, -(2**31), 5]),
    ([-1, 65537, 7], torch.int64, "ui16", [65535, 1, 7]),
    ([-1, 7, 0], torch.int32, "ui32", [2**32 - 1, 7, 0]),
    ([1, 0, 1], torch.bool, "f32", [1.0, 0.0, 1.0]),
    ([16777217, 3, -1], torch.int32, "f32", [16777216.0, 3.0, -1.0]),
    ([1.00390625, 1.01171875, 2.0], torch.float32, "bf16", [1.0, 1.015625, 2.0]),
]


@pytest.mark.parametrize(("values", "source", "dtype", "expected"), CASTS)
def test_typecast(
    values: list[float], source: torch.dtype, dtype: str, expected: list[float]
) -> None:
    assert unary("typecast", torch.tensor(values, dtype=source), dtype).tolist() == expected


def test_bitcast_keeps_the_bits() -> None:
    x = torch.tensor([1.0, -2.0, NAN])
    bits = unary("bitcast_convert", x, "i32")
    assert bits.tolist() == x.numpy().view(np.int32).tolist()
    unsigned = unary("bitcast_convert", x, "ui32")
    assert unsigned.tolist() == x.numpy().view(np.uint32).tolist()
    back = unary("bitcast_convert", bits.t(), "f32")
    torch.testing.assert_close(back, x, equal_nan=True)


def test_clamp() -> None:
    got = unary("clamp_scalar", FLOATS, min=-1.0, max=INF)
    expected = [-1.0, -1, -1, -0.5, 0, 0, 0.25, 1, 2.5, INF, NAN]
    torch.testing.assert_close(got, torch.tensor(expected), equal_nan=True)
    # The upper bound wins, and an i32 bound on floats is a number like any other.
    assert unary("clamp_scalar", torch.tensor([5.0]), min=3, max=2.0).tolist() == [2.0]
    x = torch.tensor([-5, 0, 2**40])
    assert unary("clamp_scalar", x, "i64", min=-2, max=7).tolist() == [-2, 0, 7]
    assert unary("clamp_scalar", x, "i64", min=-2.0, max=7.0).tolist() == [-2, 0, 7]
    low, high = torch.tensor([0.0, 3.0, NAN]), torch.tensor([1.0, 2.0, 5.0])
    got = run_op("clamp_tensor", [torch.tensor([7.0, 7.0, 7.0]), low, high], ((3,), "f32"))
    torch.testing.assert_close(got, torch.tensor([1.0, 2.0, NAN]), equal_nan=True)


@pytest.mark.parametrize("bound", [0.5, INF])
def test_clamp_of_integers_rejects_what_is_no_integer(bound: float) -> None:
    with pytest.raises(CompileError, match=r"op.mlir:1:1.*'ttir.clamp_scalar'.*does not model"):
        unary("clamp_scalar", torch.tensor([1]), "i64", min=-1, max=bound)


X = torch.tensor([-7, -6, 6, 7, 2**31 - 1, -(2**31)], dtype=torch.int32)
Y = torch.tensor([3, -4, -4, 3, 2, -1], dtype=torch.int32)


def _wrap(values: list[int], bits: int = 32) -> list[int]:
    return [(v + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1) for v in values]


INTEGER: dict[str, Callable[[int, int], int]] = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "remainder": lambda x, y: x - y * math.floor(x / y),
    "div": lambda x, y: abs(x) // abs(y) * (1 if x * y > 0 else -1),
    "maximum": max,
    "minimum": min,
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "logical_and": lambda x, y: bool(x) and bool(y),
    "logical_or": lambda x, y: bool(x) or bool(y),
    "logical_xor": lambda x, y: bool(x) != bool(y),
}


@pytest.mark.parametrize("name", INTEGER)
def test_integers_wrap_around_and_divide_with_truncation(name: str) -> None:
    # The last pair's quotient does not fit, which is undefined where the hardware divides.
    pairs = list(zip(X.tolist(), Y.tolist(), strict=True))[: -1 if name == "div" else None]
    expected = _wrap([int(INTEGER[name](x, y)) for x, y in pairs])
    assert binary(name, X[: len(pairs)], Y[: len(pairs)], "i32").tolist() == expected


UNSIGNED = [("ui8", 8), ("ui16", 16), ("ui32", 32), ("ui64", 64)]


@pytest.mark.parametrize(("dtype", "bits"), UNSIGNED)
def test_unsigned_arithmetic(dtype: str, bits: int) -> None:
    top = 2**bits - 1 if bits < 64 else 2**63 - 1
    kind = getattr(torch, f"uint{bits}")
    x, y = torch.tensor([top, 0, 200], dtype=kind), torch.tensor([1, 1, 7], dtype=kind)
    expected = [(top + 1) % 2**bits, 1, 207]
    assert binary("add", x, y, dtype).tolist() == expected
    assert binary("subtract", x, y, dtype).tolist() == [top - 1, 2**bits - 1, 193]
    assert binary("gt", x, y, "i1").tolist() == [True, False, True]
    assert binary("div", x, y, dtype).tolist() == [top, 0, 28]
    assert binary("right_shift", x, y, dtype).tolist() == [top >> 1, 0, 1]
    assert unary("typecast", x, "f64").tolist() == [float(top), 0.0, 200.0]


def test_unsigned_values_that_do_not_fit_are_an_error_not_a_guess() -> None:
    x = torch.tensor([2**63], dtype=torch.uint64)
    with pytest.raises(CompileError, match=r"'ttir.gt': .*ui64 values of 2\^63 and more"):
        binary("gt", x, x, "i1")


def test_floats_divide_truly_and_remainder_has_the_divisors_sign() -> None:
    x, y = torch.tensor([-7.5, 7.5, 1.0, 0.0]), torch.tensor([2.0, -2.0, 0.0, 0.0])
    div = binary("div", x, y, "f32")
    torch.testing.assert_close(div, torch.tensor([-3.75, -3.75, INF, NAN]), equal_nan=True)
    rem = binary("remainder", x, y, "f32")
    torch.testing.assert_close(rem, torch.tensor([0.5, -0.5, NAN, NAN]), equal_nan=True)
    power = binary(
        "pow", torch.tensor([2.0, -2.0, 0.0, -8.0]), torch.tensor([3.0, 2, 0, 0.5]), "f32"
    )
    torch.testing.assert_close(power, torch.tensor([8.0, 4.0, 1.0, NAN]), equal_nan=True)


def test_nan_wins_in_maximum_and_minimum() -> None:
    x, y = torch.tensor([NAN, 1.0, -0.0]), torch.tensor([1.0, NAN, 2.0])
    for name, third in (("maximum", 2.0), ("minimum", -0.0)):
        expected = torch.tensor([NAN, NAN, third])
        torch.testing.assert_close(binary(name, x, y, "f32"), expected, equal_nan=True)


def test_atan2_takes_y_first() -> None:
    y, x = torch.tensor([1.0, -1.0, 0.0]), torch.tensor([-1.0, -1.0, -1.0])
    expected = torch.from_numpy(np.arctan2(y.numpy(), x.numpy()))
    torch.testing.assert_close(binary("atan2", y, x, "f32"), expected)


def test_broadcast_of_ranks_and_0d() -> None:
    x, y = torch.arange(6.0).reshape(2, 1, 3), torch.tensor([[10.0], [20.0]])
    expected = x.numpy() + y.numpy()
    torch.testing.assert_close(binary("add", x, y, "f32"), torch.from_numpy(expected))
    assert binary("multiply", torch.tensor(3.0), torch.zeros(0, 2), "f32").shape == (0, 2)


def test_mixed_dtypes_are_computed_in_the_wider_one_whatever_the_rank() -> None:
    x, y = torch.tensor([1.0], dtype=torch.bfloat16), torch.tensor(2**-12)
    assert binary("add", x, y, "f32").tolist() == [1.0 + 2**-12]


SHIFTS = [
    ("logical_left_shift", lambda x, s, w: (x << s) if 0 <= s < w else 0),
    ("logical_right_shift", lambda x, s, w: ((x % 2**w) >> s) if 0 <= s < w else 0),
    ("right_shift", lambda x, s, w: x >> (s if 0 <= s < w else w - 1)),
]


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize(("name", "formula"), SHIFTS)
def test_shifts(name: str, formula: Callable[[int, int, int], int], bits: int) -> None:
    values = [-1, -(2 ** (bits - 1)), 2 ** (bits - 1) - 1, 5]
    amounts = [0, 1, 3, bits - 1, bits, bits + 1, -1]
    dtype = getattr(torch, f"int{bits}")
    x = torch.tensor(values, dtype=dtype)[:, None]
    expected = [_wrap([formula(v, s, bits) for s in amounts], bits) for v in values]
    assert binary(name, x, torch.tensor(amounts, dtype=dtype), f"i{bits}").tolist() == expected


def test_where_asks_for_not_zero() -> None:
    condition = torch.tensor([[0.0], [NAN], [-2.0]])
    x, y = torch.tensor([1.0, 2.0]), torch.tensor(NAN)
    got = run_op("where", [condition, x, y], ((3, 2), "f32"))
    expected = torch.tensor([[NAN, NAN], [1.0, 2.0], [1.0, 2.0]])
    torch.testing.assert_close(got, expected, equal_nan=True)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_backward_is_the_slope(approximate: str) -> None:
    x = torch.linspace(-3, 3, 7, dtype=torch.float64).reshape(1, 7)
    grad = torch.linspace(1, 2, 7, dtype=torch.float64).reshape(1, 7)

    def gelu(v: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.gelu(v, approximate=approximate)

    slope = (gelu(x + 1e-6) - gelu(x - 1e-6)) / 2e-6
    got = run_op("gelu_bw", [grad, x], ((1, 7), "f64"), approximate=approximate)
    torch.testing.assert_close(got, grad * slope, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "div", "pow", "remainder"])
def test_arithmetic_on_i1_is_rejected(name: str) -> None:
    x = torch.tensor([True])
    with pytest.raises(CompileError, match="does not model arithmetic on i1"):
        binary(name, x, x, "i1")


def test_integer_division_with_a_float_result_is_rejected() -> None:
    with pytest.raises(CompileError, match="division of integers with a result of `f32`"):
        binary("div", torch.tensor([1]), torch.tensor([2]), "f32")


def test_what_pytorch_refuses_is_an_error_at_the_op() -> None:
    with pytest.raises(CompileError, match=r"op.mlir:1:1: error: 'ttir.div': ZeroDivisionError"):
        binary("div", torch.tensor([1]), torch.tensor([0]), "i64")
