"""Pipelines as data, the parser of pipeline text, and the way to run them.

`run(module, "torch-to-ttir")` runs a named pipeline, `run(module, "builtin.module(...)")` text.
"""

from __future__ import annotations

from torch_mlir import ir

from torch_ttir.pipelines.named import PIPELINES, Pipeline
from torch_ttir.pipelines.run import IRPrinting, RunOptions, run_steps
from torch_ttir.pipelines.steps import steps_of_name, steps_of_text

__all__ = ["PIPELINES", "IRPrinting", "Pipeline", "RunOptions", "run", "run_steps"]


def run(module: ir.Module, pipeline: str, options: RunOptions | None = None) -> None:
    """Change `module` by a named pipeline, or by pipeline text; raises `CompileError`."""
    of = steps_of_text if "(" in pipeline else steps_of_name
    run_steps(module, of(pipeline, module.context), options)
