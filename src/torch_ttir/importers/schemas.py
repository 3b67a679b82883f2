"""ATen schemas as the importer needs them: each argument's kind, and an op's name in MLIR."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from torch._ops import OpOverload


@dataclass(frozen=True)
class ArgumentKind:
    """The type of a schema argument: its element (`Tensor`, `int`, `float`, ...) and its wrapping.

    `optional_items` is `Tensor?[]`; the outermost optional does not matter, since every operand
    that may be None takes `!torch.none`.
    """

    element: str
    is_list: bool = False
    optional_items: bool = False


@dataclass(frozen=True)
class Parameter:
    """One argument of an op's schema."""

    name: str
    kind: ArgumentKind
    default: Any
    required: bool


# The JIT types by which torch._C.Argument.type says what an argument is. Device, generator and
# the enumerations (dtype, layout, memory format: plain ints there) go by their own Python values.
_ELEMENTS: dict[type, str] = {
    torch.TensorType: "Tensor",
    torch.IntType: "int",
    torch.FloatType: "float",
    torch.BoolType: "bool",
    torch.StringType: "str",
    torch.NumberType: "Scalar",
}


@cache
def parameters(op: OpOverload) -> tuple[Parameter, ...]:
    """Return the arguments of `op`'s schema in order."""
    return tuple(
        Parameter(
            argument.name,
            _kind(argument.type),
            argument.default_value,
            not argument.has_default_value(),
        )
        for argument in op._schema.arguments
    )


@cache
def op_name(op: OpOverload) -> str:
    """Return the name without the dialect: `aten.add.Tensor`, `aten.relu`."""
    schema = op._schema
    name = schema.name.replace("::", ".", 1)
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


@cache
def scalar_overload(op: OpOverload, position: int) -> OpOverload | None:
    """Return the overload of `op` that takes a Scalar where `op` takes a Tensor at `position`.

    PyTorch's tracing leaves Python numbers in Tensor arguments (`aten.add.Tensor(x, 2.0)`), where
    they promote as numbers and not as 0-d tensors.
    """
    wanted = [parameter.kind.element for parameter in parameters(op)]
    if wanted[position] != "Tensor":
        return None
    wanted[position] = "Scalar"
    for overload in op.overloadpacket.overloads():
        other = getattr(op.overloadpacket, overload)
        same_names = [p.name for p in parameters(other)] == [p.name for p in parameters(op)]
        if same_names and [p.kind.element for p in parameters(other)] == wanted:
            return other  # type: ignore[no-any-return]
    return None


def _kind(type_: Any) -> ArgumentKind:
    if isinstance(type_, torch.OptionalType):
        type_ = type_.getElementType()
    if not isinstance(type_, torch.ListType):
        return ArgumentKind(_ELEMENTS.get(type(type_), "other"))
    item = type_.getElementType()
    optional = isinstance(item, torch.OptionalType)
    if optional:
        item = item.getElementType()
    return ArgumentKind(_ELEMENTS.get(type(item), "other"), True, optional)
