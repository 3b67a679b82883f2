"""Decomposition of ops that nothing downstream knows: those only, and with PyTorch's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional

from torch_ttir.dialects.context import make_context
from torch_ttir.importers import decompose
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.importers.program import ImportedProgram
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import op_name
from torch_ttir.program import Program

KNOWN_NAMES = """
add.Tensor add.Scalar sub.Tensor sub.Scalar mul.Tensor mul.Scalar div.Tensor div.Scalar neg exp log
sqrt rsqrt erf tanh sigmoid abs floor pow.Tensor_Scalar reciprocal maximum minimum clamp where.self
eq.Scalar lt.Scalar gt.Scalar ge.Scalar le.Scalar lt.Tensor le.Tensor ge.Tensor logical_and
logical_not bitwise_and.Tensor sum.dim_IntList mean.dim amax amin var_mean.correction mm bmm addmm
view permute transpose.int t expand unsqueeze squeeze.dim squeeze.dims select.int slice.Tensor
narrow cat clone alias detach reshape to.dtype _to_copy full full_like arange arange.start
arange.start_step index.Tensor gather constant_pad_nd empty.memory_format zeros_like ones_like
scalar_tensor expm1 ne.Scalar isnan bitwise_or.Tensor var.correction
"""
KNOWN = {f"aten.{name}" for name in KNOWN_NAMES.split()}


def import_function(
    function: Callable[..., Any], *inputs: Any, known: set[str] | None = KNOWN
) -> tuple[ImportedProgram, Context]:
    context = make_context()
    tracer = make_fx(function, pre_dispatch=True, tracing_mode="fake", _allow_non_fake_inputs=True)
    with torch.no_grad():
        module = tracer(*inputs)
    return import_graph_module(module, context, known_ops=known), context


def names(program: ImportedProgram) -> set[str]:
    entry = next(iter(program.module.body))
    found = {op_name(op.operation) for op in entry.regions[0].blocks[0]}
    return {name.removeprefix("torch.") for name in found if name.startswith("torch.aten")}


torch.manual_seed(0)
X = torch.randn(2, 3, 8)
IMAGE = torch.randn(1, 3, 6, 6)
W = torch.randn(5, 8)

CASES: list[tuple[str, Callable[..., Any], tuple[torch.Tensor, ...]]] = [
    ("linear", lambda x, w: functional.linear(x, w), (X, W)),
    ("matmul", lambda x, w: x @ w.t(), (X, W)),
    ("layer_norm", lambda x: functional.layer_norm(x, (8,)), (X,)),
    ("group_norm", lambda x: functional.group_norm(x, 3), (IMAGE,)),
    ("rms_norm", lambda x: functional.rms_norm(x, (8,)), (X,)),
    ("softmax", lambda x: torch.softmax(x, -1), (X,)),
    ("log_softmax", lambda x: functional.log_softmax(x, 1), (X,)),
    ("gelu", functional.gelu, (X,)),
    ("gelu-tanh", lambda x: functional.gelu(x, approximate="tanh"), (X,)),
    ("silu", lambda x: functional.silu(x), (X,)),
    ("hardswish", lambda x: functional.hardswish(x), (X,)),
    ("relu6", lambda x: functional.relu6(x), (X,)),
    ("elu", lambda x: functional.elu(x), (X,)),
    ("diff", torch.diff, (X,)),
    ("std", lambda x: x.std(-1), (X,)),
    ("logsumexp", lambda x: torch.logsumexp(x, 1), (X,)),
    ("cross_entropy", lambda x: functional.cross_entropy(x[0], torch.tensor([1, 2, 3])), (X,)),
    ("mse", lambda x: functional.mse_loss(x, x * 2), (X,)),
    ("huber", lambda x: functional.huber_loss(x, x * 2), (X,)),
    ("einsum", lambda x, w: torch.einsum("abc,dc->abd", x, w), (X, W)),
    ("outer", lambda x: torch.outer(x[0, 0], x[0, 1]), (X,)),
    ("addcmul", lambda x: torch.addcmul(x, x, x, value=0.5), (X,)),
    ("lerp", lambda x: torch.lerp(x, x * 3, 0.3), (X,)),
    ("tril", lambda x: torch.tril(x), (X,)),
    ("glu", lambda x: functional.glu(x), (X,)),
    ("pixel_shuffle", lambda x: functional.pixel_shuffle(x.repeat(1, 4, 1, 1), 2), (IMAGE,)),
    (
        "attention",
        lambda x: functional.scaled_dot_product_attention(x[None], x[None], x[None]),
        (X,),
    ),
    (
        "attention-mask",
        lambda x: functional.scaled_dot_product_attention(
            x[None], x[None], x[None], attn_mask=torch.ones(3, 3).tril() > 0
        ),
        (X,),
    ),
    ("bicubic", lambda x: functional.interpolate(x, (9, 5), mode="bicubic"), (IMAGE,)),
    ("bilinear", lambda x: functional.interpolate(x, (9, 5), mode="bilinear"), (IMAGE,)),
    (
        "batch_norm",
        lambda x: functional.batch_norm(x, x.mean((0, 2, 3)), x.var((0, 2, 3))),
        (IMAGE,),
    ),
    ("cosine", lambda x: functional.cosine_similarity(x, x + 1), (X,)),
    ("normalize", lambda x: functional.normalize(x), (X,)),
    ("in-place", lambda x: functional.hardtanh_(x.clone().relu_().add_(1), 0, 3), (X,)),
    ("in-place-argument", lambda x: torch.ops.aten.silu_(x.mul_(2)), (X,)),
    ("in-place-view", lambda x: (x[0].copy_(x[1]), x.select(1, 0).sigmoid_(), x)[2], (X,)),
]


@pytest.mark.parametrize(
    ("function", "inputs"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_parts_are_known_and_give_the_same_numbers(
    function: Callable[..., Any], inputs: tuple[torch.Tensor, ...]
) -> None:
    program, context = import_function(function, *[value.clone() for value in inputs])
    unknown = names(program) - KNOWN - {"aten.Int.bool", "aten.copy_"}
    assert {name for name in unknown if not name.split(".")[1].endswith("_")} == set()
    twins = {name.replace("_.", ".", 1).removesuffix("_") for name in unknown}
    assert twins <= KNOWN
    copies = [value.clone() for value in inputs]
    found = Program(program.module, program.signature, context.parameters)(*copies)
    eager = [value.clone() for value in inputs]
    torch.testing.assert_close(found, function(*eager))
    torch.testing.assert_close(copies, eager)


def test_known_ops_stay_whole() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.diff(functional.layer_norm(functional.gelu(x), (8,)))

    known = KNOWN | {"aten.gelu", "aten.layer_norm"}
    found = names(import_function(function, X, known=known)[0])
    assert {"aten.gelu", "aten.layer_norm", "aten.narrow", "aten.sub.Tensor"} == found
    assert names(import_function(function, X, known=None)[0]) == {
        "aten.gelu",
        "aten.layer_norm",
        "aten.diff",
    }


def test_a_composite_op_stops_at_the_first_known_op() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.einsum("abc,dbc->ad", x, x)

    found = names(import_function(function, X, known=KNOWN | {"aten.sumproduct_pair"})[0])
    assert "aten.bmm" in found
    found = names(
        import_function(
            lambda x: functional.layer_norm(x, [8]), X, known=KNOWN | {"aten.native_layer_norm"}
        )[0]
    )
    assert found == {"aten.native_layer_norm"}


def test_what_pytorch_does_not_decompose_is_left() -> None:
    program, _ = import_function(lambda x: torch.sort(x * 2, -1)[0], X)
    assert names(program) == {"aten.sort", "aten.mul.Scalar"}


def test_equal_calls_are_traced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    traced = []
    trace = decompose._trace

    def counted(op: Any, *rest: Any) -> Any:
        traced.append(op)
        return trace(op, *rest)

    monkeypatch.setattr(decompose, "_trace", counted)

    def function(x: torch.Tensor) -> torch.Tensor:
        for _ in range(12):
            x = functional.layer_norm(x, (8,))
        return x

    program, _ = import_function(function, X, known=KNOWN | {"aten.native_layer_norm"})
    assert len(traced) == 1
    assert str(program.module).count("torch.aten.native_layer_norm") == 12


def test_an_in_place_op_without_a_known_twin_writes_back() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        torch.ops.aten.silu_(x)
        return x.view(-1)

    program, context = import_function(function, X.clone())
    assert "aten.copy_" in names(program)
    assert "aten.silu_" not in names(program)
    (argument,) = program.signature.arguments
    assert argument.kind == "input"
    x = X.clone()
    found = Program(program.module, program.signature, context.parameters)(x)
    torch.testing.assert_close(found, functional.silu(X).view(-1))
    torch.testing.assert_close(x, functional.silu(X))


def test_an_in_place_op_with_a_known_twin_is_held() -> None:
    program, _ = import_function(lambda x: x.add_(1).sigmoid_(), X.clone())
    assert {"aten.add_.Scalar", "aten.sigmoid_"} <= names(program)


def test_dropout_in_training_is_random_and_in_evaluation_nothing() -> None:
    program, context = import_function(
        lambda x: functional.dropout(x, 0.5, training=True),
        torch.ones(1000),
        known=KNOWN | {"aten.bernoulli.p", "aten.bernoulli_.float", "aten.native_dropout"},
    )
    found = Program(program.module, program.signature, context.parameters)(torch.ones(1000))
    assert set(found.tolist()) == {0.0, 2.0}
    assert 300 < int((found == 0).sum()) < 700
    program, _ = import_function(lambda x: functional.dropout(x, 0.5, training=False) + 1, X)
    assert names(program) <= {"aten.add.Scalar", "aten.clone"}


def test_unused_parts_are_left_out() -> None:
    program, _ = import_function(lambda x: torch.std(x, -1), X)
    text = str(program.module)
    assert text.count("sum.dim_IntList") + text.count("mean.dim") + text.count("var_mean") <= 3


def test_weights_are_not_copied_into_a_decomposition() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.LayerNorm(8))
    context = make_context()
    program = import_exported_program(torch.export.export(model, (X,)), context, known_ops=KNOWN)
    assert "dense_resource" not in str(program.module)
    assert context.parameters["0.weight"] is model[0].weight
    compiled = Program(program.module, program.signature, context.parameters)
    torch.testing.assert_close(compiled(X), model(X))
