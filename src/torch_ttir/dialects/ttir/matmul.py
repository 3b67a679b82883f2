# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's matrix products: matmul, linear, dot_general."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, DENSE_I64, optional, required
from torch_ttir.dialects.ttir.base import TTIROp


class MatmulOp(TTIROp, name="matmul", traits=[Pure]):
    """The matrix product by numpy's rules; two vectors give a tensor of shape [1]."""

    attrs = {"transpose_a": optional(BOOL, False), "transpose_b": optional(BOOL, False)}
    a: Operand[Any]
    b: Operand[Any]
    result: Result[Any]


class LinearOp(TTIROp, name="linear", traits=[Pure]):
    """`matmul(a, b) + bias`."""

    attrs = {"transpose_a": optional(BOOL, False), "transpose_b": optional(BOOL, False)}
    a: Operand[Any]
    b: Operand[Any]
    bias: Operand[Any] | None
    result: Result[Any]


# tt-mlir gives it no purity trait.
class DotGeneralOp(TTIROp, name="dot_general"):
    """The general product: batch dimensions, what remains of `lhs`, what remains of `rhs`."""

    attrs = {
        "batch_dims_lhs": required(DENSE_I64),
        "contract_dims_lhs": required(DENSE_I64),
        "batch_dims_rhs": required(DENSE_I64),
        "contract_dims_rhs": required(DENSE_I64),
    }
    lhs: Operand[Any]
    rhs: Operand[Any]
    result: Result[Any]
