"""Spelling what tt-mlir prints as MLIR's generic form has it, line by line where it was.

tt-mlir prints inherent attributes in `<{...}>`, and three ops in forms of their own. The TTIR
dialect here is declared from Python, so that MLIR can parse neither. What is respelled:

    "ttir.sum"(%0) <{keep_dim = true}> {a = 1}  =>  "ttir.sum"(%0) {keep_dim = true, a = 1}
    ttcore.load_cached(@f, [%a])                =>  "ttcore.load_cached"(%a) {callee = @f}
    ttir.empty() : T                            =>  "ttir.empty"() : () -> T
    module { ttcore.device_module { builtin.module { ... } } }  =>  builtin.module { ... }
    "ttir.concat"(%a, %b, %c)  =>  two ops, where the types of %b and %c differ (see `ConcatOp`)

In-place ops that torch-mlir has put on value tensors are in `respell_writes`.

Strings and comments are left alone. No line is added or removed, so that locations stay true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from torch_ttir.dialects.brackets import (
    STRING_OR_COMMENT,
    blank,
    closing,
    location_end,
    skip_space,
    split_commas,
)
from torch_ttir.dialects.respell_concat import joined
from torch_ttir.dialects.respell_writes import respell_writes

# One of these is in every text that needs respelling.
_MARKS = ("<{", "ttcore.load_cached", "ttir.empty", "ttcore.device_module", '"ttir.concat"')

_NOT_IN_A_NAME = r"(?<![\w.$#!@%-])"
_SCAN = re.compile(
    rf"{_NOT_IN_A_NAME}(?P<custom>ttcore\.load_cached|ttir\.empty)(?=\s*\()"
    rf'|(?P<generic>"tt(?:ir|core)\.\w+")(?=\s*\()|{STRING_OR_COMMENT}'
)
_CACHED = re.compile(r'\s*\(\s*(@(?:[\w.$-]+|"(?:[^"\\]|\\.)*"))\s*,\s*\[([^\]]*)\]\s*\)')
_NO_OPERANDS = re.compile(r"\s*\(\s*\)")
_KEY = re.compile(r'\s*(?://[^\n]*\s*)*(?:"((?:[^"\\]|\\.)*)"|([\w.$-]+))')
_WRAPPER = re.compile(r"^module\b[^\n]*?(\{)\s*ttcore\.device_module\s*(\{)", re.MULTILINE)
_DEVICE = re.compile(r"ttcore\.device\s+@[\w.$-]+\s*=\s*(<)")


class Edit(NamedTuple):
    """`text` in the place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


def respell(text: str) -> str:
    """Return `text` in spellings that MLIR parses here; the same object if nothing needs it."""
    text = respell_writes(text)
    if not any(mark in text for mark in _MARKS):
        return text
    if "ttcore.device_module" in text:
        text = _unwrap(text)
    edits: list[Edit] = []
    for match in _SCAN.finditer(text):
        if match["custom"] == "ttcore.load_cached":
            edits += _load_cached(text, match)
        elif match["custom"]:
            edits += _empty(text, match)
        elif match["generic"]:
            edits += _generic(text, match)
    return _apply(text, edits)


def _apply(text: str, edits: list[Edit]) -> str:
    parts: list[str] = []
    done = 0
    for edit in edits:
        parts += (text[done : edit.start], edit.text)
        done = edit.end
    return "".join([*parts, text[done:]]) if edits else text


def _load_cached(text: str, match: re.Match[str]) -> Iterator[Edit]:
    call = _CACHED.match(text, match.end())
    if call is None:
        return
    lines = "\n" * (call[0].count("\n") - call[2].count("\n"))
    yield Edit(match.start(), match.end(), '"ttcore.load_cached"')
    # A dictionary that follows takes the callee in.
    at = skip_space(text, call.end())
    if text[at : at + 1] == "{":
        yield Edit(match.end(), call.end(), f"({call[2]}){lines} ")
        separator = "" if text[skip_space(text, at + 1)] == "}" else ","
        yield Edit(at, at + 1, f"{{callee = {call[1]}{separator} ")
    else:
        yield Edit(match.end(), call.end(), f"({call[2]}){lines} {{callee = {call[1]}}}")


def _empty(text: str, match: re.Match[str]) -> Iterator[Edit]:
    operands = _NO_OPERANDS.match(text, match.end())
    if operands is None:
        return
    at = skip_space(text, operands.end())
    if text[at : at + 1] == "{":
        end = closing(text, at)
        at = at if end is None else skip_space(text, end + 1)
    if text[at : at + 1] == ":":
        yield Edit(match.start(), match.end(), '"ttir.empty"')
        yield Edit(at, at + 1, ": () ->")


def _generic(text: str, match: re.Match[str]) -> Iterator[Edit]:
    """Respell `"ttir.op"(operands) <{properties}> {attributes}`, of which all else is optional."""
    operands = skip_space(text, match.end())
    end = closing(text, operands)
    if end is None:
        return
    at = skip_space(text, end + 1)
    edits: list[Edit] = []
    if text.startswith("<{", at):
        properties = closing(text, at)
        if properties is None:
            return
        edits += _properties(text, at, properties + 1)
        at = skip_space(text, properties + 1)
    if match["generic"] == '"ttir.concat"':
        last = closing(text, at) if text[at : at + 1] == "{" else None
        colon = at if last is None else skip_space(text, last + 1)
        here = [Edit(start - end - 1, stop - end - 1, new) for start, stop, new in edits]
        attributes = _apply(text[end + 1 : colon], here).strip()
        found = joined(text, match.start(), (operands, end), colon, attributes)
        if found is not None:
            edits = [Edit(*found)]
    yield from edits


def _properties(text: str, start: int, end: int) -> Iterator[Edit]:
    """Respell `<{...}>` from `start` to `end`, and merge it with the dictionary that follows."""
    inner = text[start + 2 : end - 2]
    at = skip_space(text, end)
    last = closing(text, at) if text[at : at + 1] == "{" else None
    if last is None:
        yield Edit(start, start + 2, " {")
        yield Edit(end - 2, end, "} ")
        return
    taken = {_key(entry) for entry in split_commas(inner)}
    others = text[at + 1 : last]
    # In tt-mlir the properties win over the dictionary.
    kept = ",".join(entry for entry in split_commas(others) if _key(entry) not in taken)
    kept += "\n" * (others.count("\n") - kept.count("\n"))
    yield Edit(start, start + 2, " {")
    yield Edit(end - 2, end, ", " if taken and kept.strip() else "  ")
    yield Edit(at, last, " " + kept)


def _unwrap(text: str) -> str:
    """Blank what wraps the program's module for a device, and that device's description."""
    match = _WRAPPER.search(text)
    outer = closing(text, match.start(1)) if match else None
    inner = closing(text, match.start(2)) if match else None
    if match is None or outer is None or inner is None:
        return text
    after = location_end(text, inner + 1)
    if skip_space(text, after) != outer:
        return text
    body = text[match.end() : inner]
    for device in reversed(list(_DEVICE.finditer(body))):
        end = closing(body, device.start(1))
        if end is not None:
            end = location_end(body, end + 1)
            body = body[: device.start()] + blank(body[device.start() : end]) + body[end:]
    last = location_end(text, outer + 1)
    parts = (text[: match.start()], blank(match[0]), body, blank(text[inner:last]), text[last:])
    return "".join(parts)


def _key(entry: str) -> str:
    match = _KEY.match(entry)
    return (match[1] or match[2]) if match else ""
