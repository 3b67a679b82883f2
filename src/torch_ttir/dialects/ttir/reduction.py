# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's reductions, scans and sorts along dimensions."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, I32, I32_ARRAY, I64, SI32, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import expect, expect_shape, expect_type, normalize_dim


class Reduction(TTIROp, traits=[Pure]):
    """An op that reduces the dimensions `dim_arg`, or all where it is absent."""

    attrs = {"keep_dim": required(BOOL), "dim_arg": optional(I32_ARRAY)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the dimensions, and that the result is the operand without them."""
        shape = op.operands["input"].shape
        dims = _reduced_dims(op.attrs["dim_arg"], len(shape))
        kept = [1 if axis in dims else size for axis, size in enumerate(shape)]
        dropped = [size for axis, size in enumerate(shape) if axis not in dims]
        expect_shape(op.results["result"], kept if op.attrs["keep_dim"] else dropped, "result")


class SumOp(Reduction, name="sum"):
    """The sum."""


class MeanOp(Reduction, name="mean"):
    """The arithmetic mean."""


class MaxOp(Reduction, name="max"):
    """The largest element."""


class MinOp(Reduction, name="min"):
    """The smallest element."""


class ProdOp(Reduction, name="prod"):
    """The product."""


class ReduceAndOp(Reduction, name="reduce_and"):
    """Whether no element is zero."""


class ReduceOrOp(Reduction, name="reduce_or"):
    """Whether some element is not zero."""


class ArgmaxOp(Reduction, name="argmax"):
    """The index of the first largest element, in the row-major order of the reduced dimensions."""


class Scan(TTIROp, traits=[Pure]):
    """An inclusive scan along `dim`."""

    attrs = {"dim": required(I64)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the dimension, and that the shape is kept."""
        shape = op.operands["input"].shape
        normalize_dim(op.attrs["dim"], len(shape))
        expect_shape(op.results["result"], shape, "result")


class CumsumOp(Scan, name="cumsum"):
    """The running sum."""


class CumprodOp(Scan, name="cumprod"):
    """The running product."""


class SortOp(TTIROp, name="sort", traits=[Pure]):
    """The elements sorted along `dim`, and where each came from."""

    attrs = {
        "dim": optional(SI32, -1),
        "descending": optional(BOOL, False),
        "stable": optional(BOOL, False),
    }
    input: Operand[Any]
    values: Result[Any]
    indices: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the dimension, and that the type is kept."""
        info = op.operands["input"]
        normalize_dim(op.attrs["dim"], len(info.shape))
        expect_type(op.results["values"], info, "values")
        expect_shape(op.results["indices"], info.shape, "indices")


class TopkOp(TTIROp, name="topk", traits=[Pure]):
    """The `k` largest or smallest elements along `dim`, and where each came from."""

    attrs = {
        "k": required(I32),
        "dim": optional(I32, -1),
        "largest": optional(BOOL, True),
        "sorted": optional(BOOL, False),
    }
    input_tensor: Operand[Any]
    values: Result[Any]
    indices: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check `k`, and that both results have that size along `dim`."""
        shape = list(op.operands["input_tensor"].shape)
        dim = normalize_dim(op.attrs["dim"], len(shape))
        k = op.attrs["k"]
        expect(1 <= k <= shape[dim], f"`k` must be in [1, {shape[dim]}], not {k}")
        shape[dim] = k
        expect_shape(op.results["values"], shape, "values")
        expect_shape(op.results["indices"], shape, "indices")


def _reduced_dims(listed: tuple[int, ...] | None, rank: int) -> set[int]:
    if listed is None:
        return set(range(rank))
    # tt-mlir's verifier takes it for "reduce nothing", PyTorch for "reduce all".
    expect(len(listed) > 0, "`dim_arg` must not be empty: leave it out to reduce all dimensions")
    dims = {normalize_dim(dim, rank, "dim_arg") for dim in listed}
    expect(len(dims) == len(listed), f"`dim_arg` names a dimension twice: {list(listed)}")
    return dims
