"""Attention written out as two products and a softmax, and keys repeated for groups of heads."""

from __future__ import annotations

import math

from torch_mlir import ir

from torch_ttir.passes.legalize.attention_heads import Heads, attend
from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.recognize.matching import attribute, holds_steps, made_by, tensor
from torch_ttir.passes.recognize.scores import Scores, fold_batch, take_apart
from torch_ttir.passes.recognize.weights import find_softmax, without_factor


def attention(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """`softmax(q @ k.T * scale + mask) @ v` => scaled_dot_product_attention."""
    weights, value = (tensor(operand) for operand in root.operands)
    if attribute(root, "transpose_a") or attribute(root, "transpose_b") or weights.rank < 3:
        return None
    softmax = find_softmax(weights.value, relaxed)
    if softmax is None:
        return None
    found = take_apart(softmax.scores, relaxed, uses=2 if softmax.is_safe else 1)
    if found is None or not _fits(found, weights, value, relaxed):
        return None
    batch = found.batch
    query, key = (tensor(operand) for operand in found.matmul.operands)
    query, times = without_factor(build, query)
    key, more = without_factor(build, key)
    if not attribute(found.matmul, "transpose_b"):
        key = _transposed(build, key)
    heads = Heads(
        *(build.reshape(part, (*batch, *part.shape[-2:])) for part in (query, key, value))
    )
    for factor in found.factors:
        folded = build.cast(fold_batch(build, factor, batch), query.dtype)
        heads = heads._replace(query=build.mul(heads.query, folded))
    mask: Tensor | None = None
    for part in found.masks:
        folded = fold_batch(build, part, batch)
        mask = folded if mask is None else build.add(mask, build.cast(folded, mask.dtype))
    if mask is not None:
        mask = build.broadcast(mask, (*mask.shape[:3], key.shape[-2]))
    made = attend(build, heads, mask, False, found.scale * times * more)
    if mask is not None and softmax.is_safe:
        # Zeros where no key is seen.
        seen = build.reduce("max", mask, [3], keep=True)
        made = build.where(build.compare("eq", seen, -math.inf), 0, made)
    return build.reshape(made, tensor(root.results[0]).shape)


def grouped(build: Builder, root: ir.Operation, relaxed: bool) -> Tensor | None:
    """Attention on keys and values that are repeated for each head of a group => on them."""
    query, *repeated = (tensor(operand) for operand in list(root.operands)[:3])
    key, value = (_before_repeat(part.value) for part in repeated)
    if key is None or value is None or key.shape != value.shape:
        return None
    rest = iter([tensor(operand) for operand in list(root.operands)[3:]])
    masks = [next(rest) if size else None for size in attribute(root, "operandSegmentSizes")[3:]]
    attributes = {
        name: root.attributes[name]
        for name in ("is_causal", "scale", "sliding_window_size")
        if name in root.attributes
    }
    return build.op(
        "scaled_dot_product_attention",
        [query, key, value, *masks],
        query.shape,
        query.dtype,
        **attributes,
    )


def _fits(found: Scores, weights: Tensor, value: Tensor, relaxed: bool) -> bool:
    """Say whether query, key and value have the same heads, and an element type to compute in."""
    query, key = (tensor(operand) for operand in found.matmul.operands)
    made = tensor(found.matmul.results[0])
    return (
        query.shape[:-2] == key.shape[:-2] == made.shape[:-2]
        and value.shape[:-2] == weights.shape[:-2]
        and made.shape[-2:] == weights.shape[-2:]
        and query.dtype == key.dtype == value.dtype
        and holds_steps(value.dtype, relaxed)
    )


def _transposed(build: Builder, x: Tensor) -> Tensor:
    """Return x with its last dimensions swapped, by one permutation with one that makes it."""
    order = [*range(x.rank - 2), x.rank - 1, x.rank - 2]
    op = made_by(x.value, "permute")
    if op is None:
        return build.permute(x, order)
    before = attribute(op, "permutation")
    return build.permute(tensor(op.operands[0]), [before[dim] for dim in order])


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
    x, one, wide = (tensor(part.operands[0]) for part in (opened, spread, joined))
    if x.rank != 4 or wide.rank != 5:
        return None
    batch, heads, *rest = x.shape
    made = (batch, heads * wide.shape[2], *rest)
    whole = wide.shape == (batch, heads, wide.shape[2], *rest) and tensor(value).shape == made
    return x if whole and one.shape == (batch, heads, 1, *rest) else None
