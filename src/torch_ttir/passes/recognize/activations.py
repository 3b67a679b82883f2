"""Activations written out."""

from __future__ import annotations

import math

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.recognize.matching import (
    holds_steps,
    is_near,
    made_by,
    number,
    pairs,
    product,
    same,
    tensor,
)


def gelu(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`x * 0.5 * (1 + erf(x / sqrt(2)))` => gelu, whatever the order of the factors."""
    factor, tensors = product(root.results[0])
    if factor != 0.5 or len(tensors) != 2:
        return None
    for value, other in (tensors, tensors[::-1]):
        argument = _argument_of_erf(other)
        if argument is not None and same(argument, value):
            x = tensor(value)
            if holds_steps(x.dtype, relaxed) and tensor(root.results[0]).info == x.info:
                return build.unary("gelu", x)
    return None


def silu(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`x * sigmoid(x)` => silu."""
    for value, other in pairs(root):
        op = made_by(other, "sigmoid")
        x = tensor(value)
        if op is not None and same(op.operands[0], value) and holds_steps(x.dtype, relaxed):
            return build.unary("silu", x)
    return None


def _argument_of_erf(value: ir.Value) -> ir.Value | None:
    """Return x of `1 + erf(x / sqrt(2))`."""
    op = made_by(value, "add")
    if op is None:
        return None
    for first, second in pairs(op):
        erf = made_by(first, "erf")
        if erf is None or number(second) != 1:
            continue
        factor, tensors = product(erf.operands[0])
        if len(tensors) == 1 and is_near(factor, math.sqrt(0.5), tensor(tensors[0]).dtype):
            return tensors[0]
    return None
