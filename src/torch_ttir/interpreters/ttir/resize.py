"""Resizing of N, H, W, C tensors."""

from __future__ import annotations

from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect, pair, widen

MEANINGS = MeaningTable()


@MEANINGS.means("upsample2d")
def upsample2d(op: Decoded, x: Tensor) -> Tensor:
    """Scale H and W by whole factors; bilinear as with `align_corners=False`."""
    rows, columns = pair(op.attrs["scale_factor"], "scale_factor")
    mode = op.attrs["mode"]
    if mode == "nearest":
        return x.repeat_interleave(rows, 1).repeat_interleave(columns, 2)
    expect(mode == "bilinear", f"`mode` = {mode!r}")
    expect(x.dtype.is_floating_point, "bilinear resizing of integers; cast the operand first")
    (wide,) = widen(x)
    size = (x.shape[1] * rows, x.shape[2] * columns)
    y = F.interpolate(wide.permute(0, 3, 1, 2), size, mode="bilinear", align_corners=False)
    return y.permute(0, 2, 3, 1)
