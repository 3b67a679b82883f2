"""Arithmetic, comparisons and selection against eager PyTorch: promotion, scalars, broadcasting.

In bfloat16 and float16, results must be equal to the bit: PyTorch rounds once an op.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest
import torch

from torch_ttir.testing import run_through_ttir

T = torch.tensor
aten = torch.ops.aten
inf, nan = float("inf"), float("nan")
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.5, -7.0, 7.0, inf, -inf, nan]


def pairs(dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """All pairs of edge values and some random ones, none of which divides an integer by zero."""
    if dtype.is_floating_point:
        few = torch.tensor(EDGES, dtype=torch.float64)
        spread = torch.randn(2, 40, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    elif dtype is torch.bool:
        few, spread = torch.tensor([False, True]), torch.zeros(2, 0)
    else:
        info = torch.iinfo(dtype)
        few = torch.tensor([info.min, info.max, 1, 2, 3, 7, 100, -7 if info.min else 9])
        few, spread = few[few != 0], torch.zeros(2, 0)
    x, y = torch.cartesian_prod(few, few).unbind(-1)
    x, y = torch.cat([x, spread[0]]).to(dtype), torch.cat([y, spread[1]]).to(dtype)
    return whole_vectors(x), whole_vectors(y)


def whole_vectors(x: torch.Tensor) -> torch.Tensor:
    """Repeat elements up to a multiple of 64: PyTorch rounds the last, odd ones differently."""
    return x[torch.arange(-(-len(x) // 64) * 64) % len(x)]


NAMES = """
    add atan2 bitwise_and bitwise_or bitwise_xor copysign div eq float_power floor_divide fmax fmin
    fmod ge gt heaviside hypot isclose ldexp le logaddexp logaddexp2 logical_and logical_or
    logical_xor lt maximum minimum mul ne nextafter pow remainder rsub sub xlogy
