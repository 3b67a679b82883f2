"""What TTIR ops mean; the modules of this folder hold them by family, as the dialect does."""

from __future__ import annotations

from torch_ttir.interpreters.ttir import (
    attention,
    convolution,
    creation,
    elementwise_binary,
    elementwise_unary,
    indexing,
    matmul,
    normalization,
    pooling,
    random,
    reduction,
    resize,
    shape,
    slicing,
)
from torch_ttir.interpreters.ttir.table import unite

FAMILIES = (
    elementwise_unary,
    elementwise_binary,
    reduction,
    matmul,
    convolution,
    pooling,
    normalization,
    attention,
    shape,
    slicing,
    indexing,
    creation,
    resize,
    random,
)

MEANINGS = unite(*(family.MEANINGS for family in FAMILIES))
"""The meaning of every TTIR op that the interpreter runs."""
