# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's matrix products: matmul, linear, dot_general."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, DENSE_I64, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import (
    broadcast_shape,
    expect,
    expect_dim,
    expect_rank,
    expect_shape,
)


class MatmulOp(TTIROp, name="matmul", traits=[Pure]):
    """The matrix product by numpy's rules; two vectors give a tensor of shape [1]."""

    attrs = {"transpose_a": optional(BOOL, False), "transpose_b": optional(BOOL, False)}
    a: Operand[Any]
    b: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has the shape of the product."""
        expect_shape(op.results["result"], _product_shape(op), "result")


class LinearOp(TTIROp, name="linear", traits=[Pure]):
    """`matmul(a, b) + bias`."""

    attrs = {"transpose_a": optional(BOOL, False), "transpose_b": optional(BOOL, False)}
    a: Operand[Any]
    b: Operand[Any]
    bias: Operand[Any] | None
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has the shape of the product with the bias added."""
        shape = _product_shape(op)
        bias = op.operands["bias"]
        if bias is not None:
            expect_rank(bias, 1, None, "bias")
            shape = broadcast_shape([shape, bias.shape])
        expect_shape(op.results["result"], shape, "result")


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

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that paired dimensions agree, and the shape of the result."""
        lhs, rhs = op.operands["lhs"].shape, op.operands["rhs"].shape
        rest_lhs = _free_dims(op, "lhs", len(lhs))
        rest_rhs = _free_dims(op, "rhs", len(rhs))
        for kind in ("batch", "contract"):
            sizes_lhs = [lhs[dim] for dim in op.attrs[f"{kind}_dims_lhs"]]
            sizes_rhs = [rhs[dim] for dim in op.attrs[f"{kind}_dims_rhs"]]
            expect(
                sizes_lhs == sizes_rhs,
                f"{kind} dimensions must have equal sizes, not {sizes_lhs} and {sizes_rhs}",
            )
        shape = [lhs[dim] for dim in (*op.attrs["batch_dims_lhs"], *rest_lhs)]
        expect_shape(op.results["result"], shape + [rhs[dim] for dim in rest_rhs], "result")


def _product_shape(op: Decoded) -> tuple[int, ...]:
    a = _factor_shape(op, "a")
    b = _factor_shape(op, "b")
    rows, inner = ([], a[0]) if len(a) == 1 else ([a[-2]], a[-1])
    other, columns = (b[0], []) if len(b) == 1 else (b[-2], [b[-1]])
    expect(inner == other, f"inner dimensions must be equal, not {inner} and {other}")
    shape = (*broadcast_shape([a[:-2], b[:-2]]), *rows, *columns)
    return shape or (1,)


def _factor_shape(op: Decoded, name: str) -> tuple[int, ...]:
    shape: tuple[int, ...] = op.operands[name].shape
    expect_rank(op.operands[name], 1, None, name)
    if op.attrs[f"transpose_{name}"] and len(shape) > 1:
        return (*shape[:-2], shape[-1], shape[-2])
    return shape


def _free_dims(op: Decoded, side: str, rank: int) -> list[int]:
    used = (*op.attrs[f"batch_dims_{side}"], *op.attrs[f"contract_dims_{side}"])
    for dim in used:
        expect_dim(dim, rank, f"batch_dims_{side}` and `contract_dims_{side}")
    expect(
        len(set(used)) == len(used),
        f"`batch_dims_{side}` and `contract_dims_{side}` name a dimension twice: {list(used)}",
    )
    return [dim for dim in range(rank) if dim not in used]
