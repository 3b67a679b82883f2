"""Rules for windows over a tensor: unfold, im2col, and their inverses."""

from __future__ import annotations

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


@RULES.lowers("aten.unfold_backward")
def unfold_backward(
    low: Lowering, grad: Tensor, sizes: Sequence[int], dim: int, size: int, step: int
) -> Tensor:
    """unfold_backward(grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor."""
    axis, last = low.dim(dim, len(sizes)), grad.rank - 1
    order = [*range(axis + 1), last, *range(axis + 1, last)]
    zeros = low.full(sizes, 0, grad.dtype)
    index = _window_index(low, grad.shape[axis], size, step, 1)
    return put_rows(low, zeros, axis, index, low.permute(grad, order), "sum")


def _windows(
    low: Lowering, x: Tensor, axis: int, count: int, size: int, step: int, spread: int = 1
) -> Tensor:
    """Return `x` with `axis` as [count, size]: window i has elements i * step + j * spread."""
    shape = (*x.shape[:axis], count, size, *x.shape[axis + 1 :])
    if step == size and spread == 1:
        return low.reshape(low.slice(x, axis, 0, count * size), shape)
    if min(count, size) > _MOST_SLICES:
        return take_rows(low, x, axis, _window_index(low, count, size, step, spread))
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


def _window_index(low: Lowering, count: int, size: int, step: int, spread: int) -> Tensor:
    """Return the index i * step + j * spread of element j of window i, as [count, size]."""
    starts = low.arange((count, 1), 0, "i64", 0, step)
    return low.add(starts, low.arange((1, size), 1, "i64", 0, spread))
