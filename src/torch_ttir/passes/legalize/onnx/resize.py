"""Rules for ONNX's Resize and Upsample: one constant matrix, or list of indices, per axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import Ints, integers, numbers
from torch_ttir.passes.legalize.onnx.along import apply_matrix, saturate
from torch_ttir.passes.legalize.resize_axes import take
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

Array = np.ndarray[Any, Any]


class Mapping(NamedTuple):
    """How one axis is resized: sizes, scale, region of interest, and the node's attributes."""

    size: int
    made: int
    scale: float
    roi: tuple[float, float]
    transformation: str
    mode: str
    nearest_mode: str
    cubic_a: float
    antialias: bool
    exclude_outside: bool


@RULES.lowers("onnx.Resize")
def resize(
    low: Lowering,
    x: Tensor,
    roi: Tensor | None = None,
    scales: Tensor | None = None,
    sizes: Ints = None,
    *,
    antialias: int = 0,
    axes: list[int] | None = None,
    coordinate_transformation_mode: str = "half_pixel",
    cubic_coeff_a: float = -0.75,
    exclude_outside: int = 0,
    extrapolation_value: float = 0.0,
    keep_aspect_ratio_policy: str = "stretch",
    mode: str = "nearest",
    nearest_mode: str = "round_prefer_floor",
) -> Tensor:
    """Resize(X, roi, scales, sizes; ...) -> Y; integers are computed in floats and truncated."""
    if low.opset == 10:
        # Resize-10 has no `roi`, and maps coordinates as Upsample does.
        roi, scales = None, roi
        coordinate_transformation_mode, nearest_mode = "asymmetric", "floor"
    made = low.result.shape
    dims = [low.dim(axis, x.rank) for axis in axes or range(x.rank)]
    factors = _factors(low, x, scales, sizes, dims, made, keep_aspect_ratio_policy)
    region = [(0.0, 1.0)] * x.rank
    cropped = coordinate_transformation_mode == "tf_crop_and_resize"
    if cropped:
        low.expect(roi is not None, "`tf_crop_and_resize` needs `roi`")
        bounds = numbers(low, roi, "roi")
        for place, dim in enumerate(dims):
            region[dim] = (bounds[place], bounds[place + len(dims)])
    maps = {
        dim: Mapping(
            x.shape[dim],
            made[dim],
            factors[dim],
            region[dim],
            coordinate_transformation_mode,
            mode,
            nearest_mode,
            cubic_coeff_a,
            bool(antialias) and factors[dim] < 1,
            bool(exclude_outside),
        )
        for dim in dims
        if (x.shape[dim], factors[dim], region[dim]) != (made[dim], 1.0, (0.0, 1.0))
    }
    resized = _resized(low, x, maps)
    if not cropped:
        return resized
    outside: Array = np.zeros((1,) * x.rank, bool)
    for dim, of in maps.items():
        places = positions(of)
        shape = [1] * x.rank
        shape[dim] = of.made
        outside = outside | ((places < 0) | (places > of.size - 1)).reshape(shape)
    if not outside.any():
        return resized
    filler = low.full((), extrapolation_value, x.dtype)
    return low.where(low.constant(outside, "i1"), filler, resized)


@RULES.lowers("onnx.Upsample")
def upsample(
    low: Lowering,
    x: Tensor,
    scales: Tensor | list[float] | None = None,
    *,
    mode: str = "nearest",
    height_scale: float | None = None,
    width_scale: float | None = None,
) -> Tensor:
    """Upsample(X, scales; mode="nearest") -> Y: at `index / scale`, rounded down."""
    if scales is None:
        low.expect(height_scale is not None, "Upsample without scales")
        factors = [1.0, 1.0, height_scale or 1.0, width_scale or 1.0]
    else:
        factors = numbers(low, scales, "scales")
    kind = "linear" if mode in ("linear", "bilinear") else mode
    maps = {
        dim: Mapping(
            *(x.shape[dim], low.result.shape[dim], factor, (0.0, 1.0), "asymmetric", kind),
            *("floor", -0.75, False, False),
        )
        for dim, factor in enumerate(factors)
        if factor != 1
    }
    return _resized(low, x, maps)


