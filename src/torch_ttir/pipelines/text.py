"""Pipeline text, `builtin.module(a,func.func(b),c{x=1})`, as a tree of elements."""

from __future__ import annotations

import re
from dataclasses import dataclass

from torch_ttir.ir.diagnostics import CompileError, error

ROOT = "builtin.module"
_NAME = re.compile(r"[A-Za-z0-9_.\-]+")
_CLOSING = {"{": "}", "(": ")", "[": "]"}
_DEEPEST = 32


@dataclass(frozen=True)
class Element:
    """A pass or pipeline `name{options}`, or passes under an op, `name(children)`.

    `options` is the text between the braces; `children` is None for a pass. `column` counts from 1
    in the text that it came from.
    """

    name: str
    options: str = ""
    children: tuple[Element, ...] | None = None
    column: int = 1

    def __str__(self) -> str:
        """Return the element as pipeline text."""
        if self.children is not None:
            return f"{self.name}({','.join(map(str, self.children))})"
        return f"{self.name}{{{self.options}}}" if self.options else self.name


def parse_pipeline(text: str) -> tuple[Element, ...]:
    """Return what stands in `builtin.module(...)`; raises `CompileError` at the faulty column."""
    elements = _Parser(text).parse()
    if len(elements) != 1 or elements[0].name != ROOT or elements[0].children is None:
        raise _fault(text, 1, f"a pass pipeline has the form `{ROOT}(pass,pass,...)`")
    return elements[0].children


def parse_elements(text: str) -> tuple[Element, ...]:
    """Return the elements of a list without the `builtin.module(...)` around it."""
    return _Parser(text).parse()


def shown(text: str) -> str:
    """Return the note that shows the pipeline text of an error, cut to a line's length."""
    return f"the pipeline is `{text if len(text) <= 400 else text[:400] + '...'}`"


class _Parser:
    """A recursive-descent parser; `at` is the index of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def parse(self) -> tuple[Element, ...]:
        elements = self._list(0)
        if self.at < len(self.text):
            raise self._fault(f"`{self.text[self.at]}` is one too many here")
        return elements

    def _list(self, depth: int) -> tuple[Element, ...]:
        self._skip_spaces()
        if self.at == len(self.text) or self.text[self.at] == ")":
            return ()
        elements = [self._element(depth)]
        while self._take(","):
            elements.append(self._element(depth))
        return tuple(elements)

    def _element(self, depth: int) -> Element:
        self._skip_spaces()
        column = self.at + 1
        match = _NAME.match(self.text, self.at)
        if match is None:
            raise self._fault("a pass name is missing here")
        self.at = match.end()
        if self._take("("):
            if depth == _DEEPEST:
                raise self._fault(f"passes are nested more than {_DEEPEST} deep")
            children = self._list(depth + 1)
            if not self._take(")"):
                raise self._fault(f"the `(` of `{match[0]}` is not closed")
            return Element(match[0], children=children, column=column)
        options = self._braces() if self.at < len(self.text) and self.text[self.at] == "{" else ""
        self._skip_spaces()
        if self.at < len(self.text) and self.text[self.at] not in ",)":
            raise self._fault(f"`,` or `)` is missing after `{match[0]}`")
        return Element(match[0], options, column=column)

    def _braces(self) -> str:
        """Return the text between balanced braces, with quotes respected."""
        begin = self.at
        expected: list[str] = []
        quote = ""
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if quote:
                quote = "" if char == quote else quote
            elif char in "'\"":
                quote = char
            elif char in _CLOSING:
                expected.append(_CLOSING[char])
            elif char in _CLOSING.values():
                if char != expected.pop():
                    raise self._fault(f"`{char}` does not close what is open", self.at)
                if not expected:
                    return self.text[begin + 1 : self.at - 1].strip()
        raise self._fault("the `{` is not closed", begin + 1)

    def _take(self, char: str) -> bool:
        self._skip_spaces()
        if self.at < len(self.text) and self.text[self.at] == char:
            self.at += 1
            return True
        return False

    def _skip_spaces(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def _fault(self, message: str, column: int | None = None) -> CompileError:
        return _fault(self.text, column or self.at + 1, message)


def _fault(text: str, column: int, message: str) -> CompileError:
    return error(message, f"pass-pipeline:1:{column}", notes=[shown(text)])
