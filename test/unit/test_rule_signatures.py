"""Every rule names an op that exists, and can be called with the operands of that op's schema."""

from __future__ import annotations

import inspect

import pytest
import torch
import torch._prims  # registers the schemas of prims
from torch_mlir.dialects import _torch_ops_gen

from torch_ttir.passes.legalize.families import RULES

REGISTERED = {
    op.OPERATION_NAME.removeprefix("torch.")
    for op in vars(_torch_ops_gen).values()
    if hasattr(op, "OPERATION_NAME")
}
NAMES = [name for name in RULES if name.startswith(("aten.", "prims."))]


def schema_of(name: str) -> torch.FunctionSchema | None:
    space, base, *overload = name.split(".")
    try:
        return torch._C._get_schema(f"{space}::{base}", ".".join(overload))
    except RuntimeError:
        return None


@pytest.mark.parametrize("name", NAMES)
def test_rule_takes_what_the_schema_has(name: str) -> None:
    schema = schema_of(name)
    if schema is None:
        assert name in REGISTERED, "neither PyTorch nor torch-mlir has this op"
        return
    operands = [object()] * len(schema.arguments)
    inspect.signature(RULES[name]).bind(object(), *operands)


@pytest.mark.parametrize("name", [n for n in RULES.rejected if n.startswith("aten.")])
def test_rejected_op_exists(name: str) -> None:
    assert schema_of(name) is not None or name in REGISTERED
