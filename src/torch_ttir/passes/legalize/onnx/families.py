"""All rules for ONNX ops, united from the families."""

from __future__ import annotations

from torch_ttir.passes.legalize.onnx import (
    activation,
    convolution,
    elementwise,
    indexing,
    matmul,
    normalization,
    reduction,
    resize,
    shape,
)
from torch_ttir.passes.legalize.rules import unite

RULES = unite(
    activation.RULES,
    convolution.RULES,
    elementwise.RULES,
    indexing.RULES,
    matmul.RULES,
    normalization.RULES,
    reduction.RULES,
    resize.RULES,
    shape.RULES,
)
