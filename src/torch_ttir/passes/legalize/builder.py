"""Building TTIR: one method an op, with inferred result types, on tensors that know their shape."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from torch_mlir import ir

from torch_ttir.dialects.ttir import OPS, create
from torch_ttir.dialects.ttir.shapes import broadcast_shape
from torch_ttir.ir.constants import NUMPY_DTYPES, elements_attribute
from torch_ttir.ir.types import TensorInfo, is_float, tensor_type

Number = float | bool


class Rejected(Exception):
    """What a rule cannot say in TTIR; the walk adds the op and its location."""


class Tensor(NamedTuple):
    """A TTIR value with its shape and element type at hand."""

    value: ir.Value
    shape: tuple[int, ...]
    dtype: str

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def info(self) -> TensorInfo:
        """Shape and element type without the value."""
        return TensorInfo(self.shape, self.dtype)


class Builder:
    """Makes TTIR ops at one insertion point, all with one location at a time."""

    def __init__(self, ip: ir.InsertionPoint, loc: ir.Location) -> None:
        """Build at `ip`; `loc` is the location of every op until it is changed."""
        self.ip = ip
        self.loc = loc

    def op(
        self, name: str, operands: Sequence[Any], shape: Sequence[int], dtype: str, /, **attrs: Any
    ) -> Tensor:
        """Make the one-result op `ttir.<name>`; an operand is a Tensor, a list of them, or None.

        `attrs` are Python values; their kinds come from the op's declaration.
        """
        shape = tuple(shape)
        values = [_value(operand) for operand in operands]
        types = [tensor_type(shape, dtype)]
        made = create(OPS[f"ttir.{name}"], values, types, attrs, self.loc, self.ip)
        return Tensor(made.result, shape, dtype)

    def multi(
        self, name: str, operands: Sequence[Any], results: Sequence[TensorInfo], /, **attrs: Any
    ) -> list[Tensor]:
        """Make an op with any number of results."""
        types = [tensor_type(info.shape, info.dtype) for info in results]
        values = [_value(operand) for operand in operands]
        made = create(OPS[f"ttir.{name}"], values, types, attrs, self.loc, self.ip)
        return [
            Tensor(value, info.shape, info.dtype)
            for value, info in zip(made.results, results, strict=True)
        ]

    # Elementwise ------------------------------------------------------------------------------

    def unary(self, name: str, x: Tensor, dtype: str | None = None, /, **attrs: Any) -> Tensor:
        """Make an elementwise op of one operand; the result has `dtype`, or the operand's."""
        return self.op(name, [x], x.shape, dtype or x.dtype, **attrs)

    def binary(
        self, name: str, x: Tensor | Number, y: Tensor | Number, dtype: str | None = None
    ) -> Tensor:
        """Make an elementwise op of two broadcasting operands, the result with `dtype` or theirs.

        A number, of which at most one may be there, takes the other operand's dtype.
        """
        x, y = self.pair(x, y)
        return self.op(name, [x, y], broadcast_shape([x.shape, y.shape]), dtype or x.dtype)

    def pair(self, x: Tensor | Number, y: Tensor | Number) -> tuple[Tensor, Tensor]:
        """Return two operands as Tensors: a number becomes a 0-d one of the other's dtype."""
        if isinstance(x, Tensor):
            return x, y if isinstance(y, Tensor) else self.full((), y, x.dtype)
        if isinstance(y, Tensor):
            return self.full((), x, y.dtype), y
        raise TypeError("one of two operands must be a Tensor")

    def add(self, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Return `x + y`."""
        return self.binary("add", x, y)

    def sub(self, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Return `x - y`."""
        return self.binary("subtract", x, y)

    def mul(self, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Return `x * y`."""
        return self.binary("multiply", x, y)

    def div(self, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Return `x / y`: true division of floats, truncating division of integers."""
        return self.binary("div", x, y)

    def maximum(self, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Return the larger of `x` and `y`."""
        return self.binary("maximum", x, y)

    def minimum(self, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Return the smaller of `x` and `y`."""
        return self.binary("minimum", x, y)

    def compare(self, name: str, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Make `eq`, `ne`, `lt`, `le`, `gt` or `ge` with an i1 result; dtypes must agree."""
        return self.binary(name, x, y, "i1")

    def where(self, condition: Tensor, x: Tensor | Number, y: Tensor | Number) -> Tensor:
        """Return `x` where the condition is not zero, else `y`; all three broadcast."""
        x, y = self.pair(x, y)
        shape = broadcast_shape([condition.shape, x.shape, y.shape])
        return self.op("where", [condition, x, y], shape, x.dtype)

    def cast(self, x: Tensor, dtype: str) -> Tensor:
        """Convert as `Tensor.to` does; nothing where the dtype is there already, `!= 0` for i1.

        tt-mlir folds a chain of casts into one, unless one of them has `conservative_folding`: a
        cast that may change a value has it, one that only widens does not.
        """
        if x.dtype == dtype:
            return x
        if dtype == "i1":
            return self.compare("ne", x, 0)
        keeps_values = holds_all_values(x.dtype, dtype)
        return self.unary("typecast", x, dtype, conservative_folding=None if keeps_values else True)

    # Creation ---------------------------------------------------------------------------------

    def full(self, shape: Sequence[int], value: Number, dtype: str) -> Tensor:
        """Make a tensor of one value, converted to `dtype` as PyTorch does; integers wrap around.

        What `ttir.full` has no attribute for, integers beyond 32 bits and f64 values that f32
        cannot hold, becomes a constant. Rejects infinities and NaN in integers.
        """
        element = _as_element(value, dtype)
        shape = tuple(shape)
        fits = dtype != "f64" or is_f32(element) if is_float(dtype) else -(2**31) <= element < 2**31
        if not fits:
            scalar = self.constant(np.array(element, dtype=NUMPY_DTYPES[dtype]), dtype)
            return self.broadcast(scalar, shape)
        return self.op("full", [], shape, dtype, shape=shape, fill_value=element)

    def constant(self, array: np.ndarray[Any, Any], dtype: str) -> Tensor:
        """Make a constant of `array`'s values in element type `dtype`."""
        type_ = tensor_type(tuple(array.shape), dtype)
        return self.op("constant", [], array.shape, dtype, value=elements_attribute(array, type_))

    def arange(
        self, shape: Sequence[int], dim: int, dtype: str, start: int = 0, step: int = 1
    ) -> Tensor:
        """Make `start + step * i` along `dim`, the same over the other dimensions."""
        shape = tuple(shape)
        end = start + shape[dim] * step
        return self.op(
            "arange", [], shape, dtype, start=start, end=end, step=step, arange_dimension=dim
        )

    # Shape ------------------------------------------------------------------------------------

    def reshape(self, x: Tensor, shape: Sequence[int]) -> Tensor:
        """Return `x` in another shape, in row-major order."""
        shape = tuple(shape)
        return x if shape == x.shape else self.op("reshape", [x], shape, x.dtype, shape=shape)

    def permute(self, x: Tensor, order: Sequence[int]) -> Tensor:
        """Return `x` with dimension i of the result taken from dimension `order[i]`."""
        order = tuple(order)
        if order == tuple(range(x.rank)):
            return x
        shape = [x.shape[axis] for axis in order]
        return self.op("permute", [x], shape, x.dtype, permutation=order)

    def broadcast(self, x: Tensor, shape: Sequence[int]) -> Tensor:
        """Return `x` expanded to `shape` by numpy's rules, new leading dimensions included."""
        shape = tuple(shape)
        if x.shape == shape:
            return x
        if 0 in shape:
            return self.full(shape, 0, x.dtype)
        x = self.reshape(x, (1,) * (len(shape) - x.rank) + x.shape)
        factors = [1 if size == old else size for size, old in zip(shape, x.shape, strict=True)]
        if all(factor == 1 for factor in factors):
            return x
        return self.op("broadcast", [x], shape, x.dtype, broadcast_dimensions=factors)

    def concat(self, xs: Sequence[Tensor], dim: int) -> Tensor:
        """Join tensors along a non-negative `dim`; those without elements drop out.

        One op joins a tensor of any size and others of one size: more sizes take more ops.
        """
        kept = [x for x in xs if 0 not in x.shape]
        if not kept:
            shape = list(xs[0].shape)
            shape[dim] = sum(x.shape[dim] for x in xs)
            return self.full(shape, 0, xs[0].dtype)
        joined = kept[0]
        for _, run in itertools.groupby(kept[1:], key=lambda x: x.shape):
            parts = [joined, *run]
            shape = list(joined.shape)
            shape[dim] = sum(x.shape[dim] for x in parts)
            joined = self.op("concat", [parts], shape, joined.dtype, dim=dim)
        return joined

    def slice(self, x: Tensor, dim: int, begin: int, end: int, step: int = 1) -> Tensor:
        """Return `x[begin:end:step]` along `dim`; bounds in [0, size], a positive step."""
        if (begin, end, step) == (0, x.shape[dim], 1):
            return x
        shape = list(x.shape)
        shape[dim] = max(0, -(-(end - begin) // step))
        if 0 in shape:
            return self.full(shape, 0, x.dtype)
        begins, ends, steps = [0] * x.rank, list(x.shape), [1] * x.rank
        begins[dim], ends[dim], steps[dim] = begin, end, step
        return self.op("slice_static", [x], shape, x.dtype, begins=begins, ends=ends, step=steps)

    def pad(self, x: Tensor, pairs: Sequence[tuple[int, int]], value: float = 0.0) -> Tensor:
        """Pad with a constant; one (low, high) pair a dimension, first dimension first."""
        if not any(low or high for low, high in pairs):
            return x
        shape = [size + low + high for size, (low, high) in zip(x.shape, pairs, strict=True)]
        flat = [amount for pair in pairs for amount in pair]
        return self.op("pad", [x], shape, x.dtype, padding=flat, value=float(value))

    # Reductions and products --------------------------------------------------------------------

    def reduce(
        self, name: str, x: Tensor, dims: Sequence[int], keep: bool, dtype: str | None = None
    ) -> Tensor:
        """Make `sum`, `max`, ... over non-negative `dims`, which must not be empty."""
        shape = [
            1 if axis in dims else size
            for axis, size in enumerate(x.shape)
            if keep or axis not in dims
        ]
        return self.op(
            name, [x], shape, dtype or x.dtype, dim_arg=sorted(dims) or None, keep_dim=keep
        )

    def matmul(self, x: Tensor, y: Tensor, transpose_b: bool = False) -> Tensor:
        """Return the batched matrix product of operands of rank 2 or more."""
        rows = y.shape[:-2] + (y.shape[:-3:-1] if transpose_b else y.shape[-2:])
        shape = (*broadcast_shape([x.shape[:-2], rows[:-2]]), x.shape[-2], rows[-1])
        return self.op("matmul", [x, y], shape, x.dtype, transpose_b=transpose_b or None)


def is_f32(value: float) -> bool:
    """Say whether float32 holds `value` exactly."""
    with np.errstate(over="ignore"):
        return value != value or float(np.float32(value)) == value


# Significant bits and largest exponent of the float types that casts are judged for.
_FLOATS = {"f64": (53, 1024), "f32": (24, 128), "f16": (11, 16), "bf16": (8, 128)}


def holds_all_values(source: str, target: str) -> bool:
    """Say whether every value of element type `source` is one of `target`."""
    if is_float(source):
        if source not in _FLOATS or target not in _FLOATS:
            return False
        return all(x <= y for x, y in zip(_FLOATS[source], _FLOATS[target], strict=True))
    signed, bits = _integer_format(source)
    if is_float(target):
        return target in _FLOATS and bits <= _FLOATS[target][0]
    target_signed, target_bits = _integer_format(target)
    return bits <= target_bits and (target_signed or not signed)


def _integer_format(dtype: str) -> tuple[bool, int]:
    """Return whether an integer type is signed, and the bits of its largest value."""
    signed = dtype != "i1" and not dtype.startswith("u")
    return signed, int(dtype.lstrip("usi")) - signed


def _as_element(value: Number, dtype: str) -> float | int:
    if is_float(dtype):
        return float(value)
    if not math.isfinite(value):
        raise Rejected(f"{value} is not a value of the element type {dtype}")
    if dtype == "i1":
        return int(value != 0)
    signed, bits = _integer_format(dtype)
    wrapped = int(value) % (1 << bits + signed)
    return wrapped - (1 << bits + 1) if signed and wrapped >> bits else wrapped


def _value(operand: Any) -> Any:
    if isinstance(operand, Tensor):
        return operand.value
    if isinstance(operand, list):
        return [tensor.value for tensor in operand]
    return operand
