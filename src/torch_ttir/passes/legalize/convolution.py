"""Rules for convolutions; TTIR has them in one, two and three dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution_transpose import convolve_transposed
from torch_ttir.passes.legalize.convolution_window import (
    Window,
    bias_of_rank,
    result_sizes,
    spread,
    window,
)
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.convolution", "aten.convolution_overrideable")
def convolution(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Tensor:
    """convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, ...) -> Tensor."""
    spatial = weight.rank - 2
    moves = window(spatial, stride, padding, dilation, groups)
    # PyTorch lets one leave the batch dimension out.
    x = x if x.rank == weight.rank else low.reshape(x, (1, *x.shape))
    if transposed:
        extra = spread(output_padding, spatial)
        made = convolve_transposed(low, x, weight, bias, moves, extra)
    else:
        made = convolve(low, x, weight, bias, moves)
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten._convolution", "aten._convolution.deprecated")
def convolution_with_flags(low: Lowering, *operands: object) -> Tensor:
    """_convolution(..., bool benchmark, deterministic, cudnn_enabled, allow_tf32) -> Tensor."""
    return convolution(low, *operands[:9])  # type: ignore[arg-type]


@RULES.lowers("aten.conv1d", "aten.conv2d", "aten.conv3d")
def conv(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Tensor:
    """conv2d(Tensor input, weight, bias, SymInt[2] stride, padding, dilation, SymInt groups)."""
    return convolution(low, x, weight, bias, stride, padding, dilation, False, [0], groups)


@RULES.lowers("aten.conv1d.padding", "aten.conv2d.padding", "aten.conv3d.padding")
@RULES.lowers("aten._convolution_mode")
def conv_padding(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: str,
    dilation: Sequence[int],
    groups: int,
) -> Tensor:
    """conv2d.padding(..., str padding="valid", ...); "same" puts the odd element behind."""
    low.expect(padding in ("same", "valid"), f"padding `{padding}` is not `same` or `valid`")
    moves = window(weight.rank - 2, stride, [0], dilation, groups)
    if padding == "same":
        totals = [
            gap * (size - 1) for gap, size in zip(moves.dilation, weight.shape[2:], strict=True)
        ]
        moves = moves._replace(pads=[(total // 2, total - total // 2) for total in totals])
    x = x if x.rank == weight.rank else low.reshape(x, (1, *x.shape))
    return low.reshape(convolve(low, x, weight, bias, moves), low.result.shape)


@RULES.lowers("aten.conv_transpose1d", "aten.conv_transpose2d.input", "aten.conv_transpose3d.input")
def conv_transpose(
    low: Lowering,
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    groups: int,
    dilation: Sequence[int],
) -> Tensor:
    """conv_transpose2d.input(Tensor input, weight, bias, stride, padding, output_padding, ...)."""
    return convolution(
        low, x, weight, bias, stride, padding, dilation, True, output_padding, groups
    )


@RULES.lowers("aten.conv_tbc")
def conv_tbc(low: Lowering, x: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    """conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0); of [T, B, C] and [K, C, O]."""
    x, weight = low.permute(x, (1, 2, 0)), low.permute(weight, (2, 1, 0))
    made = convolve(low, x, weight, bias, window(1, [1], [pad], [1], 1))
    return low.permute(made, (2, 0, 1))


def convolve(
    low: Lowering, x: Tensor, weight: Tensor, bias: Tensor | None, moves: Window
) -> Tensor:
    """Return the convolution of x [N, C, ...] with weight [O, C / groups, ...]."""
    if x.rank == 3:
        return _conv1d(low, x, weight, bias, moves)
    if x.rank == 4:
        return _conv2d(low, x, weight, bias, moves)
    low.expect(x.rank == 5, f"a convolution over {x.rank - 2} dimensions is not supported")
    kernel = weight.shape[2:]
    if any(gap > 1 for gap, size in zip(moves.dilation, kernel, strict=True) if size > 1):
        return _dilated_conv3d(low, x, weight, bias, moves)
    return _conv3d(low, x, weight, bias, moves)


def _conv1d(low: Lowering, x: Tensor, weight: Tensor, bias: Tensor | None, moves: Window) -> Tensor:
    # Only N, L, C: tt-mlir brings no other layout of conv1d into that form.
    ((before, behind),) = moves.pads
    out = weight.shape[0]
    made = low.op(
        "conv1d",
        [
            low.permute(x, (0, 2, 1)),
            weight,
            None if bias is None else low.reshape(bias, (1, 1, out)),
        ],
        (x.shape[0], *result_sizes(x, weight, moves), out),
        x.dtype,
        stride=moves.stride,
        padding=[before] if before == behind else [before, behind],
        dilation=moves.dilation,
        groups=moves.groups,
    )
    return low.permute(made, (0, 2, 1))


def _conv2d(low: Lowering, x: Tensor, weight: Tensor, bias: Tensor | None, moves: Window) -> Tensor:
    (top, bottom), (left, right) = moves.pads
    symmetric = (top, left) == (bottom, right)
    return low.op(
        "conv2d",
        [x, weight, bias_of_rank(low, bias, 4)],
        (x.shape[0], weight.shape[0], *result_sizes(x, weight, moves)),
        x.dtype,
        stride=moves.stride,
        padding=[top, left] if symmetric else [top, left, bottom, right],
        dilation=moves.dilation,
        groups=moves.groups,
        batch_dim=0,
        channel_dim=1,
        height_dim=2,
        width_dim=3,
    )


def _conv3d(low: Lowering, x: Tensor, weight: Tensor, bias: Tensor | None, moves: Window) -> Tensor:
    if any(before != behind for before, behind in moves.pads):
        x = low.pad(x, [(0, 0), (0, 0), *moves.pads])
        moves = moves._replace(pads=[(0, 0)] * 3)
    return low.op(
        "conv3d",
        [x, weight, bias_of_rank(low, bias, 5)],
        (x.shape[0], weight.shape[0], *result_sizes(x, weight, moves)),
        x.dtype,
        stride=moves.stride,
        padding=[before for before, _ in moves.pads],
        groups=moves.groups,
        batch_dim=0,
        channel_dim=1,
        depth_dim=2,
        height_dim=3,
        width_dim=4,
    )


def _dilated_conv3d(
    low: Lowering, x: Tensor, weight: Tensor, bias: Tensor | None, moves: Window
) -> Tensor:
    """Convolve planes: TTIR's conv3d has no dilation, and conv2d has.

    The planes that meet in one output plane are stacked along the channels, group by group.
    """
    batch, channels, _, *plane = x.shape
    out, per_group, size, *kernel = weight.shape
    groups, step = moves.groups, moves.stride[0]
    length = result_sizes(x, weight, moves)[0]
    x = low.pad(x, [(0, 0), (0, 0), moves.pads[0], (0, 0), (0, 0)])
    reach = (length - 1) * step + 1
    starts = [tap * moves.dilation[0] for tap in range(size)]
    taps = [low.slice(x, 2, start, start + reach, step) for start in starts]
    grouped = [
        low.reshape(tap, (batch, groups, 1, channels // groups, length, *plane)) for tap in taps
    ]
    stacked = low.permute(low.concat(grouped, 2), (0, 4, 1, 2, 3, 5, 6))
    images = low.reshape(stacked, (batch * length, size * channels, *plane))
    flat = low.reshape(low.permute(weight, (0, 2, 1, 3, 4)), (out, size * per_group, *kernel))
    made = _conv2d(low, images, flat, bias, moves.plane())
    made = low.reshape(made, (batch, length, out, *made.shape[2:]))
    return low.permute(made, (0, 2, 1, 3, 4))
