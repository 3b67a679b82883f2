"""Shape arithmetic that verifiers and rules share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from torch_ttir.dialects.ttir.base import VerifyError


def broadcast_shape(shapes: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return the numpy broadcast of `shapes`; raises `VerifyError` if they do not broadcast."""
    result: list[int] = []
    for shape in shapes:
        padded = [1] * (len(result) - len(shape)) + list(shape)
        result = [1] * (len(padded) - len(result)) + result
        for axis, size in enumerate(padded):
            if result[axis] == 1:
                result[axis] = size
            elif size not in (1, result[axis]):
                raise VerifyError(
                    f"operand shapes do not broadcast: {size} against {result[axis]} "
                    f"in dimension {axis - len(result)}"
                )
    return tuple(result)
