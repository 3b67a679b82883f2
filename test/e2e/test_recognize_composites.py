"""Composites that a program spells out: that they become one op, and the numbers stay."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import recognized

Case = tuple[Any, ...]
BF16 = torch.bfloat16


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


def rms(x: torch.Tensor, epsilon: float = 1e-6) -> torch.Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon)


def llama(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return weight * rms(x.to(torch.float32)).to(x.dtype)


def gemma(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return (rms(x.float()) * (1.0 + weight.float())).type_as(x)


def layer_norm(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
    return (x - mean) / torch.sqrt(variance + 1e-5) * w + b


def softmax(x: torch.Tensor) -> torch.Tensor:
    e = torch.exp(x - x.amax(1, keepdim=True))
    return e / e.sum(1, keepdim=True)


def gelu(x: torch.Tensor) -> torch.Tensor:
    return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))


def attention(scale: float = 1.0, float32: bool = False) -> Callable[..., Any]:
    def function(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
        scores = q @ k.transpose(-1, -2) * scale
        scores = scores if mask is None else scores + mask
        wide = scores.float() if float32 else scores
        return torch.softmax(wide, -1).to(q.dtype) @ v

    return function


def grouped(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    k, v = (part[:, :, None].expand(2, 2, 3, 5, 8).reshape(2, 6, 5, 8) for part in (k, v))
    return F.scaled_dot_product_attention(q, k, v)


def swin(q: Any, k: Any, v: Any, scale: Any, bias: Any, mask: Any) -> torch.Tensor:
    """As Swin Transformer v2: a scale for each head, and a mask for each of two windows."""
    scores = q @ k.mT * scale + bias
    scores = scores.view(2, 2, 3, 4, 5) + mask[:, None]
    return torch.softmax(scores.view(4, 3, 4, 5), -1) @ v


def bloom(q: Any, k: Any, v: Any, alibi: Any, mask: Any) -> torch.Tensor:
    """As Bloom: heads are part of the batch for the products, and not for the mask."""
    scores = torch.baddbmm(alibi, q, k.mT, beta=1.0, alpha=0.3).view(2, 3, 4, 5)
    weights = torch.softmax(scores + mask, -1).view(6, 4, 5)
    return torch.bmm(weights, v)


Q, K, V = f(2, 3, 4, 8), f(2, 3, 5, 8) * 2, f(2, 3, 5, 8) + 1
HIDDEN = torch.full((4, 5), -math.inf).triu(1)
SPELLED: dict[str, Case] = {
    "rms": ("rms_norm", rms, f(2, 4, 8)),
    "rms-two-dims": (
        "rms_norm",
        lambda x: x / torch.sqrt((x * x).mean((-2, -1), keepdim=True) + 0.1),
        f(2, 4, 8),
    ),
    "rms-tiny": ("rms_norm", rms, f(2, 8) * 1e-4),
    "rms-f64": ("rms_norm", lambda x: rms(x, 2.0**-20), f(2, 8).double()),
    "llama": ("rms_norm", llama, f(2, 4, 8), f(8)),
    "gemma": ("rms_norm", gemma, f(2, 4, 8), f(8)),
    "layer_norm": ("layer_norm", layer_norm, f(2, 4, 8), f(8), f(8)),
    "softmax": ("softmax", softmax, f(2, 4, 8)),
    "gelu": ("gelu", gelu, f(3, 4) * 3),
    "gelu-special": ("gelu", gelu, torch.tensor([0.0, -0.0, math.inf, -math.inf, math.nan])),
    "gelu-f64": ("gelu", lambda x: x * (1 + torch.erf(x * math.sqrt(0.5))) / 2, f(3, 4).double()),
    "silu": ("silu", lambda x: x * torch.sigmoid(x), f(3, 4) * 5),
    "attention": ("scaled_dot_product_attention", attention(0.3), Q, K, V),
    "attention-mask": ("scaled_dot_product_attention", attention(0.3), Q, K, V, f(4, 5)),
    "attention-hidden": ("scaled_dot_product_attention", attention(0.3), Q, K, V, HIDDEN),
    "attention-mask-of-batch": (
        "scaled_dot_product_attention",
        attention(),
        Q,
        K,
        V,
        f(2, 1, 1, 5),
    ),
    "attention-3d": ("scaled_dot_product_attention", attention(0.5), Q[0], K[0], V[0], f(4, 5)),
    "attention-5d": (
        "scaled_dot_product_attention",
        attention(0.5),
        f(2, 2, 3, 4, 8),
        f(2, 2, 3, 5, 8),
        f(2, 2, 3, 5, 8),
        f(2, 1, 1, 4, 5),
    ),
    "attention-narrow-values": ("scaled_dot_product_attention", attention(), Q, K, V[..., :5]),
    "attention-f64": (
        "scaled_dot_product_attention",
        attention(0.3),
        Q.double(),
        K.double(),
        V.double(),
    ),
    "attention-swin": (
        "scaled_dot_product_attention",
        swin,
        f(4, 3, 4, 8),
        f(4, 3, 5, 8),
        f(4, 3, 5, 8),
        f(3, 1, 1).abs(),
        f(1, 3, 4, 5),
        f(2, 4, 5) * 3,
    ),
    "attention-bloom": (
        "scaled_dot_product_attention",
        bloom,
        f(6, 4, 8),
        f(6, 5, 8),
        f(6, 5, 8),
        f(6, 1, 5),
        f(2, 1, 4, 5),
    ),
    "grouped": (
        "scaled_dot_product_attention",
        grouped,
        f(2, 6, 4, 8),
        f(2, 2, 5, 8),
        f(2, 2, 5, 8),
    ),
}

OTHER: dict[str, Case] = {
    "rms-other-dim": (lambda x: x * torch.rsqrt(x.pow(2).mean(1, keepdim=True) + 1e-6), f(2, 4, 8)),
    "rms-f64-epsilon": (rms, f(2, 8).double()),
    "variance-with-correction": (
        lambda x: (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + 1e-5),
        f(2, 8),
    ),
    "gelu-tanh": (lambda x: F.gelu(x, approximate="tanh"), f(3, 4)),
    "gelu-rough": (lambda x: x * 0.5 * (1.0 + torch.erf(x * 0.7071)), f(3, 4)),
    "softmax-without-maximum": (
        lambda x: torch.exp(x) / torch.exp(x).sum(1, keepdim=True),
        f(3, 4),
    ),
    "softmax-other-dim": (lambda q, k, v: torch.softmax(q @ k.mT, -2) @ v, Q, K, V),
    "mask-scaled": (
        lambda q, k, v, m: torch.softmax((q @ k.mT + m) * 0.5, -1) @ v,
        Q,
        K,
        V,
        f(4, 5),
    ),
}
WHOLE = {"rms_norm", "layer_norm", "gelu", "silu", "scaled_dot_product_attention"}


@pytest.mark.parametrize("case", SPELLED.values(), ids=SPELLED.keys())
def test_is_one_op_and_gives_the_same(case: Case) -> None:
    name, function, *inputs = case
    found, names = recognized(function, *inputs)
    assert names.count(name) == 1
    assert not {"mean", "rsqrt", "sqrt", "erf", "sigmoid", "exp", "matmul"} & set(names)
    torch.testing.assert_close(found, function(*inputs), equal_nan=True)


@pytest.mark.parametrize("case", OTHER.values(), ids=OTHER.keys())
def test_another_function_stays(case: Case) -> None:
    function, *inputs = case
    found, names = recognized(function, *inputs)
    assert not WHOLE & set(names)
    torch.testing.assert_close(found, function(*inputs))


NARROW: dict[str, Case] = {
    "llama": (["rms_norm"], llama, f(2, 4, 8).to(BF16), f(8).to(BF16)),
    "silu": (["silu"], lambda x: x * torch.sigmoid(x), f(3, 4).to(BF16)),
    "attention": (
        ["scaled_dot_product_attention"],
        attention(0.3, float32=True),
        Q.to(BF16),
        K.to(BF16),
        V.to(BF16),
    ),
}


@pytest.mark.parametrize("case", NARROW.values(), ids=NARROW.keys())
def test_relaxed_gives_up_roundings_in_between(case: Case) -> None:
    """The result is nearer to that of float64, with which it is compared."""
    wanted_names, function, *inputs = case
    found, names = recognized(function, *inputs, relaxed=True)
    assert names == wanted_names
    torch.testing.assert_close(found, function(*(x.double() for x in inputs)).to(BF16))


@pytest.mark.parametrize("case", NARROW.values(), ids=NARROW.keys())
def test_strict_keeps_them(case: Case) -> None:
    _, function, *inputs = case
    found, names = recognized(function, *inputs)
    assert not {"gelu", "silu", "scaled_dot_product_attention"} & set(names)
    torch.testing.assert_close(found, function(*inputs))
