"""Attention written out as two products and a softmax, and keys repeated for groups of heads."""

from __future__ import annotations

import math
from typing import NamedTuple

from torch_mlir import ir

from torch_ttir.passes.legalize.attention_heads import Heads, attend
from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.recognize.matching import (
    attribute,
    holds_steps,
    is_used_once,
    made_by,
    pairs,
    product,
    tensor,
)


class _Scores(NamedTuple):
    """`query @ key.T * scale + mask`; `key` is as it is multiplied, [..., size, keys]."""

    query: ir.Value
    key: ir.Value
    scale: float
    mask: ir.Value | None
    transposed: bool


def attention(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`softmax(q @ k.T * scale + mask) @ v` => scaled_dot_product_attention."""
    weights, value = (tensor(operand) for operand in root.operands)
    if attribute(root, "transpose_a") or attribute(root, "transpose_b") or weights.rank < 3:
        return None
    source = _through_casts(weights.value, relaxed)
    softmax = None if source is None else made_by(source, "softmax")
    if softmax is None or attribute(softmax, "dimension") % weights.rank != weights.rank - 1:
        return None
    logits = _through_casts(softmax.operands[0], relaxed)
    found = None if logits is None else _scores(logits, weights.shape, relaxed)
    if found is None:
        return None
    query, key = tensor(found.query), tensor(found.key)
    swapped = (*range(key.rank - 2), key.rank - 1, key.rank - 2)
    key_shape = key.shape if found.transposed else tuple(key.shape[dim] for dim in swapped)
    batch = weights.shape[:-2]
    if any(shape[:-2] != batch for shape in (query.shape, key_shape, value.shape)):
        return None
    if {query.dtype, key.dtype} != {value.dtype} or not holds_steps(value.dtype, relaxed):
        return None
    if not found.transposed:
        key = _permuted(build, key, swapped)
    heads = Heads(*(_in_4d(build, part) for part in (query, key, value)))
    mask = None if found.mask is None else _mask(build, tensor(found.mask), weights.shape)
    made = attend(build, heads, mask, False, found.scale)
    return build.reshape(made, tensor(root.results[0]).shape)


def grouped(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """Attention on keys and values that are repeated for each head of a group => on them."""
    operands = list(root.operands)
    found = [_before_repeat(operand) for operand in operands[1:3]]
    if None in found or found[0].shape != found[1].shape:  # type: ignore[union-attr]
        return None
    result = tensor(root.results[0])
    attributes = {
        name: root.attributes[name]
        for name in ("is_causal", "scale", "sliding_window_size")
        if name in root.attributes
    }
    given = iter([tensor(operand) for operand in operands])
    present = attribute(root, "operandSegmentSizes")
    values: list[Tensor | None] = [next(given) if size else None for size in present]
    values[1:3] = found
    return build.op(
        "scaled_dot_product_attention", values, result.shape, result.dtype, **attributes
    )


def _scores(value: ir.Value, shape: tuple[int, ...], relaxed: bool) -> _Scores | None:
    """Take scores apart; every step must be there for them alone."""
    added = made_by(value, "add")
    choices = [(value, None)] if added is None else list(pairs(added))
    for scaled, mask in choices:
        if not is_used_once(scaled):
            continue
        factor, tensors = product(scaled)
        source = _through_casts(tensors[0], relaxed) if len(tensors) == 1 else None
        op = None if source is None else made_by(source, "matmul")
        if source is None or op is None or attribute(op, "transpose_a"):
            continue
        if tensor(source).shape != shape or tensor(scaled).shape != shape:
            continue
        query, key = op.operands
        return _Scores(query, key, factor, mask, bool(attribute(op, "transpose_b")))
    return None


def _through_casts(value: ir.Value, relaxed: bool) -> ir.Value | None:
    """Return what is cast to `value`, in a relaxed run; None where a value on the way is kept."""
    while is_used_once(value):
        cast = made_by(value, "typecast") if relaxed else None
        if cast is None:
            return value
        value = cast.operands[0]
    return None


def _permuted(build: Builder, x: Tensor, order: tuple[int, ...]) -> Tensor:
    """Return x with dimensions in another order, in one step with a permutation that makes it."""
    op = made_by(x.value, "permute")
    if op is None:
        return build.permute(x, order)
    before = attribute(op, "permutation")
    return build.permute(tensor(op.operands[0]), [before[dim] for dim in order])


def _in_4d(build: Builder, x: Tensor) -> Tensor:
    return build.reshape(x, (math.prod(x.shape[:-3]), *x.shape[-3:]))


def _mask(build: Builder, mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return a mask that broadcasts to scores of `shape` as TTIR's attention takes it."""
    full = (1,) * (len(shape) - mask.rank) + mask.shape
    mask = build.reshape(mask, full)
    if math.prod(full[:-3]) > 1:
        mask = build.broadcast(mask, (*shape[:-3], *full[-3:]))
    mask = _in_4d(build, mask)
    return build.broadcast(mask, (*mask.shape[:3], shape[-1]))


def _before_repeat(value: ir.Value) -> Tensor | None:
    """Return [batch, heads, ...] of which each head is repeated in place to make `value`."""
    repeat = made_by(value, "repeat_interleave")
    if repeat is not None:
        return tensor(repeat.operands[0]) if attribute(repeat, "dim") == 1 else None
    joined = made_by(value, "reshape")
    spread = None if joined is None else made_by(joined.operands[0], "broadcast")
    opened = None if spread is None else made_by(spread.operands[0], "reshape", "unsqueeze")
    if joined is None or spread is None or opened is None:
        return None
    x, wide, made = tensor(opened.operands[0]), tensor(spread.results[0]), tensor(value)
    if x.rank != 4 or wide.rank != 5 or made.rank != 4:
        return None
    batch, heads, *rest = x.shape
    times = wide.shape[2]
    single = tensor(opened.results[0]).shape == (batch, heads, 1, *rest)
    whole = wide.shape == (batch, heads, times, *rest) and made.shape == (
        batch,
        heads * times,
        *rest,
    )
    return x if single and whole else None
