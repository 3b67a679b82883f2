"""How the window of a pooling moves, and the layout that TTIR's poolings want."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution_window import spread
from torch_ttir.passes.legalize.lowering import Lowering


class PoolWindow(NamedTuple):
    """One entry a spatial dimension; `padding` is added on both sides."""

    kernel: Sequence[int]
    stride: Sequence[int]
    padding: Sequence[int]
    dilation: Sequence[int]
    ceil_mode: bool

    def sizes(self, sizes: Sequence[int]) -> list[int]:
        """Return the result's spatial sizes.

        In ceil mode the last window may stand out, but must begin within the input or the padding
        before it. Source: at::native::pooling_output_shape.
        """
        made = []
        for size, kernel, step, pad, gap in zip(
            sizes, self.kernel, self.stride, self.padding, self.dilation, strict=True
        ):
            room = size + 2 * pad - gap * (kernel - 1) - 1
            count = (-(-room // step) if self.ceil_mode else room // step) + 1
            made.append(count - (self.ceil_mode and (count - 1) * step >= size + pad))
        return made

    def within(self, sizes: Sequence[int]) -> PoolWindow:
        """Return the window without what lies beyond the padded input wherever it stands.

        In ceil mode PyTorch takes a kernel larger than the input, which TTIR does not.
        """
        kernel = [
            min(width, (size + 2 * pad - 1) // gap + 1) if size + 2 * pad > 0 else width
            for width, size, pad, gap in zip(
                self.kernel, sizes, self.padding, self.dilation, strict=True
            )
        ]
        return self._replace(kernel=kernel) if self.ceil_mode else self

    def part(self, begin: int, end: int) -> PoolWindow:
        """Return the window over some of the dimensions."""
        kernel, stride, padding, dilation = (values[begin:end] for values in self[:4])
        return PoolWindow(kernel, stride, padding, dilation, self.ceil_mode)

    def beside(self, count: int, before: bool) -> PoolWindow:
        """Return the window with `count` more dimensions, in which it stands still."""
        still = [1] * count
        none = [0] * count

        def join(new: list[int], old: Sequence[int]) -> list[int]:
            return [*new, *old] if before else [*old, *new]

        return PoolWindow(
            join(still, self.kernel),
            join(still, self.stride),
            join(none, self.padding),
            join(still, self.dilation),
            self.ceil_mode,
        )


def pool_window(
    spatial: int,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
) -> PoolWindow:
    """Return the window that ATen's arguments describe; an empty stride is the kernel."""
    return PoolWindow(
        spread(kernel, spatial),
        spread(stride or kernel, spatial),
        spread(padding, spatial),
        spread(dilation, spatial),
        ceil_mode,
    )


def channels_last(low: Lowering, x: Tensor, spatial: int) -> Tensor:
    """Return x [N, C, ...] as [N, ..., C]; a batch that was left out becomes 1."""
    x = x if x.rank == spatial + 2 else low.reshape(x, (1, *x.shape))
    return low.permute(x, (0, *range(2, spatial + 2), 1))


def channels_first(low: Lowering, x: Tensor, shape: Sequence[int]) -> Tensor:
    """Return x [N, ..., C] as [N, C, ...], in the declared `shape`, which may lack the batch."""
    return low.reshape(low.permute(x, (0, x.rank - 1, *range(1, x.rank - 1))), shape)


def unravel(low: Lowering, index: Tensor, sizes: Sequence[int]) -> list[Tensor]:
    """Return the position in each dimension of a row-major `index` into `sizes`."""
    made = []
    for axis in range(len(sizes)):
        inner = math.prod(sizes[axis + 1 :])
        position = low.div(index, inner) if inner > 1 else index
        made.append(low.binary("remainder", position, sizes[axis]) if axis else position)
    return made


def ravel(low: Lowering, positions: Sequence[Tensor], sizes: Sequence[int]) -> Tensor:
    """Return the row-major index into `sizes` of a position in each dimension."""
    index = positions[0]
    for position, size in zip(positions[1:], sizes[1:], strict=True):
        index = low.add(low.mul(index, size), position)
    return index
