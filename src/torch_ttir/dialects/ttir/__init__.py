"""The TTIR dialect; the modules of this folder hold its ops by family."""

from __future__ import annotations

from torch_ttir.dialects.ttir import (
    attention,
    convolution,
    creation,
    elementwise,
    elementwise_binary,
    elementwise_unary,
    indexing,
    matmul,
    normalization,
    pooling,
    random,
    rearrange,
    reduction,
    resize,
    shape,
    slicing,
)
from torch_ttir.dialects.ttir.base import TTIR, Decoded, TTIROp, VerifyError, create, decode

FAMILIES = (
    elementwise,
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
    rearrange,
    indexing,
    creation,
    resize,
    random,
)

OPS: dict[str, type[TTIROp]] = {op.OPERATION_NAME: op for op in TTIR.operations}

__all__ = ["FAMILIES", "OPS", "TTIR", "Decoded", "TTIROp", "VerifyError", "create", "decode"]
