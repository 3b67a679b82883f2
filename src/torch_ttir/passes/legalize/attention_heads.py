"""TTIR's attention op, with what it does not take itself: values of another size, exact scales."""

from __future__ import annotations

import math
from typing import NamedTuple

from torch_ttir.dialects.attributes import round_to_f32
from torch_ttir.passes.legalize.builder import Builder, Tensor


class Heads(NamedTuple):
    """Query, key and value as [batch, heads, length, size]; query and key of one size."""

    query: Tensor
    key: Tensor
    value: Tensor

    @property
    def lengths(self) -> tuple[int, int]:
        """The number of queries and of keys."""
        return self.query.shape[2], self.key.shape[2]


def attend(
    build: Builder, heads: Heads, mask: Tensor | None, causal: bool, scale: float | None
) -> Tensor:
    """Return `softmax(query @ key.T * scale + mask) @ value`, of the values' size.

    `causal` is for as many queries as keys. A scale of None is one over the root of the size.
    """
    query, key, value = heads
    size, wanted = query.shape[3], value.shape[3]
    if not key.shape[2]:
        return build.full((*query.shape[:3], wanted), 0, query.dtype)
    if size < wanted:
        # Zeros add nothing to a product; only the scale must stay what it was.
        scale = scale_of(scale, size)
        query, key = (_extended(build, part, wanted) for part in (query, key))
    value = _extended(build, value, size)
    if scale is not None and query.dtype == "f64" and round_to_f32(scale) != scale:
        query, scale = build.mul(query, scale), 1.0
    made = build.op(
        "scaled_dot_product_attention",
        [query, key, value, mask, None],
        query.shape,
        query.dtype,
        is_causal=causal,
        scale=scale,
    )
    return build.slice(made, 3, 0, wanted)


def scale_of(scale: float | None, size: int) -> float:
    """Return the scale that None stands for; 1 for vectors of no elements, whose product is 0."""
    if scale is not None:
        return scale
    return 1 / math.sqrt(size) if size else 1.0


def _extended(build: Builder, x: Tensor, size: int) -> Tensor:
    return build.pad(x, [(0, 0)] * 3 + [(0, max(0, size - x.shape[3]))])
