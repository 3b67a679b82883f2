"""ATen schemas as the importer needs them: each argument's kind, and an op's name in MLIR."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """One argument of an op's schema; `written` and `viewed` are what its alias annotation says."""

    name: str
    kind: ArgumentKind
    default: Any
    required: bool
    keyword_only: bool
    written: bool
    viewed: bool


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
            argument.kwarg_only,
            argument.alias_info is not None and argument.alias_info.is_write,
            argument.alias_info is not None and not argument.alias_info.is_write,
        )
        for argument in op._schema.arguments
    )


@cache
def op_name(op: OpOverload) -> str:
    """Return the name without the dialect: `aten.add.Tensor`, `aten.relu`."""
    schema = op._schema
    name = schema.name.replace("::", ".", 1)
    return f"{name}.{schema.overload_name}" if schema.overload_name else name


def bind(op: OpOverload, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
    """Return the values of all schema arguments in order, defaults filled in.

    Raises `TypeError` where one without a default is missing.
    """
    values = []
    for position, parameter in enumerate(parameters(op)):
        if position < len(arguments):
            values.append(arguments[position])
        elif parameter.name in keywords:
            values.append(keywords[parameter.name])
        elif parameter.required:
            raise TypeError(f"its argument `{parameter.name}` is missing")
        else:
            values.append(parameter.default)
    return values


def call(op: OpOverload, function: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Call `function` as `op`, with the values of all schema arguments in order."""
    pairs = list(zip(parameters(op), values, strict=True))
    positional = [value for parameter, value in pairs if not parameter.keyword_only]
    keywords = {parameter.name: value for parameter, value in pairs if parameter.keyword_only}
    return function(*positional, **keywords)


COMPOSITE = torch._C.DispatchKey.CompositeImplicitAutograd
COMPOSITE_EXPLICIT = torch._C.DispatchKey.CompositeExplicitAutograd


@cache
def has_composite_kernel(op: OpOverload) -> bool:
    """Say whether PyTorch's own kernel defines `op` by other ops."""
    return _has_kernel(op, COMPOSITE)


@cache
def has_library_kernel(op: OpOverload) -> bool:
    """Say whether a library beside PyTorch's own defines `op` by other ops on all devices."""
    return op.namespace not in ("aten", "prim", "prims") and _has_kernel(op, COMPOSITE_EXPLICIT)


def _has_kernel(op: OpOverload, key: Any) -> bool:
    schema = op._schema
    name = f"{schema.name}.{schema.overload_name}" if schema.overload_name else schema.name
    return bool(torch._C._dispatch_has_kernel_for_dispatch_key(name, key))


def is_composite(op: OpOverload) -> bool:
    """Say whether PyTorch defines `op` by other ops, in its kernels or in Python."""
    return COMPOSITE in op.py_kernels or has_composite_kernel(op)


@cache
def functional_twin(op: OpOverload) -> OpOverload | None:
    """Return `aten.add.Tensor` for `aten.add_.Tensor`; None for what is not an in-place op."""
    namespace, name = op._schema.name.split("::")
    if not op._schema.is_mutable or not name.endswith("_") or name.endswith("__"):
        return None
    packet = getattr(getattr(torch.ops, namespace), name[:-1], None)
    twin = getattr(packet, op._overloadname, None)
    same = twin is not None and [p.name for p in parameters(twin)] == [
        p.name for p in parameters(op)
    ]
    return twin if same else None


def as_called(op: OpOverload, are_numbers: Sequence[bool]) -> OpOverload:
    """Return the overload that takes numbers where the arguments, of the whole schema, are some.

    PyTorch's tracing leaves numbers where the overload takes tensors (`aten.add.Tensor(x, 2.0)`),
    and there they promote as numbers and not as tensors without dimensions.
    """
    for position, is_number in enumerate(are_numbers):
        if is_number:
            op = _scalar_overload(op, position) or op
    return op


@cache
def _scalar_overload(op: OpOverload, position: int) -> OpOverload | None:
    """Return the overload of `op` that takes a Scalar where `op` takes a Tensor at `position`."""
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
