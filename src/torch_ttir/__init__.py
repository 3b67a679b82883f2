"""PyTorch and ONNX programs to TTIR, Tenstorrent's tensor dialect.

`compile` takes a model to a `Program`, which runs as the model does on the reference interpreter;
`load` reads one that `Program.save` wrote. They need PyTorch, which is imported on their first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch_ttir.ir.diagnostics import CompileError

if TYPE_CHECKING:
    from torch_ttir.compiler import compile
    from torch_ttir.program import Program
    from torch_ttir.program_files import load

__all__ = ["CompileError", "Program", "compile", "load"]

_HOMES = {
    "Program": "torch_ttir.program",
    "compile": "torch_ttir.compiler",
    "load": "torch_ttir.program_files",
}


def __getattr__(name: str) -> Any:
    """Import what the public names stand for when they are first used."""
    if name not in _HOMES:
        raise AttributeError(f"module `torch_ttir` has no attribute `{name}`")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
