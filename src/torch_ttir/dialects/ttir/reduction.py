# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's reductions, scans and sorts along dimensions."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, I32, I32_ARRAY, I64, SI32, optional, required
from torch_ttir.dialects.ttir.base import TTIROp


class Reduction(TTIROp, traits=[Pure]):
    """An op that reduces the dimensions `dim_arg`, or all where it is absent."""

    attrs = {"keep_dim": required(BOOL), "dim_arg": optional(I32_ARRAY)}
    input: Operand[Any]
    result: Result[Any]


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
