# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's elementwise ops with three and more operands, and what all elementwise ops share."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import BOOL, F32, F32_OR_I32, optional, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp, VerifyError
from torch_ttir.dialects.ttir.shapes import broadcast_shape, expect, expect_shape


class Elementwise(TTIROp, traits=[Pure]):
    """An op whose result shape is exactly the broadcast of its operands' shapes."""

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result's shape is the operands' broadcast shape."""
        shape = broadcast_shape([info.shape for info in op.operands.values()])
        if op.results["result"].shape != shape:
            raise VerifyError(
                f"result shape {list(op.results['result'].shape)} must be the broadcast shape "
                f"of the operands, {list(shape)}"
            )


class WhereOp(Elementwise, name="where"):
    """`second` where `first` is not zero, else `third`."""

    first: Operand[Any]
    second: Operand[Any]
    third: Operand[Any]
    result: Result[Any]


class ClampScalarOp(TTIROp, name="clamp_scalar", traits=[Pure]):
    """`min(max(x, min), max)`."""

    attrs = {"min": required(F32_OR_I32), "max": required(F32_OR_I32)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the shape is kept."""
        expect_shape(op.results["result"], op.operands["input"].shape, "result")


class ClampTensorOp(TTIROp, name="clamp_tensor", traits=[Pure]):
    """`min(max(x, min), max)` with broadcasting bounds; `max` wins where the bounds cross."""

    input: Operand[Any]
    min: Operand[Any]
    max: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the shape is kept, and that the bounds broadcast to it."""
        shape = op.operands["input"].shape
        expect_shape(op.results["result"], shape, "result")
        for name in ("min", "max"):
            bound = op.operands[name].shape
            expect(
                broadcast_shape([shape, bound]) == shape,
                f"`{name}` of shape {list(bound)} does not broadcast to {list(shape)}",
            )


class AdamwOp(TTIROp, name="adamw", traits=[Pure]):
    """One AdamW step: the new parameter and moments."""

    attrs = {
        "lr": required(F32),
        "beta1": required(F32),
        "beta2": required(F32),
        "beta1_pow": required(F32),
        "beta2_pow": required(F32),
        "epsilon": required(F32),
        "weight_decay": required(F32),
        "stochastic_rounding": optional(BOOL, False),
    }
    param: Operand[Any]
    grad: Operand[Any]
    exp_avg: Operand[Any]
    exp_avg_sq: Operand[Any]
    max_exp_avg_sq: Operand[Any] | None
    param_out: Result[Any]
    exp_avg_out: Result[Any]
    exp_avg_sq_out: Result[Any]
    max_exp_avg_sq_out: Result[Any] | None

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that all tensors have the shape of the parameter."""
        shape = op.operands["param"].shape
        for name, info in [*op.operands.items(), *op.results.items()]:
            if info is not None:
                expect_shape(info, shape, name)
        given = op.operands["max_exp_avg_sq"], op.results["max_exp_avg_sq_out"]
        expect(
            (given[0] is None) == (given[1] is None),
            "`max_exp_avg_sq` and `max_exp_avg_sq_out` must both be there, or neither",
        )
