"""Rules for ranges and index patterns: arange, linspace, eye."""

from __future__ import annotations

from typing import Any

import numpy as np

from torch_ttir.ir.constants import NUMPY_DTYPES
from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import is_narrow
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.arange")
def arange(low: Lowering, end: Number, *_: Any) -> Tensor:
    """arange(Scalar end, *, ScalarType? dtype=None, ...) -> Tensor."""
    return _count(low, 0, 1)


@RULES.lowers("aten.arange.start")
def arange_start(low: Lowering, start: Number, end: Number, *_: Any) -> Tensor:
    """arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, ...) -> Tensor."""
    return _count(low, start, 1)


@RULES.lowers("aten.arange.start_step", "aten.range.step")
def arange_step(low: Lowering, start: Number, end: Number, step: Number = 1, *_: Any) -> Tensor:
    """arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ...) -> Tensor."""
    return _count(low, start, step)


@RULES.lowers("prims.iota")
def iota(low: Lowering, length: int, start: int, step: int, *_: Any) -> Tensor:
    """prims.iota(SymInt length, *, SymInt start, SymInt step, ...) -> Tensor."""
    return _count(low, start, step)


def _count(low: Lowering, start: Number, step: Number) -> Tensor:
    """Return `start + i * step`; fractions as a constant, since `ttir.arange` has integers only.

    PyTorch counts in f64, and for f16 and bf16 in f32. Integer types truncate start and step.
    """
    shape, dtype = low.result
    if not is_float(dtype):
        start, step = int(start), int(step)
    if step == 0:
        return low.full(shape, start, dtype)
    if float(start).is_integer() and float(step).is_integer():
        return low.arange(shape, 0, dtype, int(start), int(step))
    kind = np.dtype(np.float32 if is_narrow(dtype) else np.float64)
    bounds = np.array([start, step], dtype=kind)
    values = bounds[0] + np.arange(shape[0], dtype=kind) * bounds[1]
    return low.constant(values.astype(NUMPY_DTYPES[dtype]), dtype)


@RULES.lowers("aten.linspace")
def linspace(low: Lowering, start: Number, end: Number, steps: int, *_: Any) -> Tensor:
    """linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, ...) -> Tensor."""
    return low.constant(_line(low, start, end), low.result.dtype)


@RULES.lowers("aten.logspace")
def logspace(
    low: Lowering, start: Number, end: Number, steps: int, base: float = 10, *_: Any
) -> Tensor:
    """logspace(Scalar start, Scalar end, int steps, float base=10.0, *, ...) -> Tensor."""
    line = _line(low, start, end).astype(np.float64)
    values = np.power(float(base), line)
    return low.constant(values.astype(NUMPY_DTYPES[low.result.dtype]), low.result.dtype)


def _line(low: Lowering, start: Number, end: Number) -> np.ndarray[Any, Any]:
    """Return equal steps, counted from the nearer end; each operation rounds to the result's type.

    Integer types compute in f64. Source: RangeFactoriesKernel.cpp.
    """
    (count,), dtype = low.result
    kind = NUMPY_DTYPES[dtype if is_float(dtype) else "f64"]
    bounds = [start, end] if is_float(dtype) else [int(start), int(end)]
    first, last = np.array(bounds).astype(kind)
    step = (last - first) / np.array(max(count - 1, 1)).astype(kind)
    index = np.arange(count)
    rising = first + step * index.astype(kind)
    falling = last - step * index[::-1].astype(kind)
    values: np.ndarray[Any, Any] = np.where(index < max(count // 2, count == 1), rising, falling)
    return values.astype(NUMPY_DTYPES[dtype])


@RULES.lowers(
    *(f"aten.linspace.{kind}" for kind in ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor"))
)
def linspace_tensors(
    low: Lowering, start: Tensor | Number, end: Tensor | Number, steps: int, *_: Any
) -> Tensor:
    """linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ...) -> Tensor."""
    shape, dtype = low.result
    kind = dtype if is_float(dtype) else "f64"
    start, end = low.scalar(start, kind), low.scalar(end, kind)
    if not is_float(dtype):
        start, end = low.unary("trunc", start), low.unary("trunc", end)
    count = shape[0]
    step = low.div(low.sub(end, start), max(count - 1, 1))
    index = low.arange(shape, 0, kind)
    first = low.add(low.mul(index, step), start)
    last = low.sub(end, low.mul(low.sub(count - 1, index), step))
    near = low.compare("lt", index, max(count // 2, 1 if count == 1 else 0))
    return low.cast(low.where(near, first, last), dtype)


@RULES.lowers("aten.kaiser_window", "aten.kaiser_window.periodic", "aten.kaiser_window.beta")
def kaiser_window(
    low: Lowering, length: int, periodic: object = True, beta: object = 12.0, *_: Any
) -> Tensor:
    """kaiser_window.beta(int window_length, bool periodic, float beta, *, ...) -> Tensor."""
    if length == 1:
        return low.full(low.result.shape, 1, low.result.dtype)
    # The overloads without `periodic` and `beta` have the dtype in their places.
    is_periodic = periodic if isinstance(periodic, bool) else True
    shape = beta if isinstance(beta, float) else 12.0
    window = np.kaiser(length + is_periodic, shape)[:length]
    return low.constant(window.astype(NUMPY_DTYPES[low.result.dtype]), low.result.dtype)


@RULES.lowers("aten.eye")
def eye(low: Lowering, size: int, *_: Any) -> Tensor:
    """eye(SymInt n, *, ScalarType? dtype=None, ...) -> Tensor."""
    (rows, columns), dtype = low.result
    row, column = low.arange((rows, 1), 0, "i32"), low.arange((1, columns), 1, "i32")
    return low.cast(low.compare("eq", row, column), dtype)


@RULES.lowers("aten.eye.m")
def eye_m(low: Lowering, rows: int, columns: int, *_: Any) -> Tensor:
    """eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, ...) -> Tensor."""
    return eye(low, rows)
