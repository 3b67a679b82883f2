"""Rules for attention against eager PyTorch."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir, ttir_ops

aten = torch.ops.aten
Case = tuple[Any, ...]
INF = float("inf")
sdpa = F.scaled_dot_product_attention


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


def heads(
    length: int = 3, keys: int = 3, size: int = 4, width: int = 4
) -> tuple[torch.Tensor, ...]:
    return f(2, 3, length, size), f(2, 3, keys, size) * 2, f(2, 3, keys, width) + 1


def bools(*shape: int) -> torch.Tensor:
    return f(*shape) > 0.3


def causal(**options: Any) -> Any:
    return lambda q, k, v: sdpa(q, k, v, is_causal=True, **options)


CASES: dict[str, Case] = {
    "plain": (sdpa, *heads()),
    "longer-keys": (sdpa, *heads(2, 5)),
    "scale": (lambda q, k, v: sdpa(q, k, v, scale=0.3), *heads()),
    "scale-1": (
        lambda q, k, v: sdpa(q, k, v, scale=1.0),
        torch.ones(1, 1, 1, 4),
        torch.tensor([[[[1.0, 1, 1, 1], [0, 0, 0, 0]]]]),
        torch.tensor([[[[1.0, 0, 0, 0], [0, 1.0, 0, 0]]]]),
    ),
    "scale-negative": (lambda q, k, v: sdpa(q, k, v, scale=-0.5), *heads()),
    "causal": (causal(), *heads()),
    "causal-longer-keys": (causal(), *heads(2, 5)),
    "causal-longer-queries": (causal(scale=0.7), *heads(5, 2)),
    "narrow-values": (sdpa, *heads(width=2)),
    "wide-values": (sdpa, *heads(width=7)),
    "wide-values-causal": (causal(), *heads(2, 3, width=7)),
    "no-keys": (sdpa, *heads(2, 0)),
    "no-queries": (sdpa, *heads(0, 2)),
    "no-size": (sdpa, *heads(size=0)),
    "one-query": (sdpa, *heads(1, 4)),
    "rank-2": (sdpa, f(3, 4), f(5, 4), f(5, 4)),
    "rank-3": (sdpa, f(2, 3, 4), f(2, 5, 4), f(2, 5, 6)),
    "rank-5": (sdpa, f(2, 3, 2, 3, 4), f(2, 3, 2, 5, 4), f(2, 3, 2, 5, 4)),
    "broadcast-batches": (sdpa, f(2, 3, 2, 5, 4), f(3, 2, 6, 4), f(1, 1, 2, 6, 7)),
    "one-key-head": (sdpa, f(2, 3, 3, 4), f(2, 1, 3, 4), f(2, 1, 3, 4)),
    "grouped": (
        lambda q, k, v: sdpa(q, k, v, enable_gqa=True),
        f(2, 6, 3, 4),
        f(2, 2, 5, 4),
        f(2, 2, 5, 4),
    ),
    "grouped-rank-3": (
        lambda q, k, v: sdpa(q, k, v, enable_gqa=True),
        f(6, 3, 4),
        f(2, 5, 4),
        f(2, 5, 4),
    ),
    "grouped-causal": (causal(enable_gqa=True), f(1, 4, 3, 4), f(1, 2, 3, 4), f(1, 2, 3, 4)),
}

MASKS: dict[str, Case] = {
    "float": (sdpa, *heads(), f(3, 3)),
    "float-of-batch": (sdpa, *heads(2, 5), f(2, 1, 2, 5)),
    "float-of-heads": (sdpa, *heads(2, 5), f(3, 2, 5)),
    "float-full": (sdpa, *heads(2, 5), f(2, 3, 2, 5)),
    "float-for-all-queries": (sdpa, *heads(2, 5), f(2, 1, 1, 5)),
    "float-for-all-keys": (sdpa, *heads(2, 5), f(2, 1, 2, 1)),
    "float-lowest": (sdpa, *heads(), torch.triu(torch.full((3, 3), torch.finfo().min), 1)),
    "bool": (sdpa, *heads(2, 5), bools(2, 1, 2, 5)),
    "bool-for-all-queries": (sdpa, *heads(2, 5), bools(2, 1, 1, 5)),
    "bool-rank-3": (sdpa, f(2, 3, 4), f(2, 5, 4), f(2, 5, 4), bools(2, 3, 5)),
    "bool-rank-5": (sdpa, f(2, 3, 2, 3, 4), f(2, 3, 2, 5, 4), f(2, 3, 2, 5, 4), bools(3, 1, 3, 5)),
    "bool-grouped": (
        lambda q, k, v, m: sdpa(q, k, v, m, enable_gqa=True),
        f(2, 6, 3, 4),
        f(2, 2, 5, 4),
        f(2, 2, 5, 4),
        bools(2, 6, 3, 5),
    ),
    "bool-hides-a-row": (
        sdpa,
        *heads(),
        torch.tensor([[True] * 3, [False] * 3, [False, True, True]]),
    ),
    "float-hides-a-row": (sdpa, *heads(), torch.tensor([[0.0] * 3, [-INF] * 3, [-INF, 0.5, 0.0]])),
    "bool-hides-all": (sdpa, *heads(), torch.zeros(3, 3, dtype=torch.bool)),
}


@pytest.mark.parametrize("case", [*CASES.values(), *MASKS.values()], ids=[*CASES, *MASKS])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_matches_eager(case: Case, dtype: torch.dtype) -> None:
    function, *inputs = case
    given = [x.to(dtype) if x.is_floating_point() else x for x in inputs]
    torch.testing.assert_close(run_through_ttir(function, *given), function(*given))


@pytest.mark.parametrize("case", [*CASES.values(), *MASKS.values()], ids=[*CASES, *MASKS])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_narrow_floats_round_once(case: Case, dtype: torch.dtype) -> None:
    """As much as eager does, or less: what is compared with is computed in float64."""
    function, *inputs = case
    given = [x.to(dtype) if x.is_floating_point() else x for x in inputs]
    wanted = function(*(x.double() if x.is_floating_point() else x for x in given))
    found = run_through_ttir(function, *given)
    torch.testing.assert_close(
        found, wanted.to(dtype), rtol=2e-3 if dtype == torch.float16 else 0.016, atol=1e-3
    )


def test_wide_mask_of_narrow_values() -> None:
    q, k, v = (x.bfloat16() for x in heads())
    mask = f(3, 3) * 1e-3
    torch.testing.assert_close(run_through_ttir(sdpa, q, k, v, mask), sdpa(q, k, v, mask))


@pytest.mark.parametrize("masked", [False, True], ids=["causal", "masked"])
def test_forms_with_further_results(masked: bool) -> None:
    mask = f(1, 1, 3, 3) if masked else None

    def function(q: Any, k: Any, v: Any) -> Any:
        flash = aten._scaled_dot_product_flash_attention_for_cpu(
            q, k, v, 0.0, not masked, attn_mask=mask, scale=0.4
        )
        math = aten._scaled_dot_product_attention_math(q, k, v, mask, 0.0, not masked)
        return *flash, *math

    given = f(2, 3, 3, 4), f(2, 3, 3, 4), f(2, 3, 3, 4)
    torch.testing.assert_close(run_through_ttir(function, *given), function(*given))


def test_module_with_heads() -> None:
    torch.manual_seed(0)
    module = torch.nn.MultiheadAttention(8, 2, batch_first=True).eval()
    x = f(2, 5, 8)

    def function(x: Any) -> Any:
        return module(x, x, x)

    torch.testing.assert_close(run_through_ttir(function, x), function(x))


@pytest.mark.parametrize(
    ("case", "further"),
    [
        (CASES["plain"], set()),
        (CASES["causal"], set()),
        (CASES["causal-longer-keys"], set()),
        (CASES["grouped"], set()),
        (CASES["rank-3"], {"reshape", "pad"}),
        (CASES["narrow-values"], {"pad", "slice_static"}),
        (MASKS["float-full"], {"max", "eq", "where"}),
        (MASKS["bool"], {"max", "eq", "where", "reshape"}),
    ],
    ids=["plain", "causal", "longer", "grouped", "rank-3", "narrow", "float", "bool"],
)
def test_stays_whole(case: Case, further: set[str]) -> None:
    names = ttir_ops(*case)
    assert names.count("scaled_dot_product_attention") == 1
    assert set(names) - {"scaled_dot_product_attention"} <= further


def test_dropout() -> None:
    """Half of the weights are dropped and the others doubled, at random; on average, none is."""
    q, k, v = f(1, 4, 40, 8), f(1, 2, 60, 8), torch.ones(1, 2, 60, 3)

    def function(q: Any, k: Any, v: Any) -> Any:
        return sdpa(q, k, v, dropout_p=0.5, enable_gqa=True)

    found = run_through_ttir(function, q, k, v)
    assert found.shape == (1, 4, 40, 3)
    assert found.std() > 0.05
    torch.testing.assert_close(found.mean(), torch.tensor(1.0), rtol=0, atol=0.1)


def test_dropout_of_all() -> None:
    found = run_through_ttir(lambda q, k, v: sdpa(q, k, v, dropout_p=1.0), *heads())
    torch.testing.assert_close(found, torch.zeros(2, 3, 3, 4))
