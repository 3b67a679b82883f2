"""Rules for the gradients of convolutions, which are convolutions themselves."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution import convolve
from torch_ttir.passes.legalize.convolution_transpose import convolve_transposed
from torch_ttir.passes.legalize.convolution_window import Window, transposed_sizes, window
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.convolution_backward")
def convolution_backward(
    low: Lowering,
    grad: Tensor,
    x: Tensor,
    weight: Tensor,
    _bias_sizes: Sequence[int] | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    _output_padding: Sequence[int],
    groups: int,
    output_mask: Sequence[bool],
) -> list[Tensor | None]:
    """convolution_backward(Tensor grad_output, input, weight, SymInt[]? bias_sizes, ...).

    Returns the gradients of input, weight and bias, those that `output_mask` asks for.
    """
    moves = window(weight.rank - 2, stride, padding, dilation, groups)
    made: list[Tensor | None] = [None, None, None]
    if output_mask[0] and transposed:
        made[0] = convolve(low, grad, weight, None, moves)
    elif output_mask[0]:
        reached = transposed_sizes(grad, weight, moves, [0] * len(moves.stride))
        extra = [size - found for size, found in zip(x.shape[2:], reached, strict=True)]
        made[0] = convolve_transposed(low, grad, weight, None, moves, extra)
    if output_mask[1]:
        wide, narrow = (grad, x) if transposed else (x, grad)
        made[1] = _weight(low, wide, narrow, weight, moves)
    if output_mask[2]:
        dims = [dim for dim in range(grad.rank) if dim != 1]
        made[2] = low.reduce("sum", grad, dims, keep=False)
    return made


def _weight(low: Lowering, wide: Tensor, narrow: Tensor, weight: Tensor, moves: Window) -> Tensor:
    """Return the weight's gradient: `wide` convolved with `narrow`, over the batch as channels.

    `wide` is what the weight slides over, `narrow` what it makes there: input and gradient of a
    plain convolution, gradient and input of a transposed one.
    """
    batch, channels, *sizes = wide.shape
    per_group = channels // moves.groups
    images = low.reshape(wide, (batch, moves.groups, per_group, *sizes))
    images = low.permute(images, (2, 1, 0, *range(3, images.rank)))
    images = low.reshape(images, (per_group, moves.groups * batch, *sizes))
    order = (1, 0, *range(2, wide.rank))
    swapped = moves._replace(stride=moves.dilation, dilation=moves.stride)
    made = low.permute(convolve(low, images, low.permute(narrow, order), None, swapped), order)
    for dim in range(2, made.rank):
        made = low.slice(made, dim, 0, weight.shape[dim])
    return made
