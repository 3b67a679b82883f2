"""Transposed convolution in one, two and three dimensions, of which TTIR has the second."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution_window import Window, bias_of_rank, transposed_sizes
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen


def convolve_transposed(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    moves: Window,
    extra: Sequence[int],
) -> Tensor:
    """Return the transposed convolution of x [N, C, ...] with weight [C, O / groups, ...].

    `moves.pads` are cut off the result, `extra` (the output padding) is added behind it.
    """
    if x.rank == 4:
        return _conv_transpose2d(low, x, weight, bias, moves, extra)
    if x.rank == 3:
        column = low.reshape(weight, (*weight.shape, 1))
        moves = Window(
            [*moves.stride, 1], [*moves.pads, (0, 0)], [*moves.dilation, 1], moves.groups
        )
        made = _conv_transpose2d(
            low, low.reshape(x, (*x.shape, 1)), column, bias, moves, [*extra, 0]
        )
        return low.reshape(made, made.shape[:3])
    low.expect(x.rank == 5, f"a convolution over {x.rank - 2} dimensions is not supported")
    return _conv_transpose3d(low, x, weight, bias, moves, extra)


def _conv_transpose2d(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    moves: Window,
    extra: Sequence[int],
) -> Tensor:
    out = weight.shape[1] * moves.groups
    return low.op(
        "conv_transpose2d",
        [x, weight, bias_of_rank(low, bias, 4)],
        (x.shape[0], out, *transposed_sizes(x, weight, moves, extra)),
        x.dtype,
        stride=moves.stride,
        padding=[before for before, _ in moves.pads],
        output_padding=extra,
        dilation=moves.dilation,
        groups=moves.groups,
        batch_dim=0,
        channel_dim=1,
        height_dim=2,
        width_dim=3,
    )


def _conv_transpose3d(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    moves: Window,
    extra: Sequence[int],
) -> Tensor:
    """Convolve planes, then add up what falls on each output plane.

    Zeros between the input's planes and a plain convolution would do as well, but an infinite
    weight times such a zero would be NaN where PyTorch has none.
    """
    dtype, groups, step = x.dtype, moves.groups, moves.stride[0]
    x, weight = widen(low, x, weight)
    batch, channels, depth, *plane = x.shape
    _, per_group, size, *kernel = weight.shape
    cut, length = moves.pads[0][0], transposed_sizes(x, weight, moves, extra)[0]
    images = low.reshape(low.permute(x, (0, 2, 1, 3, 4)), (batch * depth, channels, *plane))
    taps = low.reshape(low.permute(weight, (0, 2, 1, 3, 4)), (channels, size * per_group, *kernel))
    flat = _conv_transpose2d(low, images, taps, None, moves.plane(), extra[1:])
    sizes = flat.shape[2:]
    flat = low.reshape(flat, (batch, depth, groups, size, per_group, *sizes))
    total = low.full((), 0, flat.dtype)
    for tap in range(size):
        part = low.slice(flat, 3, tap, tap + 1)
        part = low.reshape(part, (batch, depth, groups * per_group, *sizes))
        placed = _place(low, part, step, tap * moves.dilation[0], length + 2 * cut)
        total = low.add(total, placed) if tap else placed
    made = low.permute(low.slice(total, 1, cut, cut + length), (0, 2, 1, 3, 4))
    if bias is not None:
        (wide,) = widen(low, bias)
        made = low.add(made, low.reshape(wide, (*bias.shape, 1, 1, 1)))
    return low.cast(made, dtype)


def _place(low: Lowering, x: Tensor, step: int, start: int, length: int) -> Tensor:
    """Return x's planes (dimension 1) at `start`, `start + step`, ..., zeros elsewhere."""
    batch, depth, *rest = x.shape
    none = [(0, 0)] * len(rest)
    spaced = low.reshape(x, (batch, depth, 1, *rest))
    spaced = low.pad(spaced, [(0, 0), (0, 0), (0, step - 1), *none])
    spaced = low.reshape(spaced, (batch, depth * step, *rest))
    reach = (depth - 1) * step + 1
    spaced = low.slice(spaced, 1, 0, reach)
    return low.pad(spaced, [(0, 0), (start, length - start - reach), *none])
