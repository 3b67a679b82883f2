"""The table of this project's passes: every pass that pipeline text and flags can name."""

from __future__ import annotations

from torch_ttir.passes.base import Pass
from torch_ttir.passes.fold_consteval import FoldConstEval
from torch_ttir.passes.functionalize import FunctionalizeInplaceOps
from torch_ttir.passes.hoist_consteval import HoistConstEval
from torch_ttir.passes.legalize_to_ttir import LegalizeToTTIR
from torch_ttir.passes.lift_constants import LiftConstants
from torch_ttir.passes.recognize_composites import RecognizeComposites
from torch_ttir.passes.recompose_batch_norm import RecomposeBatchNorm
from torch_ttir.passes.verify_ops import VerifyOps


def _table(*passes: type[Pass]) -> dict[str, type[Pass]]:
    table: dict[str, type[Pass]] = {}
    for cls in passes:
        if cls.name in table:
            raise ValueError(f"two passes have the name {cls.name}")
        table[cls.name] = cls
    return table


PASSES = _table(
    VerifyOps,
    FunctionalizeInplaceOps,
    LiftConstants,
    RecomposeBatchNorm,
    LegalizeToTTIR,
    RecognizeComposites,
    HoistConstEval,
    FoldConstEval,
)
"""By name, in the order in which a program meets them."""
