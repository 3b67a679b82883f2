"""Rules for ONNX's normalizations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import aten, wanted
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("onnx.BatchNormalization")
def batch_normalization(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.9,
    spatial: int = 1,
    training_mode: int = 0,
    is_test: int = 1,
    consumed_inputs: Any = None,
) -> Any:
    """BatchNormalization(X, scale, B, mean, var; ...) -> Y, running_mean, running_var."""
    low.expect(spatial == 1, "statistics per activation (spatial=0) are not supported")
    if not training_mode:
        low.expect(len(low.results) == 1, "statistics as outputs need training_mode=1")
        operands = (x, scale, bias, mean, variance, False, 0.0, epsilon, False)
        return aten(low, "batch_norm", *operands)
    dims = [dim for dim in range(x.rank) if dim != 1]
    found = low.reduce("mean", x, dims, True)
    centred = low.sub(x, found)
    spread = low.reduce("mean", low.mul(centred, centred), dims, True)
    made = _scaled(low, centred, spread, scale, bias, epsilon)
    kept, new = low.full((), momentum, mean.dtype), low.full((), 1 - momentum, mean.dtype)
    running = [
        low.add(low.mul(old, kept), low.mul(low.cast(low.reshape(now, old.shape), old.dtype), new))
        for old, now in ((mean, found), (variance, spread))
    ]
    return wanted(low, [made, *running])


def _scaled(
    low: Lowering, centred: Tensor, variance: Tensor, scale: Tensor, bias: Tensor, epsilon: float
) -> Tensor:
    """Return centred / sqrt(variance + epsilon) * scale + bias, along dimension 1."""
    along = (1, -1, *[1] * (centred.rank - 2))
    shape = tuple(scale.shape[0] if size == -1 else size for size in along)
    root = low.unary("sqrt", low.add(variance, low.full((), epsilon, variance.dtype)))
    factor, offset = (low.cast(low.reshape(v, shape), centred.dtype) for v in (scale, bias))
    return low.add(low.mul(low.div(centred, root), factor), offset)


@RULES.lowers("onnx.InstanceNormalization")
def instance_normalization(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    *,
    epsilon: float = 1e-5,
    consumed_inputs: Any = None,
) -> Tensor:
    """InstanceNormalization(input, scale, B; epsilon=1e-5) -> output."""
    dims = list(range(2, x.rank))
    centred = low.sub(x, low.reduce("mean", x, dims, True))
    variance = low.reduce("mean", low.mul(centred, centred), dims, True)
    return _scaled(low, centred, variance, scale, bias, epsilon)


@RULES.lowers("onnx.LayerNormalization")
def layer_normalization(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    bias: Tensor | None = None,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Any:
    """LayerNormalization(X, Scale, B; axis=-1, epsilon=1e-5) -> Y, Mean, InvStdDev."""
    dim = low.dim(axis, x.rank)
    shape = x.shape[dim:]
    fits = scale.shape == shape and (bias is None or bias.shape == shape)
    if fits and len(low.results) == 1:
        return aten(low, "layer_norm", x, list(shape), scale, bias, epsilon, False)
    wide = low.cast(x, "f32") if x.dtype in ("f16", "bf16") else x
    dims = list(range(dim, x.rank))
    mean = low.reduce("mean", wide, dims, True)
    centred = low.sub(wide, mean)
    variance = low.reduce("mean", low.mul(centred, centred), dims, True)
    root = low.unary("sqrt", low.add(variance, low.full((), epsilon, wide.dtype)))
    made = low.mul(low.cast(low.div(centred, root), x.dtype), scale)
    if bias is not None:
        made = low.add(made, bias)
    inverse = low.unary("reciprocal", root)
    extra = [
        low.cast(value, result.dtype)
        for value, result in zip((mean, inverse), low.results[1:], strict=False)
    ]
    return wanted(low, [made, *extra])


@RULES.lowers("onnx.RMSNormalization")
def rms_normalization(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    *,
    axis: int = -1,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Tensor:
    """RMSNormalization(X, scale; axis=-1, epsilon=1e-5) -> Y."""
    dim = low.dim(axis, x.rank)
    if scale.shape == x.shape[dim:]:
        return aten(low, "rms_norm", x, list(x.shape[dim:]), scale, epsilon)  # type: ignore[no-any-return]
    wide = low.cast(x, "f32") if x.dtype in ("f16", "bf16") else x
    square = low.reduce("mean", low.mul(wide, wide), list(range(dim, x.rank)), True)
    root = low.unary("sqrt", low.add(square, low.full((), epsilon, wide.dtype)))
    return low.mul(low.cast(low.div(wide, root), x.dtype), scale)


@RULES.lowers("onnx.GroupNormalization")
def group_normalization(
    low: Lowering,
    x: Tensor,
    scale: Tensor,
    bias: Tensor,
    *,
    num_groups: int,
    epsilon: float = 1e-5,
    stash_type: int = 1,
) -> Tensor:
    """GroupNormalization(X, scale, bias; num_groups, epsilon=1e-5) -> Y."""
    batch, channels = x.shape[:2]
    if scale.shape == (channels,):
        return aten(low, "group_norm", x, num_groups, scale, bias, epsilon, False)  # type: ignore[no-any-return]
    count = math.prod(x.shape[1:]) // num_groups
    groups = low.reshape(x, (batch, num_groups, count))
    centred = low.sub(groups, low.reduce("mean", groups, [2], True))
    variance = low.reduce("mean", low.mul(centred, centred), [2], True)
    return low.reshape(_scaled(low, centred, variance, scale, bias, epsilon), x.shape)


@RULES.lowers("onnx.LRN")
def local_response_normalization(
    low: Lowering,
    x: Tensor,
    *,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    bias: float = 1.0,
) -> Tensor:
    """LRN(X; size, alpha=1e-4, beta=0.75, bias=1) -> Y, over a window of channels."""
    before, behind = (size - 1) // 2, size - 1 - (size - 1) // 2
    pairs = [(0, 0), (before, behind), *[(0, 0)] * (x.rank - 2)]
    squares = low.pad(low.mul(x, x), pairs)
    total = _window_sum(low, squares, size, x.shape[1])
    scale = low.add(
        low.mul(total, low.full((), alpha / size, x.dtype)), low.full((), bias, x.dtype)
    )
    return low.div(x, low.binary("pow", scale, low.full((), beta, x.dtype)))


def _window_sum(low: Lowering, x: Tensor, size: int, count: int) -> Tensor:
    parts: Sequence[Tensor] = [low.slice(x, 1, i, i + count) for i in range(size)]
    total = parts[0]
    for part in parts[1:]:
        total = low.add(total, part)
    return total
