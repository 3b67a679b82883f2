"""Rules for determinants, by Gaussian elimination written out: the size of a matrix is known."""

from __future__ import annotations

import math

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

# Each row takes about fifteen ops.
_LARGEST = 64


@RULES.lowers("aten.linalg_det")
def linalg_det(low: Lowering, x: Tensor) -> Tensor:
    """linalg_det(Tensor A) -> Tensor."""
    pivots, sign = _eliminated(low, x)
    for pivot in pivots:
        sign = low.mul(sign, pivot)
    return low.reshape(sign, low.result.shape)


@RULES.lowers("aten.linalg_slogdet")
def linalg_slogdet(low: Lowering, x: Tensor) -> list[Tensor]:
    """linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)."""
    pivots, sign = _eliminated(low, x)
    logarithm = low.full(sign.shape, 0, sign.dtype)
    for pivot in pivots:
        sign = low.mul(sign, low.unary("sign", pivot))
        logarithm = low.add(logarithm, low.unary("log", low.unary("abs", pivot)))
    made = zip((sign, logarithm), low.results, strict=True)
    return [low.reshape(part, to.shape) for part, to in made]


def _eliminated(low: Lowering, x: Tensor) -> tuple[list[Tensor], Tensor]:
    """Return the pivots of matrices [..., n, n] and the sign of the order of rows: [batch, 1, 1].

    As LAPACK does, each column's pivot is its largest remaining element, the first of equals.
    """
    size = x.shape[-1]
    low.expect(size <= _LARGEST, f"matrices of more than {_LARGEST} rows are not supported: {size}")
    batch = math.prod(x.shape[:-2])
    left = low.reshape(x, (batch, size, size))
    sign = low.full((batch, 1, 1), 1, x.dtype)
    pivots = []
    for count in range(size, 0, -1):
        column = low.unary("abs", low.slice(left, 2, 0, 1))
        place = low.reduce("argmax", column, [1], True, "i64")
        chosen = low.compare("eq", low.arange((1, count, 1), 1, "i64"), place)
        row = low.reduce("sum", low.where(chosen, left, 0), [1], True)
        pivots.append(low.slice(row, 2, 0, 1))
        sign = low.where(low.slice(chosen, 1, 0, 1), sign, low.unary("neg", sign))
        if count > 1:
            left = _without(low, left, chosen, row)
    return pivots, sign


def _without(low: Lowering, left: Tensor, chosen: Tensor, row: Tensor) -> Tensor:
    """Return what elimination leaves of the other rows, the first in the place of the chosen."""
    count = left.shape[1]
    moved = low.slice(chosen, 1, 1, count)
    rest = low.where(moved, low.slice(left, 1, 0, 1), low.slice(left, 1, 1, count))
    pivot = low.slice(row, 2, 0, 1)
    # A column of zeros has nothing to eliminate.
    divisor = low.where(low.compare("eq", pivot, 0), 1, pivot)
    factors = low.div(low.slice(rest, 2, 0, 1), divisor)
    return low.sub(low.slice(rest, 2, 1, count), low.mul(factors, low.slice(row, 2, 1, count)))
