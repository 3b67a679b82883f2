"""Rules that take numbers apart by their bits: views as another dtype, nextafter, frexp."""

from __future__ import annotations

import math
import re
from functools import partial, reduce
from typing import Any

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import in_result_dtype, is_nan
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

# All bits, and those of the fraction; the exponent has the rest but the sign.
_FORMATS = {"f64": (64, 52), "f32": (32, 23), "f16": (16, 10), "bf16": (16, 7)}


@RULES.lowers("aten.view.dtype", "aten.view_copy.dtype")
def view_dtype(low: Lowering, x: Tensor, *_: Any) -> Tensor:
    """view.dtype(Tensor self, ScalarType dtype) -> Tensor; the same memory, lowest bits first."""
    dtype = low.result.dtype
    if dtype == x.dtype:
        return x
    low.expect(
        dtype != "i1", f"a view of {x.dtype} as i1 may have bits that are neither true nor false"
    )
    if x.dtype == "i1":
        x = low.cast(x, "i8")
    before, after = _width(x.dtype), _width(dtype)
    if before != after:
        bits = _bits_as(low, x, f"i{before}")
        x = _parts(low, bits, after) if before > after else _joined(low, bits, after)
    return low.reshape(_bits_as(low, x, dtype), low.result.shape)


def _bits_as(low: Lowering, x: Tensor, dtype: str) -> Tensor:
    return x if dtype == x.dtype else low.unary("bitcast_convert", x, dtype)


def _width(dtype: str) -> int:
    found = re.match(r"[a-z]+([0-9]+)", dtype)
    assert found
    return int(found[1])


def _parts(low: Lowering, bits: Tensor, width: int) -> Tensor:
    """Return each integer's parts of `width` bits, in a new last dimension."""
    whole = _width(bits.dtype)
    bits = low.reshape(bits, (*bits.shape, 1))
    # Shifted to the top and back, so that each fits its type, signed.
    raised = [
        low.binary("logical_left_shift", bits, whole - begin - width)
        for begin in range(0, whole, width)
    ]
    parts = low.binary("right_shift", low.concat(raised, bits.rank - 1), whole - width)
    return low.cast(parts, f"i{width}")


def _joined(low: Lowering, bits: Tensor, width: int) -> Tensor:
    """Return the integers of `width` bits that those along the last dimension make."""
    part = _width(bits.dtype)
    count = width // part
    bits = low.reshape(bits, (*bits.shape[:-1], bits.shape[-1] // count, count))
    wide = low.binary("bitwise_and", low.cast(bits, f"i{width}"), (1 << part) - 1)
    pieces = [
        low.binary("logical_left_shift", low.slice(wide, wide.rank - 1, i, i + 1), i * part)
        for i in range(count)
    ]
    return reduce(partial(low.binary, "bitwise_or"), pieces)


@RULES.lowers("aten.nextafter")
@in_result_dtype
def nextafter(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """nextafter(Tensor self, Tensor other) -> Tensor; the bits of a float count up from zero."""
    bits = f"i{_FORMATS[x.dtype][0]}"
    outward = low.compare("eq", low.compare("lt", x, y), low.compare("gt", x, 0))
    step = low.where(outward, low.full((), 1, bits), -1)
    made = _from_bits(low, low.add(_to_bits(low, x), step), x.dtype)
    least = _from_bits(low, low.full((), 1, bits), x.dtype)
    first = low.where(low.compare("gt", y, 0), least, low.unary("neg", least))
    made = low.where(low.compare("eq", x, 0), first, made)
    made = low.where(low.compare("eq", x, y), y, made)
    missing = low.binary("logical_or", is_nan(low, x), is_nan(low, y))
    return low.where(missing, math.nan, made)


@RULES.lowers("aten.frexp.Tensor")
def frexp(low: Lowering, x: Tensor) -> list[Tensor]:
    """frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent); mantissas in [0.5, 1)."""
    width, fraction = _FORMATS[x.dtype]
    largest = (1 << (width - 1 - fraction)) - 1
    half = largest // 2 - 1
    # Subnormal numbers are made normal first.
    lift = fraction + 2
    small = low.compare("lt", low.unary("abs", x), 2.0 ** (1 - half - 1))
    lifted = low.where(small, low.mul(x, 2.0**lift), x)
    bits = _to_bits(low, lifted)
    field = low.binary("bitwise_and", low.binary("right_shift", bits, fraction), largest)
    exponent = low.cast(low.sub(field, half), "i32")
    exponent = low.where(small, low.sub(exponent, lift), exponent)
    rest = low.binary("bitwise_and", bits, ~(largest << fraction))
    mantissa = _from_bits(low, low.binary("bitwise_or", rest, half << fraction), x.dtype)
    finite = low.unary("isfinite", x, "i1")
    whole = low.binary("logical_and", finite, low.compare("ne", x, 0))
    return [low.where(whole, mantissa, x), low.where(whole, exponent, 0)]


def _to_bits(low: Lowering, x: Tensor) -> Tensor:
    return low.unary("bitcast_convert", x, f"i{_FORMATS[x.dtype][0]}")


def _from_bits(low: Lowering, bits: Tensor, dtype: str) -> Tensor:
    return low.unary("bitcast_convert", bits, dtype)
