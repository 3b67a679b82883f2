"""What cannot be imported: every fault in one report, with the op, the user's line and a hint."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.export import Dim
from torch.fx.experimental.proxy_tensor import make_fx

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.importers.source import import_any
from torch_ttir.ir.diagnostics import CompileError, Diagnostic
from torch_ttir.program import Program

X = torch.arange(8.0).reshape(2, 4)


def faults(function: Callable[..., Any], *inputs: Any, **options: Any) -> list[Diagnostic]:
    class Model(torch.nn.Module):
        forward = staticmethod(function)

    exported = torch.export.export(Model(), inputs, **options)
    with pytest.raises(CompileError) as caught:
        import_exported_program(exported, make_context())
    return caught.value.diagnostics


def here(fault: Diagnostic) -> bool:
    return fault.location.startswith(f"{__file__}:")


def test_a_dynamic_dimension() -> None:
    def forward(x: torch.Tensor) -> torch.Tensor:
        return x + 1

    (fault,) = faults(forward, X, dynamic_shapes=({0: Dim("batch")},))
    assert fault.message.startswith("input `x`: size 0 of [s")
    assert fault.message.endswith(", 4] is dynamic")
    assert fault.notes == ("export it without `dynamic_shapes`",)
    assert here(fault)


def test_data_dependent_shapes_are_all_listed() -> None:
    def forward(x: torch.Tensor) -> Any:
        return x.nonzero(), x[x > 0], torch.unique(x)

    found = faults(forward, X)
    assert {fault.op for fault in found} == {
        "torch.aten.nonzero",
        "torch.aten.index.Tensor",
        "torch.aten._unique2",
    }
    for fault in found:
        assert "depends on the data" in fault.message
        assert "torch.where" in fault.notes[0]
        assert here(fault)


def test_a_number_from_data_may_be_used() -> None:
    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * (x.sum().item() + 2)

    exported = torch.export.export(Model(), (X,))
    text = str(import_exported_program(exported, make_context()).module)
    assert "torch.aten.item" in text
    assert "torch.aten.add.float" in text
    assert "torch.aten.mul.Scalar" in text


def test_a_check_on_data() -> None:
    def forward(x: torch.Tensor) -> torch.Tensor:
        torch._assert_async(x.sum() > 0)
        return x

    (fault,) = faults(forward, X)
    assert fault.op == "torch.aten._assert_async"
    assert "a check on data" in fault.message
    assert here(fault)


def test_a_check_that_holds_is_dropped() -> None:
    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            torch._check(x.shape[0] == 2)
            return x.to(torch.float16).to("cpu")

    exported = torch.export.export(Model(), (X,))
    assert "_assert" in str(exported.graph)
    assert "_assert" not in str(import_exported_program(exported, make_context()).module)


def test_complex_numbers_without_a_definition_in_real_ones() -> None:
    def forward(x: torch.Tensor) -> torch.Tensor:
        return torch.linalg.eigvals(x[:, :2]).abs()

    (fault,) = faults(forward, X)
    assert (fault.op, fault.message) == (
        "torch.aten.linalg_eigvals",
        "complex tensors (torch.complex64) are not supported",
    )
    assert here(fault)
    (fault,) = faults(lambda z: torch.linalg.eigvals(z), torch.ones(2, 2, dtype=torch.complex64))
    assert fault.message == "input `z`: complex tensors (torch.complex64) are not supported"


@pytest.mark.filterwarnings("ignore:torch.quantize_per_tensor")
def test_sparse_and_quantized_tensors() -> None:
    graph = torch.fx.Graph()
    sparse, quantized = graph.placeholder("sparse"), graph.placeholder("quantized")
    sparse.meta["val"] = torch.eye(3).to_sparse()
    quantized.meta["val"] = torch.quantize_per_tensor(X, 0.1, 0, torch.quint8)
    graph.output((sparse, quantized))
    with pytest.raises(CompileError) as caught:
        import_graph_module(torch.fx.GraphModule(torch.nn.Module(), graph), make_context())
    assert [fault.message for fault in caught.value.diagnostics] == [
        "input `sparse`: sparse tensors (torch.sparse_coo) are not supported",
        "input `quantized`: quantized tensors (torch.quint8) are not supported",
    ]


def test_a_sparse_weight() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("eye", torch.eye(4).to_sparse())

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x @ self.eye

    with pytest.raises(CompileError, match=r"constant `eye`: sparse tensors .* not supported"):
        import_any(Model(), make_context(), args=(X,))


def test_storage_that_no_tensor_shows() -> None:
    def scatter(x: torch.Tensor) -> torch.Tensor:
        return torch.as_strided_scatter(x.t(), torch.zeros(2, 2), (2, 2), (1, 1))

    (fault,) = faults(scatter, X)
    assert fault.op == "torch.aten.as_strided_scatter"
    assert "memory that the view does not show" in fault.message
    (fault,) = faults(lambda x: torch.as_strided(x[0], (2, 2), (1, 1)), torch.ones(3, 8)[:, ::2])
    assert fault.op == "torch.aten.as_strided"


def test_as_strided_of_a_view_from_a_file(tmp_path: Path) -> None:
    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            row = x[1]
            return torch.as_strided(row, (2,), (1,)), torch.as_strided(row, (2,), (1,), 0)

    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(Model(), (X,)), path)
    context = make_context()
    program = import_any(path, context)
    found = Program(program.module, program.signature, context.parameters)(X)
    torch.testing.assert_close(found, Model()(X))


def test_as_strided_of_whole_tensors() -> None:
    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            y = torch.as_strided((x * 2).view(-1), (2, 2), (1, 3), 1)
            return y, torch.as_strided(x.contiguous(), (3,), (2,))

    context = make_context()
    program = import_any(Model(), context, args=(X,))
    found = Program(program.module, program.signature, context.parameters)(X)
    torch.testing.assert_close(found, Model()(X))


def test_unlike_faults_are_in_one_report_and_what_follows_is_not() -> None:
    def forward(x: torch.Tensor) -> Any:
        first = x.nonzero()
        return first + 1, torch.fft.fft(x), (first * 2).sum()

    assert {fault.op for fault in faults(forward, X)} == {
        "torch.aten.nonzero",
        "torch.aten.fft_fft",
    }


def test_nothing_is_left_of_a_program_with_faults() -> None:
    context = make_context()
    model = torch.nn.Linear(4, 4)

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = model

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.linear(x).nonzero()

    with pytest.raises(CompileError):
        import_any(Model(), context, args=(X,))
    assert dict(context.parameters) == {}


def test_a_graph_that_is_not_stateless_lists_its_nodes() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(4, 4)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.relu(self.layer(x)).abs()

    tracer = torch.fx.Tracer()
    tracer.record_stack_traces = True
    model = Model()
    module = torch.fx.GraphModule(model, tracer.trace(model))
    with pytest.raises(CompileError) as caught:
        import_any(module, make_context())
    found = caught.value.diagnostics
    assert [fault.message for fault in found] == [
        "node `layer` (call_module of `layer`) is not a call of an ATen operator",
        "node `relu` (call_function of `relu`) is not a call of an ATen operator",
        "node `abs_1` (call_method of `abs`) is not a call of an ATen operator",
    ]
    assert all(here(fault) for fault in found)
    assert "example inputs" in str(caught.value)
    # With example inputs it is traced again.
    program = import_any(module, make_context(), args=(X,))
    assert "torch.aten.linear" in str(program.module)
    assert [a.name for a in program.signature.arguments] == ["layer.weight", "layer.bias", "x"]


def test_a_graph_without_shapes() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    graph.output(graph.call_function(torch.ops.aten.relu.default, (x,)))
    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    with pytest.raises(CompileError, match="the shape of input `x` is not known"):
        import_any(module, make_context())
    x.meta["val"] = X
    with pytest.raises(CompileError, match=r"'torch.aten.relu': the shape of its result is not"):
        import_any(module, make_context())


def test_a_graph_with_dynamic_sizes() -> None:
    module = make_fx(lambda x, n: x + n, tracing_mode="symbolic")(X, 3)
    with pytest.raises(CompileError) as caught:
        import_any(module, make_context())
    assert "is a number that is not fixed when it is traced" in str(caught.value)


def test_arguments_that_no_constant_says() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    x.meta["val"] = X
    for arguments in ((x, 2j), (x, 2**70), (x, "text")):
        node = graph.call_function(torch.ops.aten.add.Tensor, arguments)
        node.meta["val"] = X
    missing = graph.call_function(torch.ops.aten.mul.Tensor, (x,))
    missing.meta["val"] = X
    graph.output(x)
    with pytest.raises(CompileError) as caught:
        import_graph_module(torch.fx.GraphModule(torch.nn.Module(), graph), make_context())
    messages = [fault.message for fault in caught.value.diagnostics]
    assert "found `2j` where a tensor is needed" in messages
    assert "the integer 1180591620717411303424 does not fit into 64 bits" in messages
    assert "found `'text'` where a tensor is needed" in messages
    assert "its argument `other` is missing" in messages