def _factors(
    low: Lowering,
    x: Tensor,
    scales: Tensor | None,
    sizes: Ints,
    dims: Sequence[int],
    made: Sequence[int],
    policy: str,
) -> list[float]:
    """Return the scale of each dimension."""
    given = None if scales is None or 0 in scales.shape else numbers(low, scales, "scales")
    factors = [1.0] * x.rank
    for place, dim in enumerate(dims):
        factors[dim] = given[place] if given else made[dim] / x.shape[dim]
    if given is None and policy != "stretch":
        wanted = integers(low, sizes, "sizes") or [made[dim] for dim in dims]
        ratios = [size / x.shape[dim] for size, dim in zip(wanted, dims, strict=True)]
        shared = min(ratios) if policy == "not_larger" else max(ratios)
        for dim in dims:
            factors[dim] = shared
    return factors


def _resized(low: Lowering, x: Tensor, maps: dict[int, Mapping]) -> Tensor:
    if all(of.mode == "nearest" for of in maps.values()):
        for dim, of in maps.items():
            x = take(low, x, dim, nearest_index(of))
        return x
    wide = x if is_float(x.dtype) else low.cast(x, "f32")
    for dim, of in maps.items():
        wide = apply_matrix(low, wide, dim, matrix(of))
    return wide if is_float(x.dtype) else saturate(low, low.unary("trunc", wide), x.dtype)


def positions(of: Mapping) -> Array:
    """Return where in the input each output element lies, by ONNX's coordinate transformation."""
    y = np.arange(of.made, dtype=np.float64)
    width = of.scale * of.size
    kind = of.transformation
    if kind == "align_corners":
        return y * 0 if width == 1 else y * (of.size - 1) / (width - 1)
    if kind == "asymmetric":
        return y / of.scale
    if kind == "tf_crop_and_resize":
        first, last = of.roi
        if width == 1:
            return y * 0 + (first + last) * (of.size - 1) / 2
        return y * (last - first) * (of.size - 1) / (width - 1) + first * (of.size - 1)
    if kind == "pytorch_half_pixel" and width == 1:
        return y * 0
    half = (y + 0.5) / of.scale - 0.5
    if kind == "half_pixel_symmetric":
        return half + of.size / 2 * (1 - of.made / width)
    return half


def nearest_index(of: Mapping) -> Array:
    """Return the input index of each output element, in the node's rounding."""
    x = positions(of)
    rounded = {
        "round_prefer_floor": np.ceil(x - 0.5),
        "round_prefer_ceil": np.floor(x + 0.5),
        "floor": np.floor(x),
        "ceil": np.ceil(x),
    }[of.nearest_mode]
    return np.clip(rounded, 0, of.size - 1).astype(np.int64)


def matrix(of: Mapping) -> Array:
    """Return the weights [made, size] of linear or cubic interpolation along one axis.

    Source: ONNX's Resize-19, and its reference implementation for antialiasing.
    """
    if of.mode == "nearest":
        return np.eye(of.size)[nearest_index(of)]
    x = positions(of)
    stretch = of.scale if of.antialias else 1.0
    reach = math.ceil((2 if of.mode == "cubic" else 1) / stretch)
    first = np.floor(x).astype(np.int64) - reach + 1
    index = first[:, None] + np.arange(2 * reach)
    distance = np.abs(index - x[:, None]) * stretch
    weight = _cubic(distance, of.cubic_a) if of.mode == "cubic" else np.maximum(1 - distance, 0)
    if of.exclude_outside:
        weight = weight * ((index >= 0) & (index < of.size))
    if of.exclude_outside or of.antialias:
        total = weight.sum(axis=1, keepdims=True)
        weight = weight / np.where(total == 0, 1, total)
    made = np.zeros((of.made, of.size))
    rows = np.broadcast_to(np.arange(of.made)[:, None], index.shape)
    np.add.at(made, (rows, np.clip(index, 0, of.size - 1)), weight)
    return made


def _cubic(distance: Array, a: float) -> Array:
    d = distance
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    return np.where(d <= 1, near, np.where(d < 2, far, 0))
