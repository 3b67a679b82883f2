"""The attributes of convolutions and poolings by dimension, and the sizes that they give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torch_ttir.dialects.ttir.shapes import expect


def per_dimension(attrs: Mapping[str, Any], what: str, count: int, least: int) -> tuple[int, ...]:
    """Return an attribute that is one number or `count` of them, as `count`, each >= `least`."""
    value = attrs[what]
    values = (value,) * count if isinstance(value, int) else tuple(value)
    expect(
        len(values) == count,
        f"`{what}` must be a number or a list of {count}, not of {len(values)}: {list(values)}",
    )
    _expect_least(values, what, least)
    return values


def paddings(attrs: Mapping[str, Any], count: int) -> tuple[tuple[int, int], ...]:
    """Return `padding` as one (low, high) pair a spatial dimension.

    tt-mlir's forms: one number; one for each dimension; and for one and two dimensions all low
    ones, then all high ones ([left, right], [top, left, bottom, right]).
    """
    value = attrs["padding"]
    values = (value,) * count if isinstance(value, int) else tuple(value)
    lengths = (count,) if count == 3 else (count, 2 * count)
    wanted = " or ".join(map(str, lengths))
    expect(
        len(values) in lengths,
        f"`padding` must be a number or a list of {wanted}, not of {len(values)}: {list(values)}",
    )
    _expect_least(values, "padding", 0)
    return tuple(zip(values[:count], values[-count:], strict=True))


def window_count(
    size: int, kernel: int, stride: int, dilation: int, padding: tuple[int, int], ceil: bool = False
) -> int:
    """Return how many windows fit along a dimension of `size`.

    With `ceil` a last window may reach over the end, but must start in the input or the padding
    before it, as in PyTorch.
    """
    low, high = padding
    reach = dilation * (kernel - 1) + 1
    padded = size + low + high
    expect(
        reach <= padded,
        f"the kernel reaches over {reach} elements, more than the padded size {padded}",
    )
    steps = padded - reach
    count = (-(-steps // stride) if ceil else steps // stride) + 1
    return count - 1 if ceil and (count - 1) * stride >= size + low else count


def _expect_least(values: Sequence[int], what: str, least: int) -> None:
    expect(
        all(value >= least for value in values),
        f"`{what}` must be at least {least}, not {list(values)}",
    )
