"""Rules for ONNX's elementwise ops: arithmetic, comparisons, logic, casts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np

from torch_ttir.ir.constants import NUMPY_DTYPES
from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import add_aten, aten, number, old_broadcast
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

add_aten(
    RULES,
    {
        "Abs": "abs",
        "Acos": "acos",
        "Acosh": "acosh",
        "Asin": "asin",
        "Asinh": "asinh",
        "Atan": "atan",
        "Atanh": "atanh",
        "BitwiseAnd": "bitwise_and.Tensor",
        "BitwiseNot": "bitwise_not",
        "BitwiseOr": "bitwise_or.Tensor",
        "BitwiseXor": "bitwise_xor.Tensor",
        "Ceil": "ceil",
        "Cos": "cos",
        "Cosh": "cosh",
        "Erf": "erf",
        "Exp": "exp",
        "Floor": "floor",
        "IsNaN": "isnan",
        "Log": "log",
        "Neg": "neg",
        "Not": "logical_not",
        "Reciprocal": "reciprocal",
        "Round": "round",
        "Sign": "sign",
        "Sin": "sin",
        "Sinh": "sinh",
        "Sqrt": "sqrt",
        "Tan": "tan",
        "Tanh": "tanh",
        "Where": "where.self",
    },
)


def _binary(
    lower: Callable[[Lowering, Tensor, Tensor], Tensor],
    low: Lowering,
    x: Tensor,
    y: Tensor,
    *,
    axis: int | None = None,
    broadcast: int = 0,
    consumed_inputs: Any = None,
) -> Tensor:
    return lower(low, x, old_broadcast(low, x, y, axis if broadcast else None))


def _add(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    return low.add(x, y)


def _divide(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """Divide; integers truncate towards zero."""
    return low.div(x, y)


BINARY: dict[str, Callable[[Lowering, Tensor, Tensor], Tensor]] = {
    "Add": _add,
    "Sub": lambda low, x, y: low.sub(x, y),
    "Mul": lambda low, x, y: low.mul(x, y),
    "Div": _divide,
    "And": lambda low, x, y: low.binary("logical_and", x, y),
    "Or": lambda low, x, y: low.binary("logical_or", x, y),
    "Xor": lambda low, x, y: low.binary("logical_xor", x, y),
    "Equal": lambda low, x, y: low.compare("eq", x, y),
    "Greater": lambda low, x, y: low.compare("gt", x, y),
    "GreaterOrEqual": lambda low, x, y: low.compare("ge", x, y),
    "Less": lambda low, x, y: low.compare("lt", x, y),
    "LessOrEqual": lambda low, x, y: low.compare("le", x, y),
}
for _name, _lower in BINARY.items():
    RULES.add(f"onnx.{_name}", partial(_binary, _lower))


@RULES.lowers("onnx.PRelu")
def prelu(low: Lowering, x: Tensor, slope: Tensor, *, consumed_inputs: Any = None) -> Tensor:
    """PRelu(X, slope) -> Y; before opset 7 the slopes are one a channel."""
    if low.opset < 7 and slope.rank == 1 and x.rank > 1:
        slope = low.reshape(slope, (1, slope.shape[0], *[1] * (x.rank - 2)))
    return low.where(low.compare("ge", x, 0), x, low.mul(x, slope))


@RULES.lowers("onnx.Identity", "onnx.OptionalGetElement")
def identity(low: Lowering, x: Tensor) -> Tensor:
    """Identity(input) -> output; OptionalGetElement of a tensor too."""
    return x


@RULES.lowers("onnx.OptionalHasElement")
def has_element(low: Lowering, x: Tensor | None = None) -> Tensor:
    """OptionalHasElement(input) -> output: a tensor is there, or nothing is."""
    return low.full((), x is not None, "i1")


@RULES.lowers("onnx.Dropout")
def dropout(
    low: Lowering,
    x: Tensor,
    ratio: Tensor | float | None = None,
    training_mode: Tensor | None = None,
    *,
    is_test: int = 1,
    seed: int | None = None,
    consumed_inputs: Any = None,
) -> Any:
    """Dropout(data, ratio, training_mode; seed) -> output, mask."""
    training = number(low, training_mode, "training_mode") if training_mode is not None else 0
    if training:
        kept = number(low, ratio, "ratio") == 0 if ratio is not None else False
        low.expect(kept, "dropout in training mode has no value that can be told beforehand")
    if len(low.results) == 1:
        return x
    return [x, low.full(x.shape, 1, low.results[1].dtype)]


@RULES.lowers("onnx.Pow")
def power(
    low: Lowering, x: Tensor, y: Tensor, *, axis: int | None = None, broadcast: int = 0
) -> Tensor:
    """Pow(X, Y) -> Z, of X's type; integer powers of integers are exact."""
    y = old_broadcast(low, x, y, axis if broadcast else None)
    if is_float(y.dtype) and not is_float(x.dtype):
        wide = "f64" if x.dtype.endswith("64") or y.dtype == "f64" else "f32"
        made = low.binary("pow", low.cast(x, wide), low.cast(y, wide))
        return low.cast(made, x.dtype)
    return low.binary("pow", x, low.cast(y, x.dtype))


