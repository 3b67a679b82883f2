"""What ONNX rules share: ATen's rules by name, constant operands, broadcasting, old opsets."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from torch_ttir.ir.constants import read_elements
from torch_ttir.passes.legalize.builder import Rejected, Tensor
from torch_ttir.passes.legalize.families import RULES as ATEN
from torch_ttir.passes.legalize.indexing_known import known_array
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

Ints = Tensor | list[int] | None
"""Integers that are an attribute in old opsets and an input in new ones."""


def aten(low: Lowering, name: str, *arguments: Any) -> Any:
    """Lower by the rule of an ATen op; the declared results are those of the ONNX op."""
    return ATEN[f"aten.{name}"](low, *arguments)


def add_aten(rules: RuleTable, table: dict[str, str]) -> None:
    """Register ONNX ops that are an ATen op by another name, with the same operands."""
    for onnx_name, aten_name in table.items():
        rules.add(f"onnx.{onnx_name}", partial(_call, aten_name))


def integers(low: Lowering, value: Ints, what: str) -> list[int] | None:
    """Return the integers of an attribute or a constant input; rejects those known at run time."""
    if value is None or isinstance(value, list):
        return value
    array = known_array(value)
    if array is None:
        raise Rejected(f"`{what}` is known at run time only, where TTIR needs constants")
    return [int(item) for item in array.reshape(-1)]


def number(low: Lowering, value: Tensor | float | None, what: str) -> float | None:
    """Return the one number of an attribute or of a constant input."""
    if not isinstance(value, Tensor):
        return value
    low.expect(value.shape in ((), (1,)), f"`{what}` must be one number")
    array = constant_array(value)
    if array is None:
        raise Rejected(f"`{what}` is known at run time only, where TTIR needs a constant")
    return array.reshape(-1)[0].item()  # type: ignore[no-any-return]


def numbers(low: Lowering, value: Tensor | list[float] | None, what: str) -> list[float]:
    """Return the numbers of an attribute or of a constant input."""
    if not isinstance(value, Tensor):
        return [float(item) for item in value or ()]
    array = constant_array(value)
    if array is None:
        raise Rejected(f"`{what}` is known at run time only, where TTIR needs constants")
    return [float(item) for item in array.reshape(-1)]


def constant_array(x: Tensor) -> np.ndarray[Any, Any] | None:
    """Return the values of a tensor of any type where the program states them, else None."""
    owner = x.value.owner
    name = getattr(owner, "name", "")
    if name == "ttir.constant":
        return read_elements(owner.attributes["value"]).reshape(x.shape)
    if name == "ttir.full":
        return np.full(x.shape, owner.attributes["fill_value"].value)
    return known_array(x)


def old_broadcast(low: Lowering, x: Tensor, y: Tensor, axis: int | None) -> Tensor:
    """Return `y` as opset 6 and before align it: it begins at dimension `axis` of `x`."""
    if axis is None or y.rank == 0:
        return y
    axis = low.dim(axis, x.rank)
    return low.reshape(y, y.shape + (1,) * (x.rank - axis - y.rank))


def wanted(low: Lowering, results: list[Tensor]) -> Any:
    """Return as many of an op's results as its node asks for."""
    kept = results[: len(low.results)]
    return kept[0] if len(kept) == 1 else kept


def _call(aten_name: str, low: Lowering, *arguments: Any) -> Any:
    return aten(low, aten_name, *arguments)
