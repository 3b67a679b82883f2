"""Ops that read and write where a tensor says: gather, scatter, embedding, caches."""

from __future__ import annotations

import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect

MEANINGS = MeaningTable()

_REDUCTIONS = {"sum": "sum", "prod": "prod", "min": "amin", "max": "amax"}


@MEANINGS.means("gather")
def gather(op: Decoded, x: Tensor, index: Tensor) -> Tensor:
    """Read `x` at `index` along `dim`, as `torch.gather`."""
    return torch.gather(x, op.attrs["dim"], index.long())


@MEANINGS.means("scatter")
def scatter(op: Decoded, x: Tensor, index: Tensor, source: Tensor) -> Tensor:
    """Write or reduce `source` into `x` at `index` along `dim`; what is there takes part."""
    dim, kind = op.attrs["dim"], op.attrs["scatter_reduce_type"]
    source = source.to(x.dtype)
    if kind == "invalid":
        return torch.scatter(x, dim, index.long(), source)
    expect(kind in _REDUCTIONS, f"`scatter_reduce_type` = {kind}")
    return torch.scatter_reduce(x, dim, index.long(), source, _REDUCTIONS[kind], include_self=True)


@MEANINGS.means("embedding")
def embedding(op: Decoded, indices: Tensor, weight: Tensor) -> Tensor:
    """Take the rows of `weight` at `indices`, none of which may be out of range."""
    return F.embedding(indices.long(), weight.reshape(-1, weight.shape[-1]))


@MEANINGS.means("embedding_backward")
def embedding_backward(op: Decoded, indices: Tensor, weight: Tensor, in_gradient: Tensor) -> Tensor:
    """Add the rows of the gradient up by index; f16 and bf16 in f32."""
    rows = in_gradient.reshape(-1, in_gradient.shape[-1])
    rows = rows.float() if rows.element_size() == 2 else rows
    zeros = torch.zeros(weight.shape, dtype=rows.dtype)
    return zeros.index_add(0, indices.reshape(-1).long(), rows)


@MEANINGS.means("update_cache")
def update_cache(op: Decoded, cache: Tensor, x: Tensor, update_index: Tensor) -> Tensor:
    """Give the cache with position `update_index` of user b taken from `x[0, :, b, :]`."""
    offset = op.attrs["batch_offset"]
    expect(update_index.numel() in (1, x.shape[2]), f"{update_index.numel()} update indices")
    positions = update_index.reshape(-1).expand(x.shape[2]).tolist()
    cache = cache.clone()
    for user, position in enumerate(positions):
        expect(0 <= position < cache.shape[2], f"update index {position}")
        expect(offset + user < cache.shape[0], f"`batch_offset` = {offset}")
        cache[offset + user, :, position] = x[0, :, user].to(cache.dtype)
    return cache


@MEANINGS.means("fill_cache")
def fill_cache(op: Decoded, cache: Tensor, x: Tensor) -> Tensor:
    """Give the cache with the first positions, from user `batch_offset` on, taken from `x`."""
    offset = op.attrs["batch_offset"]
    fits = offset + x.shape[0] <= cache.shape[0] and x.shape[2] <= cache.shape[2]
    expect(fits, f"`batch_offset` = {offset} with {tuple(x.shape)} in {tuple(cache.shape)}")
    cache = cache.clone()
    cache[offset : offset + x.shape[0], :, : x.shape[2]] = x.to(cache.dtype)
    return cache


IN_PLACE = frozenset({"ttir.update_cache", "ttir.fill_cache"})
"""Ops without a result, whose meaning gives the new value of their first operand."""
