"""Splitting a `ttir.concat` of many types in text: see `ConcatOp` for why the dialect needs it."""

from __future__ import annotations

import itertools
import re

from torch_ttir.dialects.brackets import closing, location_end, skip_space, split_commas

_TENSOR = re.compile(r"\s*tensor<((?:\d+x)*)([A-Za-z]\w*)>\s*")
_RESULT = re.compile(r"(%[\w.$-]+)\s*=\s*$")
_DIM = re.compile(r"\bdim = (-?\d+) : si32\b")
_LONGEST_NAME = 200


def joined(
    text: str, start: int, operands: tuple[int, int], colon: int, attributes: str
) -> tuple[int, int, str] | None:
    """Return where a concat begins and ends, and the ops that do the same; None if it can stay.

    `start` is where its name begins; `operands` are the places of its brackets; `colon` is where
    its types begin; `attributes` is its dictionary. What is not in tt-mlir's form stays as it is.
    """
    signature = _signature(text, colon)
    name = _RESULT.search(text, max(0, start - _LONGEST_NAME), start)
    dim = _DIM.search(attributes)
    if signature is None or name is None or dim is None:
        return None
    types, result, end = signature
    values = [value.strip() for value in split_commas(text[operands[0] + 1 : operands[1]])]
    tensors = [_TENSOR.fullmatch(type_) for type_ in types]
    if len(set(types[1:])) < 2 or len(values) != len(types) or None in tensors:
        return None
    shapes = [[int(size) for size in match[1].split("x")[:-1]] for match in tensors if match]
    element = _TENSOR.fullmatch(result)
    axis = int(dim[1])
    if element is None or len({len(shape) for shape in shapes}) > 1:
        return None
    if not -len(shapes[0]) <= axis < len(shapes[0]):
        return None
    ops: list[str] = []
    value, type_, size = values[0], types[0], shapes[0][axis]
    runs = [list(run) for _, run in itertools.groupby(range(1, len(types)), types.__getitem__)]
    for number, run in enumerate(runs):
        size += sum(shapes[index][axis] for index in run)
        shape = [*shapes[0]]
        shape[axis] = size
        made = "".join(f"{length}x" for length in shape)
        last = number == len(runs) - 1
        target = name[1] if last else f"{_part_name(text)}{start}_{number}"
        to = result if last else f"tensor<{made}{element[2]}>"
        inputs = ", ".join([value, *(values[index] for index in run)])
        inputs_types = ", ".join([type_, *(types[index] for index in run)])
        ops.append(f'{target} = "ttir.concat"({inputs}) {attributes} : ({inputs_types}) -> {to}')
        value, type_ = target, to
    location = text[end : location_end(text, end)]
    lines = "\n" * text.count("\n", name.start(), end)
    return name.start(), end, f"{location} ".join(ops) + lines


def _signature(text: str, colon: int) -> tuple[list[str], str, int] | None:
    """Return the operands' types, the result's, and where `: (types) -> type` ends."""
    start = skip_space(text, colon + 1)
    end = closing(text, start) if text[colon : colon + 1] == ":" and text[start] == "(" else None
    arrow = None if end is None else skip_space(text, end + 1)
    if end is None or arrow is None or text[arrow : arrow + 2] != "->":
        return None
    match = _TENSOR.match(text, arrow + 2)
    if match is None:
        return None
    types = [type_.strip() for type_ in split_commas(text[start + 1 : end])]
    return types, match[0].strip(), arrow + 2 + len(match[0].rstrip())


def _part_name(text: str) -> str:
    name = "%concat_part_"
    while name in text:
        name += "_"
    return name
