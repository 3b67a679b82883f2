"""Rules for ops that keep the row-major order: view, reshape, flatten, squeeze, unsqueeze."""

from __future__ import annotations

from functools import partial
from typing import Any

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.shape import atleast_shape

RULES = RuleTable()


@RULES.lowers(
    "aten.view",
    "aten.view_copy",
    "aten._unsafe_view",
    "aten.view_as",
    "aten.reshape",
    "aten.reshape_as",
    "aten._reshape_copy",
    "aten._reshape_alias",
    "aten._reshape_alias_copy",
    "aten.flatten.using_ints",
    "aten.unflatten.int",
    "aten.ravel",
    "aten.squeeze",
    "aten.squeeze.dim",
    "aten.squeeze.dims",
    "aten.squeeze_copy",
    "aten.squeeze_copy.dim",
    "aten.squeeze_copy.dims",
    "aten.unsqueeze_copy",
    "aten.atleast_1d",
    "aten.atleast_2d",
    "aten.atleast_3d",
    "prims.reshape",
    "prims.squeeze",
    "prims.collapse",
    "prims.collapse_view",
    "prims.split_dim",
    "prims.copy_strided",
    "prims.view_of",
)
def reshape(low: Lowering, x: Tensor, *sizes: Any) -> Tensor:
    """Take `x` to the declared shape, whatever the op's own arguments say: view(self, size) etc."""
    return low.reshape(x, low.result.shape)


@RULES.lowers("aten.unsqueeze")
def unsqueeze(low: Lowering, x: Tensor, dim: int) -> Tensor:
    """unsqueeze(Tensor self, int dim) -> Tensor."""
    axis = low.dim(dim, x.rank + 1)
    return low.op("unsqueeze", [x], low.result.shape, x.dtype, dim=axis)


def _atleast(rank: int, low: Lowering, xs: list[Tensor]) -> list[Tensor]:
    """atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]; the shapes are torch.atleast_<rank>d's."""
    return [low.reshape(x, atleast_shape(x.shape, rank)) for x in xs]


for _rank in (1, 2, 3):
    RULES.add(f"aten.atleast_{_rank}d.Sequence", partial(_atleast, _rank))
