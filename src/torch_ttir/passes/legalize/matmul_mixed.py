"""Rules for products of other element types and of three operands."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten._int_mm")
def int_mm(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """_int_mm(Tensor self, Tensor mat2) -> Tensor; of 8-bit integers, summed in 32."""
    return low.matmul(low.cast(x, "i32"), low.cast(y, "i32"))


@RULES.lowers("aten.mm.dtype", "aten.bmm.dtype")
def mm_dtype(low: Lowering, x: Tensor, y: Tensor, _dtype: int) -> Tensor:
    """mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor."""
    dtype = low.result.dtype
    return low.matmul(low.cast(x, dtype), low.cast(y, dtype))


@RULES.lowers("aten._scaled_mm")
def scaled_mm(
    low: Lowering,
    x: Tensor,
    y: Tensor,
    scale_x: Tensor,
    scale_y: Tensor,
    bias: Tensor | None = None,
    scale_result: Tensor | None = None,
    _out_dtype: int | None = None,
    _use_fast_accum: bool = False,
) -> Tensor:
    """_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, ...) -> Tensor.

    The scales are of the whole operand, or of x's rows and y's columns.
    """
    for scale, wanted in ((scale_x, (x.shape[0], 1)), (scale_y, (1, y.shape[1]))):
        small = scale.dtype == "f32" and (len(scale.shape) < 2 or scale.shape in ((1, 1), wanted))
        low.expect(
            small, f"scales of type `{scale.info}` are not supported, only f32 by tensor or row"
        )
    result = low.result
    wide_x, wide_y = widen(low, x, y)
    made = low.mul(low.matmul(wide_x, wide_y), low.mul(scale_x, scale_y))
    made = made if bias is None else low.add(made, low.cast(bias, "f32"))
    narrow = result.dtype.startswith("f8")
    made = low.mul(made, scale_result) if scale_result is not None and narrow else made
    return low.cast(low.reshape(made, result.shape), result.dtype)


@RULES.lowers("aten._scaled_mm_v2")
def scaled_mm_v2(
    low: Lowering,
    x: Tensor,
    y: Tensor,
    scales_x: Sequence[Tensor],
    _recipe_x: Sequence[int],
    _swizzle_x: Sequence[int],
    scales_y: Sequence[Tensor],
    _recipe_y: Sequence[int],
    _swizzle_y: Sequence[int],
    bias: Tensor | None,
    *_: object,
) -> Tensor:
    """_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, ...) -> Tensor."""
    single = len(scales_x) == len(scales_y) == 1
    low.expect(single, "scales in several steps are not supported")
    return scaled_mm(low, x, y, scales_x[0], scales_y[0], bias)


@RULES.lowers("aten._weight_int8pack_mm")
def int8pack_mm(low: Lowering, x: Tensor, weight: Tensor, scales: Tensor) -> Tensor:
    """_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor; mat2 is [N, K]."""
    dtype = x.dtype
    x, scales = widen(low, x, scales)
    made = low.matmul(x, low.cast(weight, x.dtype), transpose_b=True)
    return low.cast(low.mul(made, scales), dtype)


@RULES.lowers("aten.bilinear")
def bilinear(
    low: Lowering, x: Tensor, y: Tensor, weight: Tensor, bias: Tensor | None = None
) -> Tensor:
    """bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor."""
    result = low.result
    out, left, right = weight.shape
    x, y, weight = widen(low, x, y, weight)
    weight = low.reshape(low.permute(weight, (1, 0, 2)), (left, out * right))
    rows = low.reshape(x, (math.prod(x.shape[:-1]), left))
    half = low.reshape(low.matmul(rows, weight), (rows.shape[0], out, right))
    made = low.matmul(half, low.reshape(y, (rows.shape[0], right, 1)))
    made = low.reshape(made, result.shape)
    made = made if bias is None else low.add(made, low.cast(bias, made.dtype))
    return low.cast(made, result.dtype)


@RULES.lowers("aten._trilinear")
def trilinear(
    low: Lowering,
    x: Tensor,
    y: Tensor,
    z: Tensor,
    expand_x: Sequence[int],
    expand_y: Sequence[int],
    expand_z: Sequence[int],
    sum_dims: Sequence[int],
    _unroll_dim: int = 1,
) -> Tensor:
    """_trilinear(Tensor i1, i2, i3, int[] expand1, expand2, expand3, int[] sumdim, ...) -> Tensor.

    The sum over `sumdim` of the product, each operand having new dimensions at its `expand`.
    """
    result = low.result
    parts = [
        low.reshape(tensor, _expanded(tensor.shape, dims))
        for tensor, dims in ((x, expand_x), (y, expand_y), (z, expand_z))
    ]
    x, y, z = widen(low, *parts)
    made = low.mul(low.mul(x, y), z)
    dims = low.dims(sum_dims, made.rank) if sum_dims else []
    made = low.reduce("sum", made, dims, keep=False) if dims else made
    return low.cast(made, result.dtype)


def _expanded(shape: tuple[int, ...], dims: Sequence[int]) -> list[int]:
    sizes = iter(shape)
    return [1 if dim in dims else next(sizes) for dim in range(len(shape) + len(dims))]
