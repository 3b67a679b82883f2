"""Normalizations and attention of the TTIR interpreter, against formulas written with numpy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_op

RNG = np.random.default_rng(0)


def values(*shape: int) -> torch.Tensor:
    return torch.from_numpy(RNG.normal(size=shape))


def softmax(x: Any, axis: int = -1) -> Any:
    shifted = np.exp(x - x.max(axis, keepdims=True))
    return shifted / shifted.sum(axis, keepdims=True)


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("stable", [False, True])
def test_softmax(dim: int, stable: bool) -> None:
    x = values(2, 3, 4) * 100
    got = run_op("softmax", [x], (x.shape, "f64"), dimension=dim, numericStable=stable)
    torch.testing.assert_close(got, torch.from_numpy(softmax(x.numpy(), dim)))


def test_softmax_rounds_once_and_spreads_nan() -> None:
    x = values(64).bfloat16()
    got = run_op("softmax", [x], (x.shape, "bf16"), dimension=0)
    assert torch.equal(got, torch.from_numpy(softmax(x.double().numpy())).bfloat16())
    x = torch.tensor([[1.0, math.nan], [-math.inf, -math.inf], [-math.inf, 0.0]])
    got = run_op("softmax", [x], (x.shape, "f32"), dimension=1)
    nan = math.nan
    expected = torch.tensor([[nan, nan], [nan, nan], [0.0, 1.0]])
    torch.testing.assert_close(got, expected, equal_nan=True)


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("rank4", [False, True])
def test_batch_norm_inference(dim: int, rank4: bool) -> None:
    x = values(2, 3, 4)
    vectors = [values(x.shape[dim]), values(x.shape[dim]), values(x.shape[dim])]
    vectors.append(values(x.shape[dim]).abs())
    shape = [-1 if d == dim else 1 for d in range(3)]
    scale, offset, mean, variance = (v.numpy().reshape(shape) for v in vectors)
    expected = (x.numpy() - mean) / np.sqrt(variance + 0.5) * scale + offset
    if rank4:
        vectors = [v.reshape(1, -1, 1, 1) for v in vectors]
    got = run_op(
        "batch_norm_inference", [x, *vectors], (x.shape, "f64"), epsilon=0.5, dimension=dim
    )
    torch.testing.assert_close(got, torch.from_numpy(expected))


def test_batch_norm_training_returns_blended_biased_statistics() -> None:
    x, scale, offset, mean, variance = values(4, 3, 5), *(values(3) for _ in range(4))
    got = run_op(
        "batch_norm_training",
        [x, scale, offset, mean, variance],
        (x.shape, "f64"),
        ((3,), "f64"),
        ((3,), "f64"),
        epsilon=0.25,
        dimension=1,
        momentum=0.75,
    )
    flat = x.numpy()
    batch_mean, batch_var = flat.mean((0, 2)), flat.var((0, 2))
    y = (flat - batch_mean[None, :, None]) / np.sqrt(batch_var + 0.25)[None, :, None]
    y = y * scale.numpy()[None, :, None] + offset.numpy()[None, :, None]
    for found, expected in zip(
        got,
        (y, 0.75 * batch_mean + 0.25 * mean.numpy(), 0.75 * batch_var + 0.25 * variance.numpy()),
        strict=True,
    ):
        torch.testing.assert_close(found, torch.from_numpy(expected))


@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("with_weight", [False, True])
@pytest.mark.parametrize("dims", [1, 2])
@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
def test_norms_over_the_last_dims(name: str, dims: int, with_weight: bool, with_bias: bool) -> None:
    x = values(2, 3, 4)
    shape = x.shape[-dims:]
    weight, bias = values(*shape), values(*shape)
    axes = tuple(range(3 - dims, 3))
    centered = x.numpy() - (x.numpy().mean(axes, keepdims=True) if name == "layer_norm" else 0)
    expected = centered / np.sqrt((centered**2).mean(axes, keepdims=True) + 0.125)
    expected = expected * (weight.numpy() if with_weight else 1) + bias.numpy() * with_bias
    got = run_op(
        name,
        [x, weight if with_weight else None, bias if with_bias else None],
        (x.shape, "f64"),
        normalized_shape=list(shape),
        epsilon=0.125,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected))


def test_low_precision_norms_are_computed_in_f32() -> None:
    x, weight, bias = values(4, 256).bfloat16(), values(256).bfloat16(), values(256).bfloat16()
    for name in ("layer_norm", "rms_norm"):
        attrs = {"normalized_shape": [256], "epsilon": 1e-5}
        wide = run_op(name, [t.float() for t in (x, weight, bias)], (x.shape, "f32"), **attrs)
        got = run_op(name, [x, weight, bias], (x.shape, "bf16"), **attrs)
        assert torch.equal(got, wide.bfloat16())


@pytest.mark.parametrize("channel_dim", [1, 3])
def test_group_norm_takes_consecutive_channels(channel_dim: int) -> None:
    x, weight, bias = values(2, 6, 3, 4), values(6), values(6)
    grouped = x.numpy().reshape(2, 3, 2, 3, 4)
    mean, var = (f((2, 3, 4), keepdims=True) for f in (grouped.mean, grouped.var))
    y = ((grouped - mean) / np.sqrt(var + 0.5)).reshape(2, 6, 3, 4)
    y = y * weight.numpy().reshape(1, 6, 1, 1) + bias.numpy().reshape(1, 6, 1, 1)
    expected = torch.from_numpy(y).movedim(1, channel_dim)
    got = run_op(
        "group_norm",
        [x.movedim(1, channel_dim), None, weight, bias],
        (expected.shape, "f64"),
        num_groups=3,
        epsilon=0.5,
        channel_dim=channel_dim,
    )
    torch.testing.assert_close(got, expected)


def test_group_norm_with_a_mask_is_rejected() -> None:
    x = values(1, 2, 2, 2)
    with pytest.raises(CompileError, match="does not model `input_mask`"):
        run_op("group_norm", [x, x, None, None], (x.shape, "f64"), num_groups=1, channel_dim=1)


def attend(q: Any, k: Any, v: Any, bias: Any, scale: float, sink: Any = None) -> Any:
    """Attend by the formula, each query head to its key head, with a bias of full shape."""
    out = np.zeros((*q.shape[:3], v.shape[3]))
    group = q.shape[1] // k.shape[1]
    for b, h in np.ndindex(*q.shape[:2]):
        scores = q[b, h] @ k[b, h // group].T * scale + bias[b, h]
        if sink is not None:
            scores = np.concatenate([scores, np.full((q.shape[2], 1), sink[0, h, 0, 0])], 1)
        out[b, h] = softmax(scores)[:, : k.shape[2]] @ v[b, h // group]
    return out


def band(queries: int, keys: int, low: int, high: int) -> Any:
    bias = np.full((queries, keys), -math.inf)
    for i, j in np.ndindex(queries, keys):
        if low <= j - i <= high:
            bias[i, j] = 0
    return bias


ATTENTION: dict[str, tuple[dict[str, Any], Any]] = {
    "causal": ({}, band(6, 6, -6, 0)),
    "all": ({"is_causal": False}, np.zeros((6, 6))),
    "causal-window": ({"sliding_window_size": 3}, band(6, 6, -2, 0)),
    "window": ({"is_causal": False, "sliding_window_size": 3}, band(6, 6, -1, 1)),
    "scale": ({"is_causal": False, "scale": 0.25}, np.zeros((6, 6))),
}


@pytest.mark.parametrize("with_sink", [False, True])
@pytest.mark.parametrize("heads", [(4, 4), (4, 2), (4, 1)])
@pytest.mark.parametrize("kind", ATTENTION)
def test_attention(kind: str, heads: tuple[int, int], with_sink: bool) -> None:
    attrs, bias = ATTENTION[kind]
    q = values(2, heads[0], 6, 8).float()
    k, v = (values(2, heads[1], 6, 8).float() for _ in range(2))
    sink = values(1, 4, 1, 1).float() if with_sink else None
    expected = attend(
        *(x.double().numpy() for x in (q, k, v)),
        np.broadcast_to(bias, (2, 4, 6, 6)),
        attrs.get("scale", 8**-0.5),
        None if sink is None else sink.double().numpy(),
    )
    got = run_op("scaled_dot_product_attention", [q, k, v, None, sink], (q.shape, "f32"), **attrs)
    torch.testing.assert_close(got, torch.from_numpy(expected).float())


@pytest.mark.parametrize("shape", [(1, 1, 1, 5), (2, 1, 3, 5), (2, 4, 3, 5), (1, 4, 1, 5)])
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_attention_adds_its_mask(shape: tuple[int, ...], dtype: str) -> None:
    torch_dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[dtype]
    q = values(2, 4, 3, 8).to(torch_dtype)
    k, v = (values(2, 2, 5, 8).to(torch_dtype) for _ in range(2))
    mask = values(*shape).to(torch_dtype)
    mask[..., 2] = -math.inf
    bias = np.broadcast_to(mask.double().numpy(), (2, 4, 3, 5))
    expected = attend(*(x.double().numpy() for x in (q, k, v)), bias, 8**-0.5)
    got = run_op(
        "scaled_dot_product_attention",
        [q, k, v, mask, None],
        (q.shape, dtype),
        is_causal=False,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected).to(torch_dtype))


def test_a_hidden_row_is_undefined_as_in_the_formula() -> None:
    q = values(1, 1, 2, 4).float()
    mask = torch.tensor([[0.0, 0.0], [-math.inf, -math.inf]]).reshape(1, 1, 2, 2)
    got = run_op(
        "scaled_dot_product_attention", [q, q, q, mask, None], (q.shape, "f32"), is_causal=False
    )
    assert not got[0, 0, 0].isnan().any()
    assert got[0, 0, 1].isnan().all()


@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_one_step_sees_the_positions_so_far(causal: bool) -> None:
    q, k, v = values(1, 3, 4, 8), values(3, 2, 6, 8), values(3, 2, 6, 8)
    positions = torch.tensor([0, 5, 2], dtype=torch.int32)
    bias = np.zeros((3, 4, 1, 6))
    for user, position in enumerate(positions.tolist()):
        bias[user, :, :, position + 1 :] = -math.inf if causal else 0
    expected = attend(
        q.numpy().transpose(1, 2, 0, 3), k.numpy(), v.numpy(), bias, 8**-0.5
    ).transpose(2, 0, 1, 3)
    got = run_op(
        "scaled_dot_product_attention_decode",
        [q, k, v, None, positions, None],
        (q.shape, "f64"),
        is_causal=causal,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected))


@pytest.mark.parametrize("kind", ["none", "causal", "arbitrary"])
def test_training_attention_and_its_gradients(kind: str) -> None:
    q, k, v, grad = (values(1, 2, 3, 4).requires_grad_() for _ in range(4))
    mask = values(1, 1, 3, 3) if kind == "arbitrary" else None
    bias = {"none": torch.zeros(3, 3), "causal": torch.from_numpy(band(3, 3, -3, 0))}.get(
        kind, mask
    )
    out = torch.softmax(q @ k.mT / 2 + bias, -1) @ v
    inputs = [x.detach() for x in (q, k, v)]
    got = run_op("sdpa_fw", [*inputs, mask], (q.shape, "f64"), mask_type=kind)
    torch.testing.assert_close(got, out.detach())
    out.backward(grad)
    found = run_op(
        "sdpa_bw",
        [grad.detach(), got, *inputs, torch.zeros(1, 2, 3, 32, dtype=torch.float64), mask],
        *[(q.shape, "f64")] * 3,
        mask_type=kind,
    )
    for gradient, x in zip(found, (q, k, v), strict=True):
        torch.testing.assert_close(gradient, x.grad)


@pytest.mark.parametrize("transpose_key", [False, True])
@pytest.mark.parametrize("separate", [False, True])
def test_split_heads(separate: bool, transpose_key: bool) -> None:
    fused = values(2, 5, (4 + 2 + 2) * 3)
    operands = [fused[..., :12], fused[..., 12:]] if separate else [fused, None]
    key_shape = (2, 2, 3, 5) if transpose_key else (2, 2, 5, 3)
    q, k, v = run_op(
        "split_query_key_value_and_split_heads",
        operands,
        ((2, 4, 5, 3), "f64"),
        (key_shape, "f64"),
        ((2, 2, 5, 3), "f64"),
        num_heads=4,
        num_kv_heads=2,
        transpose_key=transpose_key,
    )
    x = fused.numpy()
    for head in range(4):
        assert np.array_equal(q[:, head], x[..., head * 3 : head * 3 + 3])
    for head in range(2):
        key = x[..., 12 + head * 3 : 15 + head * 3]
        assert np.array_equal(k[:, head], key.swapaxes(1, 2) if transpose_key else key)
        assert np.array_equal(v[:, head], x[..., 18 + head * 3 : 21 + head * 3])


def test_concatenate_heads() -> None:
    x = values(2, 3, 4, 5)
    got = run_op("concatenate_heads", [x], ((2, 4, 15), "f64"))
    assert np.array_equal(got.numpy(), np.concatenate([x.numpy()[:, h] for h in range(3)], -1))
