"""Values that are known when a program is compiled: constants, aranges, constant arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore
from torch_ttir.ir.constants import read_elements
from torch_ttir.ir.context import current
from torch_ttir.passes.legalize.builder import Tensor

_PASSED_ON = ("ttir.reshape", "ttir.unsqueeze", "ttir.squeeze")


def known_array(x: Tensor) -> np.ndarray[Any, Any] | None:
    """Return the values of an integer or bool tensor where the program states them, else None."""
    if x.dtype.startswith(("f", "bf")):
        return None
    of = x.value
    array = _argument(of) if isinstance(of, ir.BlockArgument) else _result(of.owner, x)
    return None if array is None else array.reshape(x.shape)


def is_non_negative(x: Tensor) -> bool:
    """Say whether no element of an integer tensor can be negative, as far as the program tells."""
    array = known_array(x)
    return x.dtype.startswith(("i1", "u")) or (array is not None and bool((array >= 0).all()))


def _argument(argument: Any) -> np.ndarray[Any, Any] | None:
    function = argument.owner.owner.opview
    index = argument.arg_number
    if not isinstance(function, func.FuncOp) or "arg_attrs" not in function.attributes:
        return None
    if ttcore.argument_kind(function, index) != "constant":
        return None
    array = current().parameters.get(ttcore.argument_name(function, index))
    return None if array is None else np.asarray(array)


def _result(op: ir.Operation, x: Tensor) -> np.ndarray[Any, Any] | None:
    attributes = op.attributes
    if op.name == "ttir.constant":
        value = attributes["value"]
        return read_elements(value) if isinstance(value, ir.DenseElementsAttr) else None
    if op.name == "ttir.full":
        return np.full(x.shape, attributes["fill_value"].value)
    if op.name == "ttir.arange":
        return _arange(attributes, x.shape)
    if op.name in _PASSED_ON:
        operand = op.operands[0]
        type_ = ir.RankedTensorType(operand.type)
        return known_array(Tensor(operand, tuple(type_.shape), str(type_.element_type)))
    return None


def _arange(attributes: Any, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    start, end, step = (int(attributes[name].value) for name in ("start", "end", "step"))
    dim = int(attributes["arange_dimension"].value)
    line = np.arange(start, end, step).reshape([-1] + [1] * (len(shape) - 1 - dim))
    return np.broadcast_to(line, shape)
