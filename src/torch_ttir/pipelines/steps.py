"""From pipeline text to steps: which pass runs with which options, one after the other."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch_mlir import ir

from torch_ttir.ir.diagnostics import CompileError, Diagnostic, error
from torch_ttir.passes.base import Pass
from torch_ttir.passes.registry import PASSES
from torch_ttir.pipelines import native
from torch_ttir.pipelines.named import PIPELINES
from torch_ttir.pipelines.options import OptionError, parse_options, render_options
from torch_ttir.pipelines.text import ROOT, Element, parse_elements, parse_pipeline, shown


@dataclass(frozen=True)
class PassStep:
    """A pass of ours, made anew from its options whenever the step runs."""

    cls: type[Pass]
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the pass's name."""
        return self.cls.name

    def __str__(self) -> str:
        """Return the step as pipeline text."""
        options = render_options(self.cls, self.values)
        return f"{self.name}{{{options}}}" if options else self.name


@dataclass(frozen=True)
class NativeStep:
    """A native pass or pipeline, as text with the ops that it runs on around it."""

    name: str
    text: str

    def __str__(self) -> str:
        """Return the step as pipeline text."""
        return self.text


Step = PassStep | NativeStep


def steps_of_text(text: str, context: ir.Context) -> list[Step]:
    """Return the steps of `builtin.module(...)`; raises `CompileError` with every fault of it."""
    return _resolve(text, parse_pipeline(text), context)


def steps_of_name(name: str, context: ir.Context) -> list[Step]:
    """Return the steps of a named pipeline; raises `CompileError` for an unknown one."""
    if name not in PIPELINES:
        raise CompileError(
            [Diagnostic(f"there is no pipeline `{name}`{_near(name, PIPELINES)}")],
            [f"the pipelines are {_listed(PIPELINES)}"],
        )
    return _resolve("", (Element(name),), context)


def steps_of_flag(name: str, options: str, context: ir.Context) -> list[Step]:
    """Return the steps of `--name=options`; puts a native pass under the op that it runs on."""
    element = Element(name, options)
    if len(parse_elements(str(element))) != 1:
        raise error(f"the options of `{name}` close a brace that they do not open: `{options}`")
    if native.parse_fault(str(element), context) and name not in PASSES and name not in PIPELINES:
        nested = Element("func.func", children=(element,))
        if native.parse_fault(str(nested), context) is None:
            element = nested
    return _resolve("", (element,), context)


def steps_text(steps: Iterable[Step]) -> str:
    """Return steps as the text of one pipeline, which runs the same passes."""
    return f"{ROOT}({','.join(map(str, steps))})"


def _resolve(text: str, elements: Sequence[Element], context: ir.Context) -> list[Step]:
    resolver = _Resolver(text, context)
    steps = resolver.steps(elements, ())
    if resolver.faults:
        raise CompileError(resolver.faults, resolver.notes())
    return steps


class _Resolver:
    """Looks names up and collects the faults of all elements."""

    def __init__(self, text: str, context: ir.Context) -> None:
        self.text = text
        self.context = context
        self.faults: list[Diagnostic] = []
        self.unknown = False

    def notes(self) -> list[str]:
        pipeline = [shown(self.text)] if self.text else []
        if not self.unknown:
            return pipeline
        return [
            *pipeline,
            f"the passes are {_listed(PASSES)}",
            f"the pipelines are {_listed(PIPELINES)}",
            f"of MLIR's own there are {_listed([*native.NATIVE_PASSES, *native.NATIVE_PIPELINES])}",
        ]

    def steps(self, elements: Sequence[Element], anchors: tuple[str, ...]) -> list[Step]:
        return [step for element in elements for step in self.step(element, anchors)]

    def step(self, element: Element, anchors: tuple[str, ...]) -> list[Step]:
        name = element.name
        if element.children is not None:
            if name != "any" and not self.context.is_registered_operation(name):
                return self.fail(element, f"`{name}` is not an op that passes can run on")
            return self.steps(element.children, (*anchors, name))
        if name in PASSES or name in PIPELINES:
            if anchors:
                return self.fail(element, f"`{name}` runs on `{ROOT}`, not under `{anchors[-1]}`")
            return self.own(element)
        if not native.is_native(name, self.context):
            self.unknown = True
            known = [*PASSES, *PIPELINES, *native.NATIVE_PASSES, *native.NATIVE_PIPELINES]
            return self.fail(element, f"there is no pass or pipeline `{name}`{_near(name, known)}")
        if name in native.NATIVE_PIPELINES and any(anchor != ROOT for anchor in anchors):
            return self.fail(element, f"`{name}` runs on `{ROOT}`, not under `{anchors[-1]}`")
        text = str(element)
        for anchor in reversed(anchors):
            text = f"{anchor}({text})"
        reason = native.parse_fault(text, self.context)
        if reason is not None:
            return self.fail(element, f"MLIR does not take `{text}`: {reason}")
        return [NativeStep(name, text)]

    def own(self, element: Element) -> list[Step]:
        name = element.name
        if name in PASSES:
            try:
                return [PassStep(PASSES[name], parse_options(PASSES[name], element.options))]
            except OptionError as reason:
                return self.fail(element, str(reason))
        if element.options:
            return self.fail(element, f"pipeline `{name}` has no options")
        parts = [part for text in PIPELINES[name].elements for part in parse_elements(text)]
        return self.steps(parts, ())

    def fail(self, element: Element, message: str) -> list[Step]:
        location = f"pass-pipeline:1:{element.column}" if self.text else ""
        self.faults.append(Diagnostic(message, location))
        return []


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean `{near[0]}`?" if near else ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
