"""The arguments of a function, by name and kind, and the check of what is passed for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore
from torch_ttir.interpreters.dtypes import MLIR_DTYPES, TORCH_DTYPES
from torch_ttir.interpreters.step import described
from torch_ttir.ir.diagnostics import error
from torch_ttir.ir.types import TensorInfo, signless, tensor_info, torch_tensor_info


class Argument(NamedTuple):
    """An argument: its `ttir.name` or `arg<n>`, its kind, and its type where that is a tensor's."""

    name: str
    kind: str
    info: TensorInfo | None

    def __str__(self) -> str:
        """Return kind, name and type, as messages list them."""
        return f"{self.kind} `{self.name}`: {self.info or 'any value'}"


def read_arguments(function: func.FuncOp) -> tuple[Argument, ...]:
    """Return the arguments of a function in order; the types are in TTIR's spelling."""
    arguments = []
    for index, type_ in enumerate(function.type.inputs):
        info = tensor_info(type_) or torch_tensor_info(type_)
        if info is not None:
            info = TensorInfo(info.shape, signless(info.dtype))
        arguments.append(
            Argument(
                ttcore.argument_name(function, index), ttcore.argument_kind(function, index), info
            )
        )
    return tuple(arguments)


def check_inputs(function: str, arguments: Sequence[Argument], inputs: Sequence[Any]) -> None:
    """Raise one `CompileError` that lists every argument if the inputs do not fit them."""
    if len(arguments) == len(inputs) and all(map(fits, arguments, inputs)):
        return
    notes = [f"needed: {argument}" for argument in arguments[len(inputs) :]]
    for argument, value in zip(arguments, inputs, strict=False):
        if not fits(argument, value):
            notes.append(f"needed: {argument}; found {describe(value)}")
    notes += [f"found besides: {describe(value)}" for value in inputs[len(arguments) :]]
    if len(arguments) != len(inputs):
        raise error(f"`{function}` takes {len(arguments)} tensors, not {len(inputs)}", notes=notes)
    raise error(f"the inputs do not fit the arguments of `{function}`", notes=notes)


_LONGEST_SHOWN = 60


def describe(value: object) -> str:
    """Return the type of a value that was passed, as messages show it."""
    if not isinstance(value, torch.Tensor):
        shown = repr(value)
        if len(shown) > _LONGEST_SHOWN or "\n" in shown:
            return f"a `{type(value).__name__}`"
        return f"{shown} ({type(value).__name__})"
    return described(value) if value.dtype in MLIR_DTYPES else f"{value.dtype} {list(value.shape)}"


def fits(argument: Argument, value: Any) -> bool:
    """Say whether a value is what the argument takes: a tensor of its shape and dtype."""
    info = argument.info
    if info is None:
        return True
    if not isinstance(value, torch.Tensor) or tuple(value.shape) != info.shape:
        return False
    return value.dtype is TORCH_DTYPES.get(info.dtype)
