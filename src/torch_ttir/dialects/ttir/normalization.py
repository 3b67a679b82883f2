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
from torch_ttir.dialects.ttir.base import TTIROp


class SoftmaxOp(TTIROp, name="softmax", traits=[Pure]):
    """`e ** x / sum(e ** x)` along `dimension`."""

    attrs = {"dimension": required(SI32), "numericStable": optional(BOOL, False)}
    input: Operand[Any]
    result: Result[Any]


class BatchNormInferenceOp(TTIROp, name="batch_norm_inference", traits=[Pure]):
    """`(x - mean) / sqrt(variance + epsilon) * scale + offset`, a channel at a time."""

    attrs = {"epsilon": required(F32), "dimension": required(I32)}
    operand: Operand[Any]
    scale: Operand[Any]
    offset: Operand[Any]
    mean: Operand[Any]
    variance: Operand[Any]
    result: Result[Any]


class BatchNormTrainingOp(TTIROp, name="batch_norm_training", traits=[Pure]):
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


class LayerNormOp(TTIROp, name="layer_norm", traits=[Pure]):
    """`(x - mean) / sqrt(variance + epsilon) * weight + bias` over the last dimensions."""

    attrs = {"normalized_shape": required(DENSE_I64), "epsilon": optional(F32, 1e-5)}
    input: Operand[Any]
    weight: Operand[Any] | None
    bias: Operand[Any] | None
    result: Result[Any]


class RmsNormOp(TTIROp, name="rms_norm", traits=[Pure]):
    """`x / sqrt(mean(x * x) + epsilon) * weight + bias` over the last dimensions."""

    attrs = {"normalized_shape": required(DENSE_I64), "epsilon": optional(F32, 1e-5)}
    input: Operand[Any]
    weight: Operand[Any] | None
    bias: Operand[Any] | None
    result: Result[Any]


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
