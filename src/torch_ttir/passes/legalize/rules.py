"""The table of rules: which function lowers which Torch op, and why others cannot be lowered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Rule = Callable[..., Any]
_Registered = TypeVar("_Registered", bound=Rule)


class RuleTable(dict[str, Rule]):
    """Rules by op name without the dialect (`aten.relu`); each family has one table of its own.

    `rejected` gives the reason why TTIR cannot say an op. `run_time_scalars` names the rules that
    take a number which the program computes (`x * y.item()`) as a 0-d Tensor; for all others, an
    operand that the schema declares as a number is a constant.
    """

    def __init__(self) -> None:
        """Make an empty table."""
        super().__init__()
        self.rejected: dict[str, str] = {}
        self.run_time_scalars: set[str] = set()

    def lowers(
        self, *names: str, run_time_scalars: bool = False
    ) -> Callable[[_Registered], _Registered]:
        """Register the decorated rule for the named ops; raises `ValueError` for a second rule."""

        def register(rule: _Registered) -> _Registered:
            for name in names:
                self.add(name, rule, run_time_scalars=run_time_scalars)
            return rule

        return register

    def add(self, name: str, rule: Rule, *, run_time_scalars: bool = False) -> None:
        """Register `rule` for one op; raises `ValueError` if it has a rule or a reason already."""
        self._expect_new(name)
        self[name] = rule
        if run_time_scalars:
            self.run_time_scalars.add(name)

    def rejects(self, name: str, reason: str) -> None:
        """Say why TTIR cannot express an op; raises `ValueError` if it has a rule or a reason."""
        self._expect_new(name)
        self.rejected[name] = reason

    def _expect_new(self, name: str) -> None:
        if name in self:
            raise ValueError(f"two rules for {name}")
        if name in self.rejected:
            raise ValueError(f"a rule for {name}, which is rejected: {self.rejected[name]}")


def unite(*tables: RuleTable) -> RuleTable:
    """Return all rules of `tables`; raises `ValueError` if two of them speak of the same op."""
    united = RuleTable()
    for table in tables:
        for name, rule in table.items():
            united.add(name, rule, run_time_scalars=name in table.run_time_scalars)
        for name, reason in table.rejected.items():
            united.rejects(name, reason)
    return united
