"""All rules, united from the families; a second rule for one op is an error."""

from __future__ import annotations

from torch_ttir.passes.legalize import (
    attention,
    convolution,
    convolution_backward,
    creation,
    elementwise,
    indexing,
    matmul,
    matmul_mixed,
    normalization,
    pooling,
    random,
    reduction,
    resize,
    shape,
)
from torch_ttir.passes.legalize.rules import unite

RULES = unite(
    elementwise.RULES,
    reduction.RULES,
    matmul.RULES,
    matmul_mixed.RULES,
    convolution.RULES,
    convolution_backward.RULES,
    pooling.RULES,
    normalization.RULES,
    attention.RULES,
    shape.RULES,
    indexing.RULES,
    creation.RULES,
    resize.RULES,
    random.RULES,
)
