"""Attention's weights: the softmax of scores, plain or with zeros for rows that see no key."""

from __future__ import annotations

import math
from typing import NamedTuple

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.recognize.matching import (
    attribute,
    is_used_once,
    made_by,
    number,
    pairs,
    tensor,
)


class Softmax(NamedTuple):
    """What the softmax over keys is of; `is_safe` if rows of minus infinity become zeros."""

    scores: ir.Value
    is_safe: bool


def find_softmax(value: ir.Value, relaxed: bool) -> Softmax | None:
    """Return the softmax over keys that makes weights, whatever their leading dimensions."""
    while is_used_once(value):
        op = made_by(value, "softmax", "where", "reshape", "typecast")
        if op is None:
            return None
        if op.name == "ttir.softmax":
            return Softmax(op.operands[0], False) if _is_over_keys(op) else None
        if op.name == "ttir.where":
            return _safe_softmax(op)
        x, source = tensor(value), tensor(op.operands[0])
        kept = source.shape[-2:] == x.shape[-2:] and (relaxed or op.name == "ttir.reshape")
        if not kept or source.rank < 3:
            return None
        value = source.value
    return None


def without_factor(build: Builder, x: Tensor) -> tuple[Tensor, float]:
    """Return `x` without the number that it was multiplied by before it was moved, and that."""
    op = made_by(x.value, "multiply", "reshape", "permute")
    if op is None:
        return x, 1.0
    if op.name == "ttir.multiply":
        for inner, other in pairs(op):
            known = number(other)
            if known and tensor(inner).info == x.info:
                return tensor(inner), known
        return x, 1.0
    inner, factor = without_factor(build, tensor(op.operands[0]))
    if factor == 1:
        return x, factor
    if op.name == "ttir.reshape":
        return build.reshape(inner, x.shape), factor
    return build.permute(inner, attribute(op, "permutation")), factor


def _is_over_keys(softmax: ir.Operation) -> bool:
    rank = tensor(softmax.results[0]).rank
    return bool(attribute(softmax, "dimension") % rank == rank - 1)


def _safe_softmax(op: ir.Operation) -> Softmax | None:
    """Match `where(all(scores == -inf), 0, softmax(scores))`."""
    hidden, zeros, weights = op.operands
    softmax = made_by(weights, "softmax")
    if softmax is None or number(zeros) != 0 or not is_used_once(weights):
        return None
    scores = softmax.operands[0]
    fits = tensor(op.results[0]).info == tensor(weights).info and _is_over_keys(softmax)
    return Softmax(scores, True) if fits and _hides_all(hidden, scores) else None


def _hides_all(value: ir.Value, scores: ir.Value) -> bool:
    """Say whether `value` is `all(scores == -inf, -1)`, or `not any(not (scores == -inf), -1)`."""
    op, negated = _stripped(value)
    if op is None or op.name != ("ttir.reduce_or" if negated else "ttir.reduce_and"):
        return False
    rank = tensor(scores).rank
    if not attribute(op, "keep_dim") or [d % rank for d in attribute(op, "dim_arg", [])] != [
        rank - 1
    ]:
        return False
    inner, inner_negated = _stripped(op.operands[0])
    if inner is None or inner.name != "ttir.eq" or inner_negated != negated:
        return False
    return any(
        first == scores and number(second) == -math.inf
        for first, second in (inner.operands, reversed(inner.operands))
    )


def _stripped(value: ir.Value) -> tuple[ir.Operation | None, bool]:
    """Return what makes a boolean, without negations and comparisons with false, and their sign."""
    negated = False
    while (op := made_by(value, "logical_not", "ne", "eq", "reduce_and", "reduce_or")) is not None:
        is_ne = op.name == "ttir.ne" and tensor(value).dtype == "i1" and number(op.operands[1]) == 0
        if op.name != "ttir.logical_not" and not is_ne:
            return op, negated
        negated ^= op.name == "ttir.logical_not"
        value = op.operands[0]
    return None, negated
