"""The table of rules: which function lowers which Torch op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rule = Callable[..., Any]


class RuleTable(dict[str, Rule]):
    """Rules by op name without the dialect (`aten.relu`); each family has one table of its own."""

    def lowers(self, *names: str) -> Callable[[Rule], Rule]:
        """Register the decorated rule for the named ops; raises `ValueError` for a second rule."""

        def register(rule: Rule) -> Rule:
            for name in names:
                self.add(name, rule)
            return rule

        return register

    def add(self, name: str, rule: Rule) -> None:
        """Register `rule` for one op; raises `ValueError` if it has a rule already."""
        if name in self:
            raise ValueError(f"two rules for {name}")
        self[name] = rule


def unite(*tables: RuleTable) -> RuleTable:
    """Return all rules of `tables`; raises `ValueError` if two of them lower the same op."""
    united = RuleTable()
    for table in tables:
        for name, rule in table.items():
            united.add(name, rule)
    return united
