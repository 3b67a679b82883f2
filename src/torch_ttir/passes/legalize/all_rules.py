"""Every rule there is: of PyTorch's ops and of ONNX's."""

from __future__ import annotations

from torch_ttir.passes.legalize import families
from torch_ttir.passes.legalize.onnx import families as onnx_families
from torch_ttir.passes.legalize.rules import unite

RULES = unite(families.RULES, onnx_families.RULES)

KNOWN_OPS = frozenset({*RULES, *RULES.rejected})
"""The ops that importers leave whole: those with a rule, and those that a reason is known for."""

KNOWN_ONNX_OPS = frozenset(
    name.removeprefix("onnx.") for name in KNOWN_OPS if name.startswith("onnx.")
)
"""The same of ONNX's, by the names that nodes have."""
