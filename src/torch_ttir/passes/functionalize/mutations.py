"""Which ops write their operands, and the op that computes what they write: by their names alone.

PyTorch's names say it: `add_.Tensor` writes its first operand with what `add.Tensor` returns, and
`add.out` its last. What the names do not say stands in `mutation_tables`, and a unit test holds
all of it against the alias annotations of every schema that PyTorch has.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from torch_ttir.passes.functionalize.mutation_tables import (
    AUGMENTED,
    IRREGULAR_OUT,
    IRREGULAR_TWINS,
    LISTS,
    METADATA_ONLY,
    NOT_IN_PLACE,
    OTHER_WRITERS,
    OUT_OVERLOADS,
    REFUSED,
    REFUSED_OUT,
    STORAGE,
    VIEW_IN_PLACE,
)


class Mutation(NamedTuple):
    """How an op mutates: `kind` is `in-place` (its first operand) or `out` (its last operands).

    `functional` is the op that computes what is written. `refusal` says why there is none.
    """

    kind: str
    functional: str = ""
    refusal: str = ""


@cache
def mutation(name: str) -> Mutation | None:
    """Return how the op `name` (`aten.add_.Tensor`) mutates; None for one that writes nothing."""
    space, _, rest = name.partition(".")
    if space == "prims":
        return _prims_mutation(rest)
    base, _, overload = rest.partition(".")
    if rest in VIEW_IN_PLACE or base in METADATA_ONLY:
        return None
    if base in AUGMENTED:
        return Mutation("in-place", f"{space}.{AUGMENTED[base]}.{overload}")
    if base.endswith("_") and not base.endswith("__") and base not in NOT_IN_PLACE:
        if space != "aten":
            return Mutation("in-place", refusal="the op that returns what it writes is not known")
        return _in_place(space, base, overload)
    if base in OTHER_WRITERS and not _is_out(base, overload):
        return Mutation("other", refusal=OTHER_WRITERS[base])
    if space == "aten" and _is_out(base, overload):
        return _out(base, overload)
    return None


def _prims_mutation(rest: str) -> Mutation | None:
    if rest == "copy_to":
        return Mutation("in-place", "aten.copy")
    if rest == "resize":
        return Mutation("in-place", refusal=STORAGE)
    return None


def _in_place(space: str, base: str, overload: str) -> Mutation:
    if base.startswith("_foreach_"):
        return Mutation("in-place", refusal=LISTS)
    if base in REFUSED:
        return Mutation("in-place", refusal=REFUSED[base])
    own = f"{base}.{overload}" if overload else base
    regular = f"{base[:-1]}.{overload}" if overload else base[:-1]
    return Mutation("in-place", f"{space}.{IRREGULAR_TWINS.get(own, regular)}")


def _is_out(base: str, overload: str) -> bool:
    return (
        overload in OUT_OVERLOADS
        or overload.endswith("_out")
        or f"{base}.{overload}" in IRREGULAR_OUT
    )


def _out(base: str, overload: str) -> Mutation:
    if base.startswith("_foreach_"):
        return Mutation("out", refusal=LISTS)
    if base in REFUSED_OUT:
        return Mutation("out", refusal=REFUSED_OUT[base])
    twin = IRREGULAR_OUT.get(f"{base}.{overload}")
    if twin is None:
        twin = OUT_OVERLOADS.get(overload)
    if twin is None:
        twin = overload.removesuffix("_out")
    return Mutation("out", f"aten.{base}.{twin}" if twin else f"aten.{base}")
