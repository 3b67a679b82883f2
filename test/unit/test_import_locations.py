"""Where imported ops come from: the user's call stack, the module's path, and how it is shown."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.exporting import export_module
from torch_ttir.ir.context import Context
from torch_ttir.ir.locations import frames, user_frame


def helper(x: torch.Tensor) -> torch.Tensor:
    return x + 1  # HELPER


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mlp = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = helper(x)  # CALL
        with torch.no_grad():
            x = x * 2  # REGION
        return torch.diff(self.mlp(x))  # LINEAR


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([Block(), Block()])
        self.layers[1].mlp = torch.nn.Linear(3, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)  # LOOP
        return x


def line_of(marker: str) -> int:
    with open(__file__) as file:
        return next(i for i, line in enumerate(file, 1) if line.rstrip().endswith(f"# {marker}"))


@pytest.fixture(scope="module")
def ops() -> dict[str, list[ir.Operation]]:
    """Ops of the model by name, with `aten.diff` decomposed."""
    context = make_context()
    exported = export_module(Model(), (torch.ones(2, 4),))
    known = {"aten.linear", "aten.add.Scalar", "aten.mul.Scalar", "aten.sub.Tensor", "aten.narrow"}
    return collect(exported, context, known)


def collect(
    exported: torch.export.ExportedProgram, context: Context, known: set[str]
) -> dict[str, list[ir.Operation]]:
    program = import_exported_program(exported, context, known_ops=known)
    entry = next(iter(program.module.body))
    found: dict[str, list[ir.Operation]] = {"module": [program.module.operation]}
    found["func.func"] = [entry.operation]
    for op in entry.regions[0].blocks[0]:
        found.setdefault(op.operation.name, []).append(op.operation)
    return found


def test_no_location_is_unknown(ops: dict[str, list[ir.Operation]]) -> None:
    for found in ops.values():
        for op in found:
            assert "unknown" not in str(op.location)
    (entry,) = ops["func.func"]
    for argument in entry.regions[0].blocks[0].arguments:
        assert "unknown" not in str(argument.location)


def test_the_stack_is_innermost_first_with_the_modules_path(
    ops: dict[str, list[ir.Operation]],
) -> None:
    found = ops["torch.aten.add.Scalar"][0].location
    lines = [(file, line) for file, line, _ in frames(found)]
    assert lines == [(__file__, line_of(marker)) for marker in ("HELPER", "CALL", "LOOP")]
    assert str(found).startswith('loc("layers.0"(callsite(')


def test_a_users_line_is_shown_and_not_pytorchs(ops: dict[str, list[ir.Operation]]) -> None:
    first, second = ops["torch.aten.linear"]
    assert "torch/nn/modules/linear.py" in str(first.location)
    assert str(first.location).startswith('loc("layers.0.mlp"(')
    assert str(second.location).startswith('loc("layers.1.mlp"(')
    assert user_frame(first.location) == f"{__file__}:{line_of('LINEAR')}"


def test_an_op_of_a_region_keeps_its_line(ops: dict[str, list[ir.Operation]]) -> None:
    (first, _) = ops["torch.aten.mul.Scalar"]
    assert user_frame(first.location) == f"{__file__}:{line_of('REGION')}"


def test_the_parts_of_a_decomposed_op_are_where_it_was(ops: dict[str, list[ir.Operation]]) -> None:
    (first, second) = ops["torch.aten.sub.Tensor"]
    assert user_frame(first.location) == f"{__file__}:{line_of('LINEAR')}"
    assert str(first.location).startswith('loc("layers.0"(')
    assert str(second.location).startswith('loc("layers.1"(')


def test_function_and_module_are_where_the_model_is(ops: dict[str, list[ir.Operation]]) -> None:
    for name in ("module", "func.func", "func.return"):
        assert user_frame(ops[name][0].location) == f"{__file__}:{line_of('LOOP')}"


def test_an_argument_is_where_its_name_is(ops: dict[str, list[ir.Operation]]) -> None:
    (entry,) = ops["func.func"]
    first = entry.regions[0].blocks[0].arguments[0]
    assert str(first.location) == 'loc("layers.0.mlp.weight")'
    assert user_frame(first.location) == "layers.0.mlp.weight"


def test_locations_survive_a_file(tmp_path: Any) -> None:
    path = tmp_path / "model.pt2"
    exported = export_module(Model(), (torch.ones(2, 4),))
    torch.export.save(exported, path)
    found = collect(torch.export.load(path), make_context(), {"aten.linear"})
    location = found["torch.aten.linear"][0].location
    assert user_frame(location) == f"{__file__}:{line_of('LINEAR')}"
    assert str(location).startswith('loc("layers.0.mlp"(')


def test_a_strict_export_shows_the_same_lines(ops: dict[str, list[ir.Operation]]) -> None:
    exported = torch.export.export(Model(), (torch.ones(2, 4),), strict=True)
    found = collect(exported, make_context(), {"aten.add.Scalar"})
    first = found["torch.aten.add.Scalar"][0].location
    assert frames(first) == frames(ops["torch.aten.add.Scalar"][0].location)
    assert user_frame(found["func.func"][0].location) == f"{__file__}:{line_of('LOOP')}"


def test_a_plain_function_has_lines_too() -> None:
    exported = export_module(lambda x: helper(x), (torch.ones(2),))  # LAMBDA
    found = collect(exported, make_context(), {"aten.add.Scalar"})
    (add,) = found["torch.aten.add.Scalar"]
    lines = [line for _, line, _ in frames(add.location)]
    assert lines == [line_of("HELPER"), line_of("LAMBDA")]


def test_exporting_leaves_pytorchs_tracer_as_it_was() -> None:
    from torch.fx.experimental.proxy_tensor import _ModuleStackTracer

    before = dict(vars(_ModuleStackTracer))
    export_module(Model(), (torch.ones(2, 4),))
    assert dict(vars(_ModuleStackTracer)) == before


def test_a_node_without_a_stack_goes_by_its_name() -> None:
    graph = torch.fx.Graph()
    x = graph.placeholder("x")
    x.meta["val"] = torch.empty(3, device="meta")
    relu = graph.call_function(torch.ops.aten.relu.default, (x,), name="my_relu")
    relu.meta["val"] = torch.empty(3, device="meta")
    graph.output(relu)
    from torch_ttir.importers.fx import import_graph_module

    module = torch.fx.GraphModule(torch.nn.Module(), graph)
    program = import_graph_module(module, make_context())
    entry = next(iter(program.module.body))
    first = next(iter(entry.regions[0].blocks[0]))
    assert str(first.operation.location) == 'loc("my_relu")'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            'callsite("/v/site-packages/torch/nn/x.py":1:0 at "/home/me/m.py":2:4)',
            "/home/me/m.py:2:4",
        ),
        (
            'callsite("/v/site-packages/torch/nn/x.py":1:0 at "/v/site-packages/hf/m.py":2:0)',
            "/v/site-packages/hf/m.py:2",
        ),
        ('callsite("<eval_with_key>.3":5:0 at "/home/me/m.py":2:0)', "/home/me/m.py:2"),
        ('"/v/site-packages/torch/nn/x.py":1:0', "/v/site-packages/torch/nn/x.py:1"),
        ('"a.b"("my file.py":3:0)', "my file.py:3"),
        ('"node"', "node"),
        ("unknown", "<unknown>"),
    ],
)
def test_the_frame_that_is_shown(text: str, shown: str) -> None:
    module = ir.Module.parse(f"module {{}} loc({text})", make_context())
    assert user_frame(module.operation.location) == shown
