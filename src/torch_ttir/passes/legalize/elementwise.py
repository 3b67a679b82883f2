"""Rules for arithmetic of two tensors: sums, products, quotients, remainders."""

from __future__ import annotations

from functools import partial

import numpy as np

from torch_ttir.ir.constants import NUMPY_DTYPES
from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import copy_sign
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import compute_dtype, is_narrow
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()
_ADD = ("aten.add.Tensor", "aten.add.Scalar")
_SUB = ("aten.sub.Tensor", "aten.sub.Scalar", "aten.subtract.Tensor", "aten.subtract.Scalar")
_MUL = ("aten.mul.Tensor", "aten.mul.Scalar", "aten.multiply.Tensor", "aten.multiply.Scalar")
_DIV = (
    *(f"aten.{name}.{kind}" for name in ("div", "divide") for kind in ("Tensor", "Scalar")),
    *(f"aten.{name}.{kind}_mode" for name in ("div", "divide") for kind in ("Tensor", "Scalar")),
    *(f"aten.true_divide.{kind}" for kind in ("Tensor", "Scalar")),
)


@RULES.lowers(*_ADD, run_time_scalars=True)
def add(low: Lowering, x: Tensor, y: Tensor | Number, alpha: Number = 1) -> Tensor:
    """add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor."""
    if low.result.dtype == "i1":
        term = low.binary("logical_and", low.scalar(y, "i1"), low.scalar(alpha, "i1"))
        return low.binary("logical_or", x, term)
    return _scaled(low, "add", x, y, alpha)


@RULES.lowers(*_SUB, run_time_scalars=True)
def sub(low: Lowering, x: Tensor, y: Tensor | Number, alpha: Number = 1) -> Tensor:
    """sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor."""
    return _scaled(low, "subtract", x, y, alpha)


@RULES.lowers("aten.rsub.Tensor", "aten.rsub.Scalar", run_time_scalars=True)
def rsub(low: Lowering, x: Tensor, y: Tensor | Number, alpha: Number = 1) -> Tensor:
    """rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor; other - alpha * self."""
    return _scaled(low, "subtract", y, x, alpha)


def _scaled(
    low: Lowering, ttir: str, x: Tensor | Number, y: Tensor | Number, alpha: Number
) -> Tensor:
    """Return `x + alpha * y` or `x - alpha * y`, rounded once; the numbers are rounded before."""
    dtype = low.result.dtype
    x, y = low.scalar(x, dtype), low.scalar(y, dtype)
    if not isinstance(alpha, Tensor) and alpha == 1:
        return low.binary(ttir, x, y)
    wide = compute_dtype(dtype)
    x, y, factor = (low.cast(item, wide) for item in (x, y, low.scalar(alpha, dtype)))
    return low.cast(low.binary(ttir, x, low.mul(y, factor)), dtype)


@RULES.lowers(*_MUL, run_time_scalars=True)
def mul(low: Lowering, x: Tensor, y: Tensor | Number) -> Tensor:
    """mul.Tensor(Tensor self, Tensor other) -> Tensor."""
    dtype = low.result.dtype
    if dtype == "i1":
        return low.binary("logical_and", x, low.scalar(y, "i1"))
    if _is_one(y):
        # Decompositions write `1 * x` where the factor is alpha or beta.
        return low.cast(x, dtype)
    x, y = _with_exact_number(low, x, y)
    return low.cast(low.mul(x, y), dtype)


@RULES.lowers(*_DIV, run_time_scalars=True)
def div(low: Lowering, x: Tensor, y: Tensor | Number, mode: str | None = None) -> Tensor:
    """div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor.

    Without a mode, integers are divided as floats.
    """
    dtype = low.result.dtype
    if mode is None and _is_one(y):
        return low.cast(x, dtype)
    x, y = _with_exact_number(low, x, y)
    if mode == "floor":
        return low.cast(_divide_floor(low, x, y), dtype)
    made = low.div(x, y)
    return low.cast(low.unary("trunc", made) if mode and is_float(dtype) else made, dtype)


