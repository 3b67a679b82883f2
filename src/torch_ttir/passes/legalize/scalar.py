"""Rules for numbers that the program computes: 0-d tensors where PyTorch has Python numbers.

An int is an i64 tensor, a float an f64 one, a bool an i1 one. What is known at compile time never
gets here (`torch_constants`).
"""

from __future__ import annotations

from functools import partial
from typing import Any

from torch_mlir import ir

from torch_ttir.ir.constants import read_elements
from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import round_half_even
from torch_ttir.passes.legalize.elementwise import floor_divide
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers(
    "aten.Bool.Tensor",
    "aten.Float.Tensor",
    "aten.FloatImplicit",
    "aten.Int.Tensor",
    "aten.IntImplicit",
)
def number_of(low: Lowering, x: Tensor) -> Tensor | Number:
    """Int.Tensor(Tensor a) -> int; of a tensor with one element."""
    dtype = low.result.dtype
    known = _known_number(x)
    if known is not None:
        return float(known) if dtype == "f64" else bool(known) if dtype == "i1" else int(known)
    return low.cast(low.reshape(x, ()), dtype)


@RULES.lowers("aten.ScalarImplicit", "aten._local_scalar_dense", "aten.item")
def item(low: Lowering, x: Tensor) -> Tensor | Number:
    """item(Tensor self) -> Scalar; a bool, an int or a float by the tensor's type."""
    known = _known_number(x)
    if known is not None:
        return known
    dtype = "f64" if is_float(x.dtype) else "i1" if x.dtype == "i1" else "i64"
    return low.cast(low.reshape(x, ()), dtype)


def _known_number(x: Tensor) -> Number | None:
    """Return the one value of a tensor that the program states; None for any other."""
    array = known_array(x)
    if array is not None:
        number: Number = array.flat[0].item()
        return bool(number) if x.dtype == "i1" else number
    owner = None if isinstance(x.value, ir.BlockArgument) else x.value.owner
    if owner is None or not is_float(x.dtype):
        return None
    if owner.name == "ttir.constant":
        return float(read_elements(owner.attributes["value"]).flat[0])
    return float(owner.attributes["fill_value"].value) if owner.name == "ttir.full" else None


def _arithmetic(ttir: str, low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    dtype = low.result.dtype
    return low.binary(ttir, low.scalar(x, dtype), low.scalar(y, dtype))


def _compared(ttir: str, low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    known = {bool: "i1", int: "i64", float: "f64"}
    dtypes = [z.dtype if isinstance(z, Tensor) else known[type(z)] for z in (x, y)]
    dtype = "f64" if "f64" in dtypes else "i64"
    return low.compare(ttir, low.scalar(x, dtype), low.scalar(y, dtype))


def _extreme(compare: str, low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Return `x > y ? x : y`, or with `<`; PyTorch's choice where one is NaN."""
    dtype = low.result.dtype
    x, y = low.scalar(x, dtype), low.scalar(y, dtype)
    return low.where(low.compare(compare, x, y), x, y)


_KINDS = ("int", "float", "float_int", "int_float")
_ARITHMETIC = {
    "add": "add",
    "div": "div",
    "mul": "multiply",
    "pow": "pow",
    "remainder": "remainder",
    "sub": "subtract",
}
for _name, _ttir in _ARITHMETIC.items():
    for _kind in _KINDS if _name != "div" else ("int", "float"):
        RULES.add(f"aten.{_name}.{_kind}", partial(_arithmetic, _ttir), run_time_scalars=True)
for _name in ("add", "div", "mul", "sub"):
    RULES.add(f"aten.{_name}", partial(_arithmetic, _ARITHMETIC[_name]), run_time_scalars=True)
RULES.add("aten.pow.int_to_int", partial(_arithmetic, "pow"), run_time_scalars=True)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    for _kind in _KINDS:
        RULES.add(f"aten.{_name}.{_kind}", partial(_compared, _name), run_time_scalars=True)
for _name in ("eq", "ne"):
    RULES.add(f"aten.{_name}.bool", partial(_compared, _name), run_time_scalars=True)
for _name, _ttir in (("max", "gt"), ("min", "lt")):
    for _kind in _KINDS:
        RULES.add(f"prim.{_name}.{_kind}", partial(_extreme, _ttir), run_time_scalars=True)


@RULES.lowers("aten.floordiv.int", run_time_scalars=True)
def floordiv(low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """floordiv.int(int a, int b) -> int."""
    return floor_divide(low, low.scalar(x, "i64"), low.scalar(y, "i64"))


def _converted(low: Lowering, x: Tensor, *_: Any) -> Tensor:
    return low.cast(x, low.result.dtype)


_CONVERSIONS = {
    "Bool": ("int", "float"),
    "Float": ("int", "bool", "Scalar"),
    "Int": ("float", "bool", "Scalar"),
}
for _target, _sources in _CONVERSIONS.items():
    for _source in _sources:
        RULES.add(f"aten.{_target}.{_source}", _converted, run_time_scalars=True)


def _unary(ttir: str, low: Lowering, x: Tensor) -> Tensor:
    """Return a function of an int or a float; but for `neg` and `abs`, it is computed in f64."""
    made = low.unary(ttir, x if ttir in ("neg", "abs") else low.cast(x, "f64"))
    return low.cast(made, low.result.dtype)


for _name, _ttir in (
    ("aten.ceil.float", "ceil"),
    ("aten.ceil.Scalar", "ceil"),
    ("aten.floor.float", "floor"),
    ("aten.log.int", "log"),
    ("aten.neg.float", "neg"),
    ("aten.neg.int", "neg"),
    ("aten.sqrt.float", "sqrt"),
    ("aten.sqrt.int", "sqrt"),
    ("prim.abs.Scalar", "abs"),
):
    RULES.add(_name, partial(_unary, _ttir), run_time_scalars=True)


@RULES.lowers("aten.round.float", run_time_scalars=True)
def round_half_to_even(low: Lowering, x: Tensor) -> Tensor:
    """round.float(float a) -> float; halves go to the even neighbour."""
    return round_half_even(low, low.cast(x, "f64"))


def _logic(ttir: str, low: Lowering, x: Tensor | Number, y: Tensor | Number) -> Tensor:
    return low.binary(ttir, low.scalar(x, "i1"), low.scalar(y, "i1"))


for _name in ("and", "or"):
    RULES.add(f"aten.__{_name}__.bool", partial(_logic, f"logical_{_name}"), run_time_scalars=True)
    RULES.add(
        f"aten.__{_name}__.int", partial(_arithmetic, f"bitwise_{_name}"), run_time_scalars=True
    )


@RULES.lowers("aten.__not__", run_time_scalars=True)
def not_(low: Lowering, x: Tensor) -> Tensor:
    """__not__(bool self) -> bool."""
    return low.unary("logical_not", x, "i1")
