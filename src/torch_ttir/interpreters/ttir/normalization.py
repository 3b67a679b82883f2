"""Normalizations and softmax: in f32 for f16 and bf16, rounded once at the end."""

from __future__ import annotations

import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect, widen

MEANINGS = MeaningTable()


@MEANINGS.means("softmax")
def softmax(op: Decoded, x: Tensor) -> Tensor:
    """Compute `e ** x / sum(e ** x)` along `dimension`; `numericStable` changes no number here."""
    expect(x.dtype.is_floating_point, "softmax of integers; cast the operand first")
    (wide,) = widen(x)
    return torch.softmax(wide, op.attrs["dimension"])


@MEANINGS.means("batch_norm_inference")
def batch_norm_inference(
    op: Decoded, x: Tensor, scale: Tensor, offset: Tensor, mean: Tensor, variance: Tensor
) -> Tensor:
    """Normalize each channel by the given statistics."""
    dim = op.attrs["dimension"]
    x, *vectors = widen(x, scale, offset, mean, variance)
    scale, offset, mean, variance = (vector.reshape(-1) for vector in vectors)
    y = F.batch_norm(
        x.movedim(dim, 1), mean, variance, scale, offset, training=False, eps=op.attrs["epsilon"]
    )
    return y.movedim(1, dim)


@MEANINGS.means("batch_norm_training")
def batch_norm_training(
    op: Decoded,
    x: Tensor,
    scale: Tensor,
    offset: Tensor,
    running_mean: Tensor,
    running_variance: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize by the batch's own statistics, and blend them into the running ones.

    The running variance takes the biased one, as tt-mlir has it and PyTorch does not.
    """
    attrs = op.attrs
    x, scale, offset, *running = widen(x, scale, offset, running_mean, running_variance)
    dims = [dim for dim in range(x.dim()) if dim != attrs["dimension"]]
    variance, mean = torch.var_mean(x, dims, correction=0, keepdim=True)
    shape = mean.shape
    y = (x - mean) * torch.rsqrt(variance + attrs["epsilon"])
    y = y * scale.reshape(shape) + offset.reshape(shape)
    momentum = attrs["momentum"]
    new_mean, new_variance = (
        momentum * batch.reshape(old.shape) + (1 - momentum) * old
        for batch, old in zip((mean, variance), running, strict=True)
    )
    return y, new_mean, new_variance


@MEANINGS.means("layer_norm")
def layer_norm(op: Decoded, x: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    """Normalize over the last dimensions."""
    x, weight, bias = widen(x, weight, bias)
    return F.layer_norm(x, op.attrs["normalized_shape"], weight, bias, op.attrs["epsilon"])


@MEANINGS.means("rms_norm")
def rms_norm(op: Decoded, x: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    """Divide by the root of the mean square over the last dimensions."""
    x, weight, bias = widen(x, weight, bias)
    y = F.rms_norm(x, op.attrs["normalized_shape"], weight, op.attrs["epsilon"])
    return y if bias is None else y + bias


@MEANINGS.means("group_norm")
def group_norm(
    op: Decoded, x: Tensor, mask: Tensor | None, weight: Tensor | None, bias: Tensor | None
) -> Tensor:
    """Normalize over groups of consecutive channels and all spatial dimensions."""
    expect(mask is None, "`input_mask`")
    attrs = op.attrs
    x, weight, bias = widen(x, weight, bias)
    channels = x.movedim(attrs["channel_dim"], 1)
    y = F.group_norm(channels, attrs["num_groups"], weight, bias, attrs["epsilon"])
    return y.movedim(1, attrs["channel_dim"])
