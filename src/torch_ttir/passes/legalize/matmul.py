"""Rules for matmul ops."""

from __future__ import annotations

from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()
