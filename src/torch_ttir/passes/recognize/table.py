"""The table of recognizers, by the last op of what they recognize."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from torch_mlir import ir

from torch_ttir.passes.legalize.builder import Builder, Tensor
from torch_ttir.passes.recognize import activations, attention, linear, norms

Recognizer = Callable[[Builder, ir.Operation, bool], Tensor | None]
"""Makes the composite whose last op is given, in its place; None where it is none."""


class Candidate(NamedTuple):
    """A recognizer, and the ops of which one makes an operand of the last op."""

    recognize: Recognizer
    makers: frozenset[str]


def _candidate(recognize: Recognizer, *makers: str) -> Candidate:
    return Candidate(recognize, frozenset(f"ttir.{maker}" for maker in makers))


RECOGNIZERS = {
    "ttir.multiply": (
        _candidate(norms.norm, "rsqrt", "reciprocal"),
        _candidate(norms.weight, *norms.NORMS),
        _candidate(activations.gelu, "multiply", "div", "add"),
        _candidate(activations.silu, "sigmoid"),
    ),
    "ttir.div": (
        _candidate(norms.norm, "sqrt"),
        _candidate(norms.softmax, "exp"),
        _candidate(activations.gelu, "multiply", "div"),
    ),
    "ttir.add": (
        _candidate(norms.bias, *norms.NORMS),
        _candidate(linear.linear, "matmul"),
    ),
    "ttir.typecast": (_candidate(norms.narrowed, *norms.NORMS, "softmax"),),
    "ttir.matmul": (_candidate(attention.attention, "softmax", "where", "reshape", "typecast"),),
    "ttir.scaled_dot_product_attention": (
        _candidate(attention.grouped, "reshape", "repeat_interleave"),
    ),
}
"""By the last op of what they recognize."""
