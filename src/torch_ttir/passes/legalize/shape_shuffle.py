"""Rules for ops that split dimensions, reorder and merge them: pixel_shuffle, channel_shuffle."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.pixel_shuffle")
def pixel_shuffle(low: Lowering, x: Tensor, factor: int) -> Tensor:
    """pixel_shuffle(Tensor self, int upscale_factor) -> Tensor."""
    *lead, channels, height, width = x.shape
    n = len(lead)
    parts = low.reshape(x, (*lead, channels // factor**2, factor, factor, height, width))
    order = [*range(n), n, n + 3, n + 1, n + 4, n + 2]
    return low.reshape(low.permute(parts, order), low.result.shape)


@RULES.lowers("aten.pixel_unshuffle")
def pixel_unshuffle(low: Lowering, x: Tensor, factor: int) -> Tensor:
    """pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor."""
    *lead, channels, height, width = x.shape
    n = len(lead)
    parts = low.reshape(x, (*lead, channels, height // factor, factor, width // factor, factor))
    order = [*range(n), n, n + 2, n + 4, n + 1, n + 3]
    return low.reshape(low.permute(parts, order), low.result.shape)


@RULES.lowers("aten.channel_shuffle", "aten.native_channel_shuffle")
def channel_shuffle(low: Lowering, x: Tensor, groups: int) -> Tensor:
    """channel_shuffle(Tensor self, SymInt groups) -> Tensor."""
    batch, channels, *rest = x.shape
    parts = low.reshape(x, (batch, groups, channels // groups, *rest))
    order = [0, 2, 1, *range(3, parts.rank)]
    return low.reshape(low.permute(parts, order), x.shape)
