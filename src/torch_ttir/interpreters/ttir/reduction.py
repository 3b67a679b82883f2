"""Reductions, scans and orderings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect

MEANINGS = MeaningTable()


def _dims(op: Decoded, x: Tensor) -> list[int]:
    dims = op.attrs["dim_arg"]
    return list(range(x.dim())) if dims is None else sorted({dim % max(x.dim(), 1) for dim in dims})


def _reduction(function: Callable[..., Tensor]) -> Callable[[Decoded, Tensor], Tensor]:
    def run(op: Decoded, x: Tensor) -> Tensor:
        # A 0-d tensor has no dimension to name, and PyTorch takes no dims for all.
        dims = _dims(op, x)
        return function(x, dims, op.attrs["keep_dim"]) if dims else function(x[None], [0], False)

    return run


def _prod(x: Tensor, dims: list[int], keep: bool) -> Tensor:
    for dim in reversed(dims):
        x = torch.prod(x, dim, keepdim=keep)
    return x


def _mean(x: Tensor, dims: list[int], keep: bool) -> Tensor:
    expect(x.dtype.is_floating_point, "the mean of integers; cast the operand first")
    return torch.mean(x, dims, keepdim=keep)


_REDUCTIONS: dict[str, Callable[..., Tensor]] = {
    "sum": lambda x, dims, keep: torch.sum(x, dims, keepdim=keep),
    "mean": _mean,
    "max": torch.amax,
    "min": torch.amin,
    "prod": _prod,
    "reduce_and": lambda x, dims, keep: torch.all(x != 0, dims, keepdim=keep),
    "reduce_or": lambda x, dims, keep: torch.any(x != 0, dims, keepdim=keep),
}
for _name, _function in _REDUCTIONS.items():
    MEANINGS.add(f"ttir.{_name}", _reduction(_function))


@MEANINGS.means("argmax")
def argmax(op: Decoded, x: Tensor) -> Tensor:
    """Find the first maximum, counted in row-major order over the reduced dims."""
    dims = _dims(op, x)
    if x.dtype is torch.bool:
        x = x.to(torch.uint8)
    kept = [dim for dim in range(x.dim()) if dim not in dims]
    flat = x.permute([*kept, *dims]).reshape([*(x.shape[dim] for dim in kept), -1])
    index = torch.argmax(flat, -1)
    if not op.attrs["keep_dim"]:
        return index
    return index.reshape([1 if dim in dims else size for dim, size in enumerate(x.shape)])


@MEANINGS.means("cumsum")
def cumsum(op: Decoded, x: Tensor) -> Tensor:
    """Add up along `dim`, each element included."""
    return torch.cumsum(x, op.attrs["dim"])


@MEANINGS.means("cumprod")
def cumprod(op: Decoded, x: Tensor) -> Tensor:
    """Multiply up along `dim`, each element included."""
    return torch.cumprod(x, op.attrs["dim"])


@MEANINGS.means("sort")
def sort(op: Decoded, x: Tensor) -> Any:
    """Sort along `dim`, and tell where each element was; `stable` keeps the order of equals."""
    attrs = op.attrs
    return torch.sort(x, dim=attrs["dim"], descending=attrs["descending"], stable=attrs["stable"])


@MEANINGS.means("topk")
def topk(op: Decoded, x: Tensor) -> Any:
    """Take the k largest (or smallest) along `dim`, in order even where that is not asked."""
    return torch.topk(x, op.attrs["k"], op.attrs["dim"], op.attrs["largest"], sorted=True)
