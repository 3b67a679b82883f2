"""The rule for ONNX's Einsum: products of pairs of operands, as matrix products."""

from __future__ import annotations

import math
import string
from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("onnx.Einsum")
def einsum(low: Lowering, *xs: Tensor, equation: str) -> Tensor:
    """Einsum(Inputs; equation) -> Output."""
    terms, target = _terms(low, equation, [x.rank for x in xs])
    operands = [_diagonals(low, x, term) for x, term in zip(xs, terms, strict=True)]
    made, labels = operands[0]
    later = [set(term) for term in terms[1:]]
    made, labels = _drop(low, made, labels, set(target).union(*later))
    for place, (other, term) in enumerate(operands[1:]):
        kept = set(target).union(*later[place + 1 :])
        other, term = _drop(low, other, term, kept | set(labels))
        made, labels = _product(low, made, labels, other, term, kept)
    made = low.permute(made, [labels.index(label) for label in target])
    return low.broadcast(made, low.result.shape)


def _terms(low: Lowering, equation: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """Return the labels of each operand and of the result, with letters for the ellipses."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    low.expect(len(terms) == len(ranks), f"`{equation}` has {len(terms)} terms")
    free = [c for c in string.ascii_letters if c not in equation]
    widths = [rank - len(t.replace("...", "")) for t, rank in zip(terms, ranks, strict=True)]
    low.expect(all(w >= 0 for w in widths), f"`{equation}` does not fit its operands")
    most = max((w for w, t in zip(widths, terms, strict=True) if "..." in t), default=0)
    dots = "".join(free[:most])
    full = [
        term.replace("...", dots[most - width :]) for term, width in zip(terms, widths, strict=True)
    ]
    if arrow:
        return full, right.replace("...", dots)
    every = "".join(full)
    once = sorted(c for c in set(every) if every.count(c) == 1 and c not in dots)
    return full, dots + "".join(once)


def _diagonals(low: Lowering, x: Tensor, labels: str) -> tuple[Tensor, str]:
    """Return x with each label once: the diagonal of dimensions that share one."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            rest = [axis for axis in range(x.rank) if axis not in (first, second)]
            size = x.shape[first]
            x = low.permute(x, [*rest, first, second])
            x = low.reshape(x, (*x.shape[:-2], size * size))
            x = low.slice(x, x.rank - 1, 0, size * size, size + 1)
            labels = "".join(labels[axis] for axis in rest) + label
    return x, labels


def _drop(low: Lowering, x: Tensor, labels: str, kept: set[str]) -> tuple[Tensor, str]:
    """Return x summed over the labels that nothing else needs."""
    dims = [axis for axis, label in enumerate(labels) if label not in kept]
    if not dims:
        return x, labels
    return low.reduce("sum", x, dims, False), "".join(c for c in labels if c in kept)


def _product(
    low: Lowering, x: Tensor, xs: str, y: Tensor, ys: str, kept: set[str]
) -> tuple[Tensor, str]:
    """Return the sum of products over the labels of both that are not `kept`."""
    sizes: dict[str, int] = {}
    for label, size in (*zip(xs, x.shape, strict=True), *zip(ys, y.shape, strict=True)):
        sizes[label] = max(size, sizes.get(label, 1))
    shared = [label for label in xs if label in ys]
    batch = [label for label in shared if label in kept]
    summed = [label for label in shared if label not in kept]
    rows = [label for label in xs if label not in shared]
    cols = [label for label in ys if label not in shared]

    def matrix(of: Tensor, labels: str, groups: Sequence[list[str]]) -> Tensor:
        order = [label for group in groups for label in group]
        turned = low.permute(of, [labels.index(label) for label in order])
        turned = low.broadcast(turned, [sizes[label] for label in order])
        return low.reshape(turned, [math.prod(sizes[c] for c in group) for group in groups])

    left = matrix(x, xs, (batch, rows, summed))
    right = matrix(y, ys, (batch, summed, cols))
    labels = "".join([*batch, *rows, *cols])
    made = low.matmul(left, right)
    return low.reshape(made, [sizes[label] for label in labels]), labels
