"""The MLIR context of this project, and what lives as long as it does."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from torch_mlir import ir

from torch_ttir.ir.diagnostics import Diagnostic
from torch_ttir.ir.parameters import ParameterStore


class Context(ir.Context):
    """An `ir.Context` that carries the weights of its modules and caches of uniqued objects.

    MLIR keeps resource blobs beside a context and not in the IR; `parameters` does the same for
    the arrays of lifted arguments, keyed by `ttir.name`, so that no pass ever copies them.
    `resources` has the blobs of the file that was read, since MLIR gives none back.
    """

    parameters: ParameterStore
    resources: dict[str, Any]
    cache: dict[Hashable, Any]
    op_faults: list[Diagnostic] | None
    """Where verifiers of TTIR ops put what they reject, for a report of all; None to stop at it."""

    def __init__(self) -> None:
        """Make an empty context; `torch_ttir.dialects.context.make_context` loads the dialects."""
        super().__init__()
        self.parameters = ParameterStore()
        self.resources = {}
        self.cache = {}
        self.op_faults = None


def current() -> Context:
    """Return the entered context, which must be one of ours."""
    context = ir.Context.current
    if not isinstance(context, Context):
        raise TypeError("the current MLIR context is not a torch_ttir Context")
    return context
