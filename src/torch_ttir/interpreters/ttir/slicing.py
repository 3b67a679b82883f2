"""Slices."""

from __future__ import annotations

import torch

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect

MEANINGS = MeaningTable()


@MEANINGS.means("slice_static")
def slice_static(op: Decoded, x: Tensor) -> Tensor:
    """Take `begin:end:step` of every dimension; negative bounds count from the end, once."""
    attrs = op.attrs
    bounds = zip(attrs["begins"], attrs["ends"], attrs["step"], strict=True)
    return _slice_all(x, list(bounds))


@MEANINGS.means("slice_dynamic")
def slice_dynamic(op: Decoded, x: Tensor, begins: Tensor, ends: Tensor) -> Tensor:
    """Take a slice whose bounds are data; they must lie within the tensor."""
    steps = op.attrs["step"] or (1,) * x.dim()
    bounds = list(zip(begins.tolist(), ends.tolist(), steps, strict=True))
    for size, (begin, end, step) in zip(x.shape, bounds, strict=True):
        inside = 0 <= begin <= end <= size and step > 0
        expect(inside, f"the slice {begin}:{end}:{step} of a dimension of size {size}")
    return _slice_all(x, bounds)


@MEANINGS.means("index")
def index(op: Decoded, x: Tensor) -> Tensor:
    """Take `begin:end:step` of one dimension."""
    attrs = op.attrs
    return _slice(x, attrs["dim"], attrs["begin"], attrs["end"], attrs["step"])


@MEANINGS.means("index_select")
def index_select(op: Decoded, x: Tensor) -> Tensor:
    """Take blocks of `length`, every `stride` from `begin` on; a stride of 0 means one block."""
    attrs = op.attrs
    dim, begin, length = attrs["dim"], attrs["begin"], attrs["length"]
    size = x.shape[dim]
    starts = range(begin, size, attrs["stride"]) if attrs["stride"] else [begin]
    blocks = [x.narrow(dim, start, min(length, size - start)) for start in starts]
    return torch.cat(blocks, dim)


def _slice_all(x: Tensor, bounds: list[tuple[int, int, int]]) -> Tensor:
    for dim, (begin, end, step) in enumerate(bounds):
        x = _slice(x, dim, begin, end, step)
    return x


def _slice(x: Tensor, dim: int, begin: int, end: int, step: int) -> Tensor:
    size = x.shape[dim]
    begin += size if begin < 0 else 0
    end += size if end < 0 else 0
    if (begin, end, step) == (0, size, 1):
        return x
    if step > 0:
        sliced: Tensor = torch.ops.aten.slice.Tensor(x, dim, begin, end, step)
        return sliced
    return x.index_select(dim, torch.tensor(range(begin, end, step), dtype=torch.int64))
