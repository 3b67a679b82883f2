"""Elementwise ops of one operand."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.dtypes import TORCH_DTYPES
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect, result_of

MEANINGS = MeaningTable()

# Defined on floats: an integer operand is converted to the result's float type first.
_FLOAT: dict[str, Callable[[Tensor], Tensor]] = {
    "acos": torch.acos,
    "asin": torch.asin,
    "asinh": torch.asinh,
    "atan": torch.atan,
    "cos": torch.cos,
    "erf": torch.erf,
    "erfc": torch.erfc,
    "exp": torch.exp,
    "exp2": torch.exp2,
    "expm1": torch.expm1,
    "frac": torch.frac,
    "gelu": F.gelu,
    "hardsigmoid": F.hardsigmoid,
    "log": torch.log,
    "log1p": torch.log1p,
    "mish": F.mish,
    "reciprocal": torch.reciprocal,
    "rsqrt": torch.rsqrt,
    "sigmoid": torch.sigmoid,
    "silu": F.silu,
    "sin": torch.sin,
    "softsign": F.softsign,
    "sqrt": torch.sqrt,
    "tan": torch.tan,
    "tanh": torch.tanh,
}
_ANY: dict[str, Callable[[Tensor], Tensor]] = {
    "abs": torch.abs,
    "bitwise_not": torch.bitwise_not,
    "ceil": torch.ceil,
    "floor": torch.floor,
    "isfinite": torch.isfinite,
    "logical_not": torch.logical_not,
    "neg": torch.neg,
    "relu": torch.relu,
    "sign": torch.sign,
    "signbit": torch.signbit,
    "square": torch.square,
    "trunc": torch.trunc,
}


def _on_floats(function: Callable[[Tensor], Tensor]) -> Callable[[Decoded, Tensor], Tensor]:
    return lambda op, x: function(_as_float(op, x))


def _on_any(function: Callable[[Tensor], Tensor]) -> Callable[[Decoded, Tensor], Tensor]:
    return lambda op, x: function(x)


for _name, _function in _FLOAT.items():
    MEANINGS.add(f"ttir.{_name}", _on_floats(_function))
for _name, _function in _ANY.items():
    MEANINGS.add(f"ttir.{_name}", _on_any(_function))


@MEANINGS.means("cbrt")
def cbrt(op: Decoded, x: Tensor) -> Tensor:
    """Compute the real cube root, in f64 since `x ** (1 / 3)` loses bits in f32."""
    wide = _as_float(op, x).double()
    return wide.abs().pow(1 / 3).copysign(wide)


@MEANINGS.means("relu6")
def relu6(op: Decoded, x: Tensor) -> Tensor:
    """Compute `min(max(x, 0), 6)`."""
    return torch.clamp(x, 0, 6)


@MEANINGS.means("leaky_relu")
def leaky_relu(op: Decoded, x: Tensor) -> Tensor:
    """Compute `x` where positive, else `parameter * x`."""
    return F.leaky_relu(_as_float(op, x), op.attrs["parameter"])


@MEANINGS.means("selu")
def selu(op: Decoded, x: Tensor) -> Tensor:
    """Compute `scale * (max(x, 0) + min(alpha * (e ** x - 1), 0))`."""
    alpha, scale = op.attrs["alpha"], op.attrs["scale"]
    expect(alpha > 0, f"`alpha` = {alpha}")
    y: Tensor = torch.ops.aten.elu.default(_as_float(op, x), alpha, scale, 1.0)
    return y


@MEANINGS.means("typecast")
def typecast(op: Decoded, x: Tensor) -> Tensor:
    """Convert: floats to integers by truncation, anything to i1 by `!= 0`."""
    return x.to(TORCH_DTYPES[result_of(op).dtype])


@MEANINGS.means("bitcast_convert")
def bitcast_convert(op: Decoded, x: Tensor) -> Tensor:
    """Read the bits as another type of the same width."""
    return x.contiguous().view(TORCH_DTYPES[result_of(op).dtype])


@MEANINGS.means("clamp_scalar")
def clamp_scalar(op: Decoded, x: Tensor) -> Tensor:
    """Compute `min(max(x, min), max)`."""
    low, high = op.attrs["min"], op.attrs["max"]
    if not x.dtype.is_floating_point:
        for name, bound in (("min", low), ("max", high)):
            expect(float(bound).is_integer(), f"`{name}` = {bound} on an integer tensor")
        low, high = int(low), int(high)
    return torch.clamp(x, low, high)


def _as_float(op: Decoded, x: Tensor) -> Tensor:
    if x.dtype.is_floating_point:
        return x
    dtype = TORCH_DTYPES[result_of(op).dtype]
    return x.to(dtype if dtype.is_floating_point else torch.float32)
