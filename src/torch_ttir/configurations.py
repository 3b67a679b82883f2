"""Named ways to run a PyTorch module, by which a suite sees the stage where an answer turns wrong.

`TTIRConfig` has the interface of a configuration of torch-mlir's end-to-end suite: a program is
compiled without inputs, then run on a trace, a list of items with `symbol`, `inputs` and `output`.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from torch_ttir.compiler import compile
from torch_ttir.program import Program

CONFIGURATIONS: dict[str, str | None] = {
    "eager": None,
    "torch-dialect": "builtin.module(functionalize-inplace-ops)",
    "ttir": "torch-to-ttir",
}
"""The pipeline of each configuration; None runs the module itself."""


class Artifact:
    """A module of its own, with its methods compiled for the shapes of the inputs they were given.

    The module's buffers are the state of all of them, as they are of its methods.
    """

    def __init__(self, program: torch.nn.Module, pipeline: str | None) -> None:
        """Copy `program`, so that its state is this artifact's alone."""
        self._module = copy.deepcopy(program)
        self._pipeline = pipeline
        self._compiled: dict[Any, Program] = {}

    def call(self, symbol: str, inputs: Sequence[Any]) -> Any:
        """Return what a method returns; raises `CompileError` for what cannot be compiled."""
        inputs = tuple(inputs)
        if self._pipeline is None:
            with torch.no_grad():
                return getattr(self._module, symbol)(*inputs)
        key = (symbol, *map(_key, pytree.tree_leaves(inputs)))
        if key not in self._compiled:
            self._compiled[key] = self._compile(symbol, inputs, self._pipeline)
        return self._compiled[key](*inputs)

    def _compile(self, symbol: str, inputs: tuple[Any, ...], pipeline: str) -> Program:
        if symbol == "forward":
            return compile(self._module, inputs, pipeline=pipeline)
        # An export starts at `forward`; an attribute of the instance goes before the class's.
        self._module.forward = getattr(self._module, symbol)
        try:
            return compile(self._module, inputs, pipeline=pipeline)
        finally:
            del self._module.forward


class TTIRConfig:
    """Compiles and runs programs in one of `CONFIGURATIONS`."""

    def __init__(self, configuration: str = "ttir") -> None:
        """Run in the named configuration; raises `KeyError` for an unknown one."""
        self.pipeline = CONFIGURATIONS[configuration]

    def compile(self, program: torch.nn.Module, verbose: bool = False) -> Artifact:
        """Return the program ready to be run; `verbose` prints the module that it is."""
        if verbose:
            print(program)
        return Artifact(program, self.pipeline)

    def run(self, artifact: Artifact, trace: Sequence[Any]) -> list[Any]:
        """Return the trace with the outputs that the artifact gives; `trace` is not changed."""
        return [
            type(item)(
                symbol=item.symbol,
                inputs=item.inputs,
                output=artifact.call(item.symbol, copy.deepcopy(item.inputs)),
            )
            for item in trace
        ]


def _key(leaf: Any) -> Any:
    return (leaf.shape, leaf.dtype) if isinstance(leaf, torch.Tensor) else repr(leaf)
