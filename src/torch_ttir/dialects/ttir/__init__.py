"""The TTIR dialect; the modules of this folder hold its ops by family."""

from __future__ import annotations

from torch_ttir.dialects.ttir import (
    creation,
    elementwise,
)
from torch_ttir.dialects.ttir.base import TTIR, Decoded, TTIROp, VerifyError, create, decode

FAMILIES = (elementwise, creation)

OPS: dict[str, type[TTIROp]] = {op.OPERATION_NAME: op for op in TTIR.operations}

__all__ = ["FAMILIES", "OPS", "TTIR", "Decoded", "TTIROp", "VerifyError", "create", "decode"]
