"""Makes Torch-dialect ops before the op that is being rewritten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from torch_ttir.ir.context import current
from torch_ttir.ir.types import TensorInfo, torch_tensor_info

DTYPE_NUMBERS = {
    "ui8": 0,
    "si8": 1,
    "si16": 2,
    "si32": 3,
    "si64": 4,
    "f16": 5,
    "f32": 6,
    "f64": 7,
    "i1": 11,
    "bf16": 15,
    "f8E5M2": 23,
    "f8E4M3FN": 24,
    "f8E5M2FNUZ": 25,
    "f8E4M3FNUZ": 26,
    "ui16": 27,
    "ui32": 28,
    "ui64": 29,
}
"""The numbers by which the Torch dialect knows dtypes. Source: c10/core/ScalarType.h."""


class Emitter:
    """Emits before `before` with the location `loc`, both set by the walk for each op.

    Since the walk goes forward, a constant that was met or made once serves all that follows.
    `views` collects the view ops that it made: those without a use are dropped in the end.
    """

    def __init__(self, block: ir.Block) -> None:
        """Emit into `block`, the entry block of a function."""
        self._constants: dict[Any, ir.Value] = {}
        self._registered: dict[str, bool] = {}
        self.before = ir.InsertionPoint.at_block_begin(block)
        self.loc = ir.Location.unknown()
        self.views: list[ir.Operation] = []

    def at(self, op: ir.Operation) -> None:
        """Emit before `op`, with its location."""
        self.before = ir.InsertionPoint(op)
        self.loc = op.location

    def know(self, constant: Any, value: ir.Value) -> None:
        """Note that `value` is a number, a boolean, None or a list of ints."""
        if isinstance(constant, list):
            self._constants.setdefault(("list", tuple(constant)), value)
        else:
            kind = "none" if constant is None else type(constant).__name__
            self._constants.setdefault((kind, repr(constant)), value)

    def op(
        self,
        name: str,
        operands: Sequence[ir.Value],
        types: Sequence[ir.Type],
        attributes: dict[str, ir.Attribute] | None = None,
    ) -> ir.Operation:
        """Emit `name`; held in `torch.operator` where the Torch dialect has no op of that name."""
        if name not in self._registered:
            self._registered[name] = is_registered(name)
        if not self._registered[name]:
            attributes = {**(attributes or {}), "name": ir.StringAttr.get(name)}
            name = "torch.operator"
        return ir.Operation.create(
            name, types, operands, attributes=attributes, loc=self.loc, ip=self.before
        )

    def tensor(self, name: str, operands: Sequence[Any], info: TensorInfo) -> ir.Value:
        """Emit an op of one tensor result; operands are values, or constants to be emitted."""
        values = [self.operand(operand) for operand in operands]
        return self.op(name, values, [vtensor(info)]).results[0]

    def view(self, name: str, operands: Sequence[Any], info: TensorInfo) -> ir.Value:
        """Emit a view op, to be dropped in the end if nothing uses it."""
        value = self.tensor(name, operands, info)
        self.views.append(value.owner)
        return value

    def operand(self, operand: Any) -> ir.Value:
        """Return an IR value as it is, a Python constant or a list of ints as a Torch constant."""
        if isinstance(operand, ir.Value):
            return operand
        if isinstance(operand, (list, tuple)):
            return self._int_list(tuple(operand))
        kind = "none" if operand is None else type(operand).__name__
        return self._constant(kind, operand)

    def cast(self, value: ir.Value, dtype: str) -> ir.Value:
        """Return `value` in `dtype` (Torch's spelling), as it is where it has it already."""
        info = known_info(value)
        if info.dtype == dtype:
            return value
        operands = [value, DTYPE_NUMBERS[dtype]]
        return self.tensor(
            "torch.prims.convert_element_type", operands, TensorInfo(info.shape, dtype)
        )

    def expand(self, value: ir.Value, shape: tuple[int, ...]) -> ir.Value:
        """Return `value` broadcast to `shape`, as it is where it has it already."""
        info = known_info(value)
        if info.shape == shape:
            return value
        return self.view("torch.aten.expand", [value, shape, False], TensorInfo(shape, info.dtype))

    def full(self, number: Any, info: TensorInfo) -> ir.Value:
        """Return a tensor filled with a Python number, or with a value that is a Torch number."""
        operands = [info.shape, number, DTYPE_NUMBERS[info.dtype], None, None, None]
        return self.tensor("torch.aten.full", operands, info)

    def _constant(self, kind: str, constant: Any) -> ir.Value:
        # repr tells 0.0 from -0.0 and NaN from itself, which equality does not.
        key = (kind, repr(constant))
        if key not in self._constants:
            attributes = {} if constant is None else {"value": _constant_attribute(constant)}
            self._constants[key] = self._make(
                f"torch.constant.{kind}", [], torch_type(kind), attributes
            )
        return self._constants[key]

    def _int_list(self, items: tuple[int, ...]) -> ir.Value:
        key = ("list", items)
        if key not in self._constants:
            operands = [self._constant("int", int(item)) for item in items]
            self._constants[key] = self._make(
                "torch.prim.ListConstruct", operands, torch_type("list<int>"), {}
            )
        return self._constants[key]

    def _make(
        self, name: str, operands: list[ir.Value], type_: ir.Type, attributes: dict[str, Any]
    ) -> ir.Value:
        made = ir.Operation.create(
            name, [type_], operands, attributes=attributes, loc=self.loc, ip=self.before
        )
        return made.results[0]


def is_registered(name: str) -> bool:
    """Say whether the Torch dialect has an op of this name."""
    cache = current().cache
    key = ("registered", name)
    if key not in cache:
        cache[key] = current().is_registered_operation(name)
    return cache[key]  # type: ignore[no-any-return]


def torch_type(name: str) -> ir.Type:
    """Return the uniqued type `!torch.<name>`."""
    cache = current().cache
    key = ("torch-type", name)
    if key not in cache:
        cache[key] = ir.Type.parse(f"!torch.{name}")
    return cache[key]


def is_tensor(type_: ir.Type) -> bool:
    """Say whether a type is `!torch.vtensor` or `!torch.tensor`, of known shape or not."""
    cache = current().cache
    key = ("is-torch-tensor", type_)
    if key not in cache:
        cache[key] = str(type_).startswith(("!torch.vtensor", "!torch.tensor"))
    return cache[key]  # type: ignore[no-any-return]


def vtensor(info: TensorInfo) -> ir.Type:
    """Return the uniqued `!torch.vtensor` of a shape and a dtype in Torch's spelling."""
    cache = current().cache
    key = ("value-tensor", info)
    if key not in cache:
        cache[key] = torch_type(f"vtensor<[{','.join(map(str, info.shape))}],{info.dtype}>")
    return cache[key]


def known_info(value: ir.Value) -> TensorInfo:
    """Return shape and dtype of a tensor that is known to have both."""
    info = torch_tensor_info(value.type)
    if info is None:
        raise TypeError(f"`{value.type}` is not a tensor of known shape and dtype")
    return info


def _constant_attribute(constant: Any) -> ir.Attribute:
    if isinstance(constant, float):
        return ir.FloatAttr.get_f64(constant)
    bits = 1 if isinstance(constant, bool) else 64
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(bits), constant)
