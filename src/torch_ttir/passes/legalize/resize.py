"""Rules for resizing: nearest, linear and cubic interpolation in one to three dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.resize_axes import (
    Axis,
    Tap,
    antialias_taps,
    cubic_taps,
    linear_taps,
    nearest_index,
    real_type,
    take,
    weigh,
)
from torch_ttir.passes.legalize.resize_bytes import weigh_bytes
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

Factors = Sequence[float | None]
"""What the user asked for, a spatial dimension at a time; None where sizes were given."""
Taps = Callable[[Axis], list[Tap]]


def _nearest(exact: bool, low: Lowering, x: Tensor, _size: Sequence[int], *scales: Any) -> Tensor:
    """upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h, float? scales_w)."""
    return resize_nearest(low, x, scales, exact)


def _nearest_vec(
    exact: bool, low: Lowering, x: Tensor, _size: Sequence[int] | None, scales: Factors | None
) -> Tensor:
    """upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors)."""
    return resize_nearest(low, x, scales or (), exact)


def _smooth(
    taps: Taps, low: Lowering, x: Tensor, _size: Sequence[int], align_corners: bool, *scales: Any
) -> Tensor:
    """upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? ...)."""
    return resize_smoothly(low, x, scales, align_corners, taps)


def _smooth_vec(
    taps: Taps,
    low: Lowering,
    x: Tensor,
    _size: Sequence[int] | None,
    align_corners: bool,
    scales: Factors | None,
) -> Tensor:
    """upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, ...)."""
    return resize_smoothly(low, x, scales or (), align_corners, taps)


@RULES.lowers("aten.__interpolate.size_list_scale_list")
def interpolate(
    low: Lowering,
    x: Tensor,
    _size: Sequence[int] | None,
    scales: Factors | None,
    mode: str,
    align_corners: bool | None,
    recompute: bool | None,
    antialias: bool,
) -> Tensor:
    """__interpolate(Tensor input, int[]? size, float[]? scale_factor, str mode, ...) -> Tensor."""
    low.expect(not antialias, "antialias=True is not supported")
    factors = () if recompute or scales is None else scales
    if mode in ("nearest", "nearest-exact"):
        return resize_nearest(low, x, factors, mode == "nearest-exact")
    low.expect(mode in _MODES, f"mode `{mode}` is not supported")
    return resize_smoothly(low, x, factors, bool(align_corners), _MODES[mode])


def resize_nearest(low: Lowering, x: Tensor, factors: Factors, exact: bool) -> Tensor:
    """Return x at the declared size, each new element a copy of the nearest one."""
    axes = _axes(low, x, factors, False)
    indices = [nearest_index(axis._replace(real=real_type("f32")), exact) for axis in axes]
    whole = _whole_factors(axes)
    # TTIR's op is for numbers that may lose their last digits on the device.
    if whole and is_float(x.dtype) and x.rank == 4 and max(whole) > 1:
        return _upsample2d(low, x, whole, "nearest")
    for dim, index in enumerate(indices, start=2):
        x = take(low, x, dim, index)
    return x


def resize_smoothly(
    low: Lowering, x: Tensor, factors: Factors, align_corners: bool, taps: Taps
) -> Tensor:
    """Return x at the declared size, each new element a weighted sum of its neighbours."""
    axes = _axes(low, x, factors, align_corners)
    if x.dtype == "ui8":
        return _resize_bytes(low, x, axes, taps)
    low.expect(is_float(x.dtype), f"interpolation of `{x.dtype}` is not supported by PyTorch")
    whole = _whole_factors(axes)
    if taps is linear_taps and whole and x.rank == 4 and not align_corners:
        return _upsample2d(low, x, whole, "bilinear")
    (made,) = widen(low, x)
    for dim, axis in enumerate(axes, start=2):
        made = weigh(low, made, dim, taps(axis))
    return low.cast(made, x.dtype)


def _resize_bytes(low: Lowering, x: Tensor, axes: Sequence[Axis], taps: Taps) -> Tensor:
    made = low.cast(x, "i32")
    for dim, axis in reversed(list(enumerate(axes, start=2))):
        made = weigh_bytes(low, made, dim, taps(axis._replace(real=real_type("f64"))))
    return low.cast(made, x.dtype)


def _axes(low: Lowering, x: Tensor, factors: Factors, align_corners: bool) -> list[Axis]:
    sizes = zip(x.shape[2:], low.result.shape[2:], strict=True)
    padded = [*factors, *[None] * (x.rank - 2 - len(factors))]
    return [
        Axis(size, out, factor, align_corners, real_type(x.dtype))
        for (size, out), factor in zip(sizes, padded, strict=True)
    ]


def _whole_factors(axes: Sequence[Axis]) -> list[int]:
    """Return by which whole number each dimension grows; empty if one does not."""
    if any(axis.out % axis.size or axis.scale != axis.real(axis.size) / axis.out for axis in axes):
        return []
    return [axis.out // axis.size for axis in axes]


def _upsample2d(low: Lowering, x: Tensor, factors: list[int], mode: str) -> Tensor:
    last = low.permute(x, (0, 2, 3, 1))
    batch, height, width, channels = last.shape
    shape = (batch, height * factors[0], width * factors[1], channels)
    made = low.op("upsample2d", [last], shape, x.dtype, scale_factor=factors, mode=mode)
    return low.permute(made, (0, 3, 1, 2))


_MODES: dict[str, Taps] = {
    "linear": linear_taps,
    "bilinear": linear_taps,
    "trilinear": linear_taps,
    "bicubic": cubic_taps,
}

for _form, _exact in (
    ("aten.upsample_nearest{}d", False),
    ("aten._upsample_nearest_exact{}d", True),
):
    for _spatial in (1, 2, 3):
        RULES.add(_form.format(_spatial), partial(_nearest, _exact))
        RULES.add(_form.format(_spatial) + ".vec", partial(_nearest_vec, _exact))
for _name, _taps in (
    ("aten.upsample_linear1d", linear_taps),
    ("aten.upsample_bilinear2d", linear_taps),
    ("aten.upsample_trilinear3d", linear_taps),
    ("aten.upsample_bicubic2d", cubic_taps),
    ("aten._upsample_bilinear2d_aa", partial(antialias_taps, kernel="linear")),
    ("aten._upsample_bicubic2d_aa", partial(antialias_taps, kernel="cubic")),
    ("aten._upsample_lanczos2d_aa", partial(antialias_taps, kernel="lanczos")),
):
    RULES.add(_name, partial(_smooth, _taps))
    RULES.add(f"{_name}.vec", partial(_smooth_vec, _taps))
