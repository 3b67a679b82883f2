"""Rules for ops that look at a tensor's storage: as_strided and resize."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from torch_ttir.dialects.ttir import OPS
from torch_ttir.dialects.ttir.elementwise import Elementwise
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.as_strided", "aten.as_strided_copy", "prims.as_strided")
def as_strided(
    low: Lowering, x: Tensor, size: Sequence[int], stride: Sequence[int], offset: int | None
) -> Tensor:
    """as_strided(self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor."""
    flat = _storage(low, x)
    _check_storage(low, x, size, stride, offset or 0)
    begin = offset or 0
    step = _even_step(size, stride)
    if step is not None:
        end = begin + (math.prod(size) - 1) * step + 1
        return low.reshape(low.slice(flat, 0, begin, end, step), size)
    return take_rows(low, flat, 0, _storage_index(low, size, stride, begin))


@RULES.lowers("aten.as_strided_scatter", "prims.as_strided_scatter")
def as_strided_scatter(
    low: Lowering,
    x: Tensor,
    src: Tensor,
    size: Sequence[int],
    stride: Sequence[int],
    offset: int | None,
) -> Tensor:
    """as_strided_scatter(self, src, SymInt[] size, stride, SymInt? storage_offset) -> Tensor."""
    flat = _storage(low, x)
    _check_storage(low, x, size, stride, offset or 0)
    index = _storage_index(low, size, stride, offset or 0)
    source = low.broadcast(low.cast(src, x.dtype), size)
    return low.reshape(put_rows(low, flat, 0, index, source), x.shape)


@RULES.lowers("aten.resize", "prims.resize")
def resize(low: Lowering, x: Tensor, size: Sequence[int], *memory_format: Any) -> Tensor:
    """resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor."""
    flat, count = _storage(low, x), math.prod(size)
    low.expect(
        count <= flat.shape[0],
        f"it makes {count} elements of {flat.shape[0]}, and the new ones have no values",
    )
    return low.reshape(low.slice(flat, 0, 0, count), size)


def _storage(low: Lowering, x: Tensor) -> Tensor:
    """Return the storage of `x` as one dimension, which needs `x` to be contiguous."""
    low.expect(
        _is_surely_contiguous(x),
        "it reads the operand's storage, and the operand may not be contiguous",
    )
    return low.reshape(x, (math.prod(x.shape),))


def _is_surely_contiguous(x: Tensor) -> bool:
    """Say whether PyTorch's tensor is contiguous as well, by the ops that made it from arguments.

    Arguments are: the importer refuses to look at the storage of one that is not.
    """
    seen, queue = set(), [x.value]
    while queue:
        value = queue.pop()
        if isinstance(value, ir.BlockArgument) or value in seen:
            continue
        seen.add(value)
        op = value.owner
        keeps_order = op.name in ("ttir.reshape", "ttir.unsqueeze", "ttir.concat")
        if op.operands and not keeps_order and not issubclass(OPS[op.name], Elementwise):
            return False
        queue += op.operands
    return True


def _check_storage(
    low: Lowering, x: Tensor, size: Sequence[int], stride: Sequence[int], offset: int
) -> None:
    """Reject what lies outside of the operand's own elements, as the storage of a view may."""
    last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    count = math.prod(x.shape)
    low.expect(
        last < count, f"element {last} of the storage is not in the operand, which has {count}"
    )


def _even_step(size: Sequence[int], stride: Sequence[int]) -> int | None:
    """Return how far apart the elements are in row-major order, if all are equally far."""
    wide = [(n, step) for n, step in zip(size, stride, strict=True) if n > 1]
    least = expected = wide[-1][1] if wide else 1
    for n, step in reversed(wide):
        if step != expected or step < 1:
            return None
        expected = step * n
    return least


def _storage_index(
    low: Lowering, size: Sequence[int], stride: Sequence[int], offset: int
) -> Tensor:
    """Return the i64 storage index of each element: the sum of one arange a dimension."""
    index = low.full((1,) * len(size), offset, "i64")
    for axis, step in enumerate(stride):
        if size[axis] > 1 and step:
            ones = [n if i == axis else 1 for i, n in enumerate(size)]
            index = low.add(index, low.arange(ones, axis, "i64", 0, step))
    return low.broadcast(index, size)
