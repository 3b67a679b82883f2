"""Rules for windows over a tensor: unfold, im2col, col2im, as_strided."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

_MOST_SLICES = 64
"""Windows are read by as many slices as this; beyond it, by one gather with a constant index."""


@RULES.lowers("aten.unfold", "aten.unfold_copy")
def unfold(low: Lowering, x: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)."""
    if x.rank == 0:
        return low.reshape(x, low.result.shape)
    axis = low.dim(dimension, x.rank)
    count = low.result.shape[axis]
    windows = _windows(low, x, axis, count, size, step)
    order = [*range(axis + 1), *range(axis + 2, x.rank + 1), axis + 1]
    return low.permute(windows, order)


@RULES.lowers("aten.im2col")
def im2col(
    low: Lowering,
    x: Tensor,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Tensor:
    """im2col(self, int[2] kernel_size, dilation, padding, stride) -> Tensor."""
    lead = x.rank - 2
    x = low.pad(x, [(0, 0)] * lead + [(amount, amount) for amount in padding])
    for axis, kernel, spread, step in zip(
        (lead + 1, lead), kernel_size[::-1], dilation[::-1], stride[::-1], strict=True
    ):
        count = (x.shape[axis] - spread * (kernel - 1) - 1) // step + 1
        x = _windows(low, x, axis, count, kernel, step, spread)
    # [..., H, kh, W, kw] to [..., kh, kw, H, W]
    order = [*range(lead), lead + 1, lead + 3, lead, lead + 2]
    return low.reshape(low.permute(x, order), low.result.shape)


@RULES.lowers("aten.col2im")
def col2im(
    low: Lowering,
    x: Tensor,
    output_size: Sequence[int],
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
) -> Tensor:
    """col2im(self, SymInt[2] output_size, int[2] kernel_size, dilation, padding, stride)."""
    rows, cols = (size + 2 * pad for size, pad in zip(output_size, padding, strict=True))
    grids = [
        np.arange(kernel)[:, None] * spread
        + np.arange((size - spread * (kernel - 1) - 1) // step + 1) * step
        for size, kernel, spread, step in zip(
            (rows, cols), kernel_size, dilation, stride, strict=True
        )
    ]
    # One pixel index for each (kh, kw, h, w), in the order in which the columns hold them.
    index = grids[0][:, None, :, None] * cols + grids[1][None, :, None, :]
    lead = low.result.shape[:-2]
    source = low.reshape(x, (*lead, index.size))
    image = low.full((*lead, rows * cols), 0, x.dtype)
    flat = low.constant(index.reshape(-1), "i64")
    image = low.reshape(put_rows(low, image, len(lead), flat, source, "sum"), (*lead, rows, cols))
    for axis, pad, size in zip((len(lead), len(lead) + 1), padding, output_size, strict=True):
        image = low.slice(image, axis, pad, pad + size)
    return image


@RULES.lowers("aten.as_strided", "aten.as_strided_copy", "prims.as_strided")
def as_strided(
    low: Lowering, x: Tensor, size: Sequence[int], stride: Sequence[int], offset: int | None
) -> Tensor:
    """as_strided(self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor."""
    flat = _storage(low, x)
    _check_storage(low, x, size, stride, offset or 0)
    begin = offset or 0
    step = _even_step(size, stride)
    if step is not None:
        end = begin + (math.prod(size) - 1) * step + 1
        return low.reshape(low.slice(flat, 0, begin, end, step), size)
    return take_rows(low, flat, 0, _storage_index(low, size, stride, begin))


@RULES.lowers("aten.as_strided_scatter", "prims.as_strided_scatter")
def as_strided_scatter(
    low: Lowering,
    x: Tensor,
    src: Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    offset: int | None,
) -> Tensor:
    """as_strided_scatter(self, src, SymInt[] size, stride, SymInt? storage_offset) -> Tensor."""
    flat = _storage(low, x)
    _check_storage(low, x, size, stride, offset or 0)
    index = _storage_index(low, size, stride, offset or 0)
    source = low.broadcast(low.cast(src, x.dtype), size)
    return low.reshape(put_rows(low, flat, 0, index, source), x.shape)


def _windows(
    low: Lowering, x: Tensor, axis: int, count: int, size: int, step: int, spread: int = 1
) -> Tensor:
    """Return `x` with `axis` as [count, size]: window i has elements i * step + j * spread."""
    shape = (*x.shape[:axis], count, size, *x.shape[axis + 1 :])
    if step == size and spread == 1:
        return low.reshape(low.slice(x, axis, 0, count * size), shape)
    if min(count, size) > _MOST_SLICES:
        starts = low.arange((count, 1), 0, "i64", 0, step)
        return take_rows(low, x, axis, low.add(starts, low.arange((1, size), 1, "i64", 0, spread)))
    if count <= size:
        parts = [
            low.slice(x, axis, i * step, i * step + spread * (size - 1) + 1, spread)
            for i in range(count)
        ]
        return low.reshape(low.concat(parts, axis), shape)
    parts = [
        low.slice(x, axis, j * spread, j * spread + step * (count - 1) + 1, step)
        for j in range(size)
    ]
    one = (*x.shape[:axis], count, 1, *x.shape[axis + 1 :])
    return low.concat([low.reshape(part, one) for part in parts], axis + 1)


def _storage(low: Lowering, x: Tensor) -> Tensor:
    """Return the storage of `x` as one dimension, which needs `x` to be contiguous."""
    low.expect(
        _is_surely_contiguous(x),
        "it reads the operand's storage, whose strides are known only for arguments and views of "
        "them that are contiguous",
    )
    return low.reshape(x, (math.prod(x.shape),))


def _is_surely_contiguous(x: Tensor) -> bool:
    value = x.value
    while hasattr(value.owner, "name"):
        if value.owner.name in ("ttir.constant", "ttir.full", "ttir.arange", "ttir.zeros"):
            return True
        if value.owner.name not in ("ttir.reshape", "ttir.unsqueeze"):
            return False
        value = value.owner.operands[0]
    return True


def _check_storage(
    low: Lowering, x: Tensor, size: Sequence[int], stride: Sequence[int], offset: int
) -> None:
    """Reject what lies outside of the operand's own elements, as the storage of a view may."""
    last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    count = math.prod(x.shape)
    low.expect(
        last < count, f"element {last} of the storage is not in the operand, which has {count}"
    )


def _even_step(size: Sequence[int], stride: Sequence[int]) -> int | None:
    """Return how far apart the elements are in row-major order, if all are equally far."""
    wide = [(n, step) for n, step in zip(size, stride, strict=True) if n > 1]
    least = expected = wide[-1][1] if wide else 1
    for n, step in reversed(wide):
        if step != expected or step < 1:
            return None
        expected = step * n
    return least


def _storage_index(
    low: Lowering, size: Sequence[int], stride: Sequence[int], offset: int
) -> Tensor:
    """Return the i64 storage index of each element: the sum of one arange a dimension."""
    index = low.full((1,) * len(size), offset, "i64")
    for axis, step in enumerate(stride):
        if size[axis] > 1 and step:
            ones = [n if i == axis else 1 for i, n in enumerate(size)]
            index = low.add(index, low.arange(ones, axis, "i64", 0, step))
    return low.broadcast(index, size)
