"""Rules for matrix products against eager PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir, ttir_ops

aten = torch.ops.aten
Case = tuple[Any, ...]
FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


PRODUCTS: dict[str, Case] = {
    "mm": (torch.mm, f(3, 4), f(4, 5)),
    "mm-transposed-views": (lambda x, y: x.t() @ y.t(), f(4, 3), f(5, 4)),
    "mm-inner-empty": (torch.mm, f(3, 0), f(0, 5)),
    "mm-empty": (torch.mm, f(0, 4), f(4, 5)),
    "bmm": (torch.bmm, f(2, 3, 4), f(2, 4, 5)),
    "mv": (torch.mv, f(3, 4), f(4)),
    "dot": (torch.dot, f(4), f(4)),
    "vdot": (torch.vdot, f(4), f(4)),
    "dot-empty": (torch.dot, f(0), f(0)),
    "matmul-1d-1d": (torch.matmul, f(4), f(4)),
    "matmul-1d-2d": (torch.matmul, f(4), f(4, 5)),
    "matmul-2d-1d": (torch.matmul, f(3, 4), f(4)),
    "matmul-1d-4d": (torch.matmul, f(4), f(2, 3, 4, 5)),
    "matmul-4d-1d": (torch.matmul, f(2, 3, 5, 4), f(4)),
    "matmul-broadcast": (torch.matmul, f(2, 1, 3, 4), f(6, 4, 5)),
    "matmul-size-1": (torch.matmul, f(1, 1), f(1, 1)),
    "linalg.matmul": (torch.linalg.matmul, f(2, 3, 4), f(4, 5)),
    "outer": (torch.outer, f(3), f(4)),
    "outer-promotes": (torch.outer, f(3), torch.tensor([1, 2])),
    "ger": (torch.ger, f(3), f(4)),
    "inner": (torch.inner, f(2, 3, 4), f(5, 4)),
    "inner-1d": (torch.inner, f(4), f(4)),
    "inner-0d": (torch.inner, f(), f(2, 3)),
    "tensordot": (lambda x, y: torch.tensordot(x, y, dims=2), f(3, 4, 5), f(4, 5, 6)),
    "tensordot-dims": (
        lambda x, y: torch.tensordot(x, y, ([-1, 0], [1, 2])),
        f(5, 2, 4),
        f(3, 4, 5),
    ),
    "tensordot-none": (lambda x, y: torch.tensordot(x, y, dims=0), f(2, 3), f(4)),
    "tensordot-size-1": (lambda x, y: torch.tensordot(x, y, ([1], [0])), f(2, 1), f(3, 4)),
    "kron": (torch.kron, f(2, 3), f(4, 5)),
    "kron-ranks": (torch.kron, f(2), f(2, 3, 2)),
    "kron-0d": (torch.kron, f(), f(2, 2)),
    "vecdot": (torch.linalg.vecdot, f(2, 3, 4), f(4)),
    "vecdot-dim": (lambda x, y: torch.linalg.vecdot(x, y, dim=0), f(3, 2), f(3, 2)),
    "multi_dot": (lambda *xs: torch.linalg.multi_dot(xs), f(9, 2), f(2, 7), f(7, 3), f(3, 5)),
    "multi_dot-vectors": (lambda *xs: torch.linalg.multi_dot(xs), f(4), f(4, 5), f(5)),
    "chain_matmul": (torch.chain_matmul, f(3, 4), f(4, 5), f(5, 2)),
    "einsum": (lambda x, y: torch.einsum("bik,bjk->bij", x, y), f(2, 3, 4), f(2, 5, 4)),
    "einsum-diagonal": (lambda x: torch.einsum("ii->i", x), f(3, 3)),
    "einsum-ellipsis": (lambda x, y: torch.einsum("...ij,jk", x, y), f(2, 2, 3), f(3, 4)),
    "matrix_power": (lambda x: torch.matrix_power(x, 5), f(2, 3, 3)),
}

SUMS: dict[str, Case] = {
    "linear": (F.linear, f(2, 3, 4), f(5, 4), f(5)),
    "linear-no-bias": (F.linear, f(3, 4), f(5, 4)),
    "linear-1d": (F.linear, f(4), f(5, 4), f(5)),
    "linear-4d": (F.linear, f(2, 1, 3, 4), f(5, 4), f(5)),
    "linear-vector-weight": (F.linear, f(3, 4), f(4)),
    "linear-no-features": (F.linear, f(3, 0), f(5, 0), f(5)),
    "addmm": (torch.addmm, f(5), f(3, 4), f(4, 5)),
    "addmm-full-bias": (torch.addmm, f(3, 5), f(3, 4), f(4, 5)),
    "addmm-column-bias": (torch.addmm, f(3, 1), f(3, 4), f(4, 5)),
    "addmm-0d-bias": (torch.addmm, f(), f(3, 4), f(4, 5)),
    "addmm-scaled": (lambda *xs: torch.addmm(*xs, beta=0.5, alpha=-2), f(5), f(3, 4), f(4, 5)),
    "addmm-beta-0": (
        lambda *xs: torch.addmm(*xs, beta=0),
        torch.full((3, 5), float("nan")),
        f(3, 4),
        f(4, 5),
    ),
    "addmm-alpha-0": (lambda *xs: torch.addmm(*xs, alpha=0), f(5), f(3, 4), f(4, 5)),
    "addmv": (lambda *xs: torch.addmv(*xs, beta=2, alpha=3), f(3), f(3, 4), f(4)),
    "addmv-0d-bias": (torch.addmv, f(), f(3, 4), f(4)),
    "baddbmm": (torch.baddbmm, f(2, 3, 5), f(2, 3, 4), f(2, 4, 5)),
    "baddbmm-broadcast": (lambda *xs: torch.baddbmm(*xs, beta=3), f(5), f(2, 3, 4), f(2, 4, 5)),
    "addbmm": (lambda *xs: torch.addbmm(*xs, alpha=2), f(3, 5), f(2, 3, 4), f(2, 4, 5)),
    "addbmm-broadcast": (torch.addbmm, f(1), f(2, 3, 4), f(2, 4, 5)),
    "addr": (lambda *xs: torch.addr(*xs, beta=0.5, alpha=2), f(3, 4), f(3), f(4)),
    "addr-broadcast": (torch.addr, f(4), f(3), f(4)),
    "_addmm_activation": (aten._addmm_activation, f(5), f(3, 4), f(4, 5)),
    "_addmm_activation-gelu": (
        lambda *xs: aten._addmm_activation(*xs, use_gelu=True),
        f(5),
        f(3, 4),
        f(4, 5),
    ),
    "bilinear": (F.bilinear, f(3, 4), f(3, 5), f(2, 4, 5), f(2)),
    "bilinear-no-bias": (F.bilinear, f(2, 3, 4), f(2, 3, 5), f(2, 4, 5)),
    "bilinear-1d": (F.bilinear, f(4), f(5), f(2, 4, 5), f(2)),
    "_trilinear": (
        lambda x, y, z: aten._trilinear(x, y, z, [1, 3], [0], [1, 2], [2, 3]),
        f(3, 4),
        f(2, 4, 5),
        f(3, 5),
    ),
}


@pytest.mark.parametrize("case", [*PRODUCTS.values(), *SUMS.values()], ids=[*PRODUCTS, *SUMS])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_matches_eager(case: Case, dtype: torch.dtype) -> None:
    function, *inputs = case
    inputs = [x.to(dtype) if x.is_floating_point() else x for x in inputs]
    torch.testing.assert_close(
        run_through_ttir(function, *inputs), function(*inputs), equal_nan=True
    )


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_sums_round_once(dtype: torch.dtype) -> None:
    """As much as eager does, or less: what is compared with is computed in float64."""
    inputs = [(x * 30).to(dtype) for x in (f(3, 5), f(3, 4), f(4, 5))]
    found = run_through_ttir(lambda *xs: torch.addmm(*xs, beta=-1.5, alpha=3), *inputs)
    wanted = torch.addmm(*(x.double() for x in inputs), beta=-1.5, alpha=3).to(dtype)
    torch.testing.assert_close(found, wanted)


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_wrap_around(dtype: torch.dtype) -> None:
    x = torch.tensor([[100, 3], [7, 120]]).to(dtype)

    def function(x: torch.Tensor) -> Any:
        summed = torch.addmm(x, x, x, beta=2, alpha=3)
        return x @ x, x[0] @ x[1], F.linear(x, x, x[0]), summed, torch.outer(x[0], x[1])

    torch.testing.assert_close(run_through_ttir(function, x), function(x))


def test_bools() -> None:
    x, y = torch.tensor([True, False]), torch.tensor([True, True, False])

    def function(x: torch.Tensor, y: torch.Tensor) -> Any:
        bias = torch.zeros(2, 3, dtype=torch.bool)
        return torch.outer(x, y), torch.kron(x, y), torch.addr(bias, x, y)

    torch.testing.assert_close(run_through_ttir(function, x, y), function(x, y))


def test_8_bit_integers_sum_in_32() -> None:
    x = torch.full((17, 32), 100, dtype=torch.int8)
    y = torch.full((32, 16), -100, dtype=torch.int8)
    torch.testing.assert_close(run_through_ttir(torch._int_mm, x, y), torch._int_mm(x, y))


@pytest.mark.parametrize("rows", [False, True], ids=["by-tensor", "by-row"])
def test_scaled_mm(rows: bool) -> None:
    x, y = f(16, 32).to(torch.float8_e4m3fn), f(16, 32).to(torch.float8_e4m3fn)
    scales = (f(16, 1).abs(), f(1, 16).abs()) if rows else (torch.tensor(0.5), torch.tensor(3.0))

    def function(x: torch.Tensor, y: torch.Tensor, *scales: torch.Tensor) -> torch.Tensor:
        return torch._scaled_mm(x, y.t(), *scales, out_dtype=torch.bfloat16)

    torch.testing.assert_close(run_through_ttir(function, x, y, *scales), function(x, y, *scales))


def test_scaled_mm_v2() -> None:
    x, y = f(16, 32).to(torch.float8_e4m3fn), f(16, 32).to(torch.float8_e4m3fn)
    scales = torch.tensor([[0.5]]), torch.tensor([[3.0]])

    def function(x: Any, y: Any, a: Any, b: Any) -> torch.Tensor:
        return aten._scaled_mm_v2(x, y.t(), [a], [0], [0], [b], [0], [0], None, torch.bfloat16)

    torch.testing.assert_close(run_through_ttir(function, x, y, *scales), function(x, y, *scales))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
def test_weights_of_8_bits(dtype: torch.dtype) -> None:
    weight = torch.arange(-24, 24, dtype=torch.int8).reshape(6, 8)
    inputs = f(32, 8).to(dtype), weight, f(6).to(dtype)
    torch.testing.assert_close(
        run_through_ttir(aten._weight_int8pack_mm, *inputs), aten._weight_int8pack_mm(*inputs)
    )


@pytest.mark.parametrize(
    ("function", "inputs", "ops"),
    [
        (F.linear, (f(3, 4), f(5, 4), f(5)), ["linear"]),
        (F.linear, (f(2, 3, 4), f(5, 4)), ["linear"]),
        (torch.addmm, (f(5), f(3, 4), f(4, 5)), ["linear"]),
        (torch.matmul, (f(2, 1, 3, 4), f(6, 4, 5)), ["matmul"]),
        (torch.dot, (f(4), f(4)), ["matmul", "reshape"]),
    ],
    ids=["linear", "linear-3d", "addmm", "matmul-batched", "dot"],
)
def test_stays_whole(function: Callable[..., Any], inputs: Any, ops: list[str]) -> None:
    assert ttir_ops(function, *inputs) == ops
