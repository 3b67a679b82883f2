"""Fixtures that unit tests share."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context


@pytest.fixture(scope="session")
def verify_op() -> Callable[[str, str, str], str]:
    """Return a function that says what MLIR's verifier says of one TTIR op; nothing if it is right.

    `verify_op("sum", "4x8xf32 -> 8xf32", "keep_dim = false, dim_arg = [0 : i32]")`: the op's name,
    its operand and result types without `tensor<>`, and its attributes.
    """
    context = make_context()

    def verify(name: str, types: str, attributes: str) -> str:
        operands, results = (
            [f"tensor<{shape}>" for shape in side.split()] for side in f" {types} ".split("->")
        )
        arguments = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(operands))
        values = ", ".join(f"%{index}" for index in range(len(operands)))
        bound = f"%r:{len(results)} = " if results else ""
        text = (
            f"func.func @f({arguments}) {{\n"
            f'  {bound}"ttir.{name}"({values}) {{{attributes}}} : '
            f"({', '.join(operands)}) -> ({', '.join(results)})\n  return\n}}"
        )
        with context:
            try:
                ir.Operation.parse(text, source_name="op.mlir")
            except ir.MLIRError as fault:
                (diagnostic,) = fault.error_diagnostics
                assert str(diagnostic.location).startswith('loc("op.mlir":2:')
                prefix = f"'ttir.{name}' op "
                assert diagnostic.message.startswith(prefix), diagnostic.message
                return str(diagnostic.message.removeprefix(prefix))
        return ""

    return verify
