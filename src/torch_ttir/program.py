"""A compiled program: its module and its parameters, and how to call, save and load it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch_mlir import ir

from torch_ttir.calls import expect_apart, flatten_inputs, restore_outputs, separate
from torch_ttir.importers.program import Signature
from torch_ttir.interpreters.const_eval import ConstEvalCache, storages
from torch_ttir.interpreters.dtypes import to_torch
from torch_ttir.interpreters.runner import load_function
from torch_ttir.ir.diagnostics import error

ENTRY = "main"


class Program:
    """A model as a module of any stage, run by the reference interpreters as the model would be.

    `module` is the MLIR module and `signature` says how a call becomes one of its entry function.
    `parameters` are the tensors that the program owns, by `ttir.name`: the very tensors of the
    model that it was made from, so that an optimizer's step or `load_state_dict` is seen. What
    const-eval functions make of them is kept until a weight changes; since a write to `weight.data`
    leaves no trace, each call takes a checksum of the weights that those functions read.
    """

    def __init__(
        self,
        module: ir.Module,
        signature: Signature,
        parameters: Mapping[str, Any],
        *,
        owner: torch.nn.Module | None = None,
    ) -> None:
        """Make a program; `owner` is the model whose tensors `parameters` are, by the same names.

        Raises `CompileError` for ops that the interpreters do not run, and for arguments of the
        entry function that are neither inputs nor among `parameters`.
        """
        self.module = module
        self.signature = signature
        self.const_eval = ConstEvalCache()
        self._function = load_function(module, ENTRY)
        self._arguments = self._function.arguments
        updated = set(self._function.updates)
        self._written = frozenset(self._function.written) | {
            position for position, a in enumerate(self._arguments) if a.name in updated
        }
        leaves = {a.name: a.leaf for a in signature.arguments if a.leaf is not None}
        self._leaves = [leaves.get(argument.name) for argument in self._arguments]
        self._by_leaf = {
            leaf: argument
            for argument, leaf in zip(self._arguments, self._leaves, strict=True)
            if leaf is not None
        }
        owned = [a for a, leaf in zip(self._arguments, self._leaves, strict=True) if leaf is None]
        missing = [f"missing: {argument}" for argument in owned if argument.name not in parameters]
        if missing:
            raise error("the parameters of the program are not complete", notes=missing)
        self._tensors = {argument.name: _tensor(parameters[argument.name]) for argument in owned}
        self._readers = {
            name: reader
            for name, tensor in self._tensors.items()
            if owner is not None and (reader := _reader(owner, name, tensor)) is not None
        }

    @property
    def parameters(self) -> dict[str, torch.Tensor]:
        """The tensors that the program owns, by name, as they are now: weights and state."""
        return {
            name: self._readers[name]() if name in self._readers else tensor
            for name, tensor in self._tensors.items()
        }

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return what the model would, in its own structure, and write what it would write.

        New values of inputs are written to the caller's tensors, those of buffers to the program's
        parameters. Raises `CompileError` for inputs that do not fit, listing those needed.
        """
        leaves = flatten_inputs(self.signature, self._by_leaf, args, kwargs)
        owned = self.parameters
        inputs = [
            owned[argument.name] if leaf is None else leaves[leaf]
            for argument, leaf in zip(self._arguments, self._leaves, strict=True)
        ]
        if self._written:
            expect_apart(self._arguments, inputs, self._written)
        results, written = self._function.run(inputs, self.const_eval)
        kept = [*inputs, *self._function.template, *self.const_eval.results()]
        values = separate([*results, *written.values()], storages(kept))
        results, news = values[: len(results)], values[len(results) :]
        with torch.no_grad():
            for position, new in zip(written, news, strict=True):
                inputs[position].copy_(new)
            targets = {a.name: value for a, value in zip(self._arguments, inputs, strict=True)}
            for name, result in zip(self._function.updates, results, strict=True):
                if name is not None:
                    targets[name].copy_(result)
        return restore_outputs(self.signature, results)

    def save(self, stem: str | os.PathLike[str]) -> None:
        """Write `stem.mlir`, `stem.safetensors` and `stem.json`, each complete or not at all."""
        from torch_ttir.program_files import save

        save(self, Path(stem))


def _tensor(value: Any) -> torch.Tensor:
    return value if isinstance(value, torch.Tensor) else to_torch(value)


def _reader(
    owner: torch.nn.Module, name: str, tensor: torch.Tensor
) -> Callable[[], torch.Tensor] | None:
    """Return what reads a tensor of the model anew at each call, since it may be replaced.

    `load_state_dict(assign=True)` and `model.weight = Parameter(...)` put another tensor in place.
    """
    path, _, attribute = name.rpartition(".")
    try:
        holder = owner.get_submodule(path)
    except AttributeError:
        return None
    if getattr(holder, attribute, None) is not tensor:
        return None

    def read() -> torch.Tensor:
        current: torch.Tensor = getattr(holder, attribute)
        return current

    return read
