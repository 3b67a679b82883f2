"""All rules for ONNX ops, united from the families."""

from __future__ import annotations

from torch_ttir.passes.legalize.onnx import activation, elementwise, reduction, shape
from torch_ttir.passes.legalize.rules import unite

RULES = unite(
    activation.RULES,
    elementwise.RULES,
    reduction.RULES,
    shape.RULES,
)
