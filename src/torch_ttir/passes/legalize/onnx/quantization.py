"""Rules for ONNX's quantization, written out on plain integer tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import round_half_even
from torch_ttir.passes.legalize.convolution import convolve
from torch_ttir.passes.legalize.convolution_window import Window
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.along import saturate
from torch_ttir.passes.legalize.onnx.elementwise import cast_saturating
from torch_ttir.passes.legalize.onnx.windows import conv_window
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

_FAR = float(1 << 18)
"""Beyond the range of 16 bits from any zero point of 16 bits, and exact in f32."""
_DTYPES = {1: "f32", 10: "f16", 11: "f64", 16: "bf16"}
"""Element types by ONNX's numbers, as `precision` gives them."""


@RULES.lowers("onnx.QuantizeLinear")
def quantize_linear(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor | None = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
    precision: int = 0,
    saturate: int = 1,
) -> Tensor:
    """QuantizeLinear(x, y_scale, y_zero_point; ...) -> y = saturate(round(x / scale) + zero)."""
    dtype = low.result.dtype
    real = _DTYPES.get(precision, scale.dtype)
    spread = _along(low, low.cast(scale, real), x.shape, axis, block_size)
    quotient = low.div(low.cast(x, real), spread)
    if is_float(dtype):
        low.expect(saturate, "quantization to float8 without saturation")
        return cast_saturating(low, quotient, dtype)
    zero = None if zero_point is None else _along(low, zero_point, x.shape, axis, block_size)
    return _quantized(low, quotient, zero, dtype)


@RULES.lowers("onnx.DequantizeLinear")
def dequantize_linear(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    zero_point: Tensor | None = None,
    *,
    axis: int = 1,
    block_size: int = 0,
    output_dtype: int = 0,
) -> Tensor:
    """DequantizeLinear(x, x_scale, x_zero_point; ...) -> y = (x - zero) * scale."""
    real = "f64" if scale.dtype == "f64" else "f32"
    wide = "f32" if is_float(x.dtype) else "i32"
    offset = low.cast(x, wide)
    if zero_point is not None:
        zero = _along(low, low.cast(zero_point, wide), x.shape, axis, block_size)
        offset = low.sub(offset, zero)
    spread = _along(low, low.cast(scale, real), x.shape, axis, block_size)
    return low.cast(low.mul(low.cast(offset, real), spread), low.result.dtype)


@RULES.lowers("onnx.QLinearMatMul")
def quantized_matmul(
    low: Lowering,
    a: Tensor,
    a_scale: Tensor,
    a_zero: Tensor,
    b: Tensor,
    b_scale: Tensor,
    b_zero: Tensor,
    y_scale: Tensor,
    y_zero: Tensor,
) -> Tensor:
    """QLinearMatMul(a, a_scale, a_zero_point, b, ..., y_scale, y_zero_point) -> y."""
    left = low.sub(low.cast(a, "i32"), _rows(low, low.cast(a_zero, "i32")))
    right = low.sub(low.cast(b, "i32"), _single(low, low.cast(b_zero, "i32")))
    total = low.op("matmul", [left, right], low.result.shape, "i32")
    factor = low.mul(_rows(low, a_scale), _single(low, b_scale))
    factor = low.cast(low.div(factor, _rows(low, y_scale)), "f32")
    made = low.mul(low.cast(total, "f32"), factor)
    return _quantized(low, made, _rows(low, y_zero), low.result.dtype)


@RULES.lowers("onnx.QLinearConv")
def quantized_conv(
    low: Lowering,
    x: Tensor,
    x_scale: Tensor,
    x_zero: Tensor,
    w: Tensor,
    w_scale: Tensor,
    w_zero: Tensor,
    y_scale: Tensor,
    y_zero: Tensor,
    bias: Tensor | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Any = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    """QLinearConv(x, x_scale, x_zero_point, w, ..., y_scale, y_zero_point, B; ...) -> y."""
    window = conv_window(x, w, strides, dilations, pads, auto_pad, group)
    total = _integer_conv(low, x, w, x_zero, w_zero, window)
    along = (1, -1, *[1] * (x.rank - 2))
    if bias is not None:
        sizes = tuple(bias.shape[0] if size == -1 else size for size in along)
        total = low.add(total, low.cast(low.reshape(bias, sizes), total.dtype))
    factor = low.div(low.mul(_single(low, x_scale), _single(low, w_scale)), _single(low, y_scale))
    if factor.rank == 1:
        factor = low.reshape(factor, (1, factor.shape[0], *[1] * (x.rank - 2)))
    made = low.mul(low.cast(total, "f32"), low.cast(factor, "f32"))
    return _quantized(low, made, _single(low, y_zero), low.result.dtype)


@RULES.lowers("onnx.ConvInteger")
def integer_conv(
    low: Lowering,
    x: Tensor,
    w: Tensor,
    x_zero: Tensor | None = None,
    w_zero: Tensor | None = None,
    *,
    auto_pad: str = "NOTSET",
    dilations: Sequence[int] | None = None,
    group: int = 1,
    kernel_shape: Any = None,
    pads: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
) -> Tensor:
    """ConvInteger(x, w, x_zero_point, w_zero_point; ...) -> y, of i32."""
    window = conv_window(x, w, strides, dilations, pads, auto_pad, group)
    return low.cast(_integer_conv(low, x, w, x_zero, w_zero, window), "i32")


def _integer_conv(
    low: Lowering, x: Tensor, w: Tensor, x_zero: Tensor | None, w_zero: Tensor | None, by: Window
) -> Tensor:
    """Return the convolution of integers less their zero points, as whole numbers in floats.

    A product has 18 bits at most, so f32 holds sums of 64 of them exactly, and f64 all others.
    """
    real = "f32" if math.prod(w.shape[1:]) <= 64 else "f64"
    left, right = low.cast(x, real), low.cast(w, real)
    if x_zero is not None:
        left = low.sub(left, _single(low, low.cast(x_zero, real)))
    if w_zero is not None:
        zero = _single(low, low.cast(w_zero, real))
        right = low.sub(right, low.reshape(zero, (*zero.shape, *[1] * (w.rank - zero.rank))))
    return convolve(low, left, right, None, by)


def _quantized(low: Lowering, quotient: Tensor, zero: Tensor | None, dtype: str) -> Tensor:
    whole = round_half_even(low, quotient)
    whole = whole if whole.dtype == "f64" else low.cast(whole, "f32")
    near = low.minimum(low.maximum(whole, -_FAR), _FAR)
    if zero is not None:
        near = low.add(near, low.cast(zero, near.dtype))
    return saturate(low, near, dtype)


def _along(low: Lowering, y: Tensor, shape: Sequence[int], axis: int, block_size: int) -> Tensor:
    """Return scales or zero points so that they broadcast against `shape`."""
    y = _single(low, y)
    if y.rank == 0:
        return y
    dim = low.dim(axis, len(shape))
    if not block_size:
        return low.reshape(y, [size if place == dim else 1 for place, size in enumerate(shape)])
    sizes = list(y.shape)
    sizes[dim] *= block_size
    repeated = low.op("repeat_interleave", [y], sizes, y.dtype, repeats=block_size, dim=dim)
    return low.slice(repeated, dim, 0, shape[dim])


def _single(low: Lowering, y: Tensor) -> Tensor:
    """Return a tensor of one element as a scalar."""
    return low.reshape(y, ()) if math.prod(y.shape) == 1 else y


def _rows(low: Lowering, y: Tensor) -> Tensor:
    """Return one value a row as a column."""
    y = _single(low, y)
    return low.reshape(y, (*y.shape, 1)) if y.rank == 1 else y
