"""Linear layers written out."""

from __future__ import annotations

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.recognize.matching import (
    attribute,
    holds_steps,
    is_used_once,
    made_by,
    pairs,
    tensor,
)


def linear(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`matmul(x, w) + b` => linear, with a vector b."""
    for value, other in pairs(root):
        op = made_by(value, "matmul")
        if op is None or not is_used_once(value):
            continue
        x, weight = (tensor(operand) for operand in op.operands)
        made, bias = tensor(value), tensor(other)
        fits = x.rank >= 2 and weight.rank == 2 and bias.rank >= 1 and bias.dtype == made.dtype
        if not fits or bias.shape != (*[1] * (bias.rank - 1), made.shape[-1]):
            continue
        if tensor(root.results[0]).info != made.info or not holds_steps(made.dtype, relaxed):
            continue
        bias = build.reshape(bias, bias.shape[-1:])
        return build.op("linear", [x, weight, bias], made.shape, made.dtype, **_transposes(op))
    return None


def _transposes(op: ir.Operation) -> dict[str, bool]:
    return {name: bool(attribute(op, name, False)) for name in ("transpose_a", "transpose_b")}
