"""Building TTIR: one method an op, with inferred result types, on tensors that know their shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from torch_mlir import ir

from torch_ttir.dialects.ttir import OPS, create
from torch_ttir.dialects.ttir.shapes import broadcast_shape
from torch_ttir.ir.constants import elements_attribute
from torch_ttir.ir.types import TensorInfo, is_float, tensor_type


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
        return self.multi(name, operands, [TensorInfo(tuple(shape), dtype)], **attrs)[0]

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

    def binary(self, name: str, x: Tensor, y: Tensor, dtype: str | None = None) -> Tensor:
        """Make an elementwise op of two broadcasting operands; dtype defaults to the first's."""
        return self.op(name, [x, y], broadcast_shape([x.shape, y.shape]), dtype or x.dtype)

    def add(self, x: Tensor, y: Tensor) -> Tensor:
        """Return `x + y`."""
        return self.binary("add", x, y)

    def sub(self, x: Tensor, y: Tensor) -> Tensor:
        """Return `x - y`."""
        return self.binary("subtract", x, y)

    def mul(self, x: Tensor, y: Tensor) -> Tensor:
        """Return `x * y`."""
        return self.binary("multiply", x, y)

    def div(self, x: Tensor, y: Tensor) -> Tensor:
        """Return `x / y`: true division of floats, truncating division of integers."""
        return self.binary("div", x, y)

    def maximum(self, x: Tensor, y: Tensor) -> Tensor:
        """Return the larger of `x` and `y`."""
        return self.binary("maximum", x, y)

    def minimum(self, x: Tensor, y: Tensor) -> Tensor:
        """Return the smaller of `x` and `y`."""
        return self.binary("minimum", x, y)

    def compare(self, name: str, x: Tensor, y: Tensor) -> Tensor:
        """Make `eq`, `ne`, `lt`, `le`, `gt` or `ge` with an i1 result; dtypes must agree."""
        return self.binary(name, x, y, "i1")

    def where(self, condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
        """Return `x` where the condition is not zero, else `y`; all three broadcast."""
        shape = broadcast_shape([condition.shape, x.shape, y.shape])
        return self.op("where", [condition, x, y], shape, x.dtype)

    def cast(self, x: Tensor, dtype: str) -> Tensor:
        """Convert as `Tensor.to` does; nothing where the dtype is there already, `!= 0` for i1.

        A truncation to integers is kept from being folded away with a cast back.
        """
        if x.dtype == dtype:
            return x
        if dtype == "i1":
            return self.compare("ne", x, self.full((), 0, x.dtype))
        narrowing = is_float(x.dtype) or x.dtype in ("i64", "i32")
        return self.unary("typecast", x, dtype, conservative_folding=narrowing or None)

    # Creation ---------------------------------------------------------------------------------

    def full(self, shape: Sequence[int], value: float | bool, dtype: str) -> Tensor:
        """Make a tensor of one value; integers beyond 32 bits and f64 values become constants."""
        fits = -(2**31) <= value < 2**31 if not is_float(dtype) else _is_f32(float(value))
        if not fits:
            return self.constant(np.full(shape, value), dtype)
        fill = float(value) if is_float(dtype) else int(value)
        return self.op("full", [], shape, dtype, shape=tuple(shape), fill_value=fill)

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
        x = self.reshape(x, (1,) * (len(shape) - x.rank) + x.shape)
        factors = [1 if size == old else size for size, old in zip(shape, x.shape, strict=True)]
        if all(factor == 1 for factor in factors):
            return x
        return self.op("broadcast", [x], shape, x.dtype, broadcast_dimensions=factors)

    def concat(self, xs: Sequence[Tensor], dim: int) -> Tensor:
        """Join tensors along a non-negative `dim`."""
        if len(xs) == 1:
            return xs[0]
        shape = list(xs[0].shape)
        shape[dim] = sum(x.shape[dim] for x in xs)
        return self.op("concat", [list(xs)], shape, xs[0].dtype, dim=dim)

    def slice(self, x: Tensor, dim: int, begin: int, end: int, step: int = 1) -> Tensor:
        """Return `x[begin:end:step]` along `dim`; bounds in [0, size], a positive step."""
        if (begin, end, step) == (0, x.shape[dim], 1):
            return x
        shape = list(x.shape)
        shape[dim] = max(0, -(-(end - begin) // step))
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


def _is_f32(value: float) -> bool:
    with np.errstate(over="ignore"):
        return value != value or float(np.float32(value)) == value


def _value(operand: Any) -> Any:
    if isinstance(operand, Tensor):
        return operand.value
    if isinstance(operand, list):
        return [tensor.value for tensor in operand]
    return operand
