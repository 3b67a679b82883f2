"""Regions that `torch.export` leaves in a graph: no_grad, autocast, vmap; and what is rejected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.source import import_any
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.program import Program

X = torch.linspace(-1, 1, 8).reshape(2, 4)
W = torch.linspace(-2, 1, 12).reshape(3, 4)


def check(function: Callable[..., Any], *inputs: torch.Tensor) -> str:
    """Import, run, and compare with eager PyTorch; returns the module's text."""
    context = make_context()
    program = import_any(function, context, args=[value.clone() for value in inputs])
    copies = [value.clone() for value in inputs]
    found = Program(program.module, program.signature, context.parameters)(*copies)
    eager = [value.clone() for value in inputs]
    torch.testing.assert_close(found, function(*eager))
    torch.testing.assert_close(copies, eager)
    return str(program.module)


def test_no_grad_is_inlined() -> None:
    def function(x: torch.Tensor, w: torch.Tensor) -> Any:
        with torch.no_grad():
            y = torch.nn.functional.linear(x, w)
            z = x * 2
        with torch.enable_grad():
            z = z + 1
        return y.sum(1), z

    assert "higher_order" not in check(function, X, W)


def test_a_write_in_a_region_is_seen() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros(4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            with torch.no_grad():
                self.count.add_(1)
            return x + self.count

    context = make_context()
    model = Model()
    program = import_any(model, context, args=(X,))
    assert [a.kind for a in program.signature.arguments] == ["input", "input"]
    torch.testing.assert_close(
        Program(program.module, program.signature, context.parameters)(X), X + 1
    )


def test_autocast_casts_what_pytorch_casts() -> None:
    def function(x: torch.Tensor, w: torch.Tensor) -> Any:
        with torch.autocast("cpu", torch.bfloat16):
            y = torch.nn.functional.linear(x, w)
            s = torch.softmax(y, -1)
            m = torch.mm(x, w.t())
            total = y.float() + x.sum()
            mixed = y + m.to(torch.float32)
            with torch.autocast("cpu", enabled=False):
                z = x @ w.t()
        return y, s, m, total, mixed, z

    text = check(function, X, W)
    assert "torch.aten.linear" in text
    assert "torch.aten._to_copy" in text


def test_disabled_autocast_is_inlined() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", enabled=False):
            return (x.float() * 2).to(x.dtype)

    assert "_to_copy" not in check(function, X)


def test_autocast_inside_a_composite_op_is_an_error() -> None:
    def function(x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return torch.einsum("ab,cb->ac", x, w)

    with pytest.raises(CompileError, match=r"'torch.aten.einsum': .*casts inside this op"):
        check(function, X, W)


def test_vmap_becomes_whole_tensor_ops() -> None:
    text = check(lambda x: torch.vmap(lambda row: row.sum() * row)(x), X)
    assert "torch.aten.sum.dim_IntList" in text


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (lambda x: torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,)), "cond"),
        (
            lambda x: torch._higher_order_ops.while_loop(
                lambda x: x.sum() < 9, lambda x: (x + 1,), (x,)
            )[0],
            "while_loop",
        ),
    ],
    ids=["cond", "while_loop"],
)
def test_control_flow_is_rejected_by_name(function: Any, name: str) -> None:
    with pytest.raises(CompileError) as caught:
        check(function, X)
    assert f"'torch.ops.higher_order.{name}': control flow" in str(caught.value)
    assert __file__ in str(caught.value)


def test_grad_mode_calls_in_a_traced_graph_are_dropped() -> None:
    from torch.fx.experimental.proxy_tensor import make_fx

    def function(x: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return x + 1

    module = make_fx(function, pre_dispatch=True, tracing_mode="fake")(X)
    assert "_set_grad_enabled" in str(module.graph)
    program = import_any(module, make_context())
    assert "torch.aten.add.Scalar" in str(program.module)
