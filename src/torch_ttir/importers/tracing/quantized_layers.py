"""Quantized layers, whose weights PyTorch packs away, as layers on integers that can be traced."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from torch_ttir.importers.tracing.quantized import QuantizedTensor

_LAYERS = "torch.ao.nn."
_OUTPUT = torch.uint8
"""What PyTorch's kernels of these layers return, and take."""


@contextlib.contextmanager
def integer_layers(module: nn.Module) -> Iterator[nn.Module]:
    """Yield the module with its quantized layers replaced, until the block ends.

    Raises `NotImplementedError` for a layer whose packed weights nothing here can read.
    """
    undo: list[tuple[nn.Module, str, nn.Module]] = []
    try:
        whole = _replacement(module)
        if whole is None:
            _replace_in(module, undo)
        yield module if whole is None else whole
    finally:
        for parent, name, layer in undo:
            parent._modules[name] = layer


def _replace_in(parent: nn.Module, undo: list[tuple[nn.Module, str, nn.Module]]) -> None:
    for name, layer in parent.named_children():
        made = _replacement(layer)
        if made is None:
            _replace_in(layer, undo)
        else:
            undo.append((parent, name, layer))
            parent._modules[name] = made


def _replacement(layer: nn.Module) -> nn.Module | None:
    """Return what stands for a quantized layer; None for a layer that can be traced as it is."""
    if not type(layer).__module__.startswith(_LAYERS):
        return None
    make = _replacements().get(type(layer))
    if make is None and hasattr(layer, "_packed_params"):
        name = f"{type(layer).__module__}.{type(layer).__name__}"
        raise NotImplementedError(f"layers `{name}` are not supported")
    return None if make is None else make(layer)


@cache
def _replacements() -> dict[type, Callable[[Any], nn.Module]]:
    import torch.ao.nn.intrinsic.quantized as fused
    import torch.ao.nn.quantized as quantized

    convolutions = {
        quantized.Conv1d: functional.conv1d,
        quantized.Conv2d: functional.conv2d,
        quantized.Conv3d: functional.conv3d,
        fused.ConvReLU1d: functional.conv1d,
        fused.ConvReLU2d: functional.conv2d,
        fused.ConvReLU3d: functional.conv3d,
    }
    return {
        quantized.Quantize: _Quantize,
        quantized.DeQuantize: lambda layer: _DeQuantize(),
        quantized.Linear: _Linear,
        fused.LinearReLU: _Linear,
        **{layer: _convolution(function) for layer, function in convolutions.items()},
    }


class _Quantize(nn.Module):
    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.scale, self.zero_point = float(layer.scale), int(layer.zero_point)
        self.dtype = layer.dtype

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.quantize_per_tensor(x, self.scale, self.zero_point, self.dtype)


class _DeQuantize(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.dequantize()


class _Weighted(nn.Module):
    """A layer that multiplies integers and rounds sums of them to integers of another scale."""

    weight_integers: torch.Tensor
    weight_scale: torch.Tensor
    bias: torch.Tensor | None

    def __init__(self, layer: Any) -> None:
        super().__init__()
        weight, bias = layer.weight(), layer.bias()
        integers = weight.int_repr()
        if weight.qscheme() is torch.per_tensor_affine:
            scale = torch.tensor(weight.q_scale())
            zero_points = torch.tensor(weight.q_zero_point())
        else:
            scale = weight.q_per_channel_scales()
            zero_points = _first(weight.q_per_channel_zero_points(), weight)
        if zero_points.any():
            integers = integers.short() - zero_points.short()
        self.register_buffer("weight_integers", integers)
        self.register_buffer("weight_scale", scale.float())
        self.register_buffer("bias", None if bias is None else bias.detach().float())
        self.scale, self.zero_point = float(layer.scale), int(layer.zero_point)
        self.rectified = "ReLU" in type(layer).__name__

    def forward(self, x: QuantizedTensor) -> QuantizedTensor:
        if not isinstance(x, QuantizedTensor):
            raise NotImplementedError(
                "a quantized layer takes quantized tensors: quantize its input"
            )
        sums = self.products(x.integers.float() - x.zero_point, self.weight_integers.float())
        steps = self.along_channels(x.scale * self.weight_scale, sums)
        if self.bias is not None:
            sums = sums + self.along_channels(self.bias, sums) / steps
        places = torch.round(sums * (steps / self.scale)) + self.zero_point
        info = torch.iinfo(_OUTPUT)
        least = max(info.min, self.zero_point) if self.rectified else info.min
        integers = places.clamp(least, info.max).to(_OUTPUT)
        return QuantizedTensor(integers, self.scale, self.zero_point)

    def products(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        """Return sums of products, exact while they stay under 2^24."""
        raise NotImplementedError

    def along_channels(self, values: torch.Tensor, sums: torch.Tensor) -> torch.Tensor:
        """Return one value for all or one for each channel so that it fits the sums."""
        return values


class _Linear(_Weighted):
    def products(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return functional.linear(x, weight)


class _Convolution(_Weighted):
    def __init__(self, layer: Any, function: Callable[..., torch.Tensor]) -> None:
        super().__init__(layer)
        if layer.padding_mode != "zeros":
            mode = layer.padding_mode
            raise NotImplementedError(f"padding mode `{mode}` of quantized layers is not supported")
        self.function = function
        self.options = (layer.stride, layer.padding, layer.dilation, layer.groups)

    def products(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        return self.function(x, weight, None, *self.options)

    def along_channels(self, values: torch.Tensor, sums: torch.Tensor) -> torch.Tensor:
        return _first(values, sums[0]) if values.dim() else values


def _first(values: torch.Tensor, of: torch.Tensor) -> torch.Tensor:
    """Return values along the first dimension of a tensor."""
    return values.reshape(-1, *(1,) * (of.dim() - 1))


def _convolution(function: Callable[..., torch.Tensor]) -> Callable[[Any], nn.Module]:
    return lambda layer: _Convolution(layer, function)
