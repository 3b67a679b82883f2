"""Holds the functional form of a program against what eager PyTorch made of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from program import Program
from torch_mlir import ir

from torch_ttir.dialects import ttcore
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.interpreters.runner import run_function
from torch_ttir.interpreters.torch_dialect import find_operator
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, op_name
from torch_ttir.passes.functionalize import FunctionalizeInplaceOps


def check_program(program: Program, context: Context) -> None:
    """Import, functionalize, and run; every result and every input must be as in eager PyTorch.

    A program that is not defined must be refused.
    """
    context.parameters.clear()
    imported = import_graph_module(program.to_graph(), context)
    module = imported.module
    with context:
        if not program.is_defined:
            _expect_refusal(module)
            return
        FunctionalizeInplaceOps().run(module.operation)
        module.operation.verify()
        _expect_pure(module)
        entry = next(op for op in module.body if op.operation.name == "func.func")
        results, updates = _run(module, entry, program, context)
    for var, leaf in zip(program.results, imported.signature.outputs, strict=True):
        assert leaf.result is not None
        _assert_same(results[leaf.result], program.tensor(var), repr(var))
    for index, start in enumerate(program.starts):
        name = program.input_name(index)
        _assert_same(updates.get(name, start), program.values[index], name)


def _expect_refusal(module: ir.Module) -> None:
    before = str(module)
    with pytest.raises(CompileError, match=r"refers? to a single memory location"):
        FunctionalizeInplaceOps().run(module.operation)
    assert str(module) == before


def _expect_pure(module: ir.Module) -> None:
    entry = next(op for op in module.body if op.operation.name == "func.func")
    for op in entry.regions[0].blocks[0]:
        name = op_name(op.operation)
        if name.startswith(("torch.aten.", "torch.prims.")):
            assert not find_operator(name)._schema.is_mutable, f"{name} was left"


def _run(
    module: ir.Module, entry: ir.OpView, program: Program, context: Context
) -> tuple[Sequence[torch.Tensor], dict[str, torch.Tensor]]:
    """Return all results, and those that are new values of arguments by name."""
    starts = {program.input_name(i): start for i, start in enumerate(program.starts)}
    names = [ttcore.argument_name(entry, i) for i in range(len(entry.arguments))]
    results = run_function(
        module, [starts.get(name, context.parameters.get(name)) for name in names]
    )
    attributes = entry.operation.attributes
    marks = ir.ArrayAttr(attributes["res_attrs"]) if "res_attrs" in attributes else []
    updates = {}
    for mark, result in zip(marks, results, strict=bool(marks)):
        if "ttir.updates" in ir.DictAttr(mark):
            updates[ir.StringAttr(ir.DictAttr(mark)["ttir.updates"]).value] = result
    return results, updates


def _assert_same(found: torch.Tensor, wanted: torch.Tensor, name: str) -> None:
    torch.testing.assert_close(found, wanted, equal_nan=True, msg=lambda text: f"{name}: {text}")