"""
BINARY: dict[str, Callable[..., torch.Tensor]] = {n: getattr(torch, n) for n in NAMES.split()}
BINARY |= {
    "add-alpha": lambda x, y: torch.add(x, y, alpha=3),
    "addcdiv": lambda x, y: torch.addcdiv(x, y, x, value=2),
    "addcmul": lambda x, y: torch.addcmul(x, y, x, value=2),
    "clamp-tensors": lambda x, y: torch.clamp(x, y, y.flip(0)),
    "clamp_max": torch.clamp_max,
    "clamp_min": torch.clamp_min,
    "div-floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "div-trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "isclose-nan": lambda x, y: torch.isclose(x, y, equal_nan=True),
    "isclose-exact": lambda x, y: torch.isclose(x, y, rtol=0, atol=0),
    "lerp": lambda x, y: torch.lerp(x, y, 0.3),
    "lerp-far": lambda x, y: torch.lerp(x, y, 0.7),
    "lerp-tensor": lambda x, y: torch.lerp(x, y, y.flip(0)),
    "max-other": torch.max,
    "min-other": torch.min,
    "mse_loss": torch.nn.functional.mse_loss,
    "sub-alpha": lambda x, y: torch.sub(x, y, alpha=2),
    "where": lambda x, y: torch.where(x > y, x, y),
    "xlog1py": torch.special.xlog1py,
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


def supported(name: str, dtype: torch.dtype) -> bool:
    try:
        BINARY[name](*pairs(dtype))
    except (NotImplementedError, RuntimeError, TypeError):
        return False
    return True


@pytest.mark.parametrize("name", BINARY)
def test_every_dtype(name: str) -> None:
    function = BINARY[name]
    dtypes = [dtype for dtype in DTYPES if supported(name, dtype)]
    assert dtypes, "PyTorch runs it on no dtype"
    inputs = [pairs(dtype) for dtype in dtypes]
    found = run_through_ttir(lambda *xs: [function(*x) for x in xs], *inputs)
    for (x, y), made in zip(inputs, found, strict=True):
        exact = {"rtol": 0, "atol": 0} if x.itemsize == 2 and name != "logaddexp2" else {}
        torch.testing.assert_close(
            made,
            function(x, y),
            equal_nan=True,
            msg=lambda text, x=x: f"{x.dtype}: {text}",
            **exact,
        )


def shapes_of_broadcasting() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [((2, 3), (3,)), ((2, 1), (1, 3)), ((), (2,)), ((), ()), ((0, 3), (1, 3)), ((4, 1), ())]


@pytest.mark.parametrize("shapes", shapes_of_broadcasting(), ids=str)
@pytest.mark.parametrize("name", ["add", "floor_divide", "where", "hypot", "clamp-tensors", "lerp"])
def test_broadcasting(name: str, shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    x, y = (torch.randn(shape, generator=torch.Generator().manual_seed(2)) for shape in shapes)
    if name == "clamp-tensors" and not y.dim():
        y = y.reshape(1)
    wanted = BINARY[name](x, y)
    torch.testing.assert_close(run_through_ttir(BINARY[name], x, y), wanted)


OPERANDS = {
    "f32": T([1.5, -2.5]),
    "bf16": T([1.5, -2.5], dtype=torch.bfloat16),
    "i64": T([7, -3]),
    "i8": T([100, -3], dtype=torch.int8),
    "u8": T([200, 3], dtype=torch.uint8),
    "bool": T([True, False]),
    "0-d f32": T(2.5),
    "0-d f64": T(0.1, dtype=torch.float64),
    "0-d i64": T(3),
    "0-d bf16": T(0.3, dtype=torch.bfloat16),
}


@pytest.mark.parametrize("name", ["add", "mul", "div", "maximum", "lt", "pow", "where", "xlogy"])
def test_promotion(name: str) -> None:
    function = BINARY[name]
    inputs = list(itertools.product(OPERANDS.values(), OPERANDS.values()))
    if name == "pow":
        inputs = [(x, y) for x, y in inputs if y.dtype.is_floating_point or (y >= 0).all()]
    inputs = [pair for pair in inputs if _runs(function, *pair)]
    found = run_through_ttir(lambda *xs: [function(*x) for x in xs], *inputs)
    for (x, y), made in zip(inputs, found, strict=True):
        torch.testing.assert_close(
            made,
            function(x, y),
            equal_nan=True,
            msg=lambda text, x=x, y=y: f"{x}, {y}: {text}",
        )


def _runs(function: Callable[..., Any], *operands: Any) -> bool:
    try:
        function(*operands)
    except (NotImplementedError, RuntimeError):
        return False
    return True


SCALARS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "add": lambda x: x + 0.1,
    "add-alpha": lambda x: torch.add(x, 0.7, alpha=0.3),
    "add-alpha-tensor": lambda x: torch.add(x, x.flip(0), alpha=0.3),
    "bernoulli-0": lambda x: torch.bernoulli(x, 0.0),
    "copysign": lambda x: torch.copysign(x, -2.0),
    "div": lambda x: x / 0.1,
    "div-floor": lambda x: torch.div(x, 0.3, rounding_mode="floor"),
    "div-trunc": lambda x: torch.div(x, 0.3, rounding_mode="trunc"),
    "eq": lambda x: x == 0.1,
    "floor_divide": lambda x: torch.floor_divide(x, 0.7),
    "fmod": lambda x: torch.fmod(x, 0.7),
    "ge": lambda x: x >= 0.1,
    "ints": lambda x: (x + 2) * 3 - 1,
    "lerp": lambda x: torch.lerp(x, x.flip(0), 0.7),
    "mul": lambda x: x * 0.1,
    "neg-pow": lambda x: x**-1.3,
    "pow-0": lambda x: x**0,
    "pow-1": lambda x: x**1,
    "pow-2": lambda x: x**2,
    "pow-3": lambda x: x**3,
    "pow-half": lambda x: x**0.5,
    "pow-minus-2": lambda x: x**-2,
    "pow-minus-half": lambda x: x**-0.5,
    "pow-of-2": lambda x: 2**x,
    "pow-of-fraction": lambda x: 0.3**x,
    "rdiv": lambda x: 0.1 / x,
    "remainder": lambda x: x % 0.7,
    "remainder-of": lambda x: torch.remainder(0.7, x),
    "rsub": lambda x: torch.rsub(x, 0.1, alpha=0.3),
    "sub": lambda x: x - 0.1,
    "where": lambda x: torch.where(x > 0, x, 0.1),
    "where-scalars": lambda x: torch.where(x > 0, 1.5, 0.1),
    "xlogy": lambda x: torch.xlogy(x, 0.3),
    "xlogy-of": lambda x: torch.xlogy(0.3, x),
    "masked_fill": lambda x: x.masked_fill(x > 0, 0.1),
}


@pytest.mark.parametrize("name", SCALARS)
def test_python_numbers(name: str) -> None:
    function = SCALARS[name]
    x = torch.cat([T(EDGES), torch.randn(500, generator=torch.Generator().manual_seed(3))])
    inputs = [whole_vectors(x.to(dtype)) for dtype in DTYPES if dtype.is_floating_point]
    found = run_through_ttir(lambda *xs: [function(x) for x in xs], *inputs)
    for x, made in zip(inputs, found, strict=True):
        # PyTorch's lerp fuses a product and a sum in f16.
        is_exact = x.itemsize == 2 and (name, x.dtype) != ("lerp", torch.float16)
        torch.testing.assert_close(
            made,
            function(x),
            equal_nan=True,
            msg=lambda text, x=x: f"{x.dtype}: {text}",
            **({"rtol": 0, "atol": 0} if is_exact else {}),
        )


i8 = torch.int8
VALUES: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...], Any]] = {
    "floor of negative integers": (
        lambda a, b: a // b,
        (T([-7, 7, -7, 7]), T([2, -2, -2, 2])),
        T([-4, -4, 3, 3]),
    ),
    "trunc of negative integers": (
        lambda a, b: torch.div(a, b, rounding_mode="trunc"),
        (T([-7, 7, -7, 7]), T([2, -2, -2, 2])),
        T([-3, -3, 3, 3]),
    ),
    "remainder has the divisor's sign": (
        lambda a, b: a % b,
        (T([-7, 7, -7, 7]), T([2, -2, -2, 2])),
        T([1, -1, -1, 1]),
    ),
    "fmod has the dividend's sign": (
        torch.fmod,
        (T([-7, 7, -7, 7]), T([2, -2, -2, 2])),
        T([-1, 1, -1, 1]),
    ),
    "integers divide as floats": (torch.div, (T([-7]), T([2])), T([-3.5])),
    "float remainders": (torch.remainder, (T([-3.5, 3.5]), T([2.0, -2.0])), T([0.5, -0.5])),
    "floor of 1 / 0.1": (torch.floor_divide, (T([1.0]), T([0.1])), T([9.0])),
    "floor at the smallest integer": (
        torch.floor_divide,
        (T([-128], dtype=i8), T([3], dtype=i8)),
        T([-43], dtype=i8),
    ),
    "fmod keeps digits": (
        torch.fmod,
        (T([1e10]), T([0.3])),
        T([math.fmod(1e10, T(0.3).item())]),
    ),
    "clamp keeps NaN": (lambda x: x.clamp(0.0, 1.0), (T([nan, -1.0, 5.0]),), T([nan, 0.0, 1.0])),
    "clamp with crossed bounds": (lambda x: x.clamp(3.0, 1.0), (T([2.0, 0.0]),), T([1.0, 1.0])),
    "maximum propagates NaN": (torch.maximum, (T([nan, 4.0]), T([2.0, nan])), T([nan, nan])),
    "fmax does not": (torch.fmax, (T([nan, 4.0]), T([2.0, nan])), T([2.0, 4.0])),
    "clamp_min broadcasts": (torch.clamp_min, (T([[-9.0, 1.0]]), T([-5])), T([[-5.0, 1.0]])),
    "clamp_min promotes": (lambda x: torch.clamp_min(x, 1.5), (T([1, 2]),), T([1.5, 2.0])),
    "sub with alpha promotes": (
        lambda x: torch.sub(x, 2.5, alpha=2),
        (T([1, 2]),),
        T([-4.0, -3.0]),
    ),
    "rsub with alpha": (lambda x: torch.rsub(x, 5, alpha=2), (T([1.0, 2.0]),), T([3.0, 1.0])),
    "int8 wraps around": (lambda x: x + 300, (T([1], dtype=i8),), T([45], dtype=i8)),
    "bools add to bool": (torch.add, (T([True, False]), T([True, True])), T([True, True])),
    "NaN is not equal to itself": (lambda x: x != x, (T([nan, 1.0]),), T([True, False])),
    "nor to its copy": (lambda x: x == x.clone(), (T([nan, 1.0]),), T([False, True])),
    "hypot of large legs": (torch.hypot, (T([3e30]), T([4e30])), T([5e30])),
    "logaddexp of -inf": (torch.logaddexp, (T([-inf]), T([-inf])), T([-inf])),
    "left shift beyond the width": (
        torch.bitwise_left_shift,
        (T([1, 1, -1]), T([3, 64, 63])),
        T([8, 0, -(2**63)]),
    ),
    "right shift beyond the width": (
        torch.bitwise_right_shift,
        (T([-8, -8, 8], dtype=i8), T([1, 9, 9], dtype=i8)),
        T([-4, -1, 0], dtype=i8),
    ),
    "where promotes with a 0-d tensor": (
        torch.where,
        (T([True, False]), T([1, 2]), T(2.5)),
        T([1.0, 2.5]),
    ),
    "a 0-d float does not widen bf16": (
        torch.add,
        (T([1.0], dtype=torch.bfloat16), T(2.0)),
        T([3.0], dtype=torch.bfloat16),
    ),
    "integers beyond 32 bits": (lambda x: x + 2**40, (T([1]),), T([2**40 + 1])),
    "copysign of -0.0": (torch.copysign, (T([1.0]), T([-0.0])), T([-1.0])),
}


@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    function, inputs, wanted = VALUES[name]
    torch.testing.assert_close(function(*inputs), wanted, equal_nan=True)
    torch.testing.assert_close(run_through_ttir(function, *inputs), wanted, equal_nan=True)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x.to(torch.int32),
        lambda x: x.bool(),
        lambda x: x.to(torch.bfloat16).float(),
        lambda x: x.int().float(),
        lambda x: x.double() * 0.1,
        lambda x: x.to(torch.uint8).to(torch.int8).to(torch.int64),
        lambda x: x.type_as(torch.ones(1, dtype=torch.float64)),
        lambda x: x.view(torch.int32),
        lambda x: torch.ops.prims.convert_element_type(x, torch.float16),
        lambda x: aten.copy(torch.zeros(2, 3), x),
        lambda x: aten.fill(x, 2.5),
        lambda x: aten.fill(x, x[0]),
        lambda x: torch.frexp(x),
        lambda x: (x.clone(), x.detach(), x.contiguous(), +x, x.conj(), x.real),
    ],
)
def test_casts_and_copies(function: Callable[..., Any]) -> None:
    x = T([2.7, 0.0, 3.99])
    torch.testing.assert_close(run_through_ttir(function, x), function(x))
