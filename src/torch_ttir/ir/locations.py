"""Locations as users read them: their own line, not the innermost frame of a library."""

from __future__ import annotations

import re

from torch_mlir import ir

_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_TORCH = ("/torch/nn/", "/torch/_", "/torch/functional.py", "/torch/utils/")
_INSTALLED = ("/site-packages/", "/dist-packages/", *_TORCH)


def frames(location: ir.Location) -> list[tuple[str, int, int]]:
    """Return the (file, line, column) triples of a location, innermost first; none if unknown."""
    return [(file, int(line), int(col)) for file, line, col in _FILE.findall(str(location))]


def user_frame(location: ir.Location) -> str:
    """Return `file:line:col` of the innermost frame that is the user's, or `<unknown>`.

    Installed packages are passed over when a frame of the user's is there, and PyTorch's own frames
    when one of another package's is (the model's code, in transformers).
    """
    found = frames(location)
    if not found:
        return "<unknown>"
    for passed_over in (_INSTALLED, _TORCH):
        own = [frame for frame in found if not any(part in frame[0] for part in passed_over)]
        if own:
            break
    file, line, col = (own or found)[0]
    return f"{file}:{line}:{col}" if col else f"{file}:{line}"
