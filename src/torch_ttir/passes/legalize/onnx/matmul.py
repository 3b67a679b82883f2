"""Rules for ONNX's matrix products."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import add_aten
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

add_aten(RULES, {"MatMul": "matmul"})


@RULES.lowers("onnx.Gemm")
def gemm(
    low: Lowering,
    a: Tensor,
    b: Tensor,
    c: Tensor | None = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,  # noqa: N803 - the standard's name
    transB: int = 0,  # noqa: N803
    broadcast: int = 1,
) -> Tensor:
    """Gemm(A, B, C; alpha=1, beta=1, transA=0, transB=0) -> Y = alpha * A' * B' + beta * C."""
    shape, dtype = low.result.shape, a.dtype
    turns = {"transpose_a": bool(transA) or None, "transpose_b": bool(transB) or None}
    if c is not None and alpha == 1 and beta == 1 and c.rank > 0:
        return low.op("linear", [a, b, c], shape, dtype, **turns)
    made = low.op("matmul", [a, b], shape, dtype, **turns)
    if alpha != 1:
        made = low.mul(made, low.full((), alpha, dtype))
    if c is None or beta == 0:
        return made
    return low.add(made, c if beta == 1 else low.mul(c, low.full((), beta, dtype)))


@RULES.lowers("onnx.MatMulInteger")
def integer_matmul(
    low: Lowering,
    a: Tensor,
    b: Tensor,
    a_zero_point: Tensor | None = None,
    b_zero_point: Tensor | None = None,
) -> Tensor:
    """MatMulInteger(A, B, a_zero_point, b_zero_point) -> Y, of i32."""
    left, right = low.cast(a, "i32"), low.cast(b, "i32")
    if a_zero_point is not None:
        zero = low.cast(a_zero_point, "i32")
        left = low.sub(left, low.reshape(zero, (*zero.shape, 1)) if zero.rank == 1 else zero)
    if b_zero_point is not None:
        right = low.sub(right, low.cast(b_zero_point, "i32"))
    return low.op("matmul", [left, right], low.result.shape, "i32")
