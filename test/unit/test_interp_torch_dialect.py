"""The interpreter of Torch-dialect functions: PyTorch's operators, and nothing of the caller's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.source import import_any
from torch_ttir.interpreters.executable import Executable
from torch_ttir.interpreters.runner import load_function, run_function
from torch_ttir.ir.diagnostics import CompileError

T = torch.tensor


def load(text: str) -> Executable:
    with make_context():
        return load_function(ir.Module.parse(text))


def imported(function: Callable[..., Any], *args: Any) -> Executable:
    context = make_context()
    program = import_any(function, context, args=args)
    return load_function(program.module)


def test_lists_dtypes_layouts_and_memory_formats_are_pythons_own() -> None:
    executable = load("""
    func.func @main(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[4,3],f64>,
        !torch.vtensor<[2],si64>, !torch.vtensor<[2,3],f32>) {
      %int0 = torch.constant.int 0
      %int2 = torch.constant.int 2
      %int4 = torch.constant.int 4
      %int7 = torch.constant.int 7
      %none = torch.constant.none
      %false = torch.constant.bool false
      %cpu = torch.constant.device "cpu"
      %xs = torch.prim.ListConstruct %x, %x : (!torch.vtensor<[2,3],f32>,
          !torch.vtensor<[2,3],f32>) -> !torch.list<vtensor>
      %joined = torch.aten.cat %xs, %int0 : !torch.list<vtensor>, !torch.int
          -> !torch.vtensor<[4,3],f32>
      %cast = torch.aten.to.dtype %joined, %int7, %false, %false, %none :
          !torch.vtensor<[4,3],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none
          -> !torch.vtensor<[4,3],f64>
      %shape = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
      %ones = torch.aten.ones %shape, %int4, %int0, %cpu, %false : !torch.list<int>, !torch.int,
          !torch.int, !torch.Device, !torch.bool -> !torch.vtensor<[2],si64>
      %copy = torch.aten.clone %x, %int0 : !torch.vtensor<[2,3],f32>, !torch.int
          -> !torch.vtensor<[2,3],f32>
      return %cast, %ones, %copy : !torch.vtensor<[4,3],f64>, !torch.vtensor<[2],si64>,
          !torch.vtensor<[2,3],f32>
    }""")
    x = torch.randn(2, 3)
    cast, ones, copy = executable([x])
    torch.testing.assert_close(cast, torch.cat([x, x]).double())
    assert torch.equal(ones, torch.ones(2, dtype=torch.int64))
    assert torch.equal(copy, x)
    assert copy.data_ptr() != x.data_ptr()


def test_numbers_are_computed() -> None:
    executable = load("""
    func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
      %int1 = torch.constant.int 1
      %size = torch.aten.size.int %x, %int1 : !torch.vtensor<[2,3],f32>, !torch.int -> !torch.int
      %sum = torch.aten.add.int %size, %int1 : !torch.int, !torch.int -> !torch.int
      %y = torch.aten.mul.Scalar %x, %sum : !torch.vtensor<[2,3],f32>, !torch.int
          -> !torch.vtensor<[2,3],f32>
      return %y : !torch.vtensor<[2,3],f32>
    }""")
    x = torch.randn(2, 3)
    torch.testing.assert_close(executable([x]), [x * 4])


LITERAL = """
func.func @main() -> (!torch.vtensor<[2],{t}>, !torch.vtensor<[],f32>) {{
  %int1 = torch.constant.int 1
  %float1 = torch.constant.float 1.500000e+00
  %0 = torch.vtensor.literal(dense<[1, 2]> : tensor<2x{t}>) : !torch.vtensor<[2],{t}>
  %1 = torch.operator "torch.aten.add_.Scalar"(%0, %int1, %int1) :
      (!torch.vtensor<[2],{t}>, !torch.int, !torch.int) -> !torch.vtensor<[2],{t}>
  %2 = torch.prim.NumToTensor.Scalar %float1 : !torch.float -> !torch.vtensor<[],f32>
  return %0, %2 : !torch.vtensor<[2],{t}>, !torch.vtensor<[],f32>
}}"""


@pytest.mark.parametrize("dtype", ["si64", "si32", "ui8"])
def test_literals_start_anew_at_each_run(dtype: str) -> None:
    executable = load(LITERAL.format(t=dtype))
    for _ in range(2):
        values, number = executable([])
        assert values.tolist() == [2, 3]
        assert (number.item(), number.dtype) == (1.5, torch.float32)


MUTATED_LIST = """
func.func @main() -> !torch.vtensor<[1],si64> {
  %int1 = torch.constant.int 1
  %0 = torch.vtensor.literal(dense<1> : tensor<1xsi64>) : !torch.vtensor<[1],si64>
  %1 = torch.prim.ListConstruct %0 : (!torch.vtensor<[1],si64>) -> !torch.list<vtensor>
  torch.operator "torch.aten._foreach_add_.Scalar"(%1, %int1) :
      (!torch.list<vtensor>, !torch.int) -> ()
  return %0 : !torch.vtensor<[1],si64>
}"""


def test_literals_written_through_a_list_start_anew_too() -> None:
    executable = load(MUTATED_LIST)
    assert [executable([])[0].item() for _ in range(2)] == [2, 2]


def test_overwritten_tensors_are_told_and_the_callers_stay() -> None:
    executable = load("""
    func.func @main(%a: !torch.tensor<[2],f32>) -> !torch.vtensor<[2],f32> {
      %int1 = torch.constant.int 1
      %v = torch.copy.to_vtensor %a : !torch.vtensor<[2],f32>
      %w = torch.aten.add.Tensor %v, %v, %int1 : !torch.vtensor<[2],f32>,
          !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
      torch.overwrite.tensor.contents %w overwrites %a : !torch.vtensor<[2],f32>,
          !torch.tensor<[2],f32>
      %u = torch.copy.to_vtensor %a : !torch.vtensor<[2],f32>
      %z = torch.aten.mul.Tensor %u, %v : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
          -> !torch.vtensor<[2],f32>
      return %z : !torch.vtensor<[2],f32>
    }""")
    a = T([1.0, 3.0])
    (z,), written = executable.run([a])
    assert z.tolist() == [2, 18]
    assert written[0].tolist() == [2, 6]
    assert a.tolist() == [1, 3]


def _slices(x: torch.Tensor) -> Any:
    low, high = x[:3], x[1:]
    before = low.clone()
    high.add_(1)
    low.mul_(2)
    return x, before, low, high


def _transposed(x: torch.Tensor) -> Any:
    y = x.reshape(2, 2)
    view = y.t()[1:]
    view.mul_(10)
    y.unsqueeze(0).expand(1, 2, 2)[0, 0].copy_(torch.ones(2))
    return y, view


def _split(x: torch.Tensor) -> Any:
    first, second = x.split(2)
    second.copy_(first)
    first.zero_()
    return x + 0, second


@pytest.mark.parametrize("function", [_slices, _transposed, _split])
def test_writes_through_views_before_functionalization(function: Callable[..., Any]) -> None:
    x = T([1.0, 2.0, 3.0, 4.0])
    executable = imported(function, x)
    mine, theirs = x.clone(), x.clone()
    results, written = executable.run([mine])
    expected = function(theirs)
    torch.testing.assert_close(results, list(expected))
    torch.testing.assert_close(written.get(0, mine), theirs)
    assert torch.equal(mine, x)


def test_an_input_that_may_alias_what_is_written_is_copied_once() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.view(-1).add_(1)
        return x + y

    executable = imported(function, torch.zeros(2, 2), torch.zeros(2, 2))
    assert executable.written == executable.copied == (0,)


UNKNOWN = """
func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.operator "torch.aten.no_such_op"(%x) : (!torch.vtensor<[2],f32>)
      -> !torch.vtensor<[2],f32> loc("model.py":3:4)
  %1 = torch.operator "torch.aten.relu.other"(%0) : (!torch.vtensor<[2],f32>)
      -> !torch.vtensor<[2],f32> loc("model.py":4:4)
  %2 = torch.operator "torch.aten.relu"(%0, %1) : (!torch.vtensor<[2],f32>,
      !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> loc("model.py":5:4)
  return %2 : !torch.vtensor<[2],f32>
}"""


def test_all_ops_that_cannot_run_are_listed() -> None:
    with pytest.raises(CompileError) as fault:
        load(UNKNOWN)
    assert str(fault.value).splitlines() == [
        "model.py:3:4: error: 'torch.aten.no_such_op': PyTorch has no operator of this name",
        "model.py:4:4: error: 'torch.aten.relu.other': PyTorch has no operator of this name",
        "model.py:5:4: error: 'torch.aten.relu': takes 1 operands as "
        "`aten::relu(Tensor self) -> Tensor` says, not 2",
    ]


def test_a_result_of_another_type_than_declared_is_an_error() -> None:
    executable = load("""
    func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[3],f32> {
      %0 = torch.aten.relu %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[3],f32>
          loc("model.py":7:1)
      return %0 : !torch.vtensor<[3],f32>
    }""")
    with pytest.raises(
        CompileError, match=r"model.py:7:1: error: 'torch.aten.relu': it makes"
    ) as e:
        executable([torch.ones(2)])
    assert "`tensor<2xf32>` where the IR declares `!torch.vtensor<[3],f32>`" in str(e.value)


def test_what_pytorch_refuses_has_the_users_line() -> None:
    executable = load("""
    func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,2],f32> {
      %0 = torch.aten.mm %x, %x : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
          -> !torch.vtensor<[2,2],f32> loc("model.py":9:2)
      return %0 : !torch.vtensor<[2,2],f32>
    }""")
    with pytest.raises(CompileError, match=r"model.py:9:2: error: 'torch.aten.mm': mat1 and mat2"):
        executable([torch.ones(2, 3)])


CALLS = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "ttir.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @loop(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @loop(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @outside(%x: tensor<2xf32>) -> tensor<2xf32>
func.func @foreign(%x: i1) -> i1 {
  %0 = arith.andi %x, %x : i1
  return %0 : i1
}
"""


