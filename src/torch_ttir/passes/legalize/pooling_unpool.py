"""Rules that put values back to where a max pooling found them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.max_unpool2d")
def max_unpool2d(low: Lowering, x: Tensor, indices: Tensor, _output_size: Sequence[int]) -> Tensor:
    """max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor."""
    return _scatter_planes(low, x, indices, 2, "invalid")


@RULES.lowers("aten.max_unpool3d")
def max_unpool3d(
    low: Lowering,
    x: Tensor,
    indices: Tensor,
    _output_size: Sequence[int],
    _stride: Sequence[int],
    _padding: Sequence[int],
) -> Tensor:
    """max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, stride, padding)."""
    return _scatter_planes(low, x, indices, 3, "invalid")


def _max_pool_backward(
    spatial: int,
    low: Lowering,
    grad: Tensor,
    _x: Tensor,
    _kernel: Sequence[int],
    _stride: Sequence[int],
    _padding: Sequence[int],
    _dilation: Sequence[int],
    _ceil_mode: bool,
    indices: Tensor,
) -> Tensor:
    """max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, ..., Tensor indices)."""
    return _scatter_planes(low, grad, indices, spatial, "sum")


for _spatial in (2, 3):
    RULES.add(
        f"aten.max_pool{_spatial}d_with_indices_backward", partial(_max_pool_backward, _spatial)
    )


def _scatter_planes(low: Lowering, x: Tensor, indices: Tensor, spatial: int, reduce: str) -> Tensor:
    """Return zeros of the declared shape with x put, plane by plane, at row-major `indices`."""
    result = low.result
    planes = math.prod(x.shape[: x.rank - spatial])
    flat = low.reshape(x, (planes, math.prod(x.shape[x.rank - spatial :])))
    zeros = low.full((planes, math.prod(result.shape) // planes), 0, x.dtype)
    made = low.op(
        "scatter",
        [zeros, low.reshape(indices, flat.shape), flat],
        zeros.shape,
        x.dtype,
        dim=1,
        scatter_reduce_type=reduce,
    )
    return low.reshape(made, result.shape)
