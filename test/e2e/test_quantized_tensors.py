"""Programs with PyTorch's quantized tensors and layers, which `torch.export` alone cannot trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.ao.nn import quantized
from torch.ao.nn.intrinsic import quantized as fused
from torch.nn import functional

from torch_ttir import CompileError, compile

X = torch.randn(4, 6, generator=torch.Generator().manual_seed(0)) * 3
BYTES = torch.arange(-12, 12, dtype=torch.int8).reshape(4, 6) * 10
SCALES, ZEROS = torch.rand(6) + 0.1, torch.arange(-3, 3)


def _quantized(x: torch.Tensor, dtype: torch.dtype = torch.quint8) -> torch.Tensor:
    return torch.quantize_per_tensor(x, 0.05, 100 if dtype is torch.quint8 else -3, dtype)


def _channels(x: torch.Tensor) -> torch.Tensor:
    return torch.quantize_per_channel(x, SCALES, ZEROS, 1, torch.qint8)


def _asked(x: torch.Tensor) -> torch.Tensor:
    q = _quantized(x)
    assert q.is_quantized
    assert (q.dtype, q.shape) == (torch.quint8, x.shape)
    return (q.int_repr() - q.q_zero_point()) * q.q_scale()


CASES: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...]]] = {
    "quantize": (lambda x: _quantized(x).int_repr(), (X,)),
    "quantize-signed": (lambda x: _quantized(x, torch.qint8).int_repr(), (X,)),
    "quantize-wide": (lambda x: _quantized(x, torch.qint32).int_repr(), (X,)),
    "quantize-operator": (
        lambda x: torch.ops.aten.quantize_per_tensor(x, 0.1, 3, torch.qint8).dequantize(),
        (X,),
    ),
    "quantize-channels": (lambda x: _channels(x).int_repr(), (X,)),
    "quantize-by-tensors": (
        lambda x, s, z: torch.quantize_per_tensor(x, s, z, torch.quint8).dequantize(),
        (X, torch.tensor(0.04), torch.tensor(90)),
    ),
    "dequantize": (lambda x: torch.dequantize(_quantized(x)), (X,)),
    "dequantize-channels": (lambda x: _channels(x).dequantize(), (X,)),
    "of-integers": (
        lambda x: torch._make_per_tensor_quantized_tensor(x, 0.03, 7).dequantize(),
        (BYTES,),
    ),
    "of-wide-integers": (
        lambda x: torch._make_per_tensor_quantized_tensor(x, 0.03, 190).dequantize(),
        (torch.tensor([-(2**31) + 200, -5, 0, 190, 2**31 - 1], dtype=torch.int32),),
    ),
    "of-integers-by-channel": (
        lambda x, s, z: torch._make_per_channel_quantized_tensor(x, s, z, 1).dequantize(),
        (BYTES, SCALES, ZEROS),
    ),
    "far-from-narrow-zero-points": (
        lambda x, s, z: torch._make_per_channel_quantized_tensor(x, s, z, 1).dequantize(),
        (BYTES, SCALES, torch.tensor([-120, 120, 5, 0, 100, -128], dtype=torch.int8)),
    ),
    "asked": (_asked, (X,)),
    "moved": (
        lambda x: _quantized(x).reshape(2, 2, 6).permute(2, 0, 1)[1:, 0].contiguous().dequantize(),
        (X,),
    ),
    "split": (lambda x: [q.dequantize() for q in _quantized(x).chunk(2, dim=1)], (X,)),
    "relu": (lambda x: functional.relu(_quantized(x)).dequantize(), (X,)),
    "relu-in-place": (lambda x: nn.ReLU(inplace=True)(_quantized(x)).dequantize(), (X,)),
    "sigmoid": (lambda x: torch.sigmoid(_quantized(x)).int_repr(), (X,)),
    "tanh": (lambda x: torch.tanh(_quantized(x)).int_repr(), (X,)),
    "tanh-signed": (lambda x: torch.tanh(_quantized(x, torch.qint8)).dequantize(), (X,)),
    "product": (lambda x: torch.mm(_quantized(x).dequantize(), _channels(x).dequantize().T), (X,)),
}


@pytest.mark.parametrize("name", CASES)
def test_equals_pytorch(name: str) -> None:
    function, inputs = CASES[name]
    torch.testing.assert_close(compile(function, inputs)(*inputs), function(*inputs))


def _weight(layer: nn.Module, shape: tuple[int, ...], by_channel: bool, zero: int) -> None:
    generator = torch.Generator().manual_seed(1)
    weight = torch.randn(shape, generator=generator)
    if by_channel:
        scales = torch.rand(shape[0], generator=generator) * 0.01 + 0.01
        zeros = torch.full(shape[:1], zero)
        packed = torch.quantize_per_channel(weight, scales, zeros, 0, torch.qint8)
    else:
        packed = torch.quantize_per_tensor(weight, 0.02, zero, torch.qint8)
    bias = torch.randn(shape[0], generator=generator)
    layer.set_weight_bias(packed, bias)
    layer.scale, layer.zero_point = 0.05, 60


LAYERS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...], tuple[int, ...]]] = {
    "linear": (lambda: quantized.Linear(6, 5), (5, 6), (2, 3, 6)),
    "linear-relu": (lambda: fused.LinearReLU(6, 5), (5, 6), (4, 6)),
    "conv1d": (lambda: quantized.Conv1d(4, 6, 3, padding=1), (6, 4, 3), (2, 4, 8)),
    "conv2d": (
        lambda: quantized.Conv2d(4, 6, 3, stride=2, groups=2, padding=1),
        (6, 2, 3, 3),
        (2, 4, 7, 6),
    ),
    "conv2d-relu": (lambda: fused.ConvReLU2d(3, 4, 2, dilation=2), (4, 3, 2, 2), (1, 3, 6, 6)),
    "conv3d": (lambda: quantized.Conv3d(2, 3, 2), (3, 2, 2, 2, 2), (1, 2, 4, 4, 4)),
}


@pytest.mark.parametrize("by_channel", [False, True])
@pytest.mark.parametrize("name", LAYERS)
def test_layers_equal_pytorchs(name: str, by_channel: bool) -> None:
    make, weight_shape, shape = LAYERS[name]
    layer = make()
    _weight(layer, weight_shape, by_channel, zero=0)
    # Inputs of 7 bits: where a processor has no instructions for it, sums of more overflow.
    model = nn.Sequential(quantized.Quantize(0.05, 60, torch.quint8), layer, quantized.DeQuantize())
    x = torch.rand(shape, generator=torch.Generator().manual_seed(2)) * 6 - 3
    torch.testing.assert_close(compile(model, (x,))(x), model(x), rtol=0, atol=1e-6)
    assert model[1] is layer


def test_weights_with_a_zero_point() -> None:
    layer = quantized.Linear(6, 5)
    _weight(layer, (5, 6), by_channel=False, zero=9)
    model = nn.Sequential(quantized.Quantize(0.05, 60, torch.quint8), layer, quantized.DeQuantize())
    torch.testing.assert_close(compile(model, (X,))(X), model(X))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda x: functional.relu6(_quantized(x)).dequantize(),
            "of quantized tensors is not supported",
        ),
        (lambda x: _channels(x)[:, 0].dequantize(), "`__getitem__` of quantized tensors"),
        (
            lambda x: torch.quantize_per_tensor(x, 0.1, 0, torch.quint4x2).int_repr(),
            "quantized tensors of torch.quint4x2 are not supported",
        ),
    ],
)
def test_the_rest_is_refused(function: Callable[..., Any], message: str) -> None:
    with pytest.raises(CompileError, match=message):
        compile(function, (X,))


def test_quantized_tensors_do_not_cross_the_border() -> None:
    given = torch.quantize_per_tensor(X, 0.05, 0, torch.qint8)
    with pytest.raises(CompileError, match="an input or a weight is a quantized tensor"):
        compile(lambda q: q.dequantize(), (given,))
    with pytest.raises(CompileError, match="and return that"):
        compile(_quantized, (X,))
    layer = quantized.Linear(6, 5)
    with pytest.raises(CompileError, match="takes quantized tensors: quantize its input"):
        compile(layer, (X,))


def test_layers_that_cannot_be_read_are_refused() -> None:
    model = nn.Sequential(quantized.ConvTranspose2d(2, 3, 2))
    with pytest.raises(CompileError, match="ConvTranspose2d` are not supported"):
        compile(model, (torch.zeros(1, 2, 4, 4),))
