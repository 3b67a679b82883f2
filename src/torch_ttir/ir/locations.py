"""Locations as users read them: their own line, not the innermost frame of a library."""

from __future__ import annotations

import re

from torch_mlir import ir

_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')
# Code that FX generates has a name like `<eval_with_key>.3` where a file has its path.
_TORCH = ("/torch/nn/", "/torch/_", "/torch/functional.py", "/torch/utils/", "<eval_with_key>")
_INSTALLED = ("/site-packages/", "/dist-packages/", *_TORCH)


def frames(location: ir.Location) -> list[tuple[str, int, int]]:
    """Return the (file, line, column) triples of a location, innermost first; none if unknown."""
    return [(file, int(line), int(col)) for file, line, col in _FILE.findall(str(location))]


def user_frame(location: ir.Location) -> str:
    """Return `file:line:col` of the innermost frame that is the user's.

    Where there is no frame, the innermost name (of a module, a node or an argument); `<unknown>`
    without that.
    """
    text = str(location)
    found = frames(location)
    if found:
        return nearest_frame(found)
    names = _NAME.findall(text)
    return names[-1] if names else "<unknown>"


def nearest_frame(found: list[tuple[str, int, int]]) -> str:
    """Return `file:line:col` of the user's frame among some, innermost first and at least one.

    Installed packages are passed over when a frame of the user's is there, and PyTorch's own frames
    when one of another package's is (the model's code, in transformers).
    """
    for passed_over in (_INSTALLED, _TORCH):
        own = [frame for frame in found if not any(part in frame[0] for part in passed_over)]
        if own:
            break
    file, line, col = (own or found)[0]
    if not line:
        return file
    return f"{file}:{line}:{col}" if col else f"{file}:{line}"
