"""Rules for ONNX's shape and data movement ops; the declared result type says what a shape is."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from torch_mlir import ir

from torch_ttir.ir.constants import read_elements
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import Ints, aten, constant_array, integers
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("onnx.Reshape", "onnx.Flatten", "onnx.Squeeze", "onnx.Unsqueeze")
def reshape(
    low: Lowering,
    x: Tensor,
    shape: Ints = None,
    *,
    axis: int = 1,
    axes: list[int] | None = None,
    allowzero: int = 0,
    consumed_inputs: Any = None,
) -> Tensor:
    """Reshape(data, shape), Flatten(input; axis=1), Squeeze and Unsqueeze(data, axes) -> result."""
    return low.reshape(x, low.result.shape)


@RULES.lowers("onnx.Expand")
def expand(low: Lowering, x: Tensor, shape: Ints = None) -> Tensor:
    """Expand(input, shape) -> output."""
    return low.broadcast(x, low.result.shape)


@RULES.lowers("onnx.Transpose")
def transpose(low: Lowering, x: Tensor, *, perm: list[int] | None = None) -> Tensor:
    """Transpose(data; perm=reversed) -> transposed."""
    return low.permute(x, perm if perm is not None else range(x.rank)[::-1])


@RULES.lowers("onnx.Concat")
def concat(low: Lowering, *xs: Tensor, axis: int = 1) -> Tensor:
    """Concat(inputs; axis) -> concat_result."""
    return aten(low, "cat", list(xs), axis)  # type: ignore[no-any-return]


@RULES.lowers("onnx.Split")
def split(
    low: Lowering,
    x: Tensor,
    split: Ints = None,
    *,
    axis: int = 0,
    num_outputs: int | None = None,
) -> list[Tensor]:
    """Split(input, split; axis=0, num_outputs) -> outputs, of the sizes that they declare."""
    dim = low.dim(axis, x.rank)
    ends = list(accumulate(result.shape[dim] for result in low.results))
    begins = [0, *ends[:-1]]
    parts = [low.slice(x, dim, begin, end) for begin, end in zip(begins, ends, strict=True)]
    return parts if len(parts) > 1 else parts[0]  # type: ignore[return-value]


@RULES.lowers("onnx.Slice")
def slice_(
    low: Lowering,
    x: Tensor,
    starts: Ints,
    ends: Ints,
    axes: Ints = None,
    steps: Ints = None,
) -> Tensor:
    """Slice(data, starts, ends, axes, steps) -> output; as in Python."""
    first, last = integers(low, starts, "starts"), integers(low, ends, "ends")
    assert first is not None
    assert last is not None
    dims = [low.dim(axis, x.rank) for axis in integers(low, axes, "axes") or range(len(first))]
    strides = integers(low, steps, "steps") or [1] * len(first)
    for dim, begin, end, step in zip(dims, first, last, strides, strict=True):
        chosen = range(x.shape[dim])[begin:end:step]
        if len(chosen) == 0:
            return low.full(low.result.shape, 0, low.result.dtype)
        if step > 0:
            x = low.slice(x, dim, chosen[0], chosen[-1] + 1, step)
            continue
        x = low.slice(x, dim, chosen[-1], chosen[0] + 1, -step)
        x = low.op("reverse", [x], x.shape, x.dtype, dimensions=[dim])
    return x


@RULES.lowers("onnx.Tile")
def tile(low: Lowering, x: Tensor, repeats: Ints = None, axis: Ints = None) -> Tensor:
    """Tile(input, repeats) -> output."""
    shape = low.result.shape
    counts = [size // old for size, old in zip(shape, x.shape, strict=True)]
    return low.op("repeat", [x], shape, x.dtype, repeat_dimensions=counts)


@RULES.lowers("onnx.Shape")
def shape(low: Lowering, x: Tensor, *, start: int = 0, end: int | None = None) -> Tensor:
    """Shape(data; start=0, end) -> shape."""
    return low.constant(np.array(x.shape[start:end], np.int64), "i64")


@RULES.lowers("onnx.Size")
def size(low: Lowering, x: Tensor) -> Tensor:
    """Size(data) -> size."""
    return low.full((), int(np.prod(x.shape, dtype=np.int64)), "i64")


@RULES.lowers("onnx.ConstantOfShape")
def constant_of_shape(low: Lowering, shape: Ints, *, value: Any = None) -> Tensor:
    """ConstantOfShape(input; value=0.0) -> output."""
    fill = 0 if value is None else read_elements(value).reshape(-1)[0].item()
    return low.full(low.result.shape, fill, low.result.dtype)


@RULES.lowers("onnx.Constant")
def constant(
    low: Lowering,
    *,
    value: Any = None,
    value_float: float | None = None,
    value_floats: list[float] | None = None,
    value_int: int | None = None,
    value_ints: list[int] | None = None,
) -> Tensor:
    """Constant(; value, value_float(s), value_int(s)) -> output."""
    if value is not None:
        if isinstance(value, ir.DenseElementsAttr):
            return low.constant(read_elements(value), low.result.dtype)
        return low.op("constant", [], low.result.shape, low.result.dtype, value=value)
    given = (value_float, value_floats, value_int, value_ints)
    found = next(item for item in given if item is not None)
    return low.constant(np.array(found), low.result.dtype)


@RULES.lowers("onnx.Range")
def range_(low: Lowering, start: Tensor, limit: Tensor, delta: Tensor) -> Tensor:
    """Range(start, limit, delta) -> output, start + i * delta."""
    (count,) = low.result.shape
    dtype = low.result.dtype
    first, step = constant_array(start), constant_array(delta)
    if first is not None and step is not None:
        return low.constant(first.reshape(()) + np.arange(count) * step.reshape(()), dtype)
    places = low.mul(low.cast(low.arange((count,), 0, "i64"), dtype), low.reshape(delta, ()))
    return low.add(low.reshape(start, ()), places)


@RULES.lowers("onnx.Trilu")
def triangle(low: Lowering, x: Tensor, k: Ints = None, *, upper: int = 1) -> Tensor:
    """Trilu(input, k; upper=1) -> output."""
    listed = integers(low, k, "k")
    return aten(low, "triu" if upper else "tril", x, listed[0] if listed else 0)  # type: ignore[no-any-return]


@RULES.lowers("onnx.EyeLike")
def eye_like(low: Lowering, x: Tensor, *, dtype: int | None = None, k: int = 0) -> Tensor:
    """EyeLike(input; dtype, k=0) -> output."""
    rows, columns = low.result.shape
    return low.constant(np.eye(rows, columns, k=k), low.result.dtype)


@RULES.lowers("onnx.DepthToSpace")
def depth_to_space(low: Lowering, x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    """DepthToSpace(input; blocksize, mode="DCR") -> output."""
    n, c, h, w = x.shape
    b, depth = blocksize, c // blocksize**2
    if mode == "DCR":
        parts = low.permute(low.reshape(x, (n, b, b, depth, h, w)), (0, 3, 4, 1, 5, 2))
    else:
        parts = low.permute(low.reshape(x, (n, depth, b, b, h, w)), (0, 1, 4, 2, 5, 3))
    return low.reshape(parts, low.result.shape)


@RULES.lowers("onnx.SpaceToDepth")
def space_to_depth(low: Lowering, x: Tensor, *, blocksize: int, mode: str = "DCR") -> Tensor:
    """SpaceToDepth(input; blocksize) -> output."""
    n, c, h, w = x.shape
    b = blocksize
    parts = low.reshape(x, (n, c, h // b, b, w // b, b))
    order = (0, 3, 5, 1, 2, 4) if mode == "DCR" else (0, 1, 3, 5, 2, 4)
    return low.reshape(low.permute(parts, order), low.result.shape)


@RULES.lowers("onnx.OneHot")
def one_hot(
    low: Lowering, indices: Tensor, depth: Tensor, values: Tensor, *, axis: int = -1
) -> Tensor:
    """OneHot(indices, depth, values; axis=-1) -> output; values are (off, on)."""
    dim = low.dim(axis, indices.rank + 1)
    count = low.result.shape[dim]
    index = low.cast(indices, "i64")
    size = low.full((), count, "i64")
    below = low.compare("lt", index, low.full((), 0, "i64"))
    index = low.where(below, low.add(index, size), index)
    index = low.reshape(index, (*index.shape[:dim], 1, *index.shape[dim:]))
    hits = low.compare("eq", low.arange(low.result.shape, dim, "i64"), index)
    off, on = (low.reshape(low.slice(values, 0, i, i + 1), ()) for i in (0, 1))
    return low.where(
        hits, low.broadcast(on, low.result.shape), low.broadcast(off, low.result.shape)
    )
