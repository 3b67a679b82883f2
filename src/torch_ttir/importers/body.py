"""The body of the function being imported: constants, lists and ops of the Torch dialect."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._ops import OpOverload
from torch_mlir import ir

from torch_ttir.importers.schemas import ArgumentKind, op_name
from torch_ttir.importers.torch_types import (
    DTYPE_NUMBERS,
    DTYPES,
    LAYOUT_NUMBERS,
    MEMORY_FORMAT_NUMBERS,
    named_type,
    tensor_type,
)
from torch_ttir.ir.context import Context


class Unsupported(Exception):
    """What the importer cannot say; the walk over the graph adds the op and the user's line."""

    def __init__(self, message: str, *notes: str) -> None:
        """Say what was found, and in notes what to do about it."""
        super().__init__(message)
        self.notes = notes


@dataclass(frozen=True)
class TensorList:
    """The result of an op that returns a list of tensors: the list, and its items' types."""

    value: ir.Value
    types: tuple[ir.Type, ...]


class Body:
    """Appends ops to a block; constants and lists of them stand once, at the block's beginning."""

    def __init__(self, context: Context, block: ir.Block) -> None:
        """Append to `block`, which must be empty."""
        self._context = context
        self._end = ir.InsertionPoint(block)
        # Where constants go: before the first op that is none, once there is one.
        self._entry = self._end
        self._constants: dict[Hashable, ir.Value] = {}
        self._constant_values: set[ir.Value] = set()

    def op(
        self,
        op: OpOverload,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        loc: ir.Location,
    ) -> ir.Operation:
        """Append the call of an ATen (or other) operator and return it.

        An operator that writes its operands is held in `torch.operator`: on value tensors the
        registered op of that name is not valid IR.
        """
        name = self._mlir_name(op)
        if name is not None:
            return self.append(name, operands, types, loc)
        held = {"name": ir.StringAttr.get(f"torch.{op_name(op)}", self._context)}
        return self.append("torch.operator", operands, types, loc, held)

    def append(
        self,
        name: str,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        loc: ir.Location,
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Operation:
        """Append the op `name` and return it."""
        made = ir.Operation.create(
            name, types, operands, attributes=attributes, loc=loc, ip=self._end
        )
        if self._entry is self._end:
            self._entry = ir.InsertionPoint(made)
        return made

    def operand(self, value: Any, kind: ArgumentKind, loc: ir.Location) -> ir.Value:
        """Return an operand for a schema argument: an IR value as it is, a Python value as IR.

        `value` is an `ir.Value`, a `TensorList`, a Python constant, or a list of those.
        """
        if isinstance(value, ir.Value):
            return self._convert(value, kind, loc)
        if isinstance(value, TensorList):
            return value.value
        if value is None:
            return self._constant("none", None, loc)
        if kind.is_list:
            items = value if isinstance(value, (list, tuple)) else [value]
            return self._list(items, kind, loc)
        if kind.element == "Tensor":
            return self._number_as_tensor(value, loc)
        return self._literal(value, kind.element, loc)

    def unpack(self, value: TensorList, loc: ir.Location) -> tuple[ir.Value, ...]:
        """Return the items of a list of tensors."""
        return tuple(self.append("torch.prim.ListUnpack", [value.value], value.types, loc).results)

    def _mlir_name(self, op: OpOverload) -> str | None:
        """Return the registered op that says `op`; None where `torch.operator` has to hold it."""
        key: Hashable = ("mlir-name", op)
        cache = self._context.cache
        if key not in cache:
            name = f"torch.{op_name(op)}"
            registered = self._context.is_registered_operation(name)
            cache[key] = name if registered and not op._schema.is_mutable else None
        return cache[key]  # type: ignore[no-any-return]

    def _convert(self, value: ir.Value, kind: ArgumentKind, loc: ir.Location) -> ir.Value:
        """Return a number that the program computes as the schema wants it."""
        if kind.is_list or kind.element not in ("float", "int", "Scalar", "bool"):
            return value
        found = str(value.type).removeprefix("!torch.")
        wanted = "int" if kind.element == "Scalar" and found == "bool" else kind.element
        if found == wanted or wanted == "Scalar" or found not in ("int", "float", "bool"):
            return value
        name = f"torch.aten.{wanted.capitalize()}.{found}"
        return self.append(name, [value], [named_type(self._context, wanted)], loc).results[0]

    def _literal(self, value: Any, element: str, loc: ir.Location) -> ir.Value:
        if isinstance(value, bool):
            if element == "Scalar":
                return self._constant_op(
                    "torch.aten.Int.bool", [self._constant("bool", value, loc)], "int", loc
                )
            if element in ("int", "float"):
                value = int(value)
            else:
                return self._constant("bool", value, loc)
        if isinstance(value, int):
            if element == "float":
                return self._constant("float", float(value), loc)
            if not -(2**63) <= value < 2**63:
                raise Unsupported(f"the integer {value} does not fit into 64 bits")
            return self._constant("int", value, loc)
        if isinstance(value, float):
            if element in ("int", "bool"):
                raise Unsupported(f"found the float {value} where an {element} is needed")
            return self._constant("float", value, loc)
        if isinstance(value, str):
            return self._constant("str", value, loc)
        if isinstance(value, torch.device):
            return self._constant("device", str(value), loc)
        for numbers in (DTYPE_NUMBERS, MEMORY_FORMAT_NUMBERS, LAYOUT_NUMBERS):
            if isinstance(value, (torch.dtype, torch.memory_format, torch.layout)) and (
                value in numbers
            ):
                return self._constant("int", numbers[value], loc)  # type: ignore[index]
        raise Unsupported(f"`{value!r}` ({type(value).__name__}) cannot be said in the Torch dialect")

    def _number_as_tensor(self, value: Any, loc: ir.Location) -> ir.Value:
        if not isinstance(value, (bool, int, float)):
            raise Unsupported(f"found `{value!r}` where a tensor is needed")
        dtype = torch.bool if isinstance(value, bool) else torch.tensor(value).dtype
        operand = self._literal(value, "Scalar", loc)
        type_ = tensor_type(self._context, (), dtype)
        return self._constant_op("torch.prim.NumToTensor.Scalar", [operand], type_, loc)

    def _list(self, items: Sequence[Any], kind: ArgumentKind, loc: ir.Location) -> ir.Value:
        item_kind = ArgumentKind(kind.element)
        values = [self.operand(item, item_kind, loc) for item in items]
        element = {"Tensor": "vtensor", "Scalar": "number"}.get(kind.element, kind.element)
        if kind.element == "Scalar":
            element = "float" if any(isinstance(item, float) for item in items) else "int"
        name = f"list<optional<{element}>>" if kind.optional_items else f"list<{element}>"
        if self._constant_values.issuperset(values):
            return self._constant_op("torch.prim.ListConstruct", values, name, loc)
        made = self.append("torch.prim.ListConstruct", values, [named_type(self._context, name)], loc)
        return made.results[0]

    def _constant(self, kind: str, value: Any, loc: ir.Location) -> ir.Value:
        # repr tells 0.0 from -0.0 and NaN from itself, which equality does not.
        key = (kind, repr(value))
        found = self._constants.get(key)
        if found is None:
            attributes = {} if value is None else {"value": self._attribute(kind, value)}
            type_ = named_type(self._context, "Device" if kind == "device" else kind)
            found = self._at_entry(f"torch.constant.{kind}", [], type_, loc, attributes)
            self._constants[key] = found
        return found

    def _constant_op(
        self, name: str, operands: list[ir.Value], type_: ir.Type | str, loc: ir.Location
    ) -> ir.Value:
        """Return the value of an op whose operands are all constants; equal ones are one."""
        result = named_type(self._context, type_) if isinstance(type_, str) else type_
        key = (name, tuple(operands), result)
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self._at_entry(name, operands, result, loc, {})
        return found

    def _at_entry(
        self,
        name: str,
        operands: list[ir.Value],
        type_: ir.Type,
        loc: ir.Location,
        attributes: dict[str, ir.Attribute],
    ) -> ir.Value:
        made = ir.Operation.create(
            name, [type_], operands, attributes=attributes, loc=loc, ip=self._entry
        )
        value = made.results[0]
        self._constant_values.add(value)
        return value

    def _attribute(self, kind: str, value: Any) -> ir.Attribute:
        if kind in ("str", "device"):
            return ir.StringAttr.get(value, self._context)
        if kind == "float":
            return ir.FloatAttr.get_f64(value, self._context)
        bits = 1 if kind == "bool" else 64
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(bits, self._context), value)


