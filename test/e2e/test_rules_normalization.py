"""Rules for normalizations and softmax against eager PyTorch."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir, ttir_ops

aten = torch.ops.aten
Case = tuple[Any, ...]
INF, NAN = float("inf"), float("nan")
ALL_FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


def positive(*shape: int) -> torch.Tensor:
    return f(*shape).abs() + 0.5


SOFTMAX: dict[str, Case] = {
    "last": (lambda x: x.softmax(-1), f(3, 5)),
    "middle": (lambda x: x.softmax(1), f(2, 3, 4)),
    "0d": (lambda x: x.softmax(0), f()),
    "size-1": (lambda x: x.softmax(0), f(1, 3)),
    "empty": (lambda x: x.softmax(1), f(2, 0)),
    "large": (lambda x: x.softmax(-1), f(3, 5) * 1e4),
    "infinities": (
        lambda x: (x.softmax(-1), x.log_softmax(-1), aten._safe_softmax(x, -1)),
        torch.tensor([[-INF, -INF, -INF], [1.0, -INF, 2.0], [INF, 1.0, 2.0], [NAN, 1.0, 2.0]]),
    ),
    "_softmax": (lambda x: aten._softmax(x, 1, False), f(2, 3)),
    "log": (lambda x: x.log_softmax(1), f(2, 3, 4)),
    "log-0d": (lambda x: x.log_softmax(-1), f()),
    "log-large": (lambda x: x.log_softmax(-1), f(3, 5) * 1e4),
    "_log_softmax": (lambda x: aten._log_softmax(x, 1, False), f(2, 3)),
    "safe": (lambda x: aten._safe_softmax(x, 1), f(2, 3)),
    "safe-0d": (lambda x: aten._safe_softmax(x, 0), torch.tensor(-INF)),
    "softmin": (lambda x: F.softmin(x, 1), f(2, 3)),
    "backward": (
        lambda g, y: aten._softmax_backward_data(g, y, 1, torch.float32),
        f(2, 3),
        f(2, 3),
    ),
}

WHOLE: dict[str, Case] = {
    "layer": (lambda *xs: F.layer_norm(xs[0], (4,), *xs[1:]), f(2, 3, 4), f(4), f(4)),
    "layer-two-dims": (
        lambda *xs: F.layer_norm(xs[0], (3, 4), *xs[1:]),
        f(2, 3, 4),
        f(3, 4),
        f(3, 4),
    ),
    "layer-no-weight": (lambda x: F.layer_norm(x, (4,), eps=0.5), f(2, 4)),
    "layer-no-bias": (lambda x, w: F.layer_norm(x, (4,), w), f(2, 4), f(4)),
    "layer-only-bias": (lambda x, b: F.layer_norm(x, (4,), None, b), f(2, 4), f(4)),
    "layer-constant-rows": (lambda x: F.layer_norm(x, (4,)), torch.full((2, 4), 3.0)),
    "layer-empty": (lambda x: F.layer_norm(x, (4,)), f(0, 4)),
    "native-layer": (
        lambda *xs: torch.native_layer_norm(xs[0], (4,), *xs[1:], 1e-5),
        f(3, 4),
        f(4),
        f(4),
    ),
    "rms": (lambda x, w: F.rms_norm(x, (4,), w, 1e-6), f(2, 3, 4), f(4)),
    "rms-two-dims": (lambda x: F.rms_norm(x, (3, 4)), f(2, 3, 4)),
    "rms-tiny": (lambda x: F.rms_norm(x, (4,)), f(2, 4) * 1e-5),
    "fused-rms": (lambda x, w: aten._fused_rms_norm(x, [4], w, 1e-5), f(2, 4), f(4)),
    "group": (lambda *xs: F.group_norm(xs[0], 2, *xs[1:]), f(2, 4, 3, 3), f(4), f(4)),
    "group-3d": (lambda x: F.group_norm(x, 2), torch.arange(8.0).reshape(1, 4, 2)),
    "group-2d": (lambda x, w: F.group_norm(x, 3, w), f(2, 6), f(6)),
    "group-5d": (lambda *xs: F.group_norm(xs[0], 1, *xs[1:]), f(2, 4, 2, 2, 3), f(4), f(4)),
    "native-group": (
        lambda *xs: torch.native_group_norm(*xs, 2, 4, 6, 2, 1e-5),
        f(2, 4, 2, 3),
        f(4),
        f(4),
    ),
    "instance": (
        lambda *xs: F.instance_norm(xs[0], weight=xs[1], bias=xs[2]),
        f(2, 3, 4, 4),
        f(3),
        f(3),
    ),
    "instance-1d": (lambda x: F.instance_norm(x), f(2, 3, 7)),
    "batch": (
        lambda *xs: F.batch_norm(*xs),
        f(2, 3, 4, 4),
        f(3),
        positive(3),
        f(3),
        f(3),
    ),
    "batch-no-weight": (lambda *xs: F.batch_norm(*xs), f(2, 3, 4), f(3), positive(3)),
    "batch-2d": (lambda *xs: F.batch_norm(*xs, eps=0.1), f(4, 3), f(3), positive(3), f(3), f(3)),
    "batch-5d": (lambda *xs: F.batch_norm(*xs), f(2, 3, 2, 2, 2), f(3), positive(3)),
    "batch-6d": (lambda *xs: F.batch_norm(*xs), f(2, 3, 2, 1, 2, 2), f(3), positive(3)),
    "batch-training": (
        lambda *xs: F.batch_norm(xs[0], None, None, *xs[1:], training=True),
        f(4, 3, 5),
        f(3),
        f(3),
    ),
    "native-batch": (
        lambda *xs: torch.native_batch_norm(*xs, False, 0.1, 1e-5),
        f(2, 3, 4),
        f(3),
        f(3),
        f(3),
        positive(3),
    ),
    "native-batch-no-stats": (
        lambda *xs: aten._native_batch_norm_legit.no_stats(*xs, True, 0.1, 1e-5),
        f(2, 3, 4),
        f(3),
        f(3),
    ),
    "native-batch-no-training": (
        lambda *xs: aten._native_batch_norm_legit_no_training(*xs, 0.1, 1e-5),
        f(2, 3, 4),
        f(3),
        f(3),
        f(3),
        positive(3),
    ),
    "native-batch-functional": (
        lambda *xs: aten._native_batch_norm_legit_functional(*xs, True, 0.3, 1e-5),
        f(2, 3, 4),
        f(3),
        f(3),
        f(3),
        positive(3),
    ),
    "local-response": (lambda x: F.local_response_norm(x, 3), f(2, 5, 4)),
    "normalize": (lambda x: F.normalize(x, dim=-1), f(2, 5)),
    "cosine_similarity": (lambda x, y: F.cosine_similarity(x, y, dim=1), f(2, 5, 3), f(5, 1)),
    "_weight_norm": (lambda v, g: torch._weight_norm(v, g, 0), f(3, 4, 2), f(3, 1, 1)),
}

# The default epsilon of float64 is another than that of the narrow types, which is tested below;
# PyTorch's cosine_similarity is itself a composition that rounds after each op.
OTHERWISE = ("rms-tiny", "cosine_similarity")
NARROW = {name: case for name, case in WHOLE.items() if name not in OTHERWISE}


@pytest.mark.parametrize("case", [*SOFTMAX.values(), *WHOLE.values()], ids=[*SOFTMAX, *WHOLE])
def test_matches_eager(case: Case) -> None:
    expect_close(*case)


@pytest.mark.parametrize("case", WHOLE.values(), ids=WHOLE.keys())
def test_epsilon_is_exact_in_f64(case: Case) -> None:
    function, *inputs = case
    expect_close(function, *(x.double() for x in inputs))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("case", NARROW.values(), ids=NARROW.keys())
def test_narrow_floats_round_once(case: Case, dtype: torch.dtype) -> None:
    """As much as eager does, or less: what is compared with is computed in float64."""
    function, *inputs = case
    given = [x.to(dtype) for x in inputs]
    wanted = leaves(function(*(x.double() for x in given)))
    found = leaves(run_through_ttir(function, *given))
    for got, expected in zip(found, wanted, strict=True):
        torch.testing.assert_close(got, expected.to(got.dtype))


@pytest.mark.parametrize("dtype", ALL_FLOATS, ids=str)
def test_default_epsilon_of_rms_norm(dtype: torch.dtype) -> None:
    """It is that of the type PyTorch computes in, which is float32 for narrow floats."""
    expect_close(lambda x: F.rms_norm(x, (2,)), torch.tensor([1e-4, 2e-4], dtype=dtype))


@pytest.mark.parametrize("dtype", ALL_FLOATS, ids=str)
def test_softmax_of_each_type(dtype: torch.dtype) -> None:
    expect_close(lambda x: (x.softmax(1), F.softmin(x, 0)), f(3, 4).to(dtype))


def test_given_types_are_taken_before() -> None:
    x = torch.tensor([[1.0, 2.0, 2.01]], dtype=torch.bfloat16)

    def function(x: torch.Tensor, i: torch.Tensor) -> Any:
        wide = x.softmax(-1, dtype=torch.float32), x.log_softmax(-1, dtype=torch.float64)
        return *wide, i.softmax(0, dtype=torch.float32)

    expect_close(function, x, torch.arange(4))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_log_softmax_is_as_exact_as_its_type(dtype: torch.dtype) -> None:
    """Eager PyTorch rounds the logarithm of the sum to the narrow type, and so is off near zero."""
    x = f(4, 6).to(dtype) * 4
    wanted = x.double().log_softmax(-1).to(dtype)
    torch.testing.assert_close(run_through_ttir(lambda x: x.log_softmax(-1), x), wanted)


def test_weights_of_a_wider_type() -> None:
    x, w, b = f(2, 4, 3).bfloat16(), f(4), f(4)

    def function(x: Any, w: Any, b: Any, m: Any, v: Any) -> Any:
        grouped = F.group_norm(x, 2, w, b), F.batch_norm(x, m, v, w, b)
        return *grouped, F.layer_norm(x.mT, (4,), w, b)

    expect_close(function, x, w, b, f(4), positive(4))


@pytest.mark.parametrize(
    "module",
    [torch.nn.BatchNorm1d(3, momentum=0.3), torch.nn.InstanceNorm1d(3, track_running_stats=True)],
    ids=["batch", "instance"],
)
def test_running_statistics(module: torch.nn.Module) -> None:
    """The running variance takes the unbiased one."""
    x = f(4, 3, 5) * 3 + 1

    def function(x: Any, mean: Any, var: Any) -> Any:
        norm = F.batch_norm if isinstance(module, torch.nn.BatchNorm1d) else F.instance_norm
        y = norm(x, mean, var, None, None, True, 0.3)
        return y, mean * 1, var * 1

    given = (x, torch.zeros(3), torch.ones(3))
    wanted = function(*copy.deepcopy(given))
    torch.testing.assert_close(run_through_ttir(function, *given), wanted)


@pytest.mark.parametrize(
    ("case", "ops"),
    [
        (SOFTMAX["last"], ["softmax"]),
        (WHOLE["layer"], ["layer_norm"]),
        (WHOLE["layer-only-bias"], ["layer_norm"]),
        (WHOLE["rms"], ["rms_norm"]),
        (WHOLE["group"], ["group_norm"]),
        (WHOLE["group-3d"], ["reshape", "group_norm", "reshape"]),
        (WHOLE["batch"], ["batch_norm_inference"]),
    ],
    ids=["softmax", "layer", "only-bias", "rms", "group", "group-3d", "batch"],
)
def test_stays_whole(case: Case, ops: list[str]) -> None:
    assert ttir_ops(*case) == ops


def leaves(value: Any) -> list[torch.Tensor]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


def expect_close(function: Callable[..., Any], *inputs: Any) -> None:
    found, wanted = run_through_ttir(function, *inputs), function(*inputs)
    torch.testing.assert_close(leaves(found), leaves(wanted), equal_nan=True)
