"""The MLIR context with every dialect that a program can be in on its way to TTIR."""

from __future__ import annotations

from torch_mlir._mlir_libs import _mlir, _torchMlir

from torch_ttir.dialects import ttir
from torch_ttir.ir.context import Context

# The bindings look an op's Python class up as `<prefix>.<dialect>`. Without this, each look-up of a
# TTIR op tries to import `torch_mlir.dialects.ttir` and fails, at 70 us an op.
_mlir.globals.append_dialect_search_prefix("torch_ttir.dialects")


def make_context() -> Context:
    """Return a new context with Torch, func and TTIR loaded.

    `ttcore` stays unregistered, since its attributes cannot be declared from Python: readers check
    dialect names themselves (`torch_ttir.dialects.reader`).
    """
    context = Context()
    # Not by way of `torch_mlir.dialects.torch`, which takes long to import: the bindings do it when
    # they meet an op of that dialect.
    _torchMlir.register_dialect(context)
    context.allow_unregistered_dialects = True
    with context:
        ttir.TTIR.load()
    return context