def test_functions_call_each_other() -> None:
    with make_context():
        module = ir.Module.parse(CALLS)
        assert run_function(module, [T([1.0, 2.0])])[0].tolist() == [4, 8]
        for name, message in (
            ("loop", "function `loop` calls itself"),
            ("outside", "a function of one block is needed"),
            ("none", "the module has no function `none`; it has `main`, `twice`, `loop`"),
            ("foreign", "the reference interpreters run Torch-dialect and TTIR ops"),
        ):
            with pytest.raises(CompileError, match=message):
                load_function(module, name)


def test_values_are_freed_after_their_last_use() -> None:
    import weakref

    text = """
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = "ttir.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %1 = "ttir.exp"(%0) : (tensor<4xf32>) -> tensor<4xf32>
      %2 = "ttir.add"(%1, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %2 : tensor<4xf32>
    }"""
    executable = load(text)
    alive: list[int] = []
    made: list[weakref.ref[torch.Tensor]] = []

    def watched(run: Callable[..., Any]) -> Callable[..., Any]:
        def call(*operands: torch.Tensor) -> Any:
            alive.append(sum(reference() is not None for reference in made))
            results = run(*operands)
            made.extend(weakref.ref(result) for result in results)
            return results

        return call

    steps = tuple(step._replace(run=watched(step.run)) for step in executable.steps)
    object.__setattr__(executable, "steps", steps)
    executable([torch.ones(4)])
    # When an op starts, only its own operand is there of all that was made before.
    assert alive == [0, 1, 1]
