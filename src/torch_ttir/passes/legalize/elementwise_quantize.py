"""Rules for quantization with the arithmetic written out, on plain integer tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import round_half_even
from torch_ttir.passes.legalize.elementwise_select import clamp_numbers
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import compute_dtype
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()
_QUANTIZE = "quantized_decomposed.quantize_per"
_DEQUANTIZE = "quantized_decomposed.dequantize_per"


@RULES.lowers(*(f"{_QUANTIZE}_tensor{overload}" for overload in ("", ".tensor", ".tensor2")))
def quantize_per_tensor(
    low: Lowering,
    x: Tensor,
    scale: Tensor | float,
    zero_point: Tensor | int,
    least: Tensor | int,
    most: Tensor | int,
    *_: Any,
) -> Tensor:
    """quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, ...)."""
    x = low.cast(x, compute_dtype(x.dtype))
    inverse = low.div(1.0, scale) if isinstance(scale, Tensor) else 1.0 / scale
    return _quantized(low, x, inverse, zero_point, least, most)


@RULES.lowers(f"{_QUANTIZE}_channel")
def quantize_per_channel(
    low: Lowering,
    x: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    axis: int,
    least: int,
    most: int,
    *_: Any,
) -> Tensor:
    """quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, ...)."""
    x = low.cast(x, compute_dtype(x.dtype))
    scales, zero_points = (_along(low, y, axis, x) for y in (scales, zero_points))
    return _quantized(low, x, low.div(1.0, scales), zero_points, least, most)


def _quantized(
    low: Lowering,
    x: Tensor,
    inverse: Tensor | float,
    zero_point: Tensor | int,
    least: Tensor | int,
    most: Tensor | int,
) -> Tensor:
    places = _places(low, x, inverse, zero_point)
    if isinstance(least, int) and isinstance(most, int):
        inside = clamp_numbers(low, places, least, most)
    else:
        bounds = (low.scalar(bound, x.dtype) for bound in (least, most))
        inside = low.minimum(low.maximum(places, next(bounds)), next(bounds))
    return low.cast(inside, low.result.dtype)


def _places(low: Lowering, x: Tensor, inverse: Tensor | float, zero_point: Tensor | int) -> Tensor:
    """Return where values fall on the integer grid, as floats and without bounds."""
    steps = round_half_even(low, low.mul(x, low.scalar(inverse, x.dtype)))
    return low.add(steps, low.scalar(zero_point, x.dtype))


@RULES.lowers(f"{_QUANTIZE}_channel_group")
def quantize_per_channel_group(
    low: Lowering,
    x: Tensor,
    scales: Tensor,
    zero_points: Tensor,
    least: int,
    most: int,
    _dtype: int,
    size: int,
) -> Tensor:
    """quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, ..., group_size).

    Unlike the others, it rounds after the zero point is added. NaN, which it asserts not to have,
    is not looked for.
    """
    if scales.shape[-1] == 1:
        size = min(size, x.shape[-1])
    grouped, *parameters = (
        low.reshape(y, (math.prod(y.shape) // n, n))
        for y, n in ((x, size), (scales, 1), (zero_points, 1))
    )
    dtype = low.promote(*(grouped, *parameters))
    grouped, scales, zero_points = (low.cast(y, dtype) for y in (grouped, *parameters))
    places = low.add(low.mul(grouped, low.div(1.0, scales)), zero_points)
    inside = clamp_numbers(low, round_half_even(low, places), least, most)
    return low.reshape(low.cast(inside, low.result.dtype), x.shape)


@RULES.lowers(*(f"{_DEQUANTIZE}_tensor{overload}" for overload in ("", ".tensor", ".tensor2")))
def dequantize_per_tensor(
    low: Lowering, x: Tensor, scale: Tensor | float, zero_point: Tensor | int, *_: Any
) -> Tensor:
    """dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, ...)."""
    dtype = low.result.dtype
    steps = low.sub(low.cast(x, dtype), low.scalar(zero_point, dtype))
    return low.mul(steps, low.scalar(scale, dtype))


@RULES.lowers(f"{_DEQUANTIZE}_channel")
def dequantize_per_channel(
    low: Lowering, x: Tensor, scales: Tensor, zero_points: Tensor | None, axis: int, *_: Any
) -> Tensor:
    """dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, ...).

    PyTorch subtracts in the integers' own dtype, where int8 and uint8 wrap around.
    """
    if zero_points is not None:
        dtype = low.promote(x, zero_points)
        x = low.sub(low.cast(x, dtype), low.cast(_along(low, zero_points, axis, x), dtype))
    dtype = low.promote(x, scales)
    scaled = low.mul(low.cast(x, dtype), low.cast(_along(low, scales, axis, x), dtype))
    return low.cast(scaled, low.result.dtype)


def _along(low: Lowering, values: Tensor, axis: int, x: Tensor) -> Tensor:
    axis = low.dim(axis, x.rank)
    return low.reshape(values, [size if i == axis else 1 for i, size in enumerate(x.shape)])


@RULES.lowers("aten.fake_quantize_per_tensor_affine_cachemask")
def fake_quantize_cachemask(
    low: Lowering, x: Tensor, scale: float, zero_point: int, least: int, most: int
) -> Sequence[Tensor]:
    """fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, ...)."""
    return _fake_quantized(low, x, scale, zero_point, least, most)


@RULES.lowers(
    "aten.fake_quantize_per_tensor_affine",
    "aten.fake_quantize_per_tensor_affine.tensor_qparams",
)
def fake_quantize(
    low: Lowering,
    x: Tensor,
    scale: Tensor | float,
    zero_point: Tensor | int,
    least: int,
    most: int,
) -> Tensor:
    """fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, ...) -> Tensor."""
    return _fake_quantized(low, x, scale, zero_point, least, most)[0]


@RULES.lowers("aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams")
def fake_quantize_qparams(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    enabled: Tensor,
    least: int,
    most: int,
) -> Sequence[Tensor]:
    """_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(..., Tensor fake_quant_enabled)."""
    made, mask = _fake_quantized(low, x, scale, zero_point, least, most)
    on = low.reshape(low.cast(enabled, "i1"), ())
    return low.where(on, made, x), low.where(on, mask, low.full((), 1, "i1"))


@RULES.lowers("aten.fake_quantize_per_channel_affine_cachemask")
def fake_quantize_channel_cachemask(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor,
    axis: int,
    least: int,
    most: int,
) -> Sequence[Tensor]:
    """fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, ...)."""
    scale, zero_point = _along(low, scale, axis, x), _along(low, zero_point, axis, x)
    return _fake_quantized(low, x, scale, zero_point, least, most)


@RULES.lowers("quantized_decomposed.fake_quant_per_channel")
def fake_quant_per_channel(
    low: Lowering, x: Tensor, scales: Tensor, zero_points: Tensor, axis: int, least: int, most: int
) -> Tensor:
    """fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, ...)."""
    scales, zero_points = _along(low, scales, axis, x), _along(low, zero_points, axis, x)
    return _fake_quantized(low, x, scales, zero_points, least, most)[0]


def _fake_quantized(
    low: Lowering,
    x: Tensor,
    scale: Tensor | Number,
    zero_point: Tensor | Number,
    least: int,
    most: int,
) -> tuple[Tensor, Tensor]:
    """Return quantized and dequantized values, and where nothing was clamped."""
    dtype = x.dtype
    x = low.cast(x, compute_dtype(dtype))
    step, zero = low.scalar(scale, x.dtype), low.scalar(zero_point, x.dtype)
    places = _places(low, x, low.div(1.0, step), zero)
    inside = (low.compare("ge", places, least), low.compare("le", places, most))
    kept = low.sub(clamp_numbers(low, places, least, most), zero)
    return low.cast(low.mul(kept, step), dtype), low.binary("logical_and", *inside)
