"""Rules for embedding, its gradient and its renormalization, and one_hot."""

from __future__ import annotations

import math

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.distance import row_norm
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.embedding")
def embedding(
    low: Lowering, weight: Tensor, indices: Tensor, padding_idx: int, scale_grad: bool, sparse: bool
) -> Tensor:
    """embedding(weight, indices, SymInt padding_idx=-1, bool scale_grad_by_freq, bool sparse).

    The last three concern gradients only. Integers are gathered, since a device's embedding is in
    bf16.
    """
    if not is_float(weight.dtype):
        return take_rows(low, weight, 0, indices)
    rows = indices if indices.rank in (1, 2) else low.reshape(indices, (math.prod(indices.shape),))
    shape = (*rows.shape, weight.shape[1])
    return low.reshape(low.op("embedding", [rows, weight], shape, weight.dtype), low.result.shape)


@RULES.lowers("aten.embedding_dense_backward")
def embedding_dense_backward(
    low: Lowering,
    grad: Tensor,
    indices: Tensor,
    num_weights: int,
    padding_idx: int,
    scale_grad_by_freq: bool,
) -> Tensor:
    """embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq)."""
    width = grad.shape[-1]
    count = math.prod(indices.shape)
    rows, flat = low.reshape(indices, (count,)), low.reshape(grad, (count, width))
    zeros = low.full((num_weights, width), 0, grad.dtype)
    if count == 0:
        return zeros
    if scale_grad_by_freq:
        hits = low.full((num_weights,), 0, grad.dtype)
        hits = put_rows(low, hits, 0, rows, low.full((count,), 1, grad.dtype), "sum")
        flat = low.div(flat, low.reshape(take_rows(low, hits, 0, rows), (count, 1)))
    if padding_idx >= 0:
        padding = low.reshape(low.compare("eq", rows, padding_idx), (count, 1))
        flat = low.where(padding, 0, flat)
    return low.op("embedding_backward", [rows, zeros, flat], zeros.shape, grad.dtype)


@RULES.lowers("aten.embedding_renorm")
def embedding_renorm(
    low: Lowering, weight: Tensor, indices: Tensor, max_norm: float, norm_type: float
) -> Tensor:
    """embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor.

    Rows that are looked up are scaled by max_norm / (norm + 1e-7) where their norm is larger.
    """
    count = weight.shape[0]
    norms = low.reshape(row_norm(low, weight, norm_type), (count, 1))
    used = low.full((count,), 0, "i32")
    used = put_rows(low, used, 0, indices, low.full(indices.shape, 1, "i32"))
    hit = low.reshape(low.cast(used, "i1"), (count, 1))
    large = low.binary("logical_and", hit, low.compare("gt", norms, max_norm))
    scale = low.div(low.full((), max_norm, weight.dtype), low.add(norms, 1e-7))
    return low.where(large, low.mul(weight, scale), weight)


@RULES.lowers("aten.one_hot")
def one_hot(low: Lowering, x: Tensor, num_classes: int) -> Tensor:
    """one_hot(Tensor self, int num_classes=-1) -> Tensor."""
    shape = low.result.shape
    classes = low.arange((1,) * x.rank + shape[-1:], x.rank, x.dtype)
    return low.cast(low.compare("eq", low.reshape(x, (*x.shape, 1)), classes), low.result.dtype)
