"""All rules for ONNX ops, united from the families."""

from __future__ import annotations

from torch_ttir.passes.legalize.onnx import (
    activation,
    convolution,
    einsum,
    elementwise,
    indexing,
    matmul,
    normalization,
    quantization,
    recurrent,
    reduction,
    rejections,
    resize,
    sampling,
    shape,
    signal,
    training,
)
from torch_ttir.passes.legalize.rules import unite

RULES = unite(
    activation.RULES,
    convolution.RULES,
    einsum.RULES,
    recurrent.RULES,
    rejections.RULES,
    elementwise.RULES,
    indexing.RULES,
    matmul.RULES,
    normalization.RULES,
    quantization.RULES,
    reduction.RULES,
    resize.RULES,
    sampling.RULES,
    shape.RULES,
    signal.RULES,
    training.RULES,
)
