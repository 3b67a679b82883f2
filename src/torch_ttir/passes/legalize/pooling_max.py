"""Max pooling over one to three dimensions, on tensors whose channels are last."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.ir.types import TensorInfo
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.pooling_window import PoolWindow, ravel, unravel


def pool_max(low: Lowering, x: Tensor, window: PoolWindow) -> Tensor:
    """Return the maxima of x [N, ..., C], over one to three dimensions."""
    batch, *sizes, channels = x.shape
    made = window.sizes(sizes)
    if len(sizes) == 1:
        flat = low.reshape(x, (batch, 1, *sizes, channels))
        return low.reshape(
            _max2d(low, flat, window.beside(1, before=True)), (batch, *made, channels)
        )
    if len(sizes) == 2:
        return _max2d(low, x, window)
    planes = low.reshape(x, (batch * sizes[0], *sizes[1:], channels))
    planes = _max2d(low, planes, window.part(1, 3))
    columns = low.reshape(planes, (batch, sizes[0], made[1] * made[2], channels))
    columns = _max2d(low, columns, window.part(0, 1).beside(1, before=False))
    return low.reshape(columns, (batch, *made, channels))


def pool_max_with_indices(
    low: Lowering, x: Tensor, window: PoolWindow, dtype: str
) -> tuple[Tensor, Tensor]:
    """Return the maxima, and where they are: row-major in x's spatial dimensions, as `dtype`."""
    batch, *sizes, channels = x.shape
    made = window.sizes(sizes)
    shape = (batch, *made, channels)
    if len(sizes) == 1:
        flat = low.reshape(x, (batch, 1, *sizes, channels))
        found = _max2d_with_indices(low, flat, window.beside(1, before=True), dtype)
        return low.reshape(found[0], shape), low.reshape(found[1], shape)
    if len(sizes) == 2:
        return _max2d_with_indices(low, x, window, dtype)
    planes = low.reshape(x, (batch * sizes[0], *sizes[1:], channels))
    values, in_plane = _max2d_with_indices(low, planes, window.part(1, 3), dtype)
    area = made[1] * made[2]
    columns = low.reshape(values, (batch, sizes[0], area, channels))
    still = window.part(0, 1).beside(1, before=False)
    values, place = _max2d_with_indices(low, columns, still, dtype)
    # `place` counts through [depth, area]: it picks the index found in its plane.
    place = low.reshape(place, (batch, made[0] * area, channels))
    in_plane = low.reshape(in_plane, (batch, sizes[0] * area, channels))
    picked = low.op("gather", [in_plane, place], place.shape, dtype, dim=1)
    depth = low.div(place, area)
    index = low.add(low.mul(depth, sizes[1] * sizes[2]), picked)
    return low.reshape(values, shape), low.reshape(index, shape)


def _max2d(low: Lowering, x: Tensor, window: PoolWindow) -> Tensor:
    batch, height, width, channels = x.shape
    shape = (batch, *window.sizes((height, width)), channels)
    return low.op("max_pool2d", [x], shape, x.dtype, **_attributes(window))


def _max2d_with_indices(
    low: Lowering, x: Tensor, window: PoolWindow, dtype: str
) -> tuple[Tensor, Tensor]:
    batch, *sizes, channels = x.shape
    shape = (batch, *window.sizes(sizes), channels)
    results = [TensorInfo(shape, x.dtype), TensorInfo(shape, dtype)]
    values, index = low.multi("max_pool2d_with_indices", [x, []], results, **_attributes(window))
    return values, index


def shift_indices(
    low: Lowering,
    index: Tensor,
    sizes: Sequence[int],
    starts: Sequence[int],
    wanted: Sequence[int],
) -> Tensor:
    """Return row-major indices into `sizes`, which begins at `starts`, as indices into `wanted`."""
    if list(sizes) == list(wanted) and not any(starts):
        return index
    positions = unravel(low, index, sizes)
    moved = [
        low.add(position, start) if start else position
        for position, start in zip(positions, starts, strict=True)
    ]
    return ravel(low, moved, wanted)


def _attributes(window: PoolWindow) -> dict[str, object]:
    return {
        "kernel": window.kernel,
        "stride": window.stride,
        "dilation": window.dilation,
        "padding": window.padding,
        "ceil_mode": window.ceil_mode,
    }
