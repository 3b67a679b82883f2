# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's ops that move data without computing: reshape, permute, slice, concat, pad and more."""

import math
from collections.abc import Sequence
from typing import Any

from torch_mlir import ir
from torch_mlir.dialects import irdl
from torch_mlir.dialects.ext import Operand, Pure, Result
from torch_mlir.dialects.irdl import Variadicity

from torch_ttir.dialects.attributes import (
    DENSE_I32,
    DENSE_I64,
    F32,
    I32,
    I32_ARRAY,
    SI32,
    UI32,
    required,
)
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import (
    expect,
    expect_dim,
    expect_length,
    expect_rank,
    expect_shape,
    normalize_dim,
)


class ReshapeOp(TTIROp, name="reshape", traits=[Pure]):
    """The same elements in row-major order in another shape."""

    attrs = {"shape": required(I32_ARRAY)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that `shape` is the result's, and that no element is lost."""
        source, target = op.operands["input"].shape, op.results["result"].shape
        listed = op.attrs["shape"]
        fits = len(listed) == len(target) and listed.count(-1) <= 1
        expect(
            fits and all(size in (-1, found) for size, found in zip(listed, target, strict=True)),
            f"`shape` must be the result's, {list(target)}, with at most one -1 for a size, "
            f"not {list(listed)}",
        )
        expect(
            math.prod(source) == math.prod(target),
            f"cannot make {list(target)} ({math.prod(target)} elements) of {list(source)} "
            f"({math.prod(source)})",
        )


class PermuteOp(TTIROp, name="permute", traits=[Pure]):
    """Dimension `i` of the result is dimension `permutation[i]` of the operand."""

    attrs = {"permutation": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the permutation, and that the result has its shape."""
        shape = op.operands["input"].shape
        order = op.attrs["permutation"]
        expect(
            sorted(order) == list(range(len(shape))),
            f"`permutation` must have each of the {len(shape)} dimensions once, not {list(order)}",
        )
        expect_shape(op.results["result"], [shape[dim] for dim in order], "result")


class TransposeOp(TTIROp, name="transpose", traits=[Pure]):
    """Swap two dimensions."""

    attrs = {"dim0": required(SI32), "dim1": required(SI32)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the dimensions, and that the result has them swapped."""
        shape = list(op.operands["input"].shape)
        expect_rank(op.operands["input"], 2, None, "input")
        dim0 = normalize_dim(op.attrs["dim0"], len(shape), "dim0")
        dim1 = normalize_dim(op.attrs["dim1"], len(shape), "dim1")
        shape[dim0], shape[dim1] = shape[dim1], shape[dim0]
        expect_shape(op.results["result"], shape, "result")


class SqueezeOp(TTIROp, name="squeeze", traits=[Pure]):
    """Remove a dimension of size 1."""

    attrs = {"dim": required(SI32)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the dimension has size 1, and is not the only one."""
        shape = list(op.operands["input"].shape)
        dim = normalize_dim(op.attrs["dim"], len(shape))
        expect(shape[dim] == 1, f"`dim` must be a dimension of size 1, not of {shape[dim]}")
        expect(len(shape) > 1, "cannot give a tensor of rank 0: `ttir.reshape` can")
        del shape[dim]
        expect_shape(op.results["result"], shape, "result")


class UnsqueezeOp(TTIROp, name="unsqueeze", traits=[Pure]):
    """Add a dimension of size 1."""

    attrs = {"dim": required(SI32)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the place of the new dimension."""
        shape = list(op.operands["input"].shape)
        dim = normalize_dim(op.attrs["dim"], len(shape) + 1)
        expect_shape(op.results["result"], [*shape[:dim], 1, *shape[dim:]], "result")


class BroadcastOp(TTIROp, name="broadcast", traits=[Pure]):
    """Stretch dimensions of size 1; `broadcast_dimensions` are multipliers, not sizes."""

    attrs = {"broadcast_dimensions": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that only dimensions of size 1 are stretched, to the size of the result."""
        shape = op.operands["input"].shape
        factors = op.attrs["broadcast_dimensions"]
        expect_length(factors, len(shape), "broadcast_dimensions")
        for dim, (size, factor) in enumerate(zip(shape, factors, strict=True)):
            expect(
                factor == 1 or (size == 1 and factor >= 0),
                f"`broadcast_dimensions` has multiplier {factor} for dimension {dim} of size "
                f"{size}: only a dimension of size 1 can be stretched",
            )
        _expect_multiple(op, factors)


class RepeatOp(TTIROp, name="repeat", traits=[Pure]):
    """Tile: the operand, `repeat_dimensions[i]` times along dimension `i`."""

    attrs = {"repeat_dimensions": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has each size times its factor."""
        factors = op.attrs["repeat_dimensions"]
        expect_length(factors, len(op.operands["input"].shape), "repeat_dimensions")
        expect(
            all(factor > 0 for factor in factors),
            f"`repeat_dimensions` must be at least 1, not {list(factors)}",
        )
        _expect_multiple(op, factors)


class RepeatInterleaveOp(TTIROp, name="repeat_interleave", traits=[Pure]):
    """Each slice along `dim`, `repeats` times in a row."""

    attrs = {"repeats": required(UI32), "dim": required(SI32)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has `repeats` times the size along `dim`."""
        shape = list(op.operands["input"].shape)
        repeats = op.attrs["repeats"]
        expect(repeats > 0, f"`repeats` must be at least 1, not {repeats}")
        shape[normalize_dim(op.attrs["dim"], len(shape))] *= repeats
        expect_shape(op.results["result"], shape, "result")


class ConcatOp(TTIROp, name="concat", traits=[Pure]):
    """The operands one after the other along `dim`."""

    attrs = {"dim": required(SI32)}
    inputs: Sequence[Operand[Any]]
    result: Result[Any]

    @classmethod
    def _emit_operation(cls) -> None:
        """Declare the first operand by itself, so that it may differ in type from the others.

        IRDL wants all operands of one declaration to have the same type, and gives no way around
        it (`ConstraintVerifier::verify` in MLIR's IRDLVerifiers.cpp). So the others have one type,
        and what joins more types is made of several ops: see `Builder.concat`.
        """
        op = irdl.operation_(cls._op_name)
        with ir.InsertionPoint(op.body):
            irdl.operands_(
                [irdl.any(), irdl.any()],
                ["first", "others"],
                [Variadicity.single, Variadicity.variadic],
            )
            irdl.results_([irdl.any()], ["result"], [Variadicity.single])

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the operands differ along `dim` only, and that the result adds them up."""
        shapes = [info.shape for info in op.operands["inputs"]]
        expect(len(shapes) > 0, "takes at least 1 operand (`inputs`), not 0")
        dim = normalize_dim(op.attrs["dim"], len(shapes[0]))
        others = [(*shape[:dim], *shape[dim + 1 :]) for shape in shapes]
        for index, shape in enumerate(shapes):
            expect(
                len(shape) == len(shapes[0]) and others[index] == others[0],
                f"operand {index} of shape {list(shape)} does not fit {list(shapes[0])} "
                f"outside dimension {dim}",
            )
        result = list(shapes[0])
        result[dim] = sum(shape[dim] for shape in shapes)
        expect_shape(op.results["result"], result, "result")


class PadOp(TTIROp, name="pad", traits=[Pure]):
    """Pad with `value`: low and high of each dimension, the first first; negative crops."""

    attrs = {"padding": required(DENSE_I32), "value": required(F32)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has every size with its padding."""
        shape = op.operands["input"].shape
        padding = op.attrs["padding"]
        expect_length(padding, 2 * len(shape), "padding")
        padded = [
            size + low + high
            for size, low, high in zip(shape, padding[::2], padding[1::2], strict=True)
        ]
        expect(min(padded, default=0) >= 0, f"`padding` crops {list(shape)} to {padded}")
        expect_shape(op.results["result"], padded, "result")


class ReverseOp(TTIROp, name="reverse", traits=[Pure]):
    """Flip along `dimensions`."""

    attrs = {"dimensions": required(DENSE_I64)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the dimensions, and that the shape is kept."""
        shape = op.operands["input"].shape
        dims = op.attrs["dimensions"]
        for dim in dims:
            expect_dim(dim, len(shape), "dimensions")
        expect(len(set(dims)) == len(dims), f"`dimensions` names one twice: {list(dims)}")
        expect_shape(op.results["result"], shape, "result")


# tt-mlir gives it no purity trait.
class GetDimensionSizeOp(TTIROp, name="get_dimension_size"):
    """The size of a dimension, as a tensor of shape [1]."""

    attrs = {"dimension": required(I32)}
    operand: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the dimension, and that the result is one 32-bit integer."""
        expect_dim(op.attrs["dimension"], len(op.operands["operand"].shape), "dimension")
        result = op.results["result"]
        expect_shape(result, (1,), "result")
        expect(
            result.dtype in ("i32", "si32", "ui32"),
            f"element type of `result` must be i32 or ui32, not {result.dtype}",
        )


def _expect_multiple(op: Decoded, factors: Sequence[int]) -> None:
    shape = op.operands["input"].shape
    multiple = [size * factor for size, factor in zip(shape, factors, strict=True)]
    expect_shape(op.results["result"], multiple, "result")
