"""Rules for distances between rows: cdist, pdist, pairwise_distance; and powers of a vector."""

from __future__ import annotations

import numpy as np

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.norm_reduction import vector_norm
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

# More rows than this, and PyTorch computes a Euclidean cdist by a matrix product.
# Source: aten/src/ATen/native/Distance.cpp, cdist_impl.
_MATMUL_ROWS = 25


@RULES.lowers("aten.cdist", "aten._cdist_forward")
def cdist(low: Lowering, x: Tensor, y: Tensor, p: float, compute_mode: int | None) -> Tensor:
    """cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor."""
    if x.shape[-1] == 0:
        return low.full(low.result.shape, 0, low.result.dtype)
    large = x.shape[-2] > _MATMUL_ROWS or y.shape[-2] > _MATMUL_ROWS
    if p == 2 and (compute_mode == 1 or (not compute_mode and large)):
        return euclidean_dist(low, x, y)
    rows = low.reshape(x, (*x.shape[:-1], 1, x.shape[-1]))
    columns = low.reshape(y, (*y.shape[:-2], 1, *y.shape[-2:]))
    return row_norm(low, low.sub(rows, columns), p)


@RULES.lowers("aten._euclidean_dist")
def euclidean_dist(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """_euclidean_dist(Tensor x1, Tensor x2) -> Tensor; |x|^2 + |y|^2 - 2xy as one product."""
    ones_x, ones_y = (low.full((*z.shape[:-1], 1), 1, z.dtype) for z in (x, y))
    squares_x, squares_y = (
        low.reduce("sum", low.mul(z, z), [z.rank - 1], keep=True) for z in (x, y)
    )
    left = low.concat([low.mul(x, -2), squares_x, ones_x], x.rank - 1)
    right = low.concat([y, ones_y, squares_y], y.rank - 1)
    product = low.matmul(left, right, transpose_b=True)
    return low.unary("sqrt", low.maximum(product, 0))


@RULES.lowers("aten.pairwise_distance")
def pairwise_distance(
    low: Lowering, x: Tensor, y: Tensor, p: float, eps: float, keepdim: bool
) -> Tensor:
    """pairwise_distance(x1, x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor."""
    dtype, common = low.result.dtype, low.promote(x, y)
    apart = low.sub(low.cast(x, common), low.cast(y, common))
    apart = low.add(low.cast(apart, dtype), eps)
    (wide,) = widen(low, apart)
    return low.reshape(low.cast(row_norm(low, wide, p), dtype), low.result.shape)


@RULES.lowers("aten.pdist", "aten._pdist_forward")
def pdist(low: Lowering, x: Tensor, p: float) -> Tensor:
    """pdist(Tensor self, float p=2.) -> Tensor; of each pair of rows, in row-major order."""
    if x.shape[-1] == 0:
        return low.full(low.result.shape, 0, x.dtype)
    pairs = np.triu_indices(x.shape[0], 1)
    first, second = (take_rows(low, x, 0, low.constant(index, "i64")) for index in pairs)
    return row_norm(low, low.sub(first, second), p)


@RULES.lowers("aten.linalg_vander")
def vander(low: Lowering, x: Tensor, n: int | None) -> Tensor:
    """linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor; column i is the power i."""
    *lead, count = low.result.shape
    one = low.full((*lead, 1), 1, low.result.dtype)
    if count == 1:
        return one
    column = low.reshape(low.cast(x, low.result.dtype), (*lead, 1))
    copies = low.broadcast(column, (*lead, count - 1))
    powers = low.op("cumprod", [copies], copies.shape, copies.dtype, dim=len(lead))
    return low.concat([one, powers], len(lead))


@RULES.lowers("aten.vander")
def vander_matrix(low: Lowering, x: Tensor, n: int | None, increasing: bool) -> Tensor:
    """vander(Tensor x, int? N=None, bool increasing=False) -> Tensor."""
    powers = vander(low, x, n)
    return (
        powers
        if increasing
        else low.op("reverse", [powers], powers.shape, powers.dtype, dimensions=[1])
    )


def row_norm(low: Lowering, x: Tensor, p: float) -> Tensor:
    """Return the p-norm over the last dimension, without it."""
    return low.reshape(vector_norm(low, x, p, [x.rank - 1]), x.shape[:-1])
