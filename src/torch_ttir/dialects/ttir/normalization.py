# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's normalizations and softmax."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import (
    BOOL,
    DENSE_I64,
    F32,
    I32,
    I64,
    SI32,
    optional,
    required,
)
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import (
    expect,
    expect_dim,
    expect_rank,
    expect_shape,
    normalize_dim,
)


class SoftmaxOp(TTIROp, name="softmax", traits=[Pure]):
    """`e ** x / sum(e ** x)` along `dimension`."""

    attrs = {"dimension": required(SI32), "numericStable": optional(BOOL, False)}
    input: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the dimension, and that the shape is kept."""
        shape = op.operands["input"].shape
        normalize_dim(op.attrs["dimension"], len(shape), "dimension")
        expect_shape(op.results["result"], shape, "result")


class BatchNorm(TTIROp, traits=[Pure]):
    """The checks of batch normalization, whose vectors have one entry a channel."""

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the channels of every vector, and that the shape is kept."""
        info = op.operands["operand"]
        expect_rank(info, 2, 5, "operand")
        dimension = op.attrs["dimension"]
        expect_dim(dimension, len(info.shape), "dimension")
        channels = info.shape[dimension]
        expect_shape(op.results["result"], info.shape, "result")
        for name, vector in [*op.operands.items(), *op.results.items()]:
            if name not in ("operand", "result"):
                expect(
                    vector.shape in ((channels,), (1, channels, 1, 1)),
                    f"shape of `{name}` must be [{channels}] or [1, {channels}, 1, 1], "
                    f"not {list(vector.shape)}",
                )


class BatchNormInferenceOp(BatchNorm, name="batch_norm_inference"):
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset`, a channel at a time."""

    attrs = {"epsilon": required(F32), "dimension": required(I32)}
    operand: Operand[Any]
    scale: Operand[Any]
    offset: Operand[Any]
    mean: Operand[Any]
    variance: Operand[Any]
    result: Result[Any]


class BatchNormTrainingOp(BatchNorm, name="batch_norm_training"):
    """Batch normalization with the batch's own statistics.

    `batch_mean` and `batch_variance` are the updated running statistics:
    `momentum * batch + (1 - momentum) * running`, with the biased variance.
    """

    attrs = {"epsilon": required(F32), "dimension": required(I32), "momentum": required(F32)}
    operand: Operand[Any]
    scale: Operand[Any]
    offset: Operand[Any]
    running_mean: Operand[Any]
    running_variance: Operand[Any]
    result: Result[Any]
    batch_mean: Result[Any]
    batch_variance: Result[Any]


class LastDimsNorm(TTIROp, traits=[Pure]):
    """A normalization over the last dimensions, those of `normalized_shape`."""

    attrs = {"normalized_shape": required(DENSE_I64), "epsilon": optional(F32, 1e-5)}
    input: Operand[Any]
    weight: Operand[Any] | None
    bias: Operand[Any] | None
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the normalized dimensions, and that the shape is kept."""
        shape = op.operands["input"].shape
        normalized = op.attrs["normalized_shape"]
        expect(len(normalized) > 0, "`normalized_shape` must not be empty")
        expect(
            shape[-len(normalized) :] == normalized,
            f"`normalized_shape` must be the last dimensions of {list(shape)}, "
            f"not {list(normalized)}",
        )
        for name in ("weight", "bias"):
            if op.operands[name] is not None:
                expect_shape(op.operands[name], normalized, name)
        expect_shape(op.results["result"], shape, "result")


class LayerNormOp(LastDimsNorm, name="layer_norm"):
    """`(x - mean) / sqrt(variance + epsilon) * weight + bias` over the last dimensions."""


class RmsNormOp(LastDimsNorm, name="rms_norm"):
    """`x / sqrt(mean(x * x) + epsilon) * weight + bias` over the last dimensions."""


class GroupNormOp(TTIROp, name="group_norm", traits=[Pure]):
    """Normalization over groups of consecutive channels and all spatial dimensions."""

    attrs = {
        "num_groups": required(I64),
        "epsilon": optional(F32, 1e-12),
        "channel_dim": optional(I64, 3),
    }
    input: Operand[Any]
    input_mask: Operand[Any] | None
    weight: Operand[Any] | None
    bias: Operand[Any] | None
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the groups and the channels, and that the shape is kept."""
        shape = op.operands["input"].shape
        expect_rank(op.operands["input"], 4, None, "input")
        dim, groups = op.attrs["channel_dim"], op.attrs["num_groups"]
        expect_dim(dim, len(shape), "channel_dim")
        expect(groups >= 1, f"`num_groups` must be at least 1, not {groups}")
        expect(
            shape[dim] % groups == 0,
            f"`input` has {shape[dim]} channels, not a multiple of `num_groups` = {groups}",
        )
        for name in ("weight", "bias"):
            if op.operands[name] is not None:
                expect_shape(op.operands[name], (shape[dim],), name)
        expect_shape(op.results["result"], shape, "result")
