"""Numbers that a program reads out of tensors: they stay in the program, as 0-d tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.interpreters.runner import run_function
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.passes.legalize_to_ttir import LegalizeToTTIR
from torch_ttir.testing import run_through_ttir

X, Y, N = torch.tensor([1.0, 2.5]), torch.tensor(3.0), torch.tensor(4)

USES: dict[str, Callable[..., Any]] = {
    "multiply": lambda x, y, n: x * y.item(),
    "add with alpha": lambda x, y, n: torch.add(x, y.item(), alpha=n.item()),
    "arithmetic": lambda x, y, n: x + (n.item() * 2 + 1),
    "floor division": lambda x, y, n: x // y.item(),
    "remainder": lambda x, y, n: x % n.item(),
    "power": lambda x, y, n: x ** n.item(),
    "compare": lambda x, y, n: x < y.item(),
    "compare integers in f32": lambda x, y, n: (
        (n.reshape(1) * 0 + 2**24 + 1) > (y.item() * 0 + 2**24)
    ),
    "clamp": lambda x, y, n: torch.clamp(x, max=n.item() - 2),
    "where": lambda x, y, n: torch.where(x > 1, y.item(), x),
    "lerp": lambda x, y, n: torch.lerp(x, x * 2, y.item()),
    "full": lambda x, y, n: torch.full((2,), n.item()),
    "full_like": lambda x, y, n: torch.full_like(x, y.item()),
    "scalar_tensor": lambda x, y, n: torch.scalar_tensor(n.item()),
    "masked_fill": lambda x, y, n: x.masked_fill(x > 2, y.item()),
    "bitwise": lambda x, y, n: x.long() & n.item(),
}


@pytest.mark.parametrize("name", USES)
def test_number_in_a_tensor_op(name: str) -> None:
    inputs = (X, Y, N)
    torch.testing.assert_close(run_through_ttir(USES[name], *inputs), USES[name](*inputs))


def run_text(body: str, result: str, *inputs: torch.Tensor) -> torch.Tensor:
    """Legalize and run a function of `%x: f32` and `%n: si64`, both 0-d."""
    text = (
        f"func.func @main(%x: !torch.vtensor<[],f32>, %n: !torch.vtensor<[],si64>) -> {result} "
        f"{{\n{body}\n}}"
    )
    with make_context():
        module = ir.Module.parse(text)
        LegalizeToTTIR().run(module.operation)
        module.operation.verify()
        return run_function(module, list(inputs))[0]


INT = """
  %two = torch.constant.int 2
  %i = torch.aten.Int.Tensor %n : !torch.vtensor<[],si64> -> !torch.int
"""
TO_TENSOR = """
  %t = torch.prim.NumToTensor.Scalar %r : !torch.{} -> !torch.vtensor<[],{}>
  return %t : !torch.vtensor<[],{}>
"""


@pytest.mark.parametrize(
    ("op", "wanted"),
    [
        ("aten.add.int %i, %two", -5),
        ("aten.sub.int %i, %two", -9),
        ("aten.mul.int %i, %two", -14),
        ("aten.floordiv.int %i, %two", -4),
        ("aten.remainder.int %i, %two", 1),
        ("prim.min.int %i, %two", -7),
        ("prim.max.int %i, %two", 2),
    ],
)
def test_integer_arithmetic(op: str, wanted: int) -> None:
    body = f"{INT}\n  %r = torch.{op} : !torch.int, !torch.int -> !torch.int\n"
    body += TO_TENSOR.format("int", "si64", "si64")
    found = run_text(body, "!torch.vtensor<[],si64>", Y, torch.tensor(-7))
    torch.testing.assert_close(found, torch.tensor(wanted))


@pytest.mark.parametrize(("op", "wanted"), [("gt", False), ("le", True), ("ne", True)])
def test_comparison_of_integers(op: str, wanted: bool) -> None:
    body = f"""{INT}
  %b = torch.aten.{op}.int %i, %two : !torch.int, !torch.int -> !torch.bool
  %r = torch.aten.Int.bool %b : !torch.bool -> !torch.int
""" + TO_TENSOR.format("int", "si64", "si64")
    found = run_text(body, "!torch.vtensor<[],si64>", Y, torch.tensor(-7))
    torch.testing.assert_close(found, torch.tensor(int(wanted)))


def test_float_arithmetic_is_in_f64() -> None:
    body = """
  %third = torch.constant.float 3.0
  %f = torch.aten.Float.Tensor %x : !torch.vtensor<[],f32> -> !torch.float
  %r = torch.aten.div.float %f, %third : !torch.float, !torch.float -> !torch.float
""" + TO_TENSOR.format("float", "f64", "f64")
    found = run_text(body, "!torch.vtensor<[],f64>", torch.tensor(1.0), N)
    torch.testing.assert_close(found, torch.tensor(1 / 3, dtype=torch.float64))


def test_number_of_a_constant_is_a_constant() -> None:
    """A size that goes through a tensor and back is still known."""
    body = """
  %three = torch.constant.int 3
  %none = torch.constant.none
  %c = torch.prim.NumToTensor.Scalar %three : !torch.int -> !torch.vtensor<[],si64>
  %i = torch.aten.Int.Tensor %c : !torch.vtensor<[],si64> -> !torch.int
  %size = torch.prim.ListConstruct %i : (!torch.int) -> !torch.list<int>
  %r = torch.aten.broadcast_to %x, %size : !torch.vtensor<[],f32>, !torch.list<int>
    -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
"""
    found = run_text(body, "!torch.vtensor<[3],f32>", Y, N)
    torch.testing.assert_close(found, torch.full((3,), 3.0))


def test_number_where_ttir_needs_a_constant() -> None:
    body = """
  %i = torch.aten.Int.Tensor %n : !torch.vtensor<[],si64> -> !torch.int
  %v = torch.prim.ListConstruct %i : (!torch.int) -> !torch.list<int>
  %r = torch.aten.broadcast_to %x, %v : !torch.vtensor<[],f32>, !torch.list<int>
    -> !torch.vtensor<[3],f32>
  return %r : !torch.vtensor<[3],f32>
"""
    with pytest.raises(CompileError, match="operand 1 is a number that the program computes"):
        run_text(body, "!torch.vtensor<[3],f32>", Y, N)
