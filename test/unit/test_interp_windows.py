"""Convolutions, poolings and resizing of the TTIR interpreter, against explicit windows."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_op

RNG = np.random.default_rng(0)


def values(*shape: int) -> Any:
    return RNG.normal(size=shape)


def convolve(
    x: Any,
    w: Any,
    stride: Sequence[int],
    pads: Sequence[tuple[int, int]],
    dilation: Any,
    groups: int,
) -> Any:
    """Correlate x [N, C, ...] with w [O, C / groups, ...] by the definition."""
    x = np.pad(x, ((0, 0), (0, 0), *pads))
    spatial = [
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(x.shape[2:], w.shape[2:], stride, dilation, strict=True)
    ]
    out = np.zeros((x.shape[0], w.shape[0], *spatial))
    per_out, per_in = w.shape[0] // groups, w.shape[1]
    for o, place in itertools.product(range(w.shape[0]), itertools.product(*map(range, spatial))):
        window = tuple(
            slice(p * s, p * s + d * (k - 1) + 1, d)
            for p, s, d, k in zip(place, stride, dilation, w.shape[2:], strict=True)
        )
        first = o // per_out * per_in
        part = x[(slice(None), slice(first, first + per_in), *window)]
        out[(slice(None), o, *place)] = (part * w[o]).sum(axis=tuple(range(1, w.ndim)))
    return out


LAYOUTS = {"nhwc": (0, 3, 1, 2), "nchw": (0, 1, 2, 3)}
CONV2D = [
    # stride, padding, dilation, groups
    (1, 0, 1, 1),
    ([2, 1], [1, 2], [1, 2], 2),
    (1, [1, 0, 2, 3], 1, 4),
    ([1, 2], [2, 2, 2, 2], 2, 1),
]


def pads(padding: Any) -> list[tuple[int, int]]:
    if isinstance(padding, int):
        return [(padding, padding)] * 2
    if len(padding) == 2:
        return [(padding[0],) * 2, (padding[1],) * 2]
    return [(padding[0], padding[2]), (padding[1], padding[3])]


def both(value: Any) -> Any:
    return (value, value) if isinstance(value, int) else value


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize(("stride", "padding", "dilation", "groups"), CONV2D)
def test_conv2d(
    stride: Any, padding: Any, dilation: Any, groups: int, with_bias: bool, layout: str
) -> None:
    x, w, b = values(2, 4, 6, 7), values(8, 4 // groups, 2, 3), values(8) * with_bias
    expected = convolve(x, w, both(stride), pads(padding), both(dilation), groups)
    expected = expected + b.reshape(1, 8, 1, 1)
    dims = LAYOUTS[layout]
    where = [dims.index(d) for d in range(4)]
    bias = torch.from_numpy(b.reshape(1, 8, 1, 1).transpose(where).copy()) if with_bias else None
    batch, channel, height, width = dims
    got = run_op(
        "conv2d",
        [torch.from_numpy(x.transpose(where).copy()), torch.from_numpy(w), bias],
        (expected.transpose(where).shape, "f64"),
        stride=stride,
        padding=padding,
        dilation=dilation,
        groups=groups,
        batch_dim=batch,
        channel_dim=channel,
        height_dim=height,
        width_dim=width,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected.transpose(where).copy()))


@pytest.mark.parametrize(("padding", "pair"), [(1, (1, 1)), ([2], (2, 2)), ([1, 3], (1, 3))])
def test_conv1d(padding: Any, pair: tuple[int, int]) -> None:
    x, w, b = values(2, 4, 9), values(6, 2, 3), values(6)
    expected = convolve(x, w, [2], [pair], [2], 2) + b.reshape(1, 6, 1)
    got = run_op(
        "conv1d",
        [
            torch.from_numpy(x.transpose(0, 2, 1).copy()),
            torch.from_numpy(w),
            torch.from_numpy(b.reshape(1, 1, 6)),
        ],
        (expected.transpose(0, 2, 1).shape, "f64"),
        stride=2,
        padding=padding,
        dilation=2,
        groups=2,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected.transpose(0, 2, 1).copy()))


@pytest.mark.parametrize("mode", ["zeros", "replicate"])
def test_conv3d(mode: str) -> None:
    x, w = values(1, 2, 4, 5, 6), values(3, 2, 2, 3, 1)
    padded = np.pad(
        x,
        ((0, 0), (0, 0), (1, 1), (0, 0), (2, 2)),
        mode="constant" if mode == "zeros" else "edge",
    )
    expected = convolve(padded, w, [1, 2, 1], [(0, 0)] * 3, [1, 1, 1], 1)
    got = run_op(
        "conv3d",
        [torch.from_numpy(x.transpose(0, 2, 3, 4, 1).copy()), torch.from_numpy(w), None],
        (expected.transpose(0, 2, 3, 4, 1).shape, "f64"),
        stride=[1, 2, 1],
        padding=[1, 0, 2],
        groups=1,
        padding_mode=mode,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected.transpose(0, 2, 3, 4, 1).copy()))


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("padding", [0, [1, 0], [1, 0, 2, 1]])
def test_conv_transpose2d_spreads_each_input(groups: int, padding: Any) -> None:
    x, w = values(1, 4, 3, 4), values(4, 6 // groups, 3, 2)
    (top, bottom), (left, right) = pads(padding)
    stride, dilation, extra = (2, 3), (1, 2), (1, 0)
    size = [
        (n - 1) * s + d * (k - 1) + 1 + e
        for n, s, d, k, e in zip((3, 4), stride, dilation, (3, 2), extra, strict=True)
    ]
    full = np.zeros((1, 6, *size))
    for c, o in itertools.product(range(4), range(6 // groups)):
        out = c // (4 // groups) * (6 // groups) + o
        for i, j, k, m in itertools.product(range(3), range(4), range(3), range(2)):
            at = (i * stride[0] + k * dilation[0], j * stride[1] + m * dilation[1])
            full[(0, out, *at)] += x[0, c, i, j] * w[c, o, k, m]
    expected = full[:, :, top : size[0] - bottom, left : size[1] - right].transpose(0, 2, 3, 1)
    got = run_op(
        "conv_transpose2d",
        [torch.from_numpy(x.transpose(0, 2, 3, 1).copy()), torch.from_numpy(w), None],
        (expected.shape, "f64"),
        stride=list(stride),
        padding=padding,
        output_padding=list(extra),
        dilation=list(dilation),
        groups=groups,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected.copy()))


POOLS = [
    # kernel, stride, padding, dilation, ceil_mode
    (2, 2, 0, 1, False),
    ([3, 2], [2, 1], [1, 1], [1, 2], False),
    (3, 2, 1, 1, True),
    ([2, 3], 2, [0, 1, 1, 0], 1, False),
    (2, 3, [1, 1, 2, 0], 1, True),
    (3, [3, 2], 2, 1, True),
]


def _outputs(n: int, k: int, s: int, d: int, low: int, high: int, ceil_mode: bool) -> int:
    span = n + low + high - d * (k - 1) - 1
    count = (math.ceil(span / s) if ceil_mode else span // s) + 1
    return count - (ceil_mode and (count - 1) * s >= n + low)


def pool(
    x: Any, kernel: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool, include: Any
) -> Any:
    """Pool x [N, H, W, C] by the definition: the mean, or with `include` None the maximum."""
    sides = list(zip(both(kernel), both(stride), both(dilation), pads(padding), strict=True))
    sizes = [
        _outputs(n, k, s, d, low, high, ceil_mode)
        for n, (k, s, d, (low, high)) in zip(x.shape[1:3], sides, strict=True)
    ]
    out = np.zeros((x.shape[0], *sizes, x.shape[3]))
    for place in itertools.product(*map(range, sizes)):
        inside, counted = [], 1
        for n, p, (k, s, d, (low, high)) in zip(x.shape[1:3], place, sides, strict=True):
            taken = [p * s - low + d * i for i in range(k)]
            inside.append([i for i in taken if 0 <= i < n])
            counted *= len([i for i in taken if i < n + high] if include else inside[-1])
        window = x[:, inside[0]][:, :, inside[1]]
        whole = window.sum((1, 2)) / counted if include is not None else window.max((1, 2))
        out[(slice(None), *place)] = whole
    return out


@pytest.mark.parametrize(("kernel", "stride", "padding", "dilation", "ceil_mode"), POOLS)
def test_max_pool2d(kernel: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool) -> None:
    x = values(2, 6, 7, 3) - 5
    expected = pool(x, kernel, stride, padding, dilation, ceil_mode, None)
    attrs = {
        "kernel": kernel,
        "stride": stride,
        "padding": padding,
        "dilation": dilation,
        "ceil_mode": ceil_mode,
    }
    got = run_op("max_pool2d", [torch.from_numpy(x)], (expected.shape, "f64"), **attrs)
    torch.testing.assert_close(got, torch.from_numpy(expected))


@pytest.mark.parametrize("include", [False, True])
@pytest.mark.parametrize(
    ("kernel", "stride", "padding", "ceil_mode"),
    [(k, s, p, c) for k, s, p, d, c in POOLS if d == 1],
)
def test_avg_pool2d(kernel: Any, stride: Any, padding: Any, ceil_mode: bool, include: bool) -> None:
    x = values(2, 6, 7, 3)
    expected = pool(x, kernel, stride, padding, 1, ceil_mode, include)
    got = run_op(
        "avg_pool2d",
        [torch.from_numpy(x)],
        (expected.shape, "f64"),
        kernel=kernel,
        stride=stride,
        padding=padding,
        dilation=1,
        ceil_mode=ceil_mode,
        count_include_pad=include,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected))


def test_max_pool2d_with_indices_counts_in_the_unpadded_plane() -> None:
    x = values(2, 5, 4, 3)
    attrs = {"kernel": 3, "stride": 2, "padding": 1, "dilation": 1, "ceil_mode": False}
    shape = (2, 3, 2, 3)
    got, indices = run_op(
        "max_pool2d_with_indices",
        [torch.from_numpy(x), []],
        (shape, "f64"),
        (shape, "i32"),
        **attrs,
    )
    assert indices.dtype is torch.int32
    planes = x.transpose(0, 3, 1, 2).reshape(2, 3, 20)
    flat = indices.numpy().transpose(0, 3, 1, 2).reshape(2, 3, 6)
    found = np.take_along_axis(planes, flat, 2).reshape(2, 3, 3, 2).transpose(0, 2, 3, 1)
    assert np.array_equal(found, got.numpy())
    assert np.array_equal(got.numpy(), pool(x, 3, 2, 1, 1, False, None))


def test_max_pool_of_nan_infinity_and_integers() -> None:
    x = torch.tensor([[math.nan, 1.0], [-math.inf, -math.inf]]).reshape(1, 2, 2, 1)
    attrs = {"kernel": [1, 2], "stride": 1, "padding": 0, "dilation": 1, "ceil_mode": False}
    got = run_op("max_pool2d", [x], ((1, 2, 1, 1), "f32"), **attrs).flatten()
    torch.testing.assert_close(got, torch.tensor([math.nan, -math.inf]), equal_nan=True)
    whole = torch.tensor([-3, -5], dtype=torch.int32).reshape(1, 1, 2, 1)
    attrs |= {"padding": [0, 0, 0, 1]}
    assert run_op("max_pool2d", [whole], ((1, 1, 2, 1), "i32"), **attrs).flatten().tolist() == [
        -3,
        -5,
    ]


def test_dilated_average_and_padded_indices_are_rejected() -> None:
    x = torch.zeros(1, 5, 5, 1)
    attrs = {"kernel": 2, "stride": 1, "padding": 0, "dilation": 2, "ceil_mode": False}
    with pytest.raises(CompileError, match="does not model `dilation` = 2"):
        run_op("avg_pool2d", [x], ((1, 3, 3, 1), "f32"), **attrs)
    attrs |= {"dilation": 1, "padding": [0, 1, 0, 0]}
    result = (1, 4, 5, 1)
    with pytest.raises(CompileError, match=r"does not model `padding` = \(0, 1, 0, 0\)"):
        run_op("max_pool2d_with_indices", [x, []], (result, "f32"), (result, "i32"), **attrs)


def test_global_avg_pool2d() -> None:
    x = values(2, 3, 4, 5)
    got = run_op("global_avg_pool2d", [torch.from_numpy(x)], ((2, 1, 1, 5), "f64"))
    torch.testing.assert_close(got, torch.from_numpy(x.mean((1, 2), keepdims=True)))


def test_upsample_nearest() -> None:
    x = torch.arange(12, dtype=torch.int32).reshape(1, 2, 3, 2)
    got = run_op("upsample2d", [x], ((1, 4, 9, 2), "i32"), scale_factor=[2, 3])
    assert np.array_equal(got.numpy(), x.numpy().repeat(2, 1).repeat(3, 2))


@pytest.mark.parametrize("dtype", ["f64", "bf16"])
def test_upsample_bilinear_takes_half_pixel_centers(dtype: str) -> None:
    x = torch.from_numpy(values(1, 3, 2, 2)).to(
        torch.bfloat16 if dtype == "bf16" else torch.float64
    )

    def weights(size: int, scale: int) -> Any:
        matrix = np.zeros((size * scale, size))
        for row in range(size * scale):
            at = max((row + 0.5) / scale - 0.5, 0)
            low = int(at)
            matrix[row, low] += 1 - (at - low)
            matrix[row, min(low + 1, size - 1)] += at - low
        return matrix

    expected = np.einsum("ph,qw,nhwc->npqc", weights(3, 2), weights(2, 3), x.double().numpy())
    got = run_op("upsample2d", [x], ((1, 6, 6, 2), dtype), scale_factor=[2, 3], mode="bilinear")
    torch.testing.assert_close(got, torch.from_numpy(expected).to(x.dtype))
