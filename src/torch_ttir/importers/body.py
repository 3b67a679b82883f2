"""The body of the function being imported: constants, lists and ops of the Torch dialect."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch._ops import OpOverload
from torch_mlir import ir

from torch_ttir.importers.result_types import Unsupported
from torch_ttir.importers.schemas import ArgumentKind, op_name
from torch_ttir.importers.torch_types import (
    DTYPES,
    ENUMERATIONS,
    named_type,
    tensor_type,
)
from torch_ttir.ir.constants import NUMPY_DTYPES, elements_attribute
from torch_ttir.ir.context import Context

_NUMBER_CASTS = {
    ("int", "float"): "torch.aten.Float.Scalar",
    ("float", "int"): "torch.aten.Int.float",
    ("bool", "int"): "torch.aten.Int.bool",
    ("int", "bool"): "torch.aten.Bool.int",
    ("float", "bool"): "torch.aten.Bool.float",
}


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
        # Values of the types !torch.int, !torch.float and !torch.bool that are no constants.
        self._numbers: dict[ir.Value, str] = {}

    def op(
        self,
        op: OpOverload,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        loc: ir.Location,
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Operation:
        """Append the call of an ATen (or other) operator and return it.

        An operator that writes its operands is held in `torch.operator`: on value tensors the
        registered op of that name is not valid IR.
        """
        name = self._mlir_name(op)
        if name is not None:
            return self.append(name, operands, types, loc, attributes)
        return self._hold(f"torch.{op_name(op)}", operands, types, loc, attributes)

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

    def operand(
        self,
        value: Any,
        kind: ArgumentKind,
        loc: ir.Location,
        number_dtype: Callable[[], torch.dtype] | None = None,
    ) -> ir.Value:
        """Return an operand for a schema argument: an IR value as it is, a Python value as IR.

        `value` is an `ir.Value`, a `TensorList`, a Python constant, or a list of those. A number
        where a tensor is needed becomes one without dimensions, of the dtype `number_dtype()`.
        """
        if isinstance(value, ir.Value):
            return self._convert(value, kind, loc, number_dtype)
        if isinstance(value, TensorList):
            return value.value
        if value is None:
            return self._constant("none", None, loc)
        if kind.is_list:
            items = value if isinstance(value, (list, tuple)) else [value]
            return self._list(items, kind, loc)
        if kind.element == "Tensor":
            if not isinstance(value, (bool, int, float)):
                raise Unsupported(f"found `{value!r}` where a tensor is needed")
            return self.tensor_literal(
                torch.tensor(value, dtype=number_dtype and number_dtype()), loc
            )
        return self._literal(value, kind.element, loc)

    def tensor_literal(self, tensor: torch.Tensor, loc: ir.Location) -> ir.Value:
        """Return a small constant tensor, whose values become part of the IR."""
        dtype = DTYPES[tensor.dtype]
        with self._context:
            type_ = ir.RankedTensorType.get(tuple(tensor.shape), ir.Type.parse(dtype), loc=loc)
            value = elements_attribute(_as_numpy(tensor), type_)
        key = ("literal", value)
        if key not in self._constants:
            result = tensor_type(self._context, tuple(tensor.shape), tensor.dtype)
            attributes = {"value": value}
            made = self._at_entry("torch.vtensor.literal", [], result, loc, attributes)
            self._constants[key] = made
        return self._constants[key]

    def number(
        self, name: str, operands: Sequence[ir.Value], type_: str, loc: ir.Location
    ) -> ir.Value:
        """Append the op `name`, whose result is a number of `type_` (`int`, `float`, `bool`)."""
        registered = self._context.is_registered_operation(name)
        append = self.append if registered else self._hold
        made = append(name, operands, [named_type(self._context, type_)], loc).results[0]
        self._numbers[made] = type_
        return made

    def item(self, tensor: ir.Value, type_: str, loc: ir.Location) -> ir.Value:
        """Append the op that takes the number, of `type_`, out of a tensor of one element."""
        # A bool is no scalar of a tensor in the Torch dialect.
        name = "torch.aten.Bool.Tensor" if type_ == "bool" else "torch.aten.item"
        return self.number(name, [tensor], type_, loc)

    def is_number(self, value: Any) -> bool:
        """Say whether a value is a number: a Python one, or one that the program computes."""
        return isinstance(value, (bool, int, float)) or (
            bool(self._numbers) and isinstance(value, ir.Value) and value in self._numbers
        )

    def unpack(self, value: TensorList, loc: ir.Location) -> tuple[ir.Value, ...]:
        """Return the items of a list of tensors."""
        return tuple(self.append("torch.prim.ListUnpack", [value.value], value.types, loc).results)

    def _hold(
        self,
        name: str,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        loc: ir.Location,
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Operation:
        held = {"name": ir.StringAttr.get(name, self._context)}
        return self.append("torch.operator", operands, types, loc, held | (attributes or {}))

    def _mlir_name(self, op: OpOverload) -> str | None:
        """Return the registered op that says `op`; None where `torch.operator` has to hold it."""
        key: Hashable = ("mlir-name", op)
        cache = self._context.cache
        if key not in cache:
            name = f"torch.{op_name(op)}"
            registered = self._context.is_registered_operation(name)
            cache[key] = name if registered and not op._schema.is_mutable else None
        return cache[key]  # type: ignore[no-any-return]

    def _convert(
        self,
        value: ir.Value,
        kind: ArgumentKind,
        loc: ir.Location,
        number_dtype: Callable[[], torch.dtype] | None,
    ) -> ir.Value:
        """Return a number that the program computes as the schema wants it."""
        found = self._numbers.get(value)
        if found is None or kind.is_list:
            return value
        if kind.element == "Tensor":
            dtype = {"float": torch.float64, "int": torch.int64, "bool": torch.bool}[found]
            type_ = tensor_type(self._context, (), number_dtype() if number_dtype else dtype)
            scalar = self._convert(value, ArgumentKind("Scalar"), loc, None)
            return self.append("torch.prim.NumToTensor.Scalar", [scalar], [type_], loc).results[0]
        wanted = kind.element
        if found == "bool" and wanted in ("Scalar", "float"):
            value, found = self.number("torch.aten.Int.bool", [value], "int", loc), "int"
        name = _NUMBER_CASTS.get((found, wanted))
        if name is None:
            return value
        return self.number(name, [value], wanted, loc)

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
        number = ENUMERATIONS.get(value) if isinstance(value, Hashable) else None
        if number is not None:
            return self._constant("int", number, loc)
        found = f"`{value!r}` ({type(value).__name__})"
        raise Unsupported(f"{found} is not a constant of the Torch dialect")

    def _list(self, items: Sequence[Any], kind: ArgumentKind, loc: ir.Location) -> ir.Value:
        item_kind = ArgumentKind(kind.element)
        values = [self.operand(item, item_kind, loc) for item in items]
        element = {"Tensor": "vtensor", "Scalar": "number"}.get(kind.element, kind.element)
        if kind.element == "Scalar":
            element = "float" if any(isinstance(item, float) for item in items) else "int"
        name = f"list<optional<{element}>>" if kind.optional_items else f"list<{element}>"
        if self._constant_values.issuperset(values):
            return self._constant_op("torch.prim.ListConstruct", values, name, loc)
        type_ = named_type(self._context, name)
        return self.append("torch.prim.ListConstruct", values, [type_], loc).results[0]

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


def _as_numpy(tensor: torch.Tensor) -> np.ndarray[Any, Any]:
    tensor = tensor.detach().cpu().contiguous()
    target = NUMPY_DTYPES[DTYPES[tensor.dtype]]
    # numpy has no bfloat16 or float8 of its own, so these go through their bits.
    # A dimension of one element may have any stride, and `view` wants 1.
    flat = tensor.reshape(-1).clone(memory_format=torch.contiguous_format)
    bits = flat.view(torch.uint8).numpy()
    return bits.view(target).reshape(tuple(tensor.shape))
