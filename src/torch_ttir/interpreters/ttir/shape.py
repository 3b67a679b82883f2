"""Shape and data movement: views wherever PyTorch can give one."""

from __future__ import annotations

import math
import re

import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, common, expect, result_of

MEANINGS = MeaningTable()


@MEANINGS.means("reshape")
def reshape(op: Decoded, x: Tensor) -> Tensor:
    """Give the elements, in row-major order, the result's shape."""
    return x.reshape(result_of(op).shape)


@MEANINGS.means("permute")
def permute(op: Decoded, x: Tensor) -> Tensor:
    """Take dimension `permutation[i]` as dimension i."""
    return x.permute(op.attrs["permutation"])


@MEANINGS.means("transpose")
def transpose(op: Decoded, x: Tensor) -> Tensor:
    """Swap two dimensions."""
    return x.transpose(op.attrs["dim0"], op.attrs["dim1"])


@MEANINGS.means("squeeze")
def squeeze(op: Decoded, x: Tensor) -> Tensor:
    """Drop a dimension of size 1."""
    return x.squeeze(op.attrs["dim"])


@MEANINGS.means("unsqueeze")
def unsqueeze(op: Decoded, x: Tensor) -> Tensor:
    """Insert a dimension of size 1."""
    return x.unsqueeze(op.attrs["dim"])


@MEANINGS.means("broadcast")
def broadcast(op: Decoded, x: Tensor) -> Tensor:
    """Stretch dimensions of size 1; the attribute holds multipliers, the result type the sizes."""
    return x.expand(result_of(op).shape)


@MEANINGS.means("repeat")
def repeat(op: Decoded, x: Tensor) -> Tensor:
    """Tile `repeat_dimensions[i]` times along dimension i."""
    return x.repeat(op.attrs["repeat_dimensions"])


@MEANINGS.means("repeat_interleave")
def repeat_interleave(op: Decoded, x: Tensor) -> Tensor:
    """Repeat each slice `repeats` times in a row."""
    return torch.repeat_interleave(x, op.attrs["repeats"], op.attrs["dim"])


@MEANINGS.means("concat")
def concat(op: Decoded, inputs: tuple[Tensor, ...]) -> Tensor:
    """Join along `dim`."""
    return torch.cat(common(*inputs), op.attrs["dim"])


@MEANINGS.means("pad")
def pad(op: Decoded, x: Tensor) -> Tensor:
    """Pad with a constant, (low, high) a dimension, first dimension first; below zero crops."""
    padding, value = op.attrs["padding"], op.attrs["value"]
    if not x.dtype.is_floating_point:
        expect(math.isfinite(value), f"`value` = {value} on an integer tensor")
        value = int(value)
    pairs = [padding[at : at + 2] for at in range(0, len(padding), 2)]
    return F.pad(x, [amount for pair in reversed(pairs) for amount in pair], value=value)


@MEANINGS.means("reverse")
def reverse(op: Decoded, x: Tensor) -> Tensor:
    """Flip the given dimensions."""
    return torch.flip(x, op.attrs["dimensions"])


@MEANINGS.means("rearrange")
def rearrange(op: Decoded, x: Tensor) -> Tensor:
    """Reorder and merge axes by an einops pattern: `b h w c -> b (h w) c`."""
    pattern = op.attrs["pattern"]
    before, arrow, after = pattern.partition("->")
    names = before.split()
    order = after.replace("(", " ").replace(")", " ").split()
    groups = re.findall(r"\([^()]*\)|[^\s()]+", after)
    simple = arrow and len(set(names)) == len(names) == x.dim() and sorted(names) == sorted(order)
    expect(simple, f"`pattern` = {pattern!r}")
    size = dict(zip(names, x.shape, strict=True))
    shape = [math.prod(size[name] for name in group.strip("()").split()) for group in groups]
    return x.permute([names.index(name) for name in order]).reshape(shape)


@MEANINGS.means("get_dimension_size")
def get_dimension_size(op: Decoded, x: Tensor) -> Tensor:
    """Tell the size of a dimension, as a tensor of shape [1]."""
    return torch.tensor([x.shape[op.attrs["dimension"]]])
