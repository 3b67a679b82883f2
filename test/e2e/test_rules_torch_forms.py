"""Forms of shape and indexing ops that only passes make, as Torch-dialect text."""

from __future__ import annotations

import pytest
import torch
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.interpreters.runner import run_function
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.passes.registry import PASSES


def run(text: str, *inputs: torch.Tensor) -> torch.Tensor:
    """Legalize a Torch-dialect function and run it."""
    with make_context():
        module = ir.Module.parse(text)
        PASSES["legalize-to-ttir"]().run(module.operation)
        module.operation.verify()
        return run_function(module, list(inputs))[0]


X = torch.arange(12.0).reshape(3, 4)


def test_index_hacked_twin() -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[3,4],f32>, %i: !torch.vtensor<[2,1],si64>,
                    %j: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,2],f32> {
      %l = torch.prim.ListConstruct %i, %j
        : (!torch.vtensor<[2,1],si64>, !torch.vtensor<[2],si64>) -> !torch.list<vtensor>
      %0 = torch.aten.index.Tensor_hacked_twin %x, %l
        : !torch.vtensor<[3,4],f32>, !torch.list<vtensor> -> !torch.vtensor<[2,2],f32>
      return %0 : !torch.vtensor<[2,2],f32>
    }"""
    i, j = torch.tensor([[2], [-3]]), torch.tensor([0, -1])
    torch.testing.assert_close(run(text, X, i, j), X[i, j])


def test_index_put_hacked_twin() -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[3,4],f32>, %i: !torch.vtensor<[2],si64>,
                    %v: !torch.vtensor<[4],f32>) -> !torch.vtensor<[3,4],f32> {
      %true = torch.constant.bool true
      %l = torch.prim.ListConstruct %i : (!torch.vtensor<[2],si64>) -> !torch.list<vtensor>
      %0 = torch.aten.index_put.hacked_twin %x, %l, %v, %true : !torch.vtensor<[3,4],f32>,
        !torch.list<vtensor>, !torch.vtensor<[4],f32>, !torch.bool -> !torch.vtensor<[3,4],f32>
      return %0 : !torch.vtensor<[3,4],f32>
    }"""
    i, v = torch.tensor([1, 1]), torch.tensor([1.0, 2.0, 3.0, 4.0])
    torch.testing.assert_close(run(text, X, i, v), X.index_put((i,), v, accumulate=True))


def test_known_mask_is_an_index() -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[2,4],f32> {
      %m = torch.vtensor.literal(dense<[true, false, true]> : tensor<3xi1>)
        : !torch.vtensor<[3],i1>
      %l = torch.prim.ListConstruct %m : (!torch.vtensor<[3],i1>) -> !torch.list<vtensor>
      %0 = torch.aten.index.Tensor_hacked_twin %x, %l
        : !torch.vtensor<[3,4],f32>, !torch.list<vtensor> -> !torch.vtensor<[2,4],f32>
      return %0 : !torch.vtensor<[2,4],f32>
    }"""
    torch.testing.assert_close(run(text, X), X[[0, 2]])


@pytest.mark.parametrize("start", [0, 2, -3])
def test_narrow_from_a_tensor(start: int) -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[3,4],f32>, %s: !torch.vtensor<[],si64>)
        -> !torch.vtensor<[3,2],f32> {
      %1 = torch.constant.int 1
      %2 = torch.constant.int 2
      %0 = torch.operator "torch.aten.narrow.Tensor"(%x, %1, %s, %2) : (!torch.vtensor<[3,4],f32>,
        !torch.int, !torch.vtensor<[],si64>, !torch.int) -> !torch.vtensor<[3,2],f32>
      return %0 : !torch.vtensor<[3,2],f32>
    }"""
    torch.testing.assert_close(run(text, X, torch.tensor(start)), X.narrow(1, start, 2))


def test_list_of_a_split_is_unpacked() -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[3,4],f32>) -> !torch.vtensor<[3,1],f32> {
      %1 = torch.constant.int 1
      %3 = torch.constant.int 3
      %0 = torch.aten.split.Tensor %x, %3, %1
        : !torch.vtensor<[3,4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
      %a:2 = torch.prim.ListUnpack %0
        : !torch.list<vtensor> -> !torch.vtensor<[3,3],f32>, !torch.vtensor<[3,1],f32>
      return %a#1 : !torch.vtensor<[3,1],f32>
    }"""
    torch.testing.assert_close(run(text, X), X[:, 3:])


def test_bins_are_counted_where_their_number_is_declared() -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[5],si64>) -> !torch.vtensor<[6],si64> {
      %none = torch.constant.none
      %0 = torch.constant.int 6
      %1 = torch.aten.bincount %x, %none, %0
        : !torch.vtensor<[5],si64>, !torch.none, !torch.int -> !torch.vtensor<[6],si64>
      return %1 : !torch.vtensor<[6],si64>
    }"""
    x = torch.tensor([0, 3, 3, 5, 0])
    torch.testing.assert_close(run(text, x), torch.bincount(x, minlength=6))


def test_what_is_made_of_a_rejected_list_is_no_fault_of_its_own() -> None:
    text = """
    func.func @main(%x: !torch.vtensor<[3],f32>) -> !torch.vtensor<[2],si64> {
      %l = torch.operator "torch.aten.nonzero_numpy"(%x)
        : (!torch.vtensor<[3],f32>) -> !torch.list<vtensor>
      %a = torch.prim.ListUnpack %l : !torch.list<vtensor> -> !torch.vtensor<[2],si64>
      %int0 = torch.constant.int 0
      %n = torch.aten.size.int %a, %int0 : !torch.vtensor<[2],si64>, !torch.int -> !torch.int
      return %a : !torch.vtensor<[2],si64>
    }"""
    with pytest.raises(CompileError) as caught:
        run(text, X[0, :3])
    assert [fault.op for fault in caught.value.diagnostics] == ["torch.aten.nonzero_numpy"]