def result_type(context: Context, value: Any) -> ir.Type:
    """Return the Torch type of what a node returns, from its traced value (`meta["val"]`).

    Raises `Unsupported` for what the Torch dialect or TTIR has no type for.
    """
    if isinstance(value, torch.Tensor):
        check_tensor(value)
        return tensor_type(context, tuple(value.shape), value.dtype)
    if value is None:
        return named_type(context, "none")
    for types, name in (
        ((bool, torch.SymBool), "bool"),
        ((int, torch.SymInt), "int"),
        ((float, torch.SymFloat), "float"),
        ((str,), "str"),
    ):
        if isinstance(value, types):
            return named_type(context, name)
    raise Unsupported(f"a value of type `{type(value).__name__}` is not a tensor or a number")


def check_tensor(tensor: torch.Tensor) -> None:
    """Raise `Unsupported` unless the tensor is dense, of static shape, and of a known dtype."""
    if tensor.layout is not torch.strided:
        raise Unsupported(
            f"sparse tensors ({tensor.layout}) are not supported", "make it dense with `.to_dense()`"
        )
    if tensor.is_complex():
        raise Unsupported(
            f"complex tensors ({tensor.dtype}) are not supported",
            "compute with real and imaginary parts (`torch.view_as_real` before the model)",
        )
    if tensor.dtype not in DTYPES:
        kind = "quantized tensors" if tensor.is_quantized else "tensors of this dtype"
        raise Unsupported(f"{kind} ({tensor.dtype}) are not supported")
    for dim, size in enumerate(tensor.shape):
        if isinstance(size, torch.SymInt):
            raise _dynamic(tensor, dim, size)


def _dynamic(tensor: torch.Tensor, dim: int, size: torch.SymInt) -> Unsupported:
    expression = str(size)
    sizes = ", ".join(map(str, tensor.shape))
    if "u" in expression:
        return Unsupported(
            f"dimension {dim} of its result [{sizes}] depends on the data",
            "shapes must be known at export: use a mask (`torch.where`) or a fixed size instead",
        )
    return Unsupported(
        f"dimension {dim} of [{sizes}] is dynamic", "export it without `dynamic_shapes`"
    )