@RULES.lowers("onnx.Mod")
def modulo(low: Lowering, x: Tensor, y: Tensor, *, fmod: int = 0) -> Tensor:
    """Mod(A, B; fmod=0) -> C: the divisor's sign, or the dividend's with fmod=1."""
    return aten(low, "fmod.Tensor" if fmod else "remainder.Tensor", x, y)  # type: ignore[no-any-return]


def _variadic(aten_name: str, low: Lowering, *xs: Tensor, consumed_inputs: Any = None) -> Tensor:
    if aten_name == "mean":
        total = reduce(low.add, xs)
        return low.div(total, low.full((), len(xs), total.dtype))
    if aten_name == "add":
        return reduce(low.add, xs)
    operation = low.maximum if aten_name == "maximum" else low.minimum
    return reduce(operation, xs)


for _name, _aten in {"Sum": "add", "Max": "maximum", "Min": "minimum", "Mean": "mean"}.items():
    RULES.add(f"onnx.{_name}", partial(_variadic, _aten))


@RULES.lowers("onnx.Clip")
def clip(
    low: Lowering,
    x: Tensor,
    min: Tensor | float | None = None,
    max: Tensor | float | None = None,
    *,
    consumed_inputs: Any = None,
) -> Tensor:
    """Clip(input, min, max) -> output; the larger bound wins where they cross."""
    if min is not None:
        x = low.maximum(x, low.scalar(min, x.dtype))
    if max is not None:
        x = low.minimum(x, low.scalar(max, x.dtype))
    return x


@RULES.lowers("onnx.IsInf")
def is_infinite(
    low: Lowering, x: Tensor, *, detect_negative: int = 1, detect_positive: int = 1
) -> Tensor:
    """IsInf(X; detect_negative=1, detect_positive=1) -> Y."""
    if not detect_negative and not detect_positive:
        return low.full(x.shape, 0, "i1")
    if detect_negative and detect_positive:
        return aten(low, "isinf", x)  # type: ignore[no-any-return]
    bound = np.inf if detect_positive else -np.inf
    return low.compare("eq", x, low.full((), bound, x.dtype))


@RULES.lowers("onnx.BitShift")
def bit_shift(low: Lowering, x: Tensor, y: Tensor, *, direction: str) -> Tensor:
    """BitShift(X, Y; direction) -> Z, of unsigned integers."""
    left = direction == "LEFT"
    if x.dtype.startswith("u"):
        return low.binary("logical_left_shift" if left else "logical_right_shift", x, y)
    name = "__lshift__.Tensor" if left else "__rshift__.Tensor"
    return aten(low, name, x, y)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Cast", "onnx.CastLike")
def cast(
    low: Lowering,
    x: Tensor,
    like: Tensor | None = None,
    *,
    to: int | str | None = None,
    saturate: int = 1,
    round_mode: str = "up",
) -> Tensor:
    """Cast(input; to, saturate=1) -> output."""
    dtype = low.result.dtype
    low.expect(not dtype.startswith("f8") or saturate, "casting to float8 without saturation")
    if dtype.startswith("f8") and is_float(x.dtype):
        return cast_saturating(low, x, dtype)
    return low.cast(x, dtype)


def cast_saturating(low: Lowering, x: Tensor, dtype: str) -> Tensor:
    """Return floats in a float8 type, cut off at its largest values."""
    largest = float(np.float32(_largest(dtype)))
    wide = x if x.dtype in ("f32", "f64") else low.cast(x, "f32")
    return low.cast(low.minimum(low.maximum(wide, -largest), largest), dtype)


def _largest(dtype: str) -> Any:
    import ml_dtypes

    return ml_dtypes.finfo(NUMPY_DTYPES[dtype]).max  # type: ignore[no-untyped-call]


@RULES.lowers("onnx.BitCast")
def bit_cast(low: Lowering, x: Tensor, *, to: int) -> Tensor:
    """BitCast(input; to) -> output: the bits of a type of equal width."""
    if x.dtype == "i1" and low.result.dtype in ("i8", "ui8"):
        return low.cast(x, low.result.dtype)
    return aten(low, "view.dtype", x, to)  # type: ignore[no-any-return]
