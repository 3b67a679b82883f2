"""How the kernel of a convolution moves over its input, and the sizes that follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering


class Window(NamedTuple):
    """One entry a spatial dimension; `pads` says what is added before and behind."""

    stride: Sequence[int]
    pads: Sequence[tuple[int, int]]
    dilation: Sequence[int]
    groups: int

    def plane(self) -> Window:
        """Return the window without its first dimension."""
        return Window(self.stride[1:], self.pads[1:], self.dilation[1:], self.groups)


def window(
    spatial: int,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Window:
    """Return the window that ATen's arguments describe; one number there stands for all."""
    pads = [(amount, amount) for amount in spread(padding, spatial)]
    return Window(spread(stride, spatial), pads, spread(dilation, spatial), groups)


def spread(values: Sequence[int], count: int) -> list[int]:
    """Return one value a dimension, where PyTorch takes one for all."""
    return list(values) * count if len(values) == 1 else list(values)


def result_sizes(x: Tensor, weight: Tensor, moves: Window) -> list[int]:
    """Return the spatial sizes of the convolution of x [N, C, ...] with weight [O, C / g, ...]."""
    return [
        (size + sum(pad) - gap * (kernel - 1) - 1) // step + 1
        for size, kernel, step, pad, gap in zip(
            x.shape[2:], weight.shape[2:], moves.stride, moves.pads, moves.dilation, strict=True
        )
    ]


def transposed_sizes(x: Tensor, weight: Tensor, moves: Window, extra: Sequence[int]) -> list[int]:
    """Return the spatial sizes of the transposed convolution; `extra` is the output padding."""
    return [
        (size - 1) * step - sum(pad) + gap * (kernel - 1) + more + 1
        for size, kernel, step, pad, gap, more in zip(
            x.shape[2:],
            weight.shape[2:],
            moves.stride,
            moves.pads,
            moves.dilation,
            extra,
            strict=True,
        )
    ]


def bias_of_rank(low: Lowering, bias: Tensor | None, rank: int) -> Tensor | None:
    """Return bias [O] as [1, O, 1, ...], since TTIR wants the full rank."""
    return None if bias is None else low.reshape(bias, (1, *bias.shape, *[1] * (rank - 2)))
