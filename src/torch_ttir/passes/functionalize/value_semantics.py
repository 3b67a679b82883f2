"""Programs on `!torch.tensor`: every type becomes its value-semantic one, copies become values."""

from __future__ import annotations

import re
from collections.abc import Iterable

from torch_mlir import ir

from torch_ttir.ir.context import current
from torch_ttir.passes.functionalize.aliases import Refused, new_base
from torch_ttir.passes.functionalize.rewriter import Rewriter

_NON_VALUE = re.compile(r"(?<![a-z_])tensor(?=[<>,)]|$)")


def to_value_types(values: Iterable[ir.Value]) -> None:
    """Give every `!torch.tensor`, also in lists and optionals, the type `!torch.vtensor`."""
    for value in values:
        type_ = value_type(value.type)
        if type_ is not None:
            value.set_type(type_)


def value_type(type_: ir.Type) -> ir.Type | None:
    """Return the value-semantic form of a Torch type with `tensor` in it; None for any other."""
    cache = current().cache
    key = ("value-type", type_)
    if key not in cache:
        text = str(type_)
        cache[key] = None
        if text.startswith("!torch."):
            changed = "!torch." + _NON_VALUE.sub("vtensor", text.removeprefix("!torch."))
            cache[key] = ir.Type.parse(changed) if changed != text else None
    return cache[key]


def rewrite_copy(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Let copy.to_vtensor and copy.to_tensor return a new tensor of the current value."""
    alias = rewriter.alias(op.operands[0])
    if op.results[0].type != op.operands[0].type:
        raise Refused(f"it copies `{op.operands[0].type}` to `{op.results[0].type}`")
    value = rewriter.read(alias)
    rewriter.bind(op.results[0], new_base(value, alias.shape, None))
    rewriter.drop(op)


def rewrite_overwrite(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Write the first operand to the second."""
    value, overwritten = op.operands
    if value.type != overwritten.type:
        raise Refused(f"it writes `{value.type}` to `{overwritten.type}`")
    rewriter.drop(op)
    rewriter.write(rewriter.alias(overwritten), rewriter.current(value), op)


def rewrite_literal(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Make a tensor.literal a vtensor.literal."""
    attributes = {"value": op.attributes["value"]}
    made = rewriter.emit.op("torch.vtensor.literal", [], [op.results[0].type], attributes)
    rewriter.bind(op.results[0], rewriter.alias(made.results[0]))
    rewriter.drop(op)
