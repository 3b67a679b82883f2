"""A pass's options as text, `key=value key=a,b flag`, and as the fields of its dataclass."""

from __future__ import annotations

import dataclasses
import types
import typing
from typing import Any

from torch_ttir.passes.base import Pass


class OptionError(Exception):
    """An option that a pass does not have, or a value that it does not take."""


def parse_options(cls: type[Pass], text: str) -> dict[str, Any]:
    """Return the fields of `cls` that `text` sets; raises `OptionError` for the first fault.

    The spelling is MLIR's: pairs divided by spaces, values with spaces in quotes or braces, lists
    by commas. A bool without a value is true, and the last of two values counts.
    """
    fields = cls.options()
    hints = typing.get_type_hints(cls)
    values: dict[str, Any] = {}
    for key, value in _split(text):
        if key not in fields:
            raise OptionError(_unknown(cls, key))
        field = fields[key]
        try:
            values[field.name] = _read(hints[field.name], value)
        except ValueError:
            found = "nothing" if value is None else f"`{value}`"
            wanted = spelling(hints[field.name])
            raise OptionError(
                f"option `{key}` of pass `{cls.name}` takes {wanted}, not {found}"
            ) from None
    return values


def render_options(cls: type[Pass], values: dict[str, Any]) -> str:
    """Return the options that `values` sets away from their defaults, as `parse_options` reads."""
    parts = []
    for key, field in cls.options().items():
        value = values.get(field.name, field.default)
        if value != field.default:
            parts.append(f"{key}={_write(value)}")
    return " ".join(parts)


def describe_options(cls: type[Pass]) -> list[tuple[str, str, str]]:
    """Return each option's key, type and default, as `--list-passes` shows them."""
    hints = typing.get_type_hints(cls)
    return [
        (key, spelling(hints[field.name]), _write(default_of(field)))
        for key, field in cls.options().items()
    ]


def default_of(field: dataclasses.Field[Any]) -> Any:
    """Return the default of an option field."""
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def spelling(hint: Any) -> str:
    """Return an option's type in words: `an integer`, `a list of strings`, `on or off`."""
    hint = _without_none(hint)
    if typing.get_origin(hint) is typing.Literal:
        return "one of " + ", ".join(map(str, typing.get_args(hint)))
    if typing.get_origin(hint) in (tuple, list, frozenset):
        return "a list of " + _WORDS[typing.get_args(hint)[0]][1]
    return _WORDS[hint][0]


_WORDS: dict[Any, tuple[str, str]] = {
    bool: ("true or false", "truth values"),
    int: ("an integer", "integers"),
    float: ("a number", "numbers"),
    str: ("a string", "strings"),
}


def _without_none(hint: Any) -> Any:
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return next(arg for arg in typing.get_args(hint) if arg is not type(None))
    return hint


def _read(hint: Any, text: str | None) -> Any:
    """Return the value of type `hint` that `text` spells; raises `ValueError` if it spells none."""
    hint = _without_none(hint)
    if hint is bool:
        return _choose({None: True, "true": True, "1": True, "false": False, "0": False}, text)
    if text is None:
        raise ValueError
    if typing.get_origin(hint) is typing.Literal:
        return _choose({str(choice): choice for choice in typing.get_args(hint)}, text)
    if typing.get_origin(hint) in (tuple, list, frozenset):
        element = typing.get_args(hint)[0]
        items = [_read(element, item) for item in text.split(",")] if text else []
        return typing.get_origin(hint)(items)
    return hint(text)


def _choose(choices: dict[Any, Any], text: str | None) -> Any:
    if text not in choices:
        raise ValueError
    return choices[text]


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list, frozenset)):
        value = ",".join(map(_write, value))
    text = str(value)
    return f'"{text}"' if " " in text else text


def _split(text: str) -> list[tuple[str, str | None]]:
    """Split at spaces that are in no quotes and no braces; drop the quotes around a value."""
    words: list[str] = []
    quote, depth, word = "", 0, ""
    for char in text + " ":
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in "{([":
            depth += 1
        elif char in "})]":
            depth -= 1
        if char.isspace() and not quote and depth == 0:
            if word:
                words.append(word)
            word = ""
        else:
            word += char
    if word.strip():
        words.append(word.strip())
    pairs: list[tuple[str, str | None]] = []
    for word in words:
        key, equals, value = word.partition("=")
        if (
            len(value) > 1
            and value[0] in "'\"{"
            and value[-1] == {"{": "}"}.get(value[0], value[0])
        ):
            value = value[1:-1]
        pairs.append((key, value if equals else None))
    return pairs


def _unknown(cls: type[Pass], key: str) -> str:
    known = list(cls.options())
    if not known:
        return f"pass `{cls.name}` has no options, so no `{key}`"
    options = ", ".join(f"`{option}`" for option in known)
    return f"pass `{cls.name}` has no option `{key}`; its options are {options}"
