"""Rules for ops that read at indices along one dimension: gather, index_select, take."""

from __future__ import annotations

import math

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import gather_along, take_rows, wrap_index
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

_DATA_DEPENDENT = "the shape of the result depends on data, and TTIR's shapes are static"

for _name in (
    "aten.nonzero",
    "aten.nonzero_numpy",
    "aten.argwhere",
    "aten.masked_select",
    "aten._unique",
    "aten._unique2",
    "aten.unique_dim",
    "aten.unique_consecutive",
    "aten.unique_dim_consecutive",
):
    RULES.rejects(_name, _DATA_DEPENDENT)


@RULES.lowers("aten.gather")
def gather(low: Lowering, x: Tensor, dim: int, index: Tensor, sparse_grad: bool) -> Tensor:
    """gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor."""
    axis = low.dim(dim, x.rank)
    x = low.reshape(x, x.shape or (1,))
    made = gather_along(low, x, axis, low.reshape(index, index.shape or (1,)))
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten.index_select")
def index_select(low: Lowering, x: Tensor, dim: int, index: Tensor) -> Tensor:
    """index_select(Tensor self, int dim, Tensor index) -> Tensor."""
    axis = low.dim(dim, x.rank)
    x = low.reshape(x, x.shape or (1,))
    made = take_rows(low, x, axis, low.reshape(index, index.shape or (1,)))
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten.take")
def take(low: Lowering, x: Tensor, index: Tensor) -> Tensor:
    """take(Tensor self, Tensor index) -> Tensor; of the flat tensor, from its end if negative."""
    count = math.prod(x.shape)
    return take_rows(low, low.reshape(x, (count,)), 0, wrap_index(low, index, count))


@RULES.lowers("aten.take_along_dim")
def take_along_dim(low: Lowering, x: Tensor, index: Tensor, dim: int | None) -> Tensor:
    """take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor; indices may wrap."""
    if dim is None:
        x, index = (low.reshape(value, (math.prod(value.shape),)) for value in (x, index))
    axis = low.dim(dim or 0, x.rank)
    shape = list(low.result.shape)
    index = low.broadcast(wrap_index(low, index, x.shape[axis]), shape)
    shape[axis] = x.shape[axis]
    return gather_along(low, low.broadcast(x, shape), axis, index)
