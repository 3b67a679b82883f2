"""The contract of a pass, and its options as text."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from torch_mlir import ir


@dataclasses.dataclass(frozen=True)
class Pass(ABC):
    """A change of a module in place, under a kebab-case name.

    Subclasses are frozen dataclasses whose fields are the pass's options. `run` gets the
    `builtin.module` op; the IR verifies before and after. Faults of the user's program are raised
    as one `CompileError` that holds all of them.
    """

    name: ClassVar[str]

    @abstractmethod
    def run(self, module: ir.Operation) -> None:
        """Change `module` in place; raises `CompileError` and leaves it valid on a fault."""

    @classmethod
    def summary(cls) -> str:
        """Return the first line of the docstring, as `--list-passes` shows it."""
        return (cls.__doc__ or "").strip().splitlines()[0]

    @classmethod
    def options(cls) -> dict[str, dataclasses.Field[Any]]:
        """Return the option fields by their spelling in pipeline text (`max-size`)."""
        return {field.name.replace("_", "-"): field for field in dataclasses.fields(cls)}
