"""Torch-dialect ops, ready to run: PyTorch's own operators, through `torch.ops`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import torch
from torch._ops import OpOverload
from torch_mlir import ir

from torch_ttir.interpreters.dtypes import TORCH_DTYPES
from torch_ttir.interpreters.step import Fault, Prepared, described, literal
from torch_ttir.ir.diagnostics import op_name
from torch_ttir.ir.types import torch_tensor_info

# c10::ScalarType, MemoryFormat and Layout are plain integers in the Torch dialect, and enumerations
# for `torch.ops`. Source: c10/core/ScalarType.h, MemoryFormat.h, Layout.h.
_DTYPES: dict[int, torch.dtype] = {
    0: torch.uint8,
    1: torch.int8,
    2: torch.int16,
    3: torch.int32,
    4: torch.int64,
    5: torch.float16,
    6: torch.float32,
    7: torch.float64,
    8: torch.complex32,
    9: torch.complex64,
    10: torch.complex128,
    11: torch.bool,
    15: torch.bfloat16,
    23: torch.float8_e5m2,
    24: torch.float8_e4m3fn,
    25: torch.float8_e5m2fnuz,
    26: torch.float8_e4m3fnuz,
    27: torch.uint16,
    28: torch.uint32,
    29: torch.uint64,
}
_MEMORY_FORMATS: dict[int, torch.memory_format] = {
    0: torch.contiguous_format,
    1: torch.preserve_format,
    2: torch.channels_last,
    3: torch.channels_last_3d,
}
_LAYOUTS: dict[int, torch.layout] = {0: torch.strided}
_ENUMERATIONS: dict[str, dict[int, Any]] = {
    "ScalarType": _DTYPES,
    "MemoryFormat": _MEMORY_FORMATS,
    "Layout": _LAYOUTS,
}

_IDENTITIES = frozenset(
    {"torch.derefine", "torch.prim.unchecked_cast", "torch.tensor_static_info_cast"}
)
_COPIES = frozenset({"torch.copy.to_vtensor", "torch.copy.to_tensor"})


def prepare(op: ir.Operation) -> Prepared:
    """Return a Torch-dialect op ready to run; raises `Fault` for one that is not an operator."""
    name = op_name(op)
    operands = tuple(op.operands)
    if name.startswith("torch.constant."):
        value = _constant(name, op)
        return Prepared(lambda: (value,), (), constant=True)
    if name in ("torch.vtensor.literal", "torch.tensor.literal"):
        tensor = literal(op.attributes["value"])
        return Prepared(lambda: (tensor,), (), constant=True)
    if name in ("torch.prim.ListConstruct", "torch.prim.TupleConstruct"):
        return Prepared(lambda *items: (list(items),), operands, scalar=not _has_tensor(op))
    if name in ("torch.prim.ListUnpack", "torch.prim.TupleUnpack"):
        return Prepared(tuple, operands)
    if name in _IDENTITIES:
        return Prepared(lambda value: (value,), operands, scalar=not _has_tensor(op))
    if name in _COPIES:
        return Prepared(lambda tensor: (tensor.clone(),), operands)
    if name == "torch.overwrite.tensor.contents":
        return Prepared(_overwrite, operands, mutates=(1,))
    if name == "torch.prim.NumToTensor.Scalar":
        info = torch_tensor_info(op.results[0].type)
        dtype = None if info is None else TORCH_DTYPES[info.dtype]
        return Prepared(lambda number: (torch.tensor(number, dtype=dtype),), operands)
    return _prepare_call(op, find_operator(name), operands)


@cache
def find_operator(name: str) -> OpOverload:
    """Return the PyTorch operator that `torch.aten.add.Tensor` names; raises `Fault` for none."""
    parts = name.removeprefix("torch.").split(".")
    found: Any = torch.ops
    for part in (*parts, "default") if len(parts) == 2 else parts:
        found = getattr(found, part, None)
        if found is None:
            raise Fault("PyTorch has no operator of this name")
    if not isinstance(found, OpOverload):
        raise Fault("PyTorch has no operator of this name")
    return found


def _prepare_call(op: ir.Operation, target: OpOverload, operands: tuple[Any, ...]) -> Prepared:
    schema = target._schema.arguments
    if len(operands) != len(schema):
        raise Fault(f"takes {len(schema)} operands as `{target._schema}` says, not {len(operands)}")
    count = sum(not argument.kwarg_only for argument in schema)
    names = [argument.name for argument in schema[count:]]
    converters = [
        (position, _ENUMERATIONS[kind])
        for position, argument in enumerate(schema)
        for kind in _ENUMERATIONS
        if kind in str(argument.real_type)
    ]
    bools = _bools(op, schema)
    finish = _finisher(op)

    def run(*values: Any) -> tuple[Any, ...]:
        arguments = list(values)
        for position in bools:
            arguments[position] = bool(arguments[position])
        for position, enumeration in converters:
            if arguments[position] is not None:
                arguments[position] = _enumerated(enumeration, arguments[position])
        keywords = dict(zip(names, arguments[count:], strict=True))
        return finish(target(*arguments[:count], **keywords))

    mutates = tuple(
        position
        for position, argument in enumerate(schema)
        if argument.alias_info is not None and argument.alias_info.is_write
    )
    return Prepared(run, operands, scalar=not _has_tensor(op), mutates=mutates)


def _bools(op: ir.Operation, schema: Sequence[Any]) -> tuple[int, ...]:
    """Return the operands that are bools where the schema takes any number.

    The dialect has no such operand: a bool goes there through `aten.Int.bool`. Only a result of
    bools shows that it is one.
    """
    infos = [torch_tensor_info(result.type) for result in op.results]
    if not any(info is not None and info.dtype == "i1" for info in infos):
        return ()
    return tuple(
        position
        for position, (argument, operand) in enumerate(zip(schema, op.operands, strict=True))
        if "number" in str(argument.type) and _is_bool(operand)
    )


def _is_bool(value: ir.Value) -> bool:
    owner = value.owner
    return not isinstance(owner, ir.Block) and owner.name == "torch.aten.Int.bool"


def _has_tensor(op: ir.Operation) -> bool:
    return any("tensor" in str(value.type) for value in (*op.results, *op.operands))


def _finisher(op: ir.Operation) -> Callable[[Any], tuple[Any, ...]]:
    """Return what makes a tuple of an operator's results, and holds them against the IR's types."""
    wanted: list[tuple[torch.Size, torch.dtype] | None] = []
    for result in op.results:
        info = torch_tensor_info(result.type)
        dtype = None if info is None else TORCH_DTYPES.get(info.dtype)
        wanted.append((torch.Size(info.shape), dtype) if info and dtype else None)
    types = [str(result.type) for result in op.results]

    def finish(made: Any) -> tuple[Any, ...]:
        if not wanted:
            return ()
        results = (made,) if len(wanted) == 1 else tuple(made)
        for value, expected, type_ in zip(results, wanted, types, strict=True):
            if expected is not None and (value.shape, value.dtype) != expected:
                raise Fault(f"it makes `{described(value)}` where the IR declares `{type_}`")
        return results

    return finish


def _enumerated(enumeration: dict[int, Any], value: Any) -> Any:
    if not isinstance(value, int) or value not in enumeration:
        raise Fault(f"found {value!r} where a number of a dtype, layout or memory format is needed")
    return enumeration[value]


def _overwrite(new: torch.Tensor, old: torch.Tensor) -> tuple[Any, ...]:
    old.copy_(new)
    return ()


def _constant(name: str, op: ir.Operation) -> Any:
    if name == "torch.constant.none":
        return None
    attribute = op.attributes["value"]
    if name == "torch.constant.bool" and not isinstance(attribute, ir.BoolAttr):
        return bool(ir.IntegerAttr(attribute).value)
    return attribute.value
