"""Brackets, strings and comments of MLIR text, for readers that look at text before MLIR does."""

from __future__ import annotations

import re
from collections.abc import Iterator

STRING_OR_COMMENT = r'"(?:[^"\\\n]|\\.)*"|//[^\n]*'

# An arrow and a comparison are no brackets.
_TOKEN = re.compile(rf"{STRING_OR_COMMENT}|->|[<>]=|[(\[{{<]|[)\]}}>]|,")
_SPACE = re.compile(r"(?:\s|//[^\n]*)*")


def closing(text: str, start: int) -> int | None:
    """Return where the bracket that opens at `start` closes: the index of the closing one."""
    depth = 0
    for match in _TOKEN.finditer(text, start):
        token = match[0]
        if token in "([{<":
            depth += 1
        elif token in ")]}>":
            depth -= 1
            if depth == 0:
                return match.start()
    return None


def split_commas(text: str) -> Iterator[str]:
    """Yield what stands between the commas that are in no bracket, string or comment."""
    depth = start = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "([{<":
            depth += 1
        elif token in ")]}>":
            depth -= 1
        elif token == "," and depth == 0:
            yield text[start : match.start()]
            start = match.end()
    if text[start:].strip():
        yield text[start:]


def skip_space(text: str, start: int) -> int:
    """Return the index of the first character from `start` on that is no space and no comment."""
    match = _SPACE.match(text, start)
    return match.end() if match else start


def location_end(text: str, at: int) -> int:
    """Return where a `loc(...)` that may follow at `at` ends, and `at` without one."""
    start = skip_space(text, at)
    end = closing(text, start + 3) if text.startswith("loc(", start) else None
    return at if end is None else end + 1


def blank(text: str) -> str:
    """Return as many spaces and newlines as `text` has characters and lines."""
    return re.sub(r"[^\n]", " ", text)
