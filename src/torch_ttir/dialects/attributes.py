"""The kinds of attributes that TTIR ops have: how each is built, read back and spelled."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch_mlir import ir

from torch_ttir.ir.constants import is_resource
from torch_ttir.ir.types import element_type


@dataclass(frozen=True)
class Kind:
    """One kind of attribute.

    `build` makes the attribute from a Python value, and raises `ValueError` for one that it cannot
    hold; `read` gives the value back, and None for an attribute of another kind; `spelling` is
    what an error message shows.
    """

    spelling: str
    build: Callable[[Any], ir.Attribute]
    read: Callable[[ir.Attribute], Any]


@dataclass(frozen=True)
class Attr:
    """An attribute of an op: its kind, and what holds when it is absent."""

    kind: Kind
    required: bool = True
    default: Any = None


def required(kind: Kind) -> Attr:
    """Return an attribute that must be there."""
    return Attr(kind)


def optional(kind: Kind, default: Any = None) -> Attr:
    """Return an attribute that may be left out, with the value it has then."""
    if kind is F32 and default is not None:
        default = round_to_f32(default)
    return Attr(kind, False, default)


def round_to_f32(value: float) -> float:
    """Return `value` rounded to float32, as an f32 attribute holds it; too large is infinite."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def _integer(spelling: str) -> Kind:
    bits = int(spelling.lstrip("sui"))
    low, high = (0, 2**bits) if spelling[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1))

    def build(value: int) -> ir.Attribute:
        # The bindings would drop the upper bits.
        if not low <= value < high:
            raise ValueError(f"{value} does not fit in {spelling}")
        return ir.IntegerAttr.get(element_type(spelling), value)

    def read(attr: ir.Attribute) -> int | None:
        if isinstance(attr, ir.IntegerAttr) and str(attr.type) == spelling:
            return int(attr.value)
        return None

    return Kind(spelling, build, read)


def _read_f32(attr: ir.Attribute) -> float | None:
    if isinstance(attr, ir.FloatAttr) and str(attr.type) == "f32":
        return float(attr.value)
    return None


def _build_f32(value: float) -> ir.Attribute:
    if math.isfinite(value) and math.isinf(round_to_f32(value)):
        raise ValueError(f"{value} does not fit in f32")
    return ir.FloatAttr.get(element_type("f32"), float(value), loc=ir.Location.unknown())


def _read_bool(attr: ir.Attribute) -> bool | None:
    return bool(attr.value) if isinstance(attr, ir.BoolAttr) else None


def _read_string(attr: ir.Attribute) -> str | None:
    return str(attr.value) if isinstance(attr, ir.StringAttr) else None


def _dense(cls: Any, item: str) -> Kind:
    bits = int(item[1:])

    def build(values: Sequence[int]) -> ir.Attribute:
        for value in values:
            if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
                raise ValueError(f"{value} does not fit in {item}")
        return cls.get(list(values))

    def read(attr: ir.Attribute) -> tuple[int, ...] | None:
        return tuple(attr) if isinstance(attr, cls) else None

    return Kind(f"array<{item}: ...>", build, read)


def _build_i32_array(values: Sequence[int]) -> ir.Attribute:
    return ir.ArrayAttr.get([I32.build(value) for value in values])


def _read_i32_array(attr: ir.Attribute) -> tuple[int, ...] | None:
    if not isinstance(attr, ir.ArrayAttr):
        return None
    values = tuple(I32.read(item) for item in attr)
    return None if None in values else values


def either(*kinds: Kind, choose: Callable[[Any], Kind]) -> Kind:
    """Return the kind that is any of `kinds`; `choose` picks the one that a Python value takes."""

    def read(attr: ir.Attribute) -> Any:
        return next((v for v in (kind.read(attr) for kind in kinds) if v is not None), None)

    spelling = " or ".join(kind.spelling for kind in kinds)
    return Kind(spelling, lambda value: choose(value).build(value), read)


def enumeration(name: str, *cases: str) -> Kind:
    """Return the kind spelled `#ttcore.name<case>`; its values are the cases' names."""
    spelled = {f"#ttcore.{name}<{case}>": case for case in cases}
    return Kind(
        f"#ttcore.{name}<{'|'.join(cases)}>",
        lambda case: ir.Attribute.parse(f"#ttcore.{name}<{case}>"),
        lambda attr: spelled.get(str(attr)),
    )


def _read_elements(attr: ir.Attribute) -> ir.Attribute | None:
    return attr if isinstance(attr, ir.DenseElementsAttr) or is_resource(attr) else None


def _is_scalar(value: Any) -> bool:
    return isinstance(value, int)


I32 = _integer("i32")
SI32 = _integer("si32")
UI32 = _integer("ui32")
I64 = _integer("i64")
SI64 = _integer("si64")
F32 = Kind("f32", _build_f32, _read_f32)
BOOL = Kind("bool", ir.BoolAttr.get, _read_bool)
STRING = Kind("string", ir.StringAttr.get, _read_string)
DENSE_I32 = _dense(ir.DenseI32ArrayAttr, "i32")
DENSE_I64 = _dense(ir.DenseI64ArrayAttr, "i64")
I32_ARRAY = Kind("[... : i32]", _build_i32_array, _read_i32_array)
ELEMENTS = Kind("elements", lambda attr: attr, _read_elements)
I32_OR_DENSE = either(I32, DENSE_I32, choose=lambda value: I32 if _is_scalar(value) else DENSE_I32)
SI32_OR_DENSE = either(
    SI32, DENSE_I32, choose=lambda value: SI32 if _is_scalar(value) else DENSE_I32
)
F32_OR_I32 = either(F32, I32, choose=lambda value: I32 if _is_scalar(value) else F32)
REDUCE_TYPE = enumeration(
    "reduce_type", "sum", "mean", "max", "min", "std", "var", "prod", "invalid"
)
ATTENTION_MASK_TYPE = enumeration("attention_mask_type", "none", "causal", "arbitrary")
