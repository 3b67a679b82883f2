"""Every rule names an op that exists, and can be called with the operands of that op's schema."""

from __future__ import annotations

import inspect

import torch
import torch._prims  # registers the schemas of prims
from torch_mlir.dialects import _torch_ops_gen

from torch_ttir.passes.legalize.families import RULES

REGISTERED = {
    op.OPERATION_NAME.removeprefix("torch.")
    for op in vars(_torch_ops_gen).values()
    if hasattr(op, "OPERATION_NAME")
}


def schema_of(name: str) -> torch.FunctionSchema | None:
    space, base, *overload = name.split(".")
    try:
        return torch._C._get_schema(f"{space}::{base}", ".".join(overload))
    except RuntimeError:
        return None


def misfit(name: str) -> str | None:
    """Return what is wrong with the rule of `name`; None if nothing is."""
    schema = schema_of(name)
    if schema is None:
        return None if name in REGISTERED else "neither PyTorch nor torch-mlir has this op"
    operands = [object()] * len(schema.arguments)
    try:
        inspect.signature(RULES[name]).bind(object(), *operands)
    except TypeError as reason:
        return f"{reason}: {schema}"
    return None


def test_rules_take_what_the_schemas_have() -> None:
    names = [name for name in RULES if name.startswith(("aten.", "prims."))]
    found = {name: misfit(name) for name in names}
    assert {name: fault for name, fault in found.items() if fault} == {}


def test_rejected_ops_exist() -> None:
    names = [name for name in RULES.rejected if name.startswith("aten.")]
    assert [n for n in names if schema_of(n) is None and n not in REGISTERED] == []
