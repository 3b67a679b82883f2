# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's creation ops: full, zeros, ones, constant, arange, empty."""

from typing import Any

from torch_mlir.dialects.ext import Pure, Result

from torch_ttir.dialects.attributes import DENSE_I32, ELEMENTS, F32_OR_I32, I64, SI64, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp, VerifyError
from torch_ttir.dialects.ttir.shapes import bit_width, expect, expect_dim, expect_shape, expect_type
from torch_ttir.ir.types import tensor_info


class Shaped(TTIROp, traits=[Pure]):
    """An op that states the shape of its result."""

    attrs = {"shape": required(DENSE_I32)}
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has the shape that is stated."""
        expect_shape(op.results["result"], op.attrs["shape"], "result")


class FullOp(Shaped, name="full"):
    """A tensor of one value."""

    attrs = {**Shaped.attrs, "fill_value": required(F32_OR_I32)}


class ZerosOp(Shaped, name="zeros"):
    """A tensor of zeros."""


class OnesOp(Shaped, name="ones"):
    """A tensor of ones."""


class ConstantOp(TTIROp, name="constant", traits=[Pure]):
    """A tensor of given values."""

    attrs = {"value": required(ELEMENTS)}
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the values have the type of the result, of integers or floats."""
        value = op.attrs["value"]
        info = tensor_info(value.type)
        if info is None:
            raise VerifyError(f"`value` must be of a static tensor type, not {value.type}")
        expect_type(op.results["result"], info, "result")
        expect(info.dtype != "index", "`value` cannot hold elements of type index")
        bit_width(info, "value")


class ArangeOp(TTIROp, name="arange", traits=[Pure]):
    """`start + k * step` along `arange_dimension`, repeated over the other dimensions."""

    attrs = {
        "start": required(SI64),
        "end": required(SI64),
        "step": required(SI64),
        "arange_dimension": required(I64),
    }
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has as many elements as the bounds and the step give."""
        shape = op.results["result"].shape
        dim = op.attrs["arange_dimension"]
        expect_dim(dim, len(shape), "arange_dimension")
        start, end, step = op.attrs["start"], op.attrs["end"], op.attrs["step"]
        expect(step != 0, "`step` must not be 0")
        # tt-mlir divides with truncation: [0, 5) by 2 has two elements, where PyTorch has three.
        distance = end - start
        count = abs(distance) // abs(step) * (1 if (distance < 0) == (step < 0) else -1)
        expect(
            count > 0,
            f"must have at least 1 element: `start` = {start}, `end` = {end}, `step` = {step}",
        )
        expect(
            count == shape[dim],
            f"`start` = {start}, `end` = {end}, `step` = {step} give {count} elements (a rest is "
            f"dropped), but the result has {shape[dim]} in dimension {dim}",
        )


# It allocates, so that two of them are two tensors: not pure.
class EmptyOp(TTIROp, name="empty"):
    """A tensor whose values are not set."""

    result: Result[Any]
