"""How recognizers look at TTIR: who made a value, which numbers are known, what else uses it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from torch_mlir import ir

from torch_ttir.ir.constants import read_elements
from torch_ttir.ir.types import tensor_info
from torch_ttir.passes.legalize.builder import Tensor

_ARITHMETIC = ("add", "multiply", "maximum", "minimum")


def made_by(value: ir.Value, *names: str) -> ir.Operation | None:
    """Return the op that makes `value` if it is one of `ttir.<names>`, else None."""
    if isinstance(value, ir.BlockArgument):
        return None
    op: ir.Operation = value.owner
    name: str = op.name
    return op if name.startswith("ttir.") and name[5:] in names else None


def tensor(value: ir.Value) -> Tensor:
    """Return a value with its shape and element type."""
    info = tensor_info(value.type)
    if info is None:
        raise TypeError(f"{value.type} is not a tensor of known shape")
    return Tensor(value, info.shape, info.dtype)


def number(value: ir.Value) -> float | None:
    """Return the one number that a constant tensor holds; None for any other value."""
    op = made_by(value, "full", "constant")
    if op is None:
        return None
    if op.name == "ttir.full":
        return float(op.attributes["fill_value"].value)
    held = op.attributes["value"]
    if not isinstance(held, ir.DenseElementsAttr) or not held.is_splat:
        return None
    return float(read_elements(held).reshape(-1)[0])


def is_used_once(value: ir.Value) -> bool:
    """Say whether a value has exactly one use: what makes it can go with that use."""
    uses = iter(value.uses)
    return next(uses, None) is not None and next(uses, None) is None


def pairs(op: ir.Operation) -> Iterator[tuple[ir.Value, ir.Value]]:
    """Yield the two operands of an op, in both orders where it is commutative."""
    first, second = op.operands
    yield first, second
    if op.name[5:] in _ARITHMETIC:
        yield second, first


def same(first: ir.Value, second: ir.Value, depth: int = 3) -> bool:
    """Say whether two values are one, or are made by up to `depth` equal ops each.

    So nobody need have run `cse`.
    """
    if first == second:
        return True
    if not depth or isinstance(first, ir.BlockArgument) or isinstance(second, ir.BlockArgument):
        return False
    one, other = first.owner, second.owner
    if one.name != other.name or first.type != second.type or len(one.results) > 1:
        return False
    if one.name in ("ttir.rand", "ttir.dropout", "ttir.empty") or len(one.regions):
        return False
    return (
        len(one.operands) == len(other.operands)
        and dict(one.attributes) == dict(other.attributes)
        and all(
            same(mine, theirs, depth - 1)
            for mine, theirs in zip(one.operands, other.operands, strict=True)
        )
    )


def attribute(op: ir.Operation, name: str, default: Any = None) -> Any:
    """Return the Python value of an integer, bool or array attribute; `default` if it is absent."""
    if name not in op.attributes:
        return default
    held = op.attributes[name]
    if isinstance(held, ir.ArrayAttr):
        return [item.value for item in held]
    return held.value if hasattr(held, "value") else list(held)


class Product(NamedTuple):
    """A product as one number and the tensors that it multiplies."""

    number: float
    tensors: tuple[ir.Value, ...]


def product(value: ir.Value, inner: bool = False) -> Product:
    """Take products, and quotients by numbers, apart; an inner one only where it is used once."""
    known = number(value)
    if known is not None:
        return Product(known, ())
    op = made_by(value, "multiply", "div")
    if op is None or (inner and not is_used_once(value)):
        return Product(1.0, (value,))
    if op.name == "ttir.div":
        divisor = number(op.operands[1])
        if not divisor:
            return Product(1.0, (value,))
        upper = product(op.operands[0], inner=True)
        return Product(upper.number / divisor, upper.tensors)
    left, right = (product(operand, inner=True) for operand in op.operands)
    return Product(left.number * right.number, left.tensors + right.tensors)


def is_near(found: float, wanted: float, dtype: str) -> bool:
    """Say whether a constant is `wanted`, up to its rounding to `dtype` and back."""
    return math.isclose(found, wanted, rel_tol=1e-15 if dtype == "f64" else 2.5e-7)


def holds_steps(dtype: str, relaxed: bool) -> bool:
    """Say whether ops on `dtype` may become one, which rounds once and not after each step.

    In f32 and f64 that is within PyTorch's own rounding; in narrower types only a relaxed run
    takes it for the same.
    """
    return dtype in ("f32", "f64") or relaxed
