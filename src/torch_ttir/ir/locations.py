"""Locations as users read them: their own line, not the innermost frame of a library."""

from __future__ import annotations

import re

from torch_mlir import ir

_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_LIBRARY = ("/site-packages/", "/dist-packages/", "/torch/nn/", "/torch/_")


def frames(location: ir.Location) -> list[tuple[str, int, int]]:
    """Return the (file, line, column) triples of a location, innermost first; none if unknown."""
    return [(file, int(line), int(col)) for file, line, col in _FILE.findall(str(location))]


def user_frame(location: ir.Location) -> str:
    """Return `file:line:col` of the innermost frame that is not a library's, or `<unknown>`.

    Torch's and transformers' own frames are passed over when a frame of the user's is there.
    """
    found = frames(location)
    own = [frame for frame in found if not any(part in frame[0] for part in _LIBRARY)]
    if not found:
        return "<unknown>"
    file, line, col = (own or found)[0]
    return f"{file}:{line}:{col}" if col else f"{file}:{line}"
