"""What `tt-opt --help` and `--version` print."""

from __future__ import annotations

import platform
import textwrap

from torch_ttir.passes.registry import PASSES
from torch_ttir.tools.flags import FLAGS, Flag

_WIDTH = 100
_COLUMN = 30

_EXAMPLES = """\
tt-opt takes a PyTorch or ONNX program to TTIR, pass by pass.

usage: tt-opt INPUT [--pipeline=NAME | --pass-pipeline=TEXT | --PASS[=OPTIONS]...] [flags]

INPUT is one of
  model.pt2            a program that torch.export.save wrote
  file.py:function     a function that returns (model, args) or (model, args, kwargs)
  model.onnx           an ONNX model
  x.mlir, x.mlirbc     MLIR text or bytecode, in the Torch dialect, TTIR, or between
  -                    MLIR on standard input

examples
  A model to TTIR, with its weights beside it:
    tt-opt model.pt2 --pipeline=torch-to-ttir -o model.mlir --save-parameters=model.safetensors
  The imported program as it is, with the lines of the model that its ops come from:
    tt-opt model.py:make --mlir-print-debuginfo
  Some passes, in the order of their flags, with the IR after each:
    tt-opt x.mlir --legalize-to-ttir --cse --hoist-consteval=report --mlir-print-ir-after-all
  The same as text:
    tt-opt x.mlir --pass-pipeline='builtin.module(legalize-to-ttir,func.func(cse))'

The exit status is 0, or 1 if anything failed; then no output file is written or changed.
"""


def help_text() -> str:
    """Return the help: examples first, then every flag."""
    lines = [_EXAMPLES]
    for title, flags in FLAGS.items():
        lines.append(f"{title}:")
        for flag in flags:
            lines += _entry(_spelling(flag), flag.help)
        lines.append("")
    lines.append("passes (`--list-passes` says more; MLIR's own, such as --cse, are flags too):")
    for cls in PASSES.values():
        lines += _entry(f"--{cls.name}", cls.summary())
    return "\n".join(lines) + "\n"


def version_text() -> str:
    """Return the versions that a report of a fault should name."""
    import importlib.metadata as metadata

    lines = []
    for name in ("torch-ttir", "torch-mlir", "torch", "onnx"):
        try:
            lines.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            lines.append(f"{name} (not installed)")
    return "\n".join([*lines, f"Python {platform.python_version()}"]) + "\n"


def _spelling(flag: Flag) -> str:
    if flag.name == "o":
        return f"-o {flag.metavar}"
    if not flag.metavar:
        return f"--{flag.name}"
    value = f"={flag.metavar}"
    return f"--{flag.name}" + (f"[{value}]" if flag.optional is not None else value)


def _entry(left: str, text: str) -> list[str]:
    wrapped = textwrap.wrap(text, _WIDTH - _COLUMN)
    if len(left) + 4 > _COLUMN:
        return [f"  {left}", *(" " * _COLUMN + line for line in wrapped)]
    first = f"  {left}".ljust(_COLUMN) + wrapped[0]
    return [first, *(" " * _COLUMN + line for line in wrapped[1:])]
