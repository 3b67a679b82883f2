"""MLIR's and torch-mlir's own passes: which are known here, and how to check an element of text."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator

from torch_mlir import ir
from torch_mlir.passmanager import PassManager

from torch_ttir.pipelines.text import ROOT

NATIVE_PASSES = {
    "canonicalize": "Fold and simplify ops, and drop unused ones",
    "cse": "Merge equal ops",
    "inline": "Inline calls",
    "strip-debuginfo": "Drop all locations",
    "symbol-dce": "Drop private functions that nothing calls",
    "print-op-stats": "Print how many ops of each kind there are",
    "convert-torch-onnx-to-torch": "Convert ONNX ops to ATen ops; under `func.func`",
    "torch-decompose-complex-ops": "Decompose all ATen ops not in `legal-ops`; under `func.func`",
    "torch-maximize-value-semantics": "Turn tensors with identity into values; under `func.func`",
    "torch-recompose-complex-ops": "Undo decompositions of TorchScript",
    "torch-reduce-op-variants": "Reduce in-place variants of ATen ops",
    "torch-scalarize-shapes": "Turn shape tensors into scalars",
}
"""What people use with TTIR, with a line each. Any other registered pass can be named too."""

NATIVE_PIPELINES = {
    "torch-simplification-pipeline": "Simplify a Torch program",
    "torch-shape-refinement-pipeline": "Infer shapes and dtypes of a Torch program",
    "torch-function-to-torch-backend-pipeline": "A Torch function to backend form",
    "torch-onnx-to-torch-backend-pipeline": "An imported ONNX program to backend form",
    "torchdynamo-export-to-torch-backend-pipeline": "An exported program to backend form",
    "torchscript-module-to-torch-backend-pipeline": "A TorchScript program to backend form",
    "torch-backend-to-linalg-on-tensors-backend-pipeline": "Backend form to linalg",
    "torch-backend-to-stablehlo-backend-pipeline": "Backend form to StableHLO",
    "torch-backend-to-tosa-backend-pipeline": "Backend form to TOSA",
}
"""torch-mlir's pipelines. They run on a module: to put one under another op aborts the process."""


def is_native(name: str, context: ir.Context) -> bool:
    """Say whether MLIR or torch-mlir has registered a pass or pipeline of this name."""
    if name in NATIVE_PASSES or name in NATIVE_PIPELINES:
        return True
    return "does not refer to a registered pass" not in (parse_fault(name, context) or "")


def parse_fault(text: str, context: ir.Context) -> str | None:
    """Return in a line why MLIR does not take an element of pipeline text; None if it does."""
    with _native_errors() as printed:
        try:
            PassManager.parse(f"{ROOT}({text})", context)
        except ValueError as fault:
            lines = [*printed(), *str(fault).strip().splitlines()]
            return next(line.removeprefix(": ") for line in lines if line.strip())
    return None


@contextlib.contextmanager
def _native_errors() -> Iterator[Callable[[], list[str]]]:
    """Keep what native code writes to stderr, where LLVM puts the reason for a bad option."""
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)

        def printed() -> list[str]:
            file.seek(0)
            return file.read().decode(errors="replace").splitlines()

        try:
            yield printed
        finally:
            os.dup2(kept, 2)
            os.close(kept)
