"""Normalizations written out: RMS and layer norm, their weights, and softmax."""

from __future__ import annotations

import math
from typing import NamedTuple

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.legalize.normalization_statistics import holds_epsilon
from torch_ttir.passes.recognize.matching import (
    attribute,
    holds_steps,
    is_used_once,
    made_by,
    number,
    pairs,
    same,
    tensor,
)

NORMS = ("rms_norm", "layer_norm")
"""What a weight and a bias can be added to."""


class _Root(NamedTuple):
    """`sqrt(mean(x * x) + epsilon)`, the mean being over the last `kept` dimensions."""

    x: ir.Value
    kept: int
    epsilon: float


def norm(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`x * rsqrt(mean(x * x) + epsilon)` => rms_norm; with `x - mean(x)` for x, layer_norm."""
    for x, other in pairs(root):
        found = _root(other) if root.name == "ttir.div" else _reciprocal_root(other)
        if found is None or not same(found.x, x):
            continue
        operand = tensor(x)
        shape = operand.shape[-found.kept :]
        fits = holds_steps(operand.dtype, relaxed) and holds_epsilon(operand.dtype, found.epsilon)
        if not fits or tensor(root.results[0]).info != operand.info:
            continue
        centered = _centered(x, found.kept)
        operand = operand if centered is None else tensor(centered)
        return build.op(
            "rms_norm" if centered is None else "layer_norm",
            [operand, None, None],
            operand.shape,
            operand.dtype,
            normalized_shape=shape,
            epsilon=found.epsilon,
        )
    return None


def weight(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`rms_norm(x) * w` => rms_norm with that weight."""
    return _with_operand(build, root, 1, relaxed)


def bias(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`layer_norm(x, w) + b` => layer_norm with that bias."""
    return _with_operand(build, root, 2, relaxed)


def softmax(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`e / sum(e)` with `e = exp(x - max(x))` => softmax."""
    upper, lower = root.operands
    exp, total = made_by(upper, "exp"), made_by(lower, "sum")
    if exp is None or total is None or not same(total.operands[0], upper):
        return None
    shifted = made_by(exp.operands[0], "subtract")
    highest = None if shifted is None else made_by(shifted.operands[1], "max")
    if shifted is None or highest is None or not same(highest.operands[0], shifted.operands[0]):
        return None
    x = tensor(shifted.operands[0])
    dims = [_kept_dims(op, x.rank) for op in (total, highest)]
    if dims[0] != dims[1] or len(dims[0]) != 1 or not holds_steps(x.dtype, relaxed):
        return None
    return build.unary("softmax", x, None, dimension=dims[0][0], numericStable=True)


def narrowed(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """A norm or softmax in f32 between casts from and to a narrower type => the op on that type.

    Only in a relaxed run: a device may compute the op in the narrower type.
    """
    wide = root.operands[0]
    op = made_by(wide, *NORMS, "softmax")
    if op is None or not relaxed or not is_used_once(wide) or len(op.operands) > 1:
        return None
    before = made_by(op.operands[0], "typecast")
    result = tensor(root.results[0])
    if before is None or tensor(before.operands[0]).dtype != result.dtype:
        return None
    x = tensor(before.operands[0])
    if op.name == "ttir.softmax":
        dim = attribute(op, "dimension")
        return build.unary("softmax", x, None, dimension=dim, numericStable=True)
    return build.op(op.name[5:], [x, None, None], x.shape, x.dtype, **_settings(op))


def _with_operand(
    build: Builder, root: ir.Operation, position: int, relaxed: bool
) -> Tensor | None:
    """Give a norm the weight (1) or bias (2) that its result is multiplied by or added to."""
    for value, other in pairs(root):
        op = made_by(value, *NORMS)
        if op is None or not is_used_once(value):
            continue
        sizes = attribute(op, "operandSegmentSizes")
        added, x = tensor(other), tensor(op.operands[0])
        settings = _settings(op)
        shape = tuple(settings["normalized_shape"])
        leading = added.shape[: added.rank - len(shape)]
        fits = added.shape[added.rank - len(shape) :] == shape and set(leading) <= {1}
        if any(sizes[position:]) or not fits or added.dtype != x.dtype:
            continue
        if not holds_steps(x.dtype, relaxed) or tensor(root.results[0]).info != x.info:
            continue
        given = iter(list(op.operands))
        operands = [tensor(next(given)) if size else None for size in sizes]
        operands[position] = build.reshape(added, shape)
        return build.op(op.name[5:], operands, x.shape, x.dtype, **settings)
    return None


def _settings(op: ir.Operation) -> dict[str, ir.Attribute]:
    return {name: op.attributes[name] for name in ("normalized_shape", "epsilon")}


def _reciprocal_root(value: ir.Value) -> _Root | None:
    op = made_by(value, "rsqrt", "reciprocal")
    if op is None:
        return None
    return _plus_epsilon(op.operands[0]) if op.name == "ttir.rsqrt" else _root(op.operands[0])


def _root(value: ir.Value) -> _Root | None:
    op = made_by(value, "sqrt")
    return None if op is None else _plus_epsilon(op.operands[0])


def _plus_epsilon(value: ir.Value) -> _Root | None:
    op = made_by(value, "add")
    if op is None:
        return None
    for mean, other in pairs(op):
        epsilon, averaged = number(other), _mean(mean)
        if epsilon is None or averaged is None:
            continue
        square = made_by(averaged[0], "square", "multiply", "pow")
        if square is not None and _is_square(square):
            return _Root(square.operands[0], averaged[1], epsilon)
    return None


def _is_square(op: ir.Operation) -> bool:
    if op.name == "ttir.multiply":
        return same(*op.operands)
    return op.name == "ttir.square" or number(op.operands[1]) == 2


def _centered(value: ir.Value, count: int) -> ir.Value | None:
    """Return x of `x - mean(x)`."""
    op = made_by(value, "subtract")
    if op is None:
        return None
    mean = _mean(op.operands[1])
    if mean is None or mean[1] != count or not same(mean[0], op.operands[0]):
        return None
    return op.operands[0]


def _mean(value: ir.Value) -> tuple[ir.Value, int] | None:
    """Return what a mean over the last dimensions, all kept, is of, and how many they are."""
    op = made_by(value, "mean", "div")
    if op is None:
        return None
    elements = None
    if op.name == "ttir.div":
        elements, op = number(op.operands[1]), made_by(op.operands[0], "sum")
        if op is None or elements is None:
            return None
    x = tensor(op.operands[0])
    dims = _kept_dims(op, x.rank)
    if not dims or dims != list(range(x.rank - len(dims), x.rank)):
        return None
    if elements is not None and elements != math.prod(x.shape[-len(dims) :]):
        return None
    return x.value, len(dims)


def _kept_dims(op: ir.Operation, rank: int) -> list[int]:
    """Return the dims that a reduction keeps with size 1; none if it drops them."""
    if not attribute(op, "keep_dim"):
        return []
    return sorted(dim % rank for dim in attribute(op, "dim_arg", list(range(rank))))
