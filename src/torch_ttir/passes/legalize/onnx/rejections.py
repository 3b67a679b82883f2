"""The reasons why ONNX ops cannot be said, as a table of rules has them."""

from __future__ import annotations

from torch_ttir.dialects.onnx_rejected import REASONS
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()
for _name, _reason in REASONS.items():
    RULES.rejects(f"onnx.{_name}", _reason)
