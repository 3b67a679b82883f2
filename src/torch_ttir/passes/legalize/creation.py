"""Rules for tensors of one value, and for literals."""

from __future__ import annotations

from typing import Any

import numpy as np
from torch_mlir import ir

from torch_ttir.ir.constants import NUMPY_DTYPES, read_elements
from torch_ttir.ir.types import tensor_type
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.zeros", "aten.zeros_like", "aten.new_zeros", "aten.zero")
def zeros(low: Lowering, *_: Any) -> Tensor:
    """zeros(SymInt[] size, *, ScalarType? dtype=None, ...) -> Tensor."""
    shape, dtype = low.result
    return low.op("zeros", [], shape, dtype, shape=shape)


@RULES.lowers("aten.ones", "aten.ones_like", "aten.new_ones")
def ones(low: Lowering, *_: Any) -> Tensor:
    """ones(SymInt[] size, *, ScalarType? dtype=None, ...) -> Tensor."""
    shape, dtype = low.result
    return low.op("ones", [], shape, dtype, shape=shape)


@RULES.lowers(
    "aten.empty.memory_format",
    "aten.empty_like",
    "aten.empty_permuted",
    "aten.empty_strided",
    "aten.new_empty",
    "aten.new_empty_strided",
    "prims.empty_strided",
)
def empty(low: Lowering, *_: Any) -> Tensor:
    """empty(SymInt[] size, ...) -> Tensor; zeros, since `ttir.empty` is never the same twice."""
    return zeros(low)


@RULES.lowers("aten.full", "aten.full_like", run_time_scalars=True)
def full(low: Lowering, size: object, value: Tensor | Number, *_: Any) -> Tensor:
    """full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, ...) -> Tensor."""
    return _filled(low, value)


@RULES.lowers("aten.new_full", run_time_scalars=True)
def new_full(low: Lowering, x: Tensor, size: object, value: Tensor | Number, *_: Any) -> Tensor:
    """new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ...) -> Tensor."""
    return _filled(low, value)


@RULES.lowers("aten.fill.Scalar", "aten.fill.Tensor", run_time_scalars=True)
def fill(low: Lowering, x: Tensor, value: Tensor | Number) -> Tensor:
    """fill.Scalar(Tensor self, Scalar value) -> Tensor."""
    return _filled(low, value)


@RULES.lowers(
    "aten.scalar_tensor",
    "aten.tensor.bool",
    "aten.tensor.float",
    "aten.tensor.int",
    "prim.NumToTensor.Scalar",
    "prims.scalar_tensor",
    run_time_scalars=True,
)
def scalar_tensor(low: Lowering, value: Tensor | Number, *_: Any) -> Tensor:
    """scalar_tensor(Scalar s, *, ScalarType? dtype=None, ...) -> Tensor."""
    return _filled(low, value)


def _filled(low: Lowering, value: Tensor | Number) -> Tensor:
    shape, dtype = low.result
    if isinstance(value, Tensor):
        return low.broadcast(low.reshape(low.cast(value, dtype), ()), shape)
    return low.full(shape, value, dtype)


@RULES.lowers("aten.tensor")
def tensor(low: Lowering, data: list[Any], *_: Any) -> Tensor:
    """tensor(t[] data, *, ScalarType? dtype=None, ...) -> Tensor; nested lists of constants."""
    shape, dtype = low.result
    return low.constant(np.array(data, dtype=NUMPY_DTYPES[dtype]).reshape(shape), dtype)


@RULES.lowers("tensor.literal", "vtensor.literal")
def literal(low: Lowering, *, value: ir.Attribute) -> Tensor:
    """vtensor.literal(value); si64 becomes i64, and the bytes of a resource stay where they are."""
    shape, dtype = low.result
    if isinstance(value, ir.DenseElementsAttr):
        array = read_elements(value)
        if value.is_splat:
            return low.full(shape, array.flat[0].item(), dtype)
        return low.constant(array, dtype)
    spelled = str(value)
    retyped = ir.Attribute.parse(
        f"{spelled[: spelled.rindex(' : ')]} : {tensor_type(shape, dtype)}"
    )
    return low.op("constant", [], shape, dtype, value=retyped)
