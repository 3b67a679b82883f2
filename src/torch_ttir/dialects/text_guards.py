"""What is refused in MLIR text before MLIR sees it, since its parser would end the process.

The parser recurses: a few thousand nested brackets, signs or aliases overflow its stack. A blob of
resources that ends early, or with an alignment that memory cannot have, is not checked by it. The
limits are far from both what programs have and what crashes (found by fuzzing, at 8 MiB of stack).
"""

from __future__ import annotations

import re

import numpy as np

from torch_ttir.dialects.brackets import STRING_OR_COMMENT
from torch_ttir.ir.diagnostics import CompileError, error

_DEEPEST = 500
_DEEPEST_ALIAS = 2000
_LARGEST_ALIGNMENT = 1 << 16
_PIECE = 1 << 20

_HIDDEN = re.compile(STRING_OR_COMMENT)
_SIGNS = re.compile(rf"-(?:\s*-){{{_DEEPEST}}}")
_ALIAS = re.compile(r"^[ \t]*([#!][\w.$-]+)\s*=", re.MULTILINE)
_ALIAS_USE = re.compile(r"[#!][\w.$-]+")
_BLOB = re.compile(r'"0x([^"]{0,8})')

_STEPS = np.zeros(256, dtype=np.int8)
_STEPS[list(b"([{<")] = 1
_STEPS[list(b")]}>")] = -1


def check_text(text: str, name: str) -> None:
    """Raise `CompileError` for text that MLIR's parser must not get."""
    if "\0" in text:
        raise _at(text, text.index("\0"), name, "a NUL character, which MLIR text cannot hold")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as fault:
            raise _at(text, fault.start, name, "a character that UTF-8 cannot hold") from None
    resources = text.rfind("{-#")
    if resources >= 0:
        _check_resources(text, resources, name)
    program = text if resources < 0 else text[:resources]
    if sum(program.count(mark) for mark in "([{<-#!") > _DEEPEST:
        _check_nesting(_without_strings(program), name)


def _check_nesting(bare: str, name: str) -> None:
    too_deep = _too_deep(bare)
    if too_deep is not None:
        raise _at(bare, too_deep, name, f"brackets nested more than {_DEEPEST} deep")
    signs = _SIGNS.search(bare)
    if signs is not None:
        raise _at(bare, signs.start(), name, f"more than {_DEEPEST} signs in a row")
    if bare.count("=") > _DEEPEST_ALIAS:
        _check_aliases(bare, name)


def _without_strings(text: str) -> str:
    """Return text without strings and comments, of as many lines."""
    if "//" not in text and "\\" not in text:
        return "".join(text.split('"')[::2])
    return _HIDDEN.sub("", text)


def _at(text: str, index: int, name: str, message: str) -> CompileError:
    line = text.count("\n", 0, index) + 1
    column = index - text.rfind("\n", 0, index)
    return error(message, f"{name}:{line}:{column}")


def _too_deep(bare: str) -> int | None:
    """Return the index of a bracket that is nested too deep, in text without strings."""
    # Arrows and comparisons are no brackets.
    plain = bare.replace("->", "  ").replace(">=", "  ").replace("<=", "  ")
    data = np.frombuffer(plain.encode("latin-1", "replace"), np.uint8)
    depth = 0
    for start in range(0, len(data), _PIECE):
        depths = depth + np.cumsum(_STEPS[data[start : start + _PIECE]], dtype=np.int64)
        if depths.max() > _DEEPEST:
            return start + int(np.argmax(depths > _DEEPEST))
        depth = int(depths[-1])
    return None


def _check_aliases(bare: str, name: str) -> None:
    """Refuse chains of aliases: each that uses another nests its value one deeper."""
    found = list(_ALIAS.finditer(bare))
    if len(found) <= _DEEPEST_ALIAS:
        return
    depths: dict[str, int] = {}
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(bare)
        used = _ALIAS_USE.findall(bare, match.end(), end)
        depth = 1 + max((depths.get(alias, 0) for alias in used), default=0)
        if depth > _DEEPEST_ALIAS:
            raise _at(bare, match.start(1), name, f"aliases nested more than {depth - 1} deep")
        depths[match[1]] = depth


def _check_resources(text: str, start: int, name: str) -> None:
    if text.find("#-}", start) < 0:
        raise _at(text, start, name, "the resource section does not end: the file is truncated")
    for blob in _BLOB.finditer(text, start):
        try:
            alignment = int.from_bytes(bytes.fromhex(blob[1].ljust(8, "x")), "little")
        except ValueError:
            raise _at(text, blob.start(), name, "a resource needs 8 hex digits first") from None
        if alignment.bit_count() != 1 or alignment > _LARGEST_ALIGNMENT:
            message = f"a resource's alignment must be a power of two, not {alignment}"
            raise _at(text, blob.start(), name, message)