@RULES.lowers("aten.floor_divide", "aten.floor_divide.Scalar", run_time_scalars=True)
def floor_divide(low: Lowering, x: Tensor, y: Tensor | Number) -> Tensor:
    """floor_divide(Tensor self, Tensor other) -> Tensor."""
    return div(low, x, y, "floor")


def _with_exact_number(low: Lowering, x: Tensor, y: Tensor | Number) -> tuple[Tensor, Tensor]:
    """Return the operands of a product or quotient in the type that it is computed in.

    PyTorch does not round a second operand without dimensions to bf16, but computes in f32.
    """
    dtype = low.result.dtype
    if is_narrow(dtype) and not _is_representable(y, dtype):
        dtype = "f32"
    return low.cast(low.cast(x, low.result.dtype), dtype), low.scalar(y, dtype)


def _is_one(y: Tensor | Number) -> bool:
    return not isinstance(y, Tensor) and y == 1


def _is_representable(y: Tensor | Number, dtype: str) -> bool:
    if isinstance(y, Tensor):
        return bool(y.shape) or y.dtype == dtype or not is_float(y.dtype)
    with np.errstate(over="ignore"):
        return y != y or float(np.asarray(y, dtype=NUMPY_DTYPES[dtype])) == y


def _divide_floor(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    if is_float(x.dtype):
        return _divide_floor_floats(low, x, y)
    quotient = low.div(x, y)
    rest = low.sub(x, low.mul(quotient, y))
    differ = low.binary("ne", low.compare("lt", rest, 0), low.compare("lt", y, 0), "i1")
    below = low.binary("logical_and", low.compare("ne", rest, 0), differ)
    return low.sub(quotient, low.cast(below, x.dtype))


def _divide_floor_floats(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """Return Python's `x // y`, as c10::div_floor_floating computes it."""
    quotient, rest = low.div(x, y), _fmod(low, x, y)
    exact = low.div(low.sub(x, rest), y)
    differ = low.binary("ne", low.compare("lt", rest, 0), low.compare("lt", y, 0), "i1")
    below = low.binary("logical_and", low.compare("ne", rest, 0), differ)
    exact = low.sub(exact, low.cast(below, x.dtype))
    floor = low.unary("floor", exact)
    up = low.compare("gt", low.sub(exact, floor), 0.5)
    floor = low.add(floor, low.cast(up, x.dtype))
    zero = copy_sign(low, low.full((), 0, x.dtype), quotient)
    floor = low.where(low.compare("eq", exact, 0), zero, floor)
    return low.where(low.compare("eq", y, 0), quotient, floor)


@RULES.lowers("aten.fmod.Tensor", "aten.fmod.Scalar", run_time_scalars=True)
def fmod(low: Lowering, x: Tensor, y: Tensor | Number) -> Tensor:
    """fmod.Tensor(Tensor self, Tensor other) -> Tensor; the remainder with the dividend's sign."""
    dtype = low.result.dtype
    x, y = low.cast(x, dtype), low.scalar(y, dtype)
    if not is_float(dtype):
        return low.sub(x, low.mul(low.div(x, y), y))
    return _fmod(low, x, y)


def _fmod(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """Return the remainder of absolute values, which is exact: `x - y * trunc(x / y)` is not."""
    size = low.binary("remainder", low.unary("abs", x), low.unary("abs", y))
    return copy_sign(low, size, x)


def _binary(ttir: str, low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Lower an op whose operands are converted to the result's type before anything else."""
    dtype = low.result.dtype
    return low.binary(ttir, low.scalar(x, dtype), low.scalar(y, dtype))


def _extremum(ttir: str, logical: str, low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    return _binary(logical if low.result.dtype == "i1" else ttir, low, x, y)


for _kind in ("Tensor", "Scalar", "Scalar_Tensor"):
    RULES.add(f"aten.remainder.{_kind}", partial(_binary, "remainder"), run_time_scalars=True)
for _name in ("aten.atan2", "aten.arctan2"):
    RULES.add(_name, partial(_binary, "atan2"))
for _name in ("aten.maximum", "aten.max.other"):
    RULES.add(_name, partial(_extremum, "maximum", "logical_or"))
for _name in ("aten.minimum", "aten.min.other"):
    RULES.add(_name, partial(_extremum, "minimum", "logical_and"))
