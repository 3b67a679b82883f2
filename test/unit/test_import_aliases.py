"""What the importer knows of memory: which ops return their operand's, asked of PyTorch itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.aliases import analyze, shared_operands
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.ir.diagnostics import op_name
from torch_ttir.program import Program

aten = torch.ops.aten
X = torch.arange(8.0).reshape(2, 4)
T = X.t()


@pytest.mark.parametrize(
    ("op", "arguments", "shared"),
    [
        (aten.reshape.default, (X, [8]), {0}),
        (aten.reshape.default, (T, [8]), set()),
        (aten.reshape.default, (T, [4, 2, 1]), {0}),
        (aten.contiguous.default, (X,), {0}),
        (aten.contiguous.default, (T,), set()),
        (aten.to.dtype, (X, torch.float32), {0}),
        (aten.to.dtype, (X, torch.float64), set()),
        (aten.to.dtype, (X, torch.float32, False, True), set()),
        (aten.flatten.using_ints, (X,), {0}),
        (aten.flatten.using_ints, (T,), set()),
        (aten.type_as.default, (X, T), {0}),
        (aten.type_as.default, (X, T.int()), set()),
        (aten.dropout.default, (X, 0.5, False), {0}),
        (aten.dropout.default, (X, 0.5, True), set()),
        (aten.einsum.default, ("ij->ji", [X]), {1}),
        (aten.linear.default, (X, X), set()),
        (aten.ravel.default, (X,), {0}),
        (aten.expand_as.default, (X, X), {0}),
        (aten.meshgrid.indexing, ([X[0], X[1]],), {0}),
    ],
)
def test_sharing_is_what_eager_pytorch_does(op: Any, arguments: Any, shared: set[int]) -> None:
    from torch_ttir.importers.schemas import bind

    values = bind(op, arguments, {"indexing": "ij"} if "meshgrid" in str(op) else {})
    assert shared_operands(op, values) == shared
    # The same question to real tensors.
    results = op(*arguments, **({"indexing": "ij"} if "meshgrid" in str(op) else {}))
    made = {r.untyped_storage()._cdata for r in torch.utils._pytree.tree_leaves(results)}
    operands = [
        {
            leaf.untyped_storage()._cdata
            for leaf in torch.utils._pytree.tree_leaves(value)
            if isinstance(leaf, torch.Tensor)
        }
        for value in values
    ]
    same_memory = {i for i, storages in enumerate(operands) if not made.isdisjoint(storages)}
    # X and T are one memory, so a second operand counts only if it is the first in the answer.
    assert same_memory >= shared
    assert bool(same_memory) == bool(shared)


def marks(function: Callable[..., Any], *inputs: Any) -> dict[str, bool]:
    module = make_fx(function, pre_dispatch=True, tracing_mode="fake")(*inputs)
    program = import_graph_module(module, make_context())
    entry = next(iter(program.module.body))
    return {
        op_name(op.operation): bool(ir.BoolAttr(op.operation.attributes["ttir.alias"]).value)
        for op in entry.regions[0].blocks[0]
        if "ttir.alias" in op.operation.attributes
    }


def test_ops_of_a_program_that_writes_are_marked() -> None:
    def function(x: torch.Tensor) -> Any:
        x.add_(1)
        y = functional.dropout(x, training=False)
        linear = functional.linear(x, x)
        return x.reshape(-1), x.t().contiguous(), x.to(torch.float64), y, linear

    assert marks(function, X.clone()) == {
        "torch.aten.reshape": True,
        "torch.aten.contiguous": False,
        "torch.aten.to.dtype": False,
        "torch.aten.dropout": True,
    }


def test_a_program_that_writes_nothing_has_no_marks() -> None:
    assert marks(lambda x: x.reshape(-1).contiguous() + 1, T) == {}
    module = make_fx(lambda x: x.reshape(-1), tracing_mode="fake")(T)
    assert "ttir.strides" not in str(import_graph_module(module, make_context()).module)


def test_arguments_that_do_not_lie_in_order_have_their_strides() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x.reshape(-1).add_(1) + y.reshape(-1)

    module = make_fx(function, pre_dispatch=True, tracing_mode="fake")(T, X)
    text = str(import_graph_module(module, make_context()).module)
    assert text.count("ttir.strides") == 1
    assert 'ttir.name = "x_1", ttir.strides = array<i64: 1, 4>' in text


def test_a_view_that_no_schema_shows_is_taken_apart() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        torch.einsum("ij->ji", x).add_(1)
        return x

    module = make_fx(function, pre_dispatch=True, tracing_mode="fake")(X.clone())
    context = make_context()
    program = import_graph_module(module, context)
    text = str(program.module)
    assert "einsum" not in text
    assert "torch.aten.permute" in text
    x = X.clone()
    torch.testing.assert_close(
        Program(program.module, program.signature, context.parameters)(x), X + 1
    )


def test_evaluation_dropout_is_its_operand_and_not_a_copy() -> None:
    # PyTorch's own functionalization copies here, and gives X + 1.
    def function(x: torch.Tensor) -> torch.Tensor:
        functional.dropout(x, training=False).mul_(2)
        return x + 1

    module = make_fx(function, pre_dispatch=True, tracing_mode="fake")(X.clone())
    context = make_context()
    program = import_graph_module(module, context, known_ops={"aten.add.Scalar", "aten.mul.Scalar"})
    assert "aten.clone" not in str(program.module)
    found = Program(program.module, program.signature, context.parameters)(X.clone())
    torch.testing.assert_close(found, X * 2 + 1)


def test_aliasing_is_the_same_for_a_program_from_a_file(tmp_path: Any) -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("b", torch.zeros(4, 2).t())

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.b.reshape(4, 2).add_(1)
            self.b.view(2, 2, 2)[0].mul_(x[0, 0])
            return functional.dropout(x, training=self.training).reshape(-1)

    exported = torch.export.export(Model().eval(), (X,))
    path = tmp_path / "model.pt2"
    torch.export.save(exported, path)
    texts = [
        str(import_exported_program(program, make_context()).module)
        for program in (exported, torch.export.load(path))
    ]
    assert texts[0] == texts[1]
    assert "ttir.alias = false" in texts[0]


def test_owners_pass_through_lists_and_views() -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> Any:
        first, _ = torch.split(x, 2, dim=1)
        first.t()[0].fill_(1)
        return y.clone().add_(1)

    module = make_fx(function, pre_dispatch=True, tracing_mode="fake")(X.clone(), X.clone())
    written = {node.name for node in analyze(module.graph).written if node.op == "placeholder"}
    assert written == {"x_1"}
