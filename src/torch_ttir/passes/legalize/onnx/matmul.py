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


_LARGEST_DETERMINANT = 4


@RULES.lowers("onnx.Det")
def determinant(low: Lowering, x: Tensor) -> Tensor:
    """Det(X) -> Y, by expansion along the first row; n! products are few up to n = 4."""
    size = x.shape[-1]
    low.expect(
        size <= _LARGEST_DETERMINANT,
        f"the determinant of {size} x {size} matrices; up to {_LARGEST_DETERMINANT} are supported",
    )
    return low.reshape(_expanded(low, x), low.result.shape)


def _expanded(low: Lowering, x: Tensor) -> Tensor:
    """Return the determinants of x [..., n, n] as [..., 1, 1]."""
    size, rows, cols = x.shape[-1], x.rank - 2, x.rank - 1
    if size == 1:
        return x
    below = low.slice(x, rows, 1, size)
    total: Tensor | None = None
    for place in range(size):
        sides = [low.slice(below, cols, 0, place), low.slice(below, cols, place + 1, size)]
        minor = _expanded(low, low.concat(sides, cols))
        entry = low.slice(low.slice(x, rows, 0, 1), cols, place, place + 1)
        product = low.mul(entry, minor)
        if total is None:
            total = product
        else:
            total = low.sub(total, product) if place % 2 else low.add(total, product)
    return x if total is None else total
