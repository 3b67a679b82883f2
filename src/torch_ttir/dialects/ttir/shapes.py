"""Shape arithmetic and checks that verifiers, rules and interpreters share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from torch_ttir.dialects.ttir.base import VerifyError
from torch_ttir.ir.types import TensorInfo

_INTEGER = re.compile(r"(?:index|(?:i|si|ui)\d+)")
_WIDTH = re.compile(r"(?:i|si|ui|f|bf|tf)(\d+)")


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


def normalize_dim(dim: int, rank: int, what: str = "dim") -> int:
    """Return `dim`, which may count from the end, counted from the front."""
    expect(rank > 0, f"`{what}` must be a dimension, and a tensor of rank 0 has none")
    expect(-rank <= dim < rank, f"`{what}` must be in [{-rank}, {rank}), not {dim}")
    return dim % rank


def expect(holds: bool, message: str) -> None:
    """Raise `VerifyError` with `message` unless the condition holds."""
    if not holds:
        raise VerifyError(message)


def expect_dim(dim: int, rank: int, what: str) -> None:
    """Check that `dim` is a dimension counted from the front, where no other counting is taken."""
    expect(0 <= dim < rank, f"`{what}` must be in [0, {rank}), not {dim}")


def expect_length(values: Sequence[int], count: int, what: str) -> None:
    """Check that an attribute has one entry for each of `count` dimensions."""
    entries = "1 entry" if count == 1 else f"{count} entries"
    expect(len(values) == count, f"`{what}` must have {entries}, not {len(values)}: {list(values)}")


def expect_rank(info: TensorInfo, low: int, high: int | None, what: str) -> None:
    """Check that a tensor's rank is in [low, high], or `low` at least."""
    rank = len(info.shape)
    wanted = str(low) if low == high else f"{low} to {high}" if high else f"{low} or more"
    expect(low <= rank <= (high or rank), f"`{what}` must have rank {wanted}, not {rank}")


def expect_shape(info: TensorInfo, shape: Sequence[int], what: str) -> None:
    """Check that a tensor has exactly this shape."""
    expect(
        info.shape == tuple(shape),
        f"shape of `{what}` must be {list(shape)}, not {list(info.shape)}",
    )


def expect_type(info: TensorInfo, wanted: TensorInfo, what: str) -> None:
    """Check that a tensor has exactly this shape and element type."""
    expect(info == wanted, f"type of `{what}` must be `{wanted}`, not `{info}`")


def expect_dtype(info: TensorInfo, dtype: str, what: str) -> None:
    """Check that a tensor has exactly this element type."""
    expect(info.dtype == dtype, f"element type of `{what}` must be {dtype}, not {info.dtype}")


def expect_integer(info: TensorInfo, what: str) -> None:
    """Check that a tensor's elements are integers, of any width and sign."""
    expect(
        _INTEGER.fullmatch(info.dtype) is not None,
        f"element type of `{what}` must be an integer type, not {info.dtype}",
    )


def bit_width(info: TensorInfo, what: str) -> int:
    """Return the width of an integer or float element; raises `VerifyError` for another type."""
    match = _WIDTH.match(info.dtype)
    if match is None:
        raise VerifyError(
            f"element type of `{what}` must be an integer or float type, not {info.dtype}"
        )
    return int(match[1])
