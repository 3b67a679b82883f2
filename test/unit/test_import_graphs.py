"""FX graphs to the Torch dialect: the form of operands, constants, lists, results and held ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.importers.program import ImportedProgram
from torch_ttir.ir.diagnostics import op_name
from torch_ttir.program import Program

X = torch.arange(8.0).reshape(2, 4)


def trace(function: Callable[..., Any], *inputs: Any) -> torch.fx.GraphModule:
    tracer = make_fx(function, pre_dispatch=True, tracing_mode="fake", _allow_non_fake_inputs=True)
    return tracer(*inputs)


def import_function(function: Callable[..., Any], *inputs: Any) -> ImportedProgram:
    return import_graph_module(trace(function, *inputs), make_context())


def casting_to(dtype: torch.dtype) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda x: x.to(dtype)


def names(program: ImportedProgram) -> list[str]:
    entry = next(iter(program.module.body))
    return [op_name(op.operation) for op in entry.regions[0].blocks[0]]


def check_runs(function: Callable[..., Any], *inputs: Any) -> ImportedProgram:
    """Import, run the imported ops one by one in PyTorch, and compare with eager PyTorch."""
    context = make_context()
    program = import_graph_module(trace(function, *inputs), context)
    copies = [value.clone() for value in inputs]
    found = Program(program.module, program.signature, context.parameters)(*copies)
    eager = [value.clone() for value in inputs]
    torch.testing.assert_close(found, function(*eager))
    torch.testing.assert_close(copies, eager)
    return program


def test_each_constant_and_list_stands_once_at_the_entry() -> None:
    program = import_function(lambda x: x.sum(1).sum(0) + x.mean(1).mean(0), X)
    found = names(program)
    assert found.count("torch.constant.int") == 2
    assert found.count("torch.prim.ListConstruct") == 2
    ops = [name for name in found if name.startswith("torch.aten")]
    assert found[-len(ops) - 1 :] == [*ops, "func.return"]


@pytest.mark.parametrize("value", [0.0, -0.0, float("inf"), float("nan"), 1e-45, 2**62, -(2**63)])
def test_a_constant_keeps_its_value(value: float) -> None:
    program = import_function(lambda x: (x + value, x * 0.0), X)
    entry = next(iter(program.module.body))
    found = [
        repr(op.operation.attributes["value"].value)
        for op in entry.regions[0].blocks[0]
        if op.operation.name in ("torch.constant.int", "torch.constant.float")
    ]
    assert repr(value) in found
    assert "0.0" in found


def test_a_float_parameter_that_got_an_int_is_a_float() -> None:
    program = check_runs(lambda x: functional.elu(functional.dropout(x, 0, True), 1), X)
    assert "torch.constant.float 0.0" in str(program.module)


def test_a_bool_where_a_number_is_needed_is_an_int() -> None:
    program = check_runs(lambda x: torch.clamp(x, False, True), X)
    assert "torch.aten.Int.bool" in names(program)


def test_a_number_where_a_tensor_is_needed_takes_the_scalar_overload() -> None:
    program = check_runs(lambda x: (x - 2.5) * 3 + True, X)
    found = {name for name in names(program) if "aten" in name}
    assert found == {
        "torch.aten.add.Scalar",
        "torch.aten.mul.Scalar",
        "torch.aten.sub.Scalar",
        "torch.aten.Int.bool",
    }


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.int64, torch.bool])
def test_a_number_without_a_scalar_overload_is_a_tensor_of_the_promoted_dtype(
    dtype: torch.dtype,
) -> None:
    x = torch.tensor([0, 1, 3]).to(dtype)
    graph = torch.fx.Graph()
    placeholder = graph.placeholder("x")
    placeholder.meta["val"] = torch.empty(3, dtype=dtype, device="meta")
    expected = torch.atan2(x, torch.tensor(0.1).to(torch.result_type(x, 0.1)))
    node = graph.call_function(torch.ops.aten.atan2.default, (placeholder, 0.1))
    node.meta["val"] = torch.empty(3, dtype=expected.dtype, device="meta")
    graph.output(node)
    context = make_context()
    program = import_graph_module(torch.fx.GraphModule(torch.nn.Module(), graph), context)
    found = Program(program.module, program.signature, context.parameters)(x)
    torch.testing.assert_close(found, expected)


def test_optional_and_tensor_lists() -> None:
    index = torch.tensor([0, 1, 1])
    program = check_runs(
        lambda x, i: (x[:, i], torch.cat([x, x], 1), torch.stack((x, x))), X, index
    )
    text = str(program.module)
    assert "-> !torch.list<optional<vtensor>>" in text
    assert "-> !torch.list<vtensor>" in text


def test_several_results_and_lists_of_results() -> None:
    def function(x: torch.Tensor) -> Any:
        values, indices = torch.max(x, dim=1)
        first, second = torch.split(x, 2, dim=1)
        return values, indices, first + second, torch.cat(torch.chunk(x, 2)), x.unbind()[1]

    program = check_runs(function, X)
    assert names(program).count("torch.prim.ListUnpack") == 3


def test_a_result_that_is_none_or_unused_is_no_fault() -> None:
    check_runs(lambda x: functional.max_pool2d(x[None, None], 2, return_indices=True)[0], X)


def test_in_place_ops_are_held_and_valid() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> Any:
        x.copy_(y)
        y.mul_(2).add_(1)
        z = x.clone()
        z.clamp_(min=3.0)
        return x + 1, z.half()

    program = check_runs(function, X, X + 1)
    text = str(program.module)
    for name in ("copy_", "mul_.Scalar", "add_.Scalar", "clamp_"):
        assert f'torch.operator "torch.aten.{name}"' in text
    program.module.operation.verify()


def test_an_out_argument_is_held() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        out = torch.zeros(2, 4)
        torch.add(x, x, out=out)
        return out

    assert 'torch.operator "torch.aten.add.out"' in str(check_runs(function, X).module)


def test_an_op_that_torch_mlir_does_not_know_is_held() -> None:
    program = check_runs(lambda x: torch.diff(x, dim=1), X)
    assert 'torch.operator "torch.aten.diff"' in str(program.module)


def test_constants_that_were_traced_in() -> None:
    table = torch.tensor([1.0, 2.0, 3.0, 4.0])
    context = make_context()
    program = import_graph_module(trace(lambda x: x * table + torch.tensor(7.0), X), context)
    (argument,) = [a for a in program.signature.arguments if a.leaf is None]
    assert (argument.kind, argument.shape) == ("constant", (4,))
    assert context.parameters[argument.name] is table
    assert "torch.vtensor.literal(dense<7.0" in str(program.module)
    found = Program(program.module, program.signature, context.parameters)(X)
    torch.testing.assert_close(found, X * table + 7)


def test_every_dtype_has_a_type() -> None:
    dtypes = {
        torch.float64: "f64",
        torch.float32: "f32",
        torch.float16: "f16",
        torch.bfloat16: "bf16",
        torch.int64: "si64",
        torch.int32: "si32",
        torch.int16: "si16",
        torch.int8: "si8",
        torch.uint8: "ui8",
        torch.bool: "i1",
        torch.float8_e4m3fn: "f8E4M3FN",
    }
    for dtype, spelled in dtypes.items():
        program = import_function(lambda x: x.reshape(-1), torch.zeros(2, 3).to(dtype))
        assert f"!torch.vtensor<[6],{spelled}>" in str(program.module)


def test_a_dtype_argument_is_pytorchs_number() -> None:
    for dtype, number in {
        torch.float16: 5,
        torch.bfloat16: 15,
        torch.int64: 4,
        torch.bool: 11,
        torch.uint8: 0,
    }.items():
        program = import_function(casting_to(dtype), X)
        assert f"torch.constant.int {number}\n" in str(program.module)


def test_a_program_without_inputs() -> None:
    graph = torch.fx.Graph()
    node = graph.call_function(torch.ops.aten.arange.default, (3,))
    node.meta["val"] = torch.empty(3, dtype=torch.int64, device="meta")
    graph.output((node, node, None, 5))
    context = make_context()
    program = import_graph_module(torch.fx.GraphModule(torch.nn.Module(), graph), context)
    found = Program(program.module, program.signature, context.parameters)()
    torch.testing.assert_close(found, (torch.arange(3), torch.arange(3), None, 5))


def test_a_constant_that_json_has_not() -> None:
    graph = torch.fx.Graph()
    graph.output((torch.float64, 2))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    program = import_graph_module(module, make_context())
    with pytest.raises(NotImplementedError, match=r"`torch.float64`, a constant of type `dtype`"):
        program.signature.to_json()


def test_the_graph_is_left_as_it_was() -> None:
    def function(x: torch.Tensor) -> Any:
        return x.add_(1) + torch.tensor(2.0), torch.diff(x)

    module = trace(function, X.clone())
    before = str(module.graph)
    import_graph_module(module, make_context(), known_ops={"aten.add.Scalar"})
    assert str(module.graph) == before


def test_nested_results_keep_their_structure() -> None:
    def function(x: torch.Tensor) -> Any:
        return {"a": [x + 1, (x, None)], "b": 3}, x

    context = make_context()
    program = import_graph_module(trace(function, X), context)
    found = Program(program.module, program.signature, context.parameters)(X)
    assert type(found) is tuple
    assert type(found[0]) is dict
    assert type(found[0]["a"]) is list
    torch.testing.assert_close(found, function(X))


def test_module_of_an_exported_program() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 3)
            self.register_buffer("count", torch.zeros(3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count.add_(1)
            return self.linear(x) + self.count

    module = torch.export.export(Model(), (X,)).module()
    context = make_context()
    program = import_graph_module(module, context)
    kinds = {argument.name: argument.kind for argument in program.signature.arguments}
    assert kinds == {
        "x": "input",
        "linear.weight": "parameter",
        "linear.bias": "parameter",
        "count": "input",
    }
    assert context.parameters["linear.weight"] is module.linear.weight
