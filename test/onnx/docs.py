"""The page about ONNX: what becomes of each op, and how ONNX's own backend tests go."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import onnx

from torch_ttir.passes.legalize.all_rules import RULES

_HEAD = """# ONNX

`tt-opt model.onnx --pipeline=onnx-to-ttir` compiles an ONNX model; torch is not needed for it.
Weights become named `parameter` arguments, mapped from the file and never copied. Symbolic
dimensions are set with `--dim batch=1`.

This page is made by `python test/onnx/suite.py --docs docs/onnx.md`, from the table of rules and
from a run of ONNX's own backend tests.
"""
_OPS = ("<!-- ops -->", "<!-- end of ops -->")


def write_page(path: Path, results: Iterable[Any]) -> None:
    """Write the page for results of the whole suite."""
    path.write_text(f"{_HEAD}\n## Backend tests\n\n{cases(list(results))}\n## Ops\n\n{ops()}")


def ops_of_page(path: Path) -> str:
    """Return the part of the page that `ops` makes."""
    text = path.read_text()
    begin, end = (text.index(mark) for mark in _OPS)
    return text[begin:end] + _OPS[1] + "\n"


def ops() -> str:
    """Return the table of all ops of the newest opset, between marks."""
    lines = [_OPS[0], "", "| Op | To TTIR |", "| --- | --- |"]
    for schema in sorted(onnx.defs.get_all_schemas(), key=lambda s: (s.domain, s.name)):
        if not schema.deprecated:
            name = f"{schema.domain}.{schema.name}" if schema.domain else schema.name
            lines.append(f"| {name} | {_route(name, schema)} |")
    return "\n".join([*lines, "", _OPS[1], ""])


def _route(name: str, schema: onnx.defs.OpSchema) -> str:
    if f"onnx.{name}" in RULES:
        return "direct"
    if name in ("If", "Loop", "Scan"):
        return "unrolled, where its course is known"
    if (reason := RULES.rejected.get(f"onnx.{name}")) is not None:
        return f"rejected: {reason}"
    if schema.has_function or schema.has_context_dependent_function:
        return "expanded by its function"
    return "rejected: no rule yet"


def cases(results: list[Any]) -> str:
    """Return the totals, and the cases that are not right by their reasons."""
    plain = [result for result in results if result.plain]
    counts = collections.Counter(result.status for result in results)
    right = sum(result.status == "right" for result in plain)
    lines = [
        f"With onnx {onnx.__version__}: {counts['right']} of {len(results)} cases are right, "
        f"{counts['rejected']} are rejected, and "
        f"{len(results) - counts['right'] - counts['rejected']} fail otherwise. Of the "
        f"{len(plain)} cases whose inputs and outputs are tensors of plain types, {right} are "
        "right.",
        "",
        "| Cases that are not right | Outcome |",
        "| --- | --- |",
    ]
    by_reason: dict[str, list[str]] = {}
    for result in results:
        if result.status != "right":
            reason = result.reason.partition("error: ")[2] or result.reason
            by_reason.setdefault(f"{result.status}: {reason}", []).append(result.case)
    for reason, names in sorted(by_reason.items(), key=lambda item: (-len(item[1]), item[0])):
        shown = ", ".join(name.removeprefix("test_") for name in names)
        lines.append(f"| {shown} | {_cell(reason)} |")
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
