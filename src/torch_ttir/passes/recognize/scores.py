"""Attention's scores, `query @ key.T * scale + mask`, taken apart step by step."""

from __future__ import annotations

import math
from typing import NamedTuple

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.recognize.matching import (
    attribute,
    made_by,
    number,
    pairs,
    tensor,
)

Batch = tuple[int, ...]


class Part(NamedTuple):
    """What scores are multiplied by or added to, and the scores' leading dimensions there."""

    value: ir.Value
    batch: Batch


class Scores(NamedTuple):
    """The matmul, and what is done with its result; all values on the way have one use."""

    matmul: ir.Operation
    scale: float
    factors: tuple[Part, ...]
    masks: tuple[Part, ...]
    batches: tuple[Batch, ...]

    @property
    def batch(self) -> tuple[int, int]:
        """The leading dimensions as two, batch and heads, where the program has them so."""
        for batch in self.batches:
            if len(batch) == 2:
                return batch[0], batch[1]
        *lead, heads = tensor(self.matmul.operands[0]).shape[:-2]
        return math.prod(lead), heads


def take_apart(
    value: ir.Value, relaxed: bool, scaled: bool = False, uses: int = 1
) -> Scores | None:
    """Return the parts of scores; None if they are something else, or are used elsewhere too.

    Steps are a matmul, then scales, then masks; reshapes of the leading dimensions between them,
    and casts in a relaxed run. `scaled`: what is scaled later must have no mask. `uses`: how often
    the softmax uses them.
    """
    if sum(1 for _ in value.uses) != uses:
        return None
    x = tensor(value)
    op = made_by(value, "matmul", "reshape", "add", "multiply", "div", "typecast")
    if op is None or x.rank < 3 or (op.name == "ttir.typecast" and not relaxed):
        return None
    found: Scores | None = None
    if op.name == "ttir.matmul":
        found = None if attribute(op, "transpose_a") else Scores(op, 1.0, (), (), ())
    elif op.name in ("ttir.reshape", "ttir.typecast"):
        source = tensor(op.operands[0])
        if source.shape[-2:] == x.shape[-2:]:
            found = take_apart(source.value, relaxed, scaled)
    elif not (op.name == "ttir.add" and scaled):
        found = _step(op, x, relaxed, scaled)
    return found and found._replace(batches=(*found.batches, x.shape[:-2]))


def fold_batch(build: Builder, part: Part, batch: tuple[int, int]) -> Tensor:
    """Return a part, which broadcasts to scores of `part.batch`, for scores of `batch`."""
    x = tensor(part.value)
    full = (1,) * (len(part.batch) + 2 - x.rank) + x.shape
    lead, rows = full[:-2], full[-2:]
    if set(lead) <= {1}:
        return build.reshape(x, (1, 1, *rows))
    named = [(size, own) for size, own in zip(part.batch, lead, strict=True) if size != 1]
    if [size for size, _ in named] == [size for size in batch if size != 1]:
        owns = iter([own for _, own in named])
        return build.reshape(x, (*(1 if size == 1 else next(owns) for size in batch), *rows))
    return build.reshape(build.broadcast(x, (*part.batch, *rows)), (*batch, *rows))


def _step(op: ir.Operation, x: Tensor, relaxed: bool, scaled: bool) -> Scores | None:
    """Take one mask, scale or factor off."""
    is_mask = op.name == "ttir.add"
    for inner, other in pairs(op):
        if tensor(inner).shape != x.shape:
            continue
        known, part = number(other), Part(other, x.shape[:-2])
        is_factor = op.name == "ttir.multiply" and tensor(other).shape[-2:] == (1, 1)
        if not is_mask and not known and not is_factor:
            continue
        found = take_apart(inner, relaxed, scaled or not is_mask)
        if found is None:
            continue
        if is_mask:
            return found._replace(masks=(*found.masks, part))
        if known:
            times = known if op.name == "ttir.multiply" else 1 / known
            return found._replace(scale=found.scale * times)
        return found._replace(factors=(*found.factors, part))
    return None
