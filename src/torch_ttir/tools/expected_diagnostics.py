"""`--verify-diagnostics`: errors held against `expected-error {{...}}` comments in the input."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from torch_ttir.ir.diagnostics import CompileError, Diagnostic

_EXPECTED = re.compile(
    r"expected-(?P<kind>error|warning|remark|note)(?P<regex>-re)?"
    r" *(?:@(?P<place>[+-]\d+|above|below|unknown))? *\{\{(?P<text>.*)\}\}"
)


@dataclass(frozen=True)
class Produced:
    """A diagnostic as it is compared: `line` is None outside of the input or if not known."""

    kind: str
    line: int | None
    message: str
    where: str = ""


@dataclass(frozen=True)
class Expected:
    """What a comment in the input expects; `at` is the comment's own line."""

    kind: str
    line: int | None
    text: str
    is_regex: bool
    at: int

    def matches(self, produced: Produced) -> bool:
        """Say whether `produced` is what is expected."""
        if self.kind != produced.kind or self.line != produced.line:
            return False
        if self.is_regex:
            return re.search(_pattern(self.text), produced.message) is not None
        return self.text in produced.message


def produced_by(fault: CompileError, name: str) -> list[Produced]:
    """Return the errors and notes of a fault in the input `name`; notes stand at their error."""
    found = []
    for diagnostic in fault.diagnostics:
        line = line_in(diagnostic.location, name)
        message = (
            f"'{diagnostic.op}': {diagnostic.message}" if diagnostic.op else diagnostic.message
        )
        found.append(Produced("error", line, message, diagnostic.location))
        found += [Produced("note", line, note) for note in diagnostic.notes]
    return found + [Produced("note", None, note) for note in fault.notes]


def line_in(location: str, name: str) -> int | None:
    """Return the line of a location `file:line:col` if it is in the input `name`, else None."""
    match = re.fullmatch(r"(.*?):(\d+)(?::\d+)?", location)
    return int(match[2]) if match is not None and match[1] == name else None


def check(text: str, name: str, produced: list[Produced], *, only_expected: bool) -> None:
    """Raise `CompileError` for what `text` expects and is not there, and the other way round.

    Notes may be there without being expected, and with `only_expected` everything may.
    """
    open_ones = list(_expectations(text))
    faults = []
    for item in produced:
        match = next((expected for expected in open_ones if expected.matches(item)), None)
        if match is not None:
            open_ones.remove(match)
        elif item.kind != "note" and not only_expected:
            faults.append(Diagnostic(f"unexpected {item.kind}: {item.message}", item.where or name))
    for expected in open_ones:
        message = f'expected {expected.kind} "{expected.text}" was not produced'
        faults.append(Diagnostic(message, f"{name}:{expected.at}"))
    if faults:
        raise CompileError(faults)


def _expectations(text: str) -> Iterator[Expected]:
    lines = text.splitlines()
    plain = [number for number, line in enumerate(lines, 1) if not _EXPECTED.search(line)]
    for number, line in enumerate(lines, 1):
        for match in _EXPECTED.finditer(line):
            place = match["place"]
            target: int | None = number
            if place == "above":
                target = max((n for n in plain if n < number), default=None)
            elif place == "below":
                target = min((n for n in plain if n > number), default=None)
            elif place == "unknown":
                target = None
            elif place is not None:
                target = number + int(place)
            yield Expected(match["kind"], target, match["text"], bool(match["regex"]), number)


def _pattern(text: str) -> str:
    """Return the pattern of an `-re` text: what stands in `{{...}}` is one, the rest is literal."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return "".join(part if odd % 2 else re.escape(part) for odd, part in enumerate(parts))
