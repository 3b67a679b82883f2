"""Result types as PyTorch's meta kernels give them, against those that a function declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.interpreters.dtypes import TORCH_DTYPES
from torch_ttir.interpreters.step import Fault
from torch_ttir.interpreters.torch_dialect import find_operator, prepare
from torch_ttir.ir.diagnostics import Diagnostic, diagnostic_at, op_name
from torch_ttir.ir.types import torch_tensor_info

_UNKNOWN = object()
"""Stands for a value that meta kernels cannot have: of unknown type, or dependent on data."""

_NEEDS_DATA = ("meta tensor", "Meta tensor", "data-dependent", "DataDependent")


def type_faults(function: func.FuncOp) -> Iterator[Diagnostic]:
    """Yield an error for each op whose declared result types PyTorch does not agree with.

    Each op is judged by the declared types of its operands, so that one fault brings no others.
    The cost is that of a meta kernel for each distinct op and signature.
    """
    values: dict[ir.Value, Any] = {arg: _declared(arg) for arg in function.arguments}
    seen: dict[Any, Any] = {}
    for view in function.entry_block:
        op = view.operation
        if not op_name(op).startswith("torch.") or not op.results:
            continue
        operands = [values.get(operand, _UNKNOWN) for operand in op.operands]
        key = _signature(op, operands)
        if key not in seen:
            seen[key] = _run(op, operands)
        made = seen[key]
        if isinstance(made, str):
            yield diagnostic_at(op, made)
        for index, result in enumerate(op.results):
            declared = _declared(result)
            known = declared is _UNKNOWN and isinstance(made, tuple)
            values[result] = made[index] if known else declared


def _run(op: ir.Operation, operands: list[Any]) -> tuple[Any, ...] | str | None:
    """Return an op's results on meta tensors, what is wrong with it, or None where that is open."""
    if any(_is_unknown(operand) for operand in operands):
        return None
    name = op_name(op)
    if name == "torch.constant.device":
        return ("meta",)
    if name in ("torch.vtensor.literal", "torch.tensor.literal"):
        return None
    try:
        prepared = prepare(op)
        return prepared.run(*_on_meta(name, operands))
    except Fault as fault:
        unknown = "PyTorch has no operator" in str(fault)
        return None if unknown else str(fault)
    except NotImplementedError:
        return None
    except (RuntimeError, TypeError, ValueError, IndexError) as reason:
        message = str(reason).strip().splitlines()[0] if str(reason).strip() else repr(reason)
        return None if any(text in message for text in _NEEDS_DATA) else message


def _is_unknown(operand: Any) -> bool:
    if isinstance(operand, list):
        return any(_is_unknown(item) for item in operand)
    return operand is _UNKNOWN


def _on_meta(name: str, operands: list[Any]) -> list[Any]:
    """Return the operands, with `meta` for the device of an op that creates a tensor."""
    if name.startswith(("torch.constant.", "torch.prim.", "torch.derefine")):
        return operands
    schema = find_operator(name)._schema.arguments
    if len(schema) != len(operands):
        return operands
    return [
        "meta" if argument.name == "device" else value
        for argument, value in zip(schema, operands, strict=True)
    ]


def _declared(value: ir.Value) -> Any:
    info = torch_tensor_info(value.type)
    if info is None or info.dtype not in TORCH_DTYPES:
        return _UNKNOWN
    return torch.empty(info.shape, dtype=TORCH_DTYPES[info.dtype], device="meta")


def _signature(op: ir.Operation, operands: list[Any]) -> Any:
    attributes = op.attributes
    value = attributes["value"] if "value" in attributes and len(op.operands) == 0 else None
    types = tuple(result.type for result in op.results)
    return op_name(op), types, value, tuple(_key(operand) for operand in operands)


def _key(operand: Any) -> Any:
    if isinstance(operand, torch.Tensor):
        return operand.dtype, operand.shape
    if isinstance(operand, (list, tuple)):
        return tuple(_key(item) for item in operand)
    if operand is _UNKNOWN:
        return "unknown"
    return type(operand), repr(operand)
