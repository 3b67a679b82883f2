"""What an interpreter makes of one op, for the runner to run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch_mlir import ir

from torch_ttir.interpreters.dtypes import MLIR_DTYPES, to_torch
from torch_ttir.ir.constants import is_resource, read_elements
from torch_ttir.ir.resources import ResourceError, as_array, resource_key


class Fault(Exception):
    """What is wrong with an op or its operands; the runner adds the op's name and location."""


class Prepared(NamedTuple):
    """An op ready to run: `run` takes its operands and returns a tuple with all results.

    `operands` are IR values, None for an absent one, a tuple for a variadic one. A `constant` op is
    run once, and so is a `scalar` one whose operands are known. `mutates` are the positions of
    operands that it writes in place; with `rebinds` its one output is the new value of operand 0.
    """

    run: Callable[..., tuple[Any, ...]]
    operands: tuple[Any, ...]
    constant: bool = False
    scalar: bool = False
    mutates: tuple[int, ...] = ()
    rebinds: bool = False


def literal(attribute: ir.Attribute) -> torch.Tensor:
    """Return the values of a dense attribute or resource; raises `Fault` where they are missing."""
    if not is_resource(attribute):
        return to_torch(read_elements(attribute))
    try:
        key = resource_key(attribute)
        blob = attribute.context.resources.get(key)
        if blob is None:
            raise Fault(f"resource `{key}` has no bytes here: was the IR printed with them elided?")
        return to_torch(as_array(blob, ir.RankedTensorType(attribute.type)))
    except ResourceError as reason:
        raise Fault(str(reason)) from None


def described(tensor: torch.Tensor) -> str:
    """Return a tensor's type in MLIR's spelling."""
    sizes = "".join(f"{size}x" for size in tensor.shape)
    return f"tensor<{sizes}{MLIR_DTYPES.get(tensor.dtype, tensor.dtype)}>"
