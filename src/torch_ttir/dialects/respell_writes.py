"""In-place ops on value tensors, as torch-mlir's FX importer makes them, as valid IR.

The registered ops are for `!torch.tensor` only, so that MLIR reads no text that has them on value
tensors. `torch.operator` may hold them, as our importers' modules do:

    "torch.aten.add_.Tensor"(%0, %1, %2) : (...) -> T
      =>  "torch.operator"(%0, %1, %2) <{name = "torch.aten.add_.Tensor"}> : (...) -> T
    torch.aten.add_.Tensor %0, %1, %2 : T, U, !torch.int -> T
      =>  torch.operator "torch.aten.add_.Tensor"(%0, %1, %2) : (T, U, !torch.int) -> T

Strings and comments are left alone. No line is added or removed.
"""

from __future__ import annotations

import re

from torch_ttir.dialects.brackets import STRING_OR_COMMENT, closing, skip_space

_NAME = r"torch\.(?:aten|prims)\.(?:\w*[^\W_]_|__i(?:and|or|xor|lshift|rshift)__)(?:\.\w+)?"
_ANY = re.compile(_NAME)
_SCAN = re.compile(
    rf'torch\.operator\s+"(?:[^"\\\n]|\\.)*"|(?P<generic>"{_NAME}")(?=\s*\()'
    rf"|(?<![\w.$#!@%-])(?P<custom>{_NAME})(?=\s+%)|{STRING_OR_COMMENT}"
)
_VALUE = "!torch.vtensor"


def respell_writes(text: str) -> str:
    """Return `text` with in-place ops on value tensors held in `torch.operator`."""
    if not _ANY.search(text):
        return text
    parts: list[str] = []
    done = 0
    for match in _SCAN.finditer(text):
        found = None
        if match["generic"]:
            found = _generic(text, match)
        elif match["custom"]:
            found = _custom(text, match)
        if found is not None:
            end, new = found
            parts += (text[done : match.start()], new)
            done = end
    return "".join([*parts, text[done:]])


def _generic(text: str, match: re.Match[str]) -> tuple[int, str] | None:
    """Return where the operands end, and what stands for all up to there."""
    end = closing(text, skip_space(text, match.end()))
    if end is None:
        return None
    at = skip_space(text, end + 1)
    if text[at : at + 1] == "{":
        last = closing(text, at)
        at = at if last is None else skip_space(text, last + 1)
    types = skip_space(text, at + 1)
    if text[at : at + 1] != ":" or not text.startswith(_VALUE, skip_space(text, types + 1)):
        return None
    operands = text[match.end() : end + 1]
    return end + 1, f'"torch.operator"{operands} <{{name = {match["generic"]}}}>'


def _custom(text: str, match: re.Match[str]) -> tuple[int, str] | None:
    """Return where the operands' types end, and what stands for all up to there."""
    colon = re.compile(r"[^:{]*").match(text, match.end())
    if colon is None:
        return None
    operands, at = colon[0], colon.end()
    attributes = ""
    if text[at : at + 1] == "{":
        last = closing(text, at)
        if last is None:
            return None
        attributes = text[at : last + 1] + " "
        at = skip_space(text, last + 1)
    arrow = text.find("->", at)
    types = text[at + 1 : arrow]
    if text[at : at + 1] != ":" or arrow < 0 or not types.lstrip().startswith(_VALUE):
        return None
    held = f'torch.operator "{match["custom"]}"({operands.strip()}) {attributes}'
    return arrow, f"{held}: ({types.strip()}) "
