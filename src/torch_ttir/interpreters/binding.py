"""Tensors by name: from files and models to a function's arguments, and from its results."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from torch_ttir.interpreters.arguments import Argument, describe, fits
from torch_ttir.interpreters.executable import Executable
from torch_ttir.ir.diagnostics import CompileError, Diagnostic


def unbound(
    executable: Executable, parameters: Collection[str]
) -> tuple[list[Argument], list[Argument]]:
    """Return the inputs, and the weights, that no parameter stands for; state may have one."""
    missing = [a for a in executable.arguments if a.name not in parameters]
    inputs = [argument for argument in missing if argument.kind == "input"]
    return inputs, [argument for argument in missing if argument.kind != "input"]


def by_position(tensors: Mapping[str, Tensor], names: Sequence[str]) -> Mapping[str, Tensor]:
    """Return tensors that have no names of their own (`arr_0`, ...: `numpy.savez`) by `names`."""
    unnamed = all(re.fullmatch(r"arr_[0-9]+", name) for name in tensors)
    if not tensors or not unnamed or len(tensors) != len(names):
        return tensors
    ordered = sorted(tensors, key=lambda name: int(name.removeprefix("arr_")))
    return {name: tensors[key] for name, key in zip(names, ordered, strict=True)}


def bind(
    executable: Executable,
    parameters: Mapping[str, Tensor],
    inputs: Mapping[str, Tensor],
    source: str,
) -> list[Tensor]:
    """Return a tensor for each argument, inputs before parameters of the same name.

    Raises one `CompileError` with every argument that has none or one of another type, and every
    input that is no argument; `source` is where the inputs come from.
    """
    arguments = {argument.name: argument for argument in executable.arguments}
    faults = [f"`{name}` is no input of the program" for name in inputs if name not in arguments]
    found = {**parameters, **inputs}
    for name, argument in arguments.items():
        if name not in found:
            faults.append(f"missing: {argument}")
        elif not fits(argument, found[name]):
            faults.append(f"needed: {argument}; found {describe(found[name])}")
    if faults:
        raise CompileError([Diagnostic(fault, source) for fault in faults])
    return [found[argument.name] for argument in executable.arguments]


def name_results(
    executable: Executable, results: Sequence[Any], written: Mapping[int, Tensor]
) -> dict[str, Tensor]:
    """Return the results by name: `result_0`, ... for those without one of their own.

    A number, which a function of the Torch dialect may return, is a tensor of its type here.
    """
    unnamed = iter(f"result_{index}" for index in range(len(results)))
    named: dict[str, Tensor] = {}
    for name, update, result in zip(executable.names, executable.updates, results, strict=True):
        default = next(unnamed) if update is None else update
        named[default if name is None else name] = as_tensor(result)
    return named | {executable.arguments[at].name: value for at, value in written.items()}


def as_tensor(result: Tensor | float) -> Tensor:
    """Return a number as a tensor of PyTorch's type for it: f64, i64 or i1."""
    if isinstance(result, Tensor):
        return result
    return torch.tensor(result, dtype=torch.float64 if isinstance(result, float) else None)


def expect_names(needed: Collection[str], found: Collection[str], source: str) -> None:
    """Raise one `CompileError` with every name that is only in one of the two."""
    faults = [f"missing: `{name}`, a result of the program" for name in needed if name not in found]
    faults += [f"`{name}` is no result of the program" for name in found if name not in needed]
    if faults:
        raise CompileError([Diagnostic(fault, source) for fault in faults])
