# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's slices, of the families shape (`slice_static`) and indexing (`index`, `index_select`)."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import I32, I32_ARRAY, SI32, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import (
    expect,
    expect_dim,
    expect_dtype,
    expect_integer,
    expect_length,
    expect_rank,
    expect_shape,
    normalize_dim,
)


class SliceStaticOp(TTIROp, name="slice_static", traits=[Pure]):
    """`x[begin:end:step, ...]`, an entry a dimension; negative bounds count from the end."""

    attrs = {
        "begins": required(I32_ARRAY),
        "ends": required(I32_ARRAY),
        "step": required(I32_ARRAY),
    }
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the bounds, and that the result has the sizes that they give."""
        info = op.operands["input"]
        expect_rank(info, 1, None, "input")
        for name in ("begins", "ends", "step"):
            expect_length(op.attrs[name], len(info.shape), name)
        begins, ends, steps = op.attrs["begins"], op.attrs["ends"], op.attrs["step"]
        bounds = zip(info.shape, begins, ends, steps, strict=True)
        sizes = [
            sliced_size(size, begin, end, step, f"dimension {dim}")
            for dim, (size, begin, end, step) in enumerate(bounds)
        ]
        expect_shape(op.results["result"], sizes, "result")
        expect_dtype(op.results["result"], info.dtype, "result")


class SliceDynamicOp(TTIROp, name="slice_dynamic", traits=[Pure]):
    """A slice whose bounds are tensors; its result type is static all the same."""

    attrs = {"step": optional(I32_ARRAY)}
    input: Operand[Any]
    begins: Operand[Any]
    ends: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the bounds' types, the steps, and the rank of the result."""
        info = op.operands["input"]
        rank = len(info.shape)
        for name in ("begins", "ends"):
            expect_shape(op.operands[name], (rank,), name)
            expect_integer(op.operands[name], name)
        step = op.attrs["step"]
        if step is not None:
            expect_length(step, rank, "step")
            expect(0 not in step, f"`step` must not be 0: {list(step)}")
        expect_rank(op.results["result"], rank, rank, "result")
        expect_dtype(op.results["result"], info.dtype, "result")


class IndexOp(TTIROp, name="index", traits=[Pure]):
    """`x[begin:end:step]` along `dim`; it is not PyTorch's `aten.index`."""

    attrs = {
        "dim": required(I32),
        "begin": required(I32),
        "end": required(I32),
        "step": required(I32),
    }
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the bounds, and that the result has the size that they give along `dim`."""
        info = op.operands["input"]
        shape = list(info.shape)
        dim, begin, end, step = (op.attrs[name] for name in ("dim", "begin", "end", "step"))
        expect_dim(dim, len(shape), "dim")
        expect(
            -shape[dim] <= begin < shape[dim],
            f"`begin` must be in [{-shape[dim]}, {shape[dim]}), not {begin}",
        )
        shape[dim] = sliced_size(shape[dim], begin, end, step, f"dimension {dim}")
        expect_shape(op.results["result"], shape, "result")
        expect_dtype(op.results["result"], info.dtype, "result")


class IndexSelectOp(TTIROp, name="index_select", traits=[Pure]):
    """Blocks of `length` entries along `dim`, `stride` apart; it is not `aten.index_select`."""

    attrs = {
        "dim": required(SI32),
        "begin": required(SI32),
        "length": required(SI32),
        "stride": optional(SI32, 0),
    }
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the blocks, and that the result has the sum of their lengths along `dim`."""
        info = op.operands["input"]
        shape = list(info.shape)
        dim = normalize_dim(op.attrs["dim"], len(shape))
        size, begin, length = shape[dim], op.attrs["begin"], op.attrs["length"]
        # No stride is one block.
        stride = op.attrs["stride"] or size
        expect(0 <= begin < size, f"`begin` must be in [0, {size}), not {begin}")
        expect(0 < stride <= size, f"`stride` must be in [0, {size}], not {stride}")
        most = min(stride, size - begin)
        expect(1 <= length <= most, f"`length` must be in [1, {most}], not {length}")
        # Every block is whole but the last, which ends with the dimension.
        before, rest = divmod(size - begin - 1, stride)
        shape[dim] = before * length + min(length, rest + 1)
        expect_shape(op.results["result"], shape, "result")
        expect_dtype(op.results["result"], info.dtype, "result")


def sliced_size(size: int, begin: int, end: int, step: int, where: str) -> int:
    """Return the size of `x[begin:end:step]`; raises `VerifyError` for bounds out of range.

    A negative bound counts from the end, once: nothing is clamped.
    """
    low = begin + size if begin < 0 else begin
    high = end + size if end < 0 else end
    expect(step != 0, f"the step of {where} must not be 0")
    expect(
        0 <= high <= size and (0 <= low < size or low == high),
        f"bounds {begin}:{end} of {where} are out of range for size {size}",
    )
    expect(
        low <= high if step > 0 else low >= high,
        f"bounds {begin}:{end} of {where} run against the step {step}",
    )
    return -(-abs(high - low) // abs(step))
