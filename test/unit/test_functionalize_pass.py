"""functionalize-inplace-ops on modules: what it takes, what it leaves, and what it says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch_mlir import ir
from torch_mlir.extras.fx_importer import FxImporter

import torch_ttir
from torch_ttir.dialects.context import make_context
from torch_ttir.interpreters.runner import run_function
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.passes.functionalize import FunctionalizeInplaceOps
from torch_ttir.pipelines import run

T = torch.tensor
PIPELINE = "builtin.module(functionalize-inplace-ops)"
ALIASES = """
!v2 = !torch.vtensor<[2],f32>
!v4 = !torch.vtensor<[4],f32>
!v2x2 = !torch.vtensor<[2,2],f32>
!v2x3 = !torch.vtensor<[2,3],f32>
!v3x2 = !torch.vtensor<[3,2],f32>
!ints = !torch.list<int>
"""


def raw_import(function: Callable[..., Any], *inputs: torch.Tensor) -> tuple[Context, ir.Module]:
    """Import a graph as torch-mlir does: in-place ops on value tensors, which is not valid IR."""
    graph = make_fx(function)(*inputs).graph
    context = make_context()
    importer = FxImporter(context=context)
    importer.import_stateless_graph(graph)
    return context, importer.module


def functionalize(context: Context, module: ir.Module) -> None:
    with context:
        FunctionalizeInplaceOps().run(module.operation)
        module.operation.verify()


def parse(text: str) -> tuple[Context, ir.Module]:
    context = make_context()
    with context:
        return context, ir.Module.parse(ALIASES + text)


def test_raw_import_in_memory() -> None:
    def f(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        v = x[0]
        v.add_(1.0)
        x[1].copy_(y)
        return x * 2

    context, module = raw_import(f, torch.zeros(2, 3), torch.zeros(3))
    with pytest.raises(ir.MLIRError):
        module.operation.verify()
    functionalize(context, module)
    results = run_function(module, [torch.zeros(2, 3), T([1.0, 2, 3])])
    torch.testing.assert_close(results, [T([[2.0, 2, 2], [2, 4, 6]]), T([[1.0, 1, 1], [1, 2, 3]])])


def test_raw_import_of_a_copy_to_an_input() -> None:
    def f(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.copy_(y)
        return x + 1

    context, module = raw_import(f, torch.ones(2), torch.zeros(2))
    functionalize(context, module)
    results = run_function(module, [torch.ones(2), T([3.0, 4])])
    torch.testing.assert_close(results, [T([4.0, 5]), T([3.0, 4])])


def test_raw_import_through_the_pass_manager() -> None:
    _, module = raw_import(lambda x: x.relu_().sum(), torch.ones(2))
    run(module, PIPELINE)
    torch.testing.assert_close(run_function(module, [T([-1.0, 2])])[0], T(2.0))


def test_a_module_with_a_fault_is_as_it_was() -> None:
    context, module = parse("""
      func.func @good(%x: !v2) {
        %0 = torch.operator "torch.aten.relu_"(%x) : (!v2) -> !v2
        return
      }
      func.func @bad(%x: !v2) {
        %0 = torch.operator "torch.aten.relu_"(%x) : (!v2) -> !v2
        %none = torch.constant.none
        %1 = torch.prim.ListConstruct : () -> !ints
        %2 = torch.operator "torch.aten.resize_"(%0, %1, %none) : (!v2, !ints, !torch.none) -> !v2
        return
      }""")
    before = str(module)
    with pytest.raises(CompileError) as caught:
        functionalize(context, module)
    assert [fault.op for fault in caught.value.diagnostics] == ["torch.aten.resize_"]
    assert str(module) == before


def test_every_op_has_a_location() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm = torch.nn.BatchNorm1d(4)
            self.register_buffer("b", torch.zeros(3, 4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            v = x.view(4, 3).t()[1:]
            v.mul_(2)
            x.unfold(1, 2, 1)[:, 0].zero_()
            self.b[1].copy_(x[0])
            return self.norm(x) + self.b

    program = torch_ttir.compile(Model(), (torch.ones(3, 4),), pipeline=PIPELINE)
    unknown: list[str] = []

    def visit(op: ir.Operation) -> ir.WalkResult:
        if "unknown" in str(op.location):
            unknown.append(op.name)
        return ir.WalkResult.ADVANCE

    program.module.operation.walk(visit)
    assert unknown == []
    written_back = [
        op.operation
        for op in next(iter(program.module.body)).regions[0].blocks[0]
        if op.operation.name == "torch.aten.select_scatter"
    ]
    assert all(f'"{__file__}"' in str(op.location) for op in written_back)


def test_an_op_of_the_users_own_that_writes_is_refused() -> None:
    @torch.library.custom_op(
        "functionalize_test::scale_into", mutates_args=("out",), device_types="cpu"
    )
    def scale_into(x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        out.copy_(x * 2)
        return x + 1

    @scale_into.register_fake
    def _(x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(x)

    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = torch.zeros_like(x)
            scale_into(x, y)
            return y

    with pytest.raises(CompileError, match="it writes its operands, and no op is known") as caught:
        torch_ttir.compile(Model(), (torch.ones(2),), pipeline=PIPELINE)
    assert caught.value.diagnostics[0].op == "torch.functionalize_test.scale_into"


def test_a_write_in_a_region_is_refused_and_a_read_there_has_the_current_value() -> None:
    text = """
      func.func @main(%x: !v2, %c: !torch.bool) -> !v2 {{
        %0 = torch.operator "torch.aten.relu_"(%x) : (!v2) -> !v2
        %1 = torch.prim.If %c -> (!v2) {{
          %2 = {} : {}!v2{} -> !v2
          torch.prim.If.yield %2 : !v2
        }} else {{
          torch.prim.If.yield %x : !v2
        }}
        return %1 : !v2
      }}"""
    context, module = parse(text.format("torch.aten.tanh %x", "", ""))
    functionalize(context, module)
    printed = str(module)
    assert "torch.aten.tanh %0" in printed
    assert "yield %0" in printed
    context, module = parse(text.format('torch.operator "torch.aten.tanh_"(%x)', "(", ")"))
    with pytest.raises(CompileError, match="writes in a region are not supported"):
        functionalize(context, module)


def test_a_tensor_that_changes_its_shape_in_place_does_so_under_all_its_names() -> None:
    context, module = parse("""
      func.func @main(%x: !v2x3) -> (!v3x2, !v2x3) {
        %y = torch.aten.relu %x : !v2x3 -> !v2x3
        %0 = torch.operator "torch.aten.tanh_"(%y) : (!v2x3) -> !v2x3
        %1 = torch.operator "torch.aten.t_"(%0) : (!v2x3) -> !v3x2
        return %1, %y : !v3x2, !v2x3
      }""")
    functionalize(context, module)
    x = torch.rand(2, 3)
    found = run_function(module, [x])
    torch.testing.assert_close(found, [x.tanh().t(), x.tanh().t()])


def test_tensors_that_may_share_storage() -> None:
    """A write reaches all tensors that may share storage, until one gets a whole new value."""
    text = """
      func.func @main(%x: !v4) -> !v4 {{
        %false = torch.constant.bool false
        %int2 = torch.constant.int 2
        %l = torch.prim.ListConstruct %int2, %int2 : (!torch.int, !torch.int) -> !ints
        %a = torch.operator "torch.aten.unknown"(%x) : (!v4) -> !v4
        %b = torch.aten.reshape %a, %l : !v4, !ints -> !v2x2
        %c = torch.aten.reshape %a, %l : !v4, !ints -> !v2x2
        %r = torch.operator "torch.aten.relu_"(%b) : (!v2x2) -> !v2x2
        %s = {}
        return %a : !v4
      }}"""
    context, module = parse(text.format("torch.aten.tanh %c : !v2x2 -> !v2x2"))
    with pytest.raises(CompileError, match="depends on strides that the IR does not say"):
        functionalize(context, module)
    copy = 'torch.operator "torch.aten.copy_"(%a, %x, %false) : (!v4, !v4, !torch.bool) -> !v4'
    context, module = parse(text.format(copy))
    functionalize(context, module)
    assert "return %arg0 :" in str(module)


def test_textual_programs_need_no_torch() -> None:
    program = """
import sys
from torch_mlir import ir
from torch_ttir.dialects.context import make_context
from torch_ttir.passes.functionalize import FunctionalizeInplaceOps
with make_context():
    module = ir.Module.parse('''
      !v2 = !torch.vtensor<[2],f32>
      func.func @main(%x: !v2) {
        %0 = torch.operator "torch.aten.relu_"(%x) : (!v2) -> !v2
        return
      }''')
    FunctionalizeInplaceOps().run(module.operation)
    assert "torch.aten.relu %arg0" in str(module)
assert "torch" not in sys.modules and "onnx" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
