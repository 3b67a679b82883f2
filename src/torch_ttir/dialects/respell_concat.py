"""Splitting a `ttir.concat` of many types in text: see `ConcatOp` for why the dialect needs it."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from torch_ttir.dialects.brackets import closing, location_end, skip_space, split_commas

_TENSOR = re.compile(r"\s*tensor<((?:\d{1,18}x)*)([A-Za-z]\w*)>\s*")
_RESULT = re.compile(r"(%[\w.$-]+)\s*=\s*$")
_DIM = re.compile(r"\bdim = (-?\d{1,9}) : si32\b")
_LONGEST_NAME = 200


class _Concat(NamedTuple):
    """What the text of a concat says."""

    attributes: str
    axis: int
    values: list[str]
    types: list[str]
    shapes: list[list[int]]
    result: str
    location: str


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
    shapes = [_shape(type_) for type_ in types]
    known = [shape for shape in shapes if shape is not None and len(shape) == len(shapes[0] or [])]
    axis = int(dim[1])
    if len(set(types[1:])) < 2 or not len(values) == len(types) == len(known):
        return None
    if not -len(known[0]) <= axis < len(known[0]):
        return None
    location = text[end : location_end(text, end)]
    concat = _Concat(attributes, axis, values, types, known, result, location)
    lines = "\n" * text.count("\n", name.start(), end)
    return name.start(), end, _ops(concat, name[1], f"{_part_name(text)}{start}_") + lines


def _ops(concat: _Concat, name: str, part: str) -> str:
    """Join the first operand with each run of operands of one type, one op a run."""
    places = range(1, len(concat.types))
    runs = [list(run) for _, run in itertools.groupby(places, concat.types.__getitem__)]
    element = concat.result.rstrip("> ").split("<")[1].split("x")[-1]
    value, type_ = concat.values[0], concat.types[0]
    shape = [*concat.shapes[0]]
    ops: list[str] = []
    for number, run in enumerate(runs):
        shape[concat.axis] += sum(concat.shapes[place][concat.axis] for place in run)
        inputs = ", ".join([value, *(concat.values[place] for place in run)])
        types = ", ".join([type_, *(concat.types[place] for place in run)])
        value, type_ = f"{part}{number}", f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"
        if number == len(runs) - 1:
            value, type_ = name, concat.result
        op = f'{value} = "ttir.concat"({inputs}) {concat.attributes} : ({types}) -> {type_}'
        ops.append(op)
    return f"{concat.location} ".join(ops)


def _shape(type_: str) -> list[int] | None:
    match = _TENSOR.fullmatch(type_)
    return [int(size) for size in match[1].split("x")[:-1]] if match else None


def _signature(text: str, colon: int) -> tuple[list[str], str, int] | None:
    """Return the operands' types, the result's, and where `: (types) -> type` ends."""
    start = skip_space(text, colon + 1)
    if text[colon : colon + 1] != ":" or text[start : start + 1] != "(":
        return None
    end = closing(text, start)
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
