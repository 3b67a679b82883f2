# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's ops that move data without computing: reshape, permute, slice, concat, pad and more."""

from collections.abc import Sequence
from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import (
    DENSE_I32,
    DENSE_I64,
    F32,
    I32,
    I32_ARRAY,
    SI32,
    STRING,
    UI32,
    required,
)
from torch_ttir.dialects.ttir.base import TTIROp


class ReshapeOp(TTIROp, name="reshape", traits=[Pure]):
    """The same elements in row-major order in another shape."""

    attrs = {"shape": required(I32_ARRAY)}
    input: Operand[Any]
    result: Result[Any]


class PermuteOp(TTIROp, name="permute", traits=[Pure]):
    """Dimension `i` of the result is dimension `permutation[i]` of the operand."""

    attrs = {"permutation": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]


class TransposeOp(TTIROp, name="transpose", traits=[Pure]):
    """Swap two dimensions."""

    attrs = {"dim0": required(SI32), "dim1": required(SI32)}
    input: Operand[Any]
    result: Result[Any]


class SqueezeOp(TTIROp, name="squeeze", traits=[Pure]):
    """Remove a dimension of size 1."""

    attrs = {"dim": required(SI32)}
    input: Operand[Any]
    result: Result[Any]


class UnsqueezeOp(TTIROp, name="unsqueeze", traits=[Pure]):
    """Add a dimension of size 1."""

    attrs = {"dim": required(SI32)}
    input: Operand[Any]
    result: Result[Any]


class BroadcastOp(TTIROp, name="broadcast", traits=[Pure]):
    """Stretch dimensions of size 1; `broadcast_dimensions` are multipliers, not sizes."""

    attrs = {"broadcast_dimensions": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]


class RepeatOp(TTIROp, name="repeat", traits=[Pure]):
    """Tile: the operand, `repeat_dimensions[i]` times along dimension `i`."""

    attrs = {"repeat_dimensions": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]


class RepeatInterleaveOp(TTIROp, name="repeat_interleave", traits=[Pure]):
    """Each slice along `dim`, `repeats` times in a row."""

    attrs = {"repeats": required(UI32), "dim": required(SI32)}
    input: Operand[Any]
    result: Result[Any]


class ConcatOp(TTIROp, name="concat", traits=[Pure]):
    """The operands one after the other along `dim`."""

    attrs = {"dim": required(SI32)}
    inputs: Sequence[Operand[Any]]
    result: Result[Any]


class PadOp(TTIROp, name="pad", traits=[Pure]):
    """Pad with `value`: low and high of each dimension, the first first; negative crops."""

    attrs = {"padding": required(DENSE_I32), "value": required(F32)}
    input: Operand[Any]
    result: Result[Any]


class ReverseOp(TTIROp, name="reverse", traits=[Pure]):
    """Flip along `dimensions`."""

    attrs = {"dimensions": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]


class RearrangeOp(TTIROp, name="rearrange", traits=[Pure]):
    """Permute and merge dimensions by an einops pattern."""

    attrs = {"pattern": required(STRING)}
    input: Operand[Any]
    result: Result[Any]


# tt-mlir gives it no purity trait.
class GetDimensionSizeOp(TTIROp, name="get_dimension_size"):
    """The size of a dimension, as a tensor of shape [1]."""

    attrs = {"dimension": required(I32)}
    operand: Operand[Any]
    result: Result[Any]
