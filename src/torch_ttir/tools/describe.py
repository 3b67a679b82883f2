"""Descriptions of passes, pipelines and dialects, as `tt-opt` prints them and the README shows."""

from __future__ import annotations

import inspect

from torch_ttir.ir.diagnostics import error
from torch_ttir.passes.base import Pass
from torch_ttir.passes.registry import PASSES
from torch_ttir.pipelines.named import PIPELINES
from torch_ttir.pipelines.native import NATIVE_PASSES, NATIVE_PIPELINES
from torch_ttir.pipelines.options import describe_options

_DIALECTS = {
    "torch": "PyTorch's ops; those that it does not know are in `torch.operator`",
    "ttir": "Tenstorrent's tensor ops",
    "ttcore": "argument kinds, and calls of const-eval functions",
    "func": "functions",
    "builtin": "modules and tensor types",
}


_OF_MLIR = ("arith", "cf", "linalg", "math", "memref", "scf", "shape", "tensor", "tosa")


def passes_text() -> str:
    """Return the table of all passes, as `--list-passes` prints it."""
    lines = [
        "Passes of torch-ttir; `--list-passes=NAME` shows one in full, with IR before and after:"
    ]
    for cls in PASSES.values():
        lines += _entry(cls.name, cls.summary())
        lines += [f"      {key}={default}: {kind}" for key, kind, default in describe_options(cls)]
    lines += ["", "Passes of MLIR and torch-mlir that go with them (any other can be named too):"]
    for name, summary in NATIVE_PASSES.items():
        lines += _entry(name, summary)
    lines += ["", "Pipelines of torch-mlir:"]
    for name, summary in NATIVE_PIPELINES.items():
        lines += _entry(name, summary)
    return "\n".join(lines) + "\n"


def pass_text(name: str) -> str:
    """Return all that a pass says of itself; raises `CompileError` for an unknown one."""
    if name not in PASSES:
        listed = ", ".join(PASSES)
        raise error(f"there is no pass `{name}` of torch-ttir", notes=[f"the passes are {listed}"])
    cls = PASSES[name]
    lines = [name, "", inspect.getdoc(cls) or ""]
    options = describe_options(cls)
    if options:
        lines += ["", "Options:"]
        lines += [f"  {key}={default}: {kind}" for key, kind, default in options]
    return "\n".join(lines) + "\n"


def pipelines_text(name: str = "") -> str:
    """Return the named pipelines, or one, with their elements, as `--list-pipelines` prints them.

    Raises `CompileError` for an unknown one.
    """
    if name and name not in PIPELINES:
        listed = ", ".join(PIPELINES)
        raise error(f"there is no pipeline `{name}`", notes=[f"the pipelines are {listed}"])
    lines = []
    for pipeline in [PIPELINES[name]] if name else PIPELINES.values():
        lines.append(f"{pipeline.name}: {pipeline.summary}")
        lines += [f"    {element}" for element in pipeline.elements]
    return "\n".join(lines) + "\n"


def dialects_text() -> str:
    """Return the dialects that an input can be in, as `--show-dialects` prints them."""
    lines = ["Dialects of programs on their way to TTIR:"]
    lines += [f"  {name:<10}{what}" for name, what in _DIALECTS.items()]
    lines.append("Of MLIR's own dialects also: " + ", ".join(_OF_MLIR))
    return "\n".join(lines) + "\n"


def passes_table() -> str:
    """Return the passes as a Markdown table."""
    rows = ["| pass | what it does | options |", "|---|---|---|"]
    rows += [f"| `{c.name}` | {c.summary()} | {_options_cell(c)} |" for c in PASSES.values()]
    return "\n".join(rows) + "\n"


def pipelines_table() -> str:
    """Return the named pipelines as a Markdown table."""
    rows = ["| pipeline | what it does | passes |", "|---|---|---|"]
    for pipeline in PIPELINES.values():
        elements = ", ".join(f"`{element}`" for element in pipeline.elements)
        rows.append(f"| `{pipeline.name}` | {pipeline.summary} | {elements} |")
    return "\n".join(rows) + "\n"


def _entry(name: str, summary: str) -> list[str]:
    if len(name) > 32:
        return [f"  --{name}", " " * 36 + summary]
    return [f"  --{name:<32}{summary}"]


def _options_cell(cls: type[Pass]) -> str:
    return ", ".join(f"`{key}={default}`" for key, _, default in describe_options(cls))
