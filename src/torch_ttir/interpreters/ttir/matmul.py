"""Matrix products."""

from __future__ import annotations

import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, common, expect

MEANINGS = MeaningTable()


@MEANINGS.means("matmul")
def matmul(op: Decoded, a: Tensor, b: Tensor) -> Tensor:
    """Multiply by `torch.matmul`'s rules; two vectors give a result of shape [1]."""
    a, b = _operands(op, a, b)
    product = torch.matmul(a, b)
    return product.reshape(1) if product.dim() == 0 else product


@MEANINGS.means("linear")
def linear(op: Decoded, a: Tensor, b: Tensor, bias: Tensor | None) -> Tensor:
    """Compute `a @ b + bias`."""
    if bias is None:
        return matmul(op, a, b)  # type: ignore[no-any-return]
    plain = b.dim() == 2 and bias.dim() == 1 and not op.attrs["transpose_a"] and a.dim() >= 2
    if plain and a.dtype == b.dtype == bias.dtype:
        weight = b if op.attrs["transpose_b"] else b.T
        if bias.shape[0] == weight.shape[0]:
            return F.linear(a, weight, bias)
    return torch.add(*common(matmul(op, a, b), bias))


@MEANINGS.means("dot_general")
def dot_general(op: Decoded, lhs: Tensor, rhs: Tensor) -> Tensor:
    """Contract pairs of dims: batch dims first, then what is left of `lhs`, then of `rhs`."""
    lhs, rhs = common(lhs, rhs)
    attrs = op.attrs
    left = list(range(lhs.dim()))
    right = list(range(lhs.dim(), lhs.dim() + rhs.dim()))
    for kind in ("batch", "contract"):
        pairs = zip(attrs[f"{kind}_dims_lhs"], attrs[f"{kind}_dims_rhs"], strict=True)
        for dim, other in pairs:
            right[other] = left[dim]
    expect(lhs.dim() + rhs.dim() <= 52, "more than 52 dimensions")
    batch = [left[dim] for dim in attrs["batch_dims_lhs"]]
    shared = {left[dim] for dim in attrs["contract_dims_lhs"]} | set(batch)
    free = [label for label in (*left, *right) if label not in shared]
    return torch.einsum(lhs, left, rhs, right, batch + free)


def _operands(op: Decoded, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    if op.attrs["transpose_a"] and a.dim() > 1:
        a = a.mT
    if op.attrs["transpose_b"] and b.dim() > 1:
        b = b.mT
    if a.dtype is not b.dtype:
        a, b = common(a, b)
    return a, b
