"""Configurations of end-to-end suites: the same programs, run in several ways.

They have the two methods of torch-mlir's end-to-end suite, so that its programs run with them as
they are: `compile(program)` and `run(artifact, trace)`, where a trace is a list of items with a
`symbol` (the method that is called), `inputs` and `output`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils import _pytree as pytree

from torch_ttir.compiler import compile
from torch_ttir.program import Program


class EagerConfig:
    """PyTorch itself: what the others are compared with."""

    def compile(self, program: torch.nn.Module, verbose: bool = False) -> Any:
        """Return the program, which is run as it is."""
        return program

    def run(self, artifact: Any, trace: Sequence[Any]) -> list[Any]:
        """Call the items' methods on copies of their inputs; returns items with the outputs."""
        results = []
        for item in trace:
            inputs = _copied(item.inputs)
            results.append(_answered(item, getattr(artifact, item.symbol)(*inputs)))
        return results


@dataclass
class Artifact:
    """A program, and what it was compiled to for each method and each kind of inputs."""

    program: torch.nn.Module
    compiled: dict[Any, Program] = field(default_factory=dict)


class TTIRConfig:
    """The whole pipeline to TTIR, run on the reference interpreter."""

    pipeline = "torch-to-ttir"

    def compile(self, program: torch.nn.Module, verbose: bool = False) -> Artifact:
        """Return the program, to be compiled when the shapes of its inputs are known.

        `verbose` is there for the interface's sake: `--mlir-print-ir-after-all` of `tt-opt` shows
        how a program is compiled.
        """
        return Artifact(program)

    def run(self, artifact: Artifact, trace: Sequence[Any]) -> list[Any]:
        """Call the items' methods on copies of their inputs; returns items with the outputs.

        State that a program writes carries over from an item to the next of the same shapes.
        Raises `CompileError` for what TTIR cannot say.
        """
        results = []
        for item in trace:
            inputs = _copied(item.inputs)
            key = (item.symbol, *map(_kind, pytree.tree_leaves(list(inputs))))
            if key not in artifact.compiled:
                model = _method(artifact.program, item.symbol)
                artifact.compiled[key] = compile(model, tuple(inputs), pipeline=self.pipeline)
            with torch.no_grad():
                results.append(_answered(item, artifact.compiled[key](*inputs)))
        return results


class TorchDialectConfig(TTIRConfig):
    """The Torch dialect after functionalization, run through PyTorch's operators."""

    pipeline = "builtin.module(verify-ops,functionalize-inplace-ops)"


CONFIGS = {"eager": EagerConfig, "torch-dialect": TorchDialectConfig, "ttir": TTIRConfig}
"""By name, from PyTorch to TTIR: the first that disagrees shows where an answer turns wrong."""


class _Method(torch.nn.Module):
    """A method of a module as a module's `forward`."""

    def __init__(self, owner: torch.nn.Module, name: str) -> None:
        super().__init__()
        self.owner = owner
        self.name = name

    def forward(self, *inputs: Any) -> Any:
        return getattr(self.owner, self.name)(*inputs)


def _method(program: torch.nn.Module, name: str) -> torch.nn.Module:
    return program if name == "forward" else _Method(program, name)


def _copied(inputs: Sequence[Any]) -> list[Any]:
    """Return the inputs, tensors cloned: what a program writes into them is its own."""
    return list(
        pytree.tree_map(
            lambda leaf: leaf.clone() if isinstance(leaf, torch.Tensor) else copy.copy(leaf),
            list(inputs),
        )
    )


def _kind(leaf: Any) -> Any:
    if isinstance(leaf, torch.Tensor):
        return leaf.dtype, tuple(leaf.shape), tuple(leaf.stride())
    return type(leaf), leaf


def _answered(item: Any, output: Any) -> Any:
    """Return an item like `item` with another output."""
    if hasattr(item, "_replace"):
        return item._replace(output=output)
    return type(item)(symbol=item.symbol, inputs=item.inputs, output=output)
