# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's rearrange op, of the family shape, and its patterns."""

import math
import re
from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import STRING, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import expect, expect_shape

_AXES = re.compile(r"[A-Za-z_]\w*")
_GROUPS = re.compile(r"\(([\w ]*)\)|([A-Za-z_]\w*)")


class RearrangeOp(TTIROp, name="rearrange", traits=[Pure]):
    """Permute and merge dimensions by an einops pattern."""

    attrs = {"pattern": required(STRING)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the pattern, and that the result has the shape it gives."""
        groups = rearranged_dims(op.attrs["pattern"], len(op.operands["input"].shape))
        shape = op.operands["input"].shape
        merged = [math.prod(shape[dim] for dim in group) for group in groups]
        expect_shape(op.results["result"], merged, "result")


def rearranged_dims(pattern: str, rank: int) -> list[list[int]]:
    """Return the operand's dimensions that each dimension of a `rearrange` merges, in order.

    tt-mlir takes einops patterns that permute and merge: `b h w c -> b (h w) c`.
    """
    sides = pattern.split("->")
    expect(len(sides) == 2, f'`pattern` must be "axes -> axes", not "{pattern}"')
    axes = sides[0].split()
    groups = [(_AXES.findall(merged or single)) for merged, single in _GROUPS.findall(sides[1])]
    used = [axis for group in groups for axis in group]
    expect(
        all(_AXES.fullmatch(axis) for axis in axes)
        and _GROUPS.sub("", sides[1]).strip() == ""
        and sorted(used) == sorted(set(axes)) == sorted(axes),
        f'`pattern` must name each axis once on both sides, and merge on the right: "{pattern}"',
    )
    expect(len(axes) == rank, f"`pattern` names {len(axes)} axes of an operand of rank {rank}")
    return [[axes.index(axis) for axis in group] for group in groups]
