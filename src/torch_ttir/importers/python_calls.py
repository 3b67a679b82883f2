"""Calls of Python functions in a graph: arithmetic on numbers, and switches of PyTorch's modes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.amp import autocast_mode
from torch_mlir import ir

from torch_ttir.importers.body import Body
from torch_ttir.importers.number_arithmetic import PURE, import_arithmetic
from torch_ttir.importers.result_types import Unsupported
from torch_ttir.ir.context import Context

_MODES = (torch._C._set_grad_enabled, autocast_mode._exit_autocast)


def is_python_call(target: Any) -> bool:
    """Say whether `import_python_call` takes calls of `target`."""
    return target in PURE or target in _MODES or target is autocast_mode._enter_autocast


def import_python_call(
    target: Any, arguments: Sequence[Any], body: Body, context: Context, loc: ir.Location
) -> Any:
    """Return the value of a call of a Python function: a constant, or an op on numbers.

    `arguments` are constants, or IR values of numbers that the program computes.
    """
    if target in _MODES:
        return None
    if target is autocast_mode._enter_autocast:
        # (device, dtype, enabled, cache): with it enabled, PyTorch casts behind the graph's back.
        if len(arguments) > 2 and not arguments[2]:
            return None
        raise Unsupported(
            "the casts of `torch.autocast` are not in this graph",
            "import the model, or its `torch.export.export`, instead of a graph",
        )
    if target not in PURE:
        raise Unsupported("it is not an ATen operator")
    if any(isinstance(argument, ir.Value) for argument in arguments):
        return import_arithmetic(target, arguments, body, context, loc)
    return target(*arguments)
