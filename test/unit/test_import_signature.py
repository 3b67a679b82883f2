"""Imported arguments and results: names, kinds, weights, structure, and what is state."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
import torch
from torch.utils import _pytree as pytree
from transformers.modeling_outputs import BaseModelOutput

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.program import ImportedProgram, Signature
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.program import Program

X = torch.arange(8.0).reshape(2, 4)


class Model(torch.nn.Module):
    """A module whose `forward` is a function of it and of the inputs."""

    def __init__(self, function: Any, **tensors: Any) -> None:
        super().__init__()
        self.function = function
        for name, value in tensors.items():
            if isinstance(value, torch.nn.Parameter | torch.nn.Module):
                setattr(self, name, value)
            else:
                self.register_buffer(name, value)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(self, *args, **kwargs)


def import_model(
    model: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> tuple[ImportedProgram, Context]:
    context = make_context()
    exported = torch.export.export(model, args, kwargs)
    return import_exported_program(exported, context), context


def run(program: ImportedProgram, context: Context, *args: Any, **kwargs: Any) -> Any:
    return Program(program.module, program.signature, context.parameters)(*args, **kwargs)


def kinds(program: ImportedProgram) -> dict[str, str]:
    return {argument.name: argument.kind for argument in program.signature.arguments}


def test_weights_are_named_arguments_in_a_stable_order() -> None:
    def build() -> torch.nn.Module:
        return torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 4))

    model = build()
    program, context = import_model(model, (X,))
    wanted = {
        "0.weight": "parameter",
        "0.bias": "parameter",
        "1.weight": "parameter",
        "1.bias": "parameter",
        "input": "input",
    }
    assert list(kinds(program).items()) == list(wanted.items())
    text = str(program.module)
    for name, kind in wanted.items():
        assert (
            f'{{ttcore.argument_type = #ttcore.argument_type<{kind}>, ttir.name = "{name}"}}'
            in text
        )
    assert "dense" not in text
    assert context.parameters["0.weight"] is model[0].weight
    assert str(import_model(build(), (X,))[0].module) == text


def test_no_weight_is_read() -> None:
    with torch.device("meta"):
        model = torch.nn.Linear(2**20, 2**20)
        inputs = torch.ones(1, 2**20)
    program, context = import_model(model, (inputs,))
    assert "!torch.vtensor<[1048576,1048576],f32>" in str(program.module)
    assert context.parameters["weight"].device.type == "meta"


def test_buffers_are_constants_persistent_or_not() -> None:
    model = Model(lambda self, x: x * self.inv + self.b, b=torch.ones(4))
    model.register_buffer("inv", 1 / torch.arange(1.0, 5.0), persistent=False)
    program, context = import_model(model, (X,))
    assert kinds(program) == {"b": "constant", "inv": "constant", "args_0": "input"}
    assert context.parameters["inv"] is model.inv
    torch.testing.assert_close(run(program, context, X), model(X))


def test_a_constant_of_forward_is_an_argument() -> None:
    program, context = import_model(
        Model(lambda self, x: x + torch.tensor([1.0, 2.0, 3.0, 4.0])), (X,)
    )
    assert kinds(program) == {"lifted_tensor_0": "constant", "args_0": "input"}
    torch.testing.assert_close(run(program, context, X), X + torch.arange(1.0, 5.0))


def test_a_written_buffer_is_state() -> None:
    def forward(self: Any, position: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        self.k[:, :, position] = value
        return self.k.sum(-1)

    model = Model(forward, k=torch.zeros(1, 2, 8, 4))
    value = torch.ones(1, 2, 2, 4)
    program, context = import_model(model, (torch.tensor([0, 1]), value))
    assert kinds(program) == {"k": "input", "args_0": "input", "args_1": "input"}
    (state,) = [argument for argument in program.signature.arguments if argument.is_state]
    assert state.name == "k"
    compiled = Program(program.module, program.signature, context.parameters)
    compiled(torch.tensor([0, 1]), value)
    found = compiled(torch.tensor([2, 3]), value)
    assert found[0, 0].tolist() == [4.0, 4.0, 4.0, 4.0, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "write",
    [
        lambda b, x: b.copy_(x[0]),
        lambda b, x: b.view(2, 2).add_(1),
        lambda b, x: b.reshape(2, 2)[0].fill_(3),
        lambda b, x: torch.nn.functional.dropout(b, training=False).mul_(2),
        lambda b, x: torch.add(b, 1, out=b),
    ],
    ids=["copy", "view", "reshape", "eval-dropout", "out"],
)
def test_a_buffer_written_through_any_alias_is_state(write: Any) -> None:
    def forward(self: Any, x: torch.Tensor) -> torch.Tensor:
        write(self.b, x)
        return x * 1.0

    program, _ = import_model(Model(forward, b=torch.zeros(4), c=torch.zeros(4)), (X,))
    assert kinds(program) == {"b": "input", "c": "constant", "args_0": "input"}


def test_a_copy_of_a_buffer_that_is_written_leaves_it_constant() -> None:
    def forward(self: Any, x: torch.Tensor) -> torch.Tensor:
        return (
            self.b.to(torch.float64).add_(1)
            + self.b.clone().mul_(2)
            + self.b[None].t().reshape(4).clone().sub_(x[0])
        )

    program, _ = import_model(Model(forward, b=torch.zeros(4)), (X,))
    assert kinds(program)["b"] == "constant"


def test_batch_norm_in_training_writes_its_statistics() -> None:
    torch.manual_seed(0)
    model, twin = torch.nn.BatchNorm1d(4), torch.nn.BatchNorm1d(4)
    program, context = import_model(model, (X,))
    assert kinds(program) == {
        "weight": "parameter",
        "bias": "parameter",
        "running_mean": "input",
        "running_var": "input",
        "num_batches_tracked": "input",
        "input": "input",
    }
    torch.testing.assert_close(run(program, context, X), twin(X))
    for name in ("running_mean", "running_var", "num_batches_tracked"):
        torch.testing.assert_close(context.parameters[name], getattr(twin, name))


def test_batch_norm_in_evaluation_writes_nothing() -> None:
    program, _ = import_model(torch.nn.BatchNorm1d(4).eval(), (X,))
    assert kinds(program)["running_mean"] == "constant"
    assert "torch.aten.batch_norm" in str(program.module)


def test_instance_norm_that_tracks_statistics() -> None:
    torch.manual_seed(0)
    x = torch.randn(3, 4, 5)
    model = torch.nn.InstanceNorm1d(4, track_running_stats=True)
    twin = torch.nn.InstanceNorm1d(4, track_running_stats=True)
    program, context = import_model(model, (x,))
    assert kinds(program)["running_var"] == "input"
    torch.testing.assert_close(run(program, context, x), twin(x))
    torch.testing.assert_close(context.parameters["running_var"], twin.running_var)


def test_tied_weights_are_one_argument() -> None:
    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.e = torch.nn.Embedding(16, 8)
            self.h = torch.nn.Linear(8, 16, bias=False)
            self.h.weight = self.e.weight

        def forward(self, i: torch.Tensor) -> torch.Tensor:
            return self.h(self.e(i))

    model = Tied()
    program, context = import_model(model, (torch.tensor([1, 2]),))
    assert list(kinds(program).values()) == ["parameter", "input"]
    assert len(context.parameters) == 1
    indices = torch.tensor([3, 4])
    torch.testing.assert_close(run(program, context, indices), model(indices))


def test_buffers_of_one_memory_are_one_argument() -> None:
    shared = torch.ones(4)
    program, _ = import_model(
        Model(lambda self, x: x + self.a + self.b, a=shared, b=shared[:]), (X,)
    )
    assert kinds(program) == {"a": "constant", "args_0": "input"}


def test_views_of_one_memory_are_two_arguments_unless_one_is_written() -> None:
    memory = torch.arange(8.0)
    parts = {"a": memory[:4], "b": memory[2:6]}
    program, _ = import_model(Model(lambda self, x: x + self.a + self.b, **parts), (X,))
    assert kinds(program) == {"a": "constant", "b": "constant", "args_0": "input"}

    def writes(self: Any, x: torch.Tensor) -> torch.Tensor:
        self.a.add_(1)
        return x + self.b

    with pytest.raises(CompileError, match="`a`, which the program writes, shares memory with `b`"):
        import_model(Model(writes, **parts), (X,))


def test_what_is_not_used_is_an_argument_all_the_same() -> None:
    model = Model(
        lambda self, x, unused: x + self.used,
        used=torch.nn.Parameter(torch.ones(4)),
        never_used=torch.nn.Parameter(torch.ones(2)),
    )
    program, context = import_model(model, (X, torch.ones(3)))
    assert kinds(program) == {
        "used": "parameter",
        "never_used": "parameter",
        "args_0": "input",
        "args_1": "input",
    }
    with pytest.raises(CompileError) as caught:
        run(program, context, X)
    assert "args_1" in str(caught.value)


def test_an_input_named_like_a_weight_gets_another_name() -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.x = torch.nn.Parameter(torch.ones(4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x * self.x

    program, context = import_model(Model(), (X,))
    assert kinds(program) == {"x": "parameter", "x_1": "input"}
    torch.testing.assert_close(run(program, context, X), X)


def test_ints_and_none_among_the_results_are_put_back() -> None:
    def forward(_: Any, x: torch.Tensor) -> Any:
        x.add_(1.0)
        return x * 2, 7, None, "text", 2.5, True

    program, context = import_model(Model(forward), (X.clone(),))
    assert "-> !torch.vtensor<[2,4],f32>" in str(program.module)
    x = X.clone()
    found = run(program, context, x)
    assert found[1:] == (7, None, "text", 2.5, True)
    torch.testing.assert_close(found[0], (X + 1) * 2)
    torch.testing.assert_close(x, X + 1)


def test_keywords_nesting_none_and_fixed_values() -> None:
    def forward(
        _: Any, x: Any, pair: Any, *, scale: Any = None, n: int = 2, flag: bool = True
    ) -> Any:
        y = x["b"] * n + pair[0] - pair[1][0]
        return {"out": y if scale is None else y * scale, "n": n}

    args = ({"b": X, "a": X + 1}, (X.clone(), [X * 2]))
    program, context = import_model(Model(forward), args, {"n": 3, "scale": torch.tensor(2.0)})
    found = run(program, context, *args, scale=torch.tensor(2.0), n=3)
    torch.testing.assert_close(found, forward(None, *args, scale=torch.tensor(2.0), n=3))
    with pytest.raises(CompileError, match="`n` was fixed to `3`"):
        run(program, context, *args, scale=torch.tensor(2.0), n=4)
    program, context = import_model(Model(forward), (*args,), {"scale": None})
    torch.testing.assert_close(run(program, context, *args, scale=None), forward(None, *args))


def test_repeated_results_and_results_that_are_inputs() -> None:
    program, context = import_model(Model(lambda _, x: (x, x + 1, x)), (X,))
    found = run(program, context, X)
    torch.testing.assert_close(found, (X, X + 1, X))


def test_a_dataclass_output_of_transformers() -> None:
    program, context = import_model(
        Model(lambda _, x: BaseModelOutput(last_hidden_state=x + 1, hidden_states=(x, x * 2))), (X,)
    )
    found = run(program, context, X)
    assert isinstance(found, BaseModelOutput)
    torch.testing.assert_close(found.hidden_states[1], X * 2)


def test_a_registered_dataclass_input() -> None:
    @dataclasses.dataclass
    class Batch:
        x: torch.Tensor
        y: torch.Tensor

    torch.export.register_dataclass(Batch, serialized_type_name="test_import_signature.Batch")
    program, context = import_model(Model(lambda _, batch: batch.x - batch.y), (Batch(X, X + 1),))
    torch.testing.assert_close(run(program, context, Batch(X, X * 2)), -X)


def test_a_signature_goes_through_json() -> None:
    def forward(_: Any, x: Any, n: int, s: float, *, k: Any = None) -> Any:
        return BaseModelOutput(last_hidden_state=x["a"] * s), n, None, float("inf"), k

    program, _ = import_model(Model(forward), ({"a": X}, 5, 0.1), {"k": None})
    text = program.signature.to_json()
    found = Signature.from_json(text)
    assert found == program.signature
    assert found.to_json() == text
    assert pytree.tree_unflatten([1, 2, 3, 4], found.in_spec) == (({"a": 1}, 2, 3), {"k": 4})


def test_a_functionalized_export_marks_its_updates() -> None:
    def forward(self: Any, x: torch.Tensor) -> torch.Tensor:
        self.count.add_(1)
        x.mul_(3)
        return x + self.count

    exported = torch.export.export(Model(forward, count=torch.zeros(4)), (X.clone(),))
    context = make_context()
    program = import_exported_program(exported.run_decompositions(), context)
    text = str(program.module)
    assert "torch.operator" not in text
    assert kinds(program) == {"count": "input", "args_0": "input"}
    line = next(line for line in text.splitlines() if "func.func" in line)
    results = line.split("-> (")[1]
    assert results.index('ttir.updates = "count"') < results.index('ttir.updates = "args_0"')
    assert results.index("!torch.vtensor<[2,4],f32>") < results.index("ttir.updates")
    x = X.clone()
    torch.testing.assert_close(run(program, context, x), X * 3 + 1)
    torch.testing.assert_close(x, X * 3)
    torch.testing.assert_close(context.parameters["count"], torch.ones(4))


def test_the_second_graph_of_a_split_model_takes_its_activation_as_an_input() -> None:
    graphs = []

    def compiler(module: torch.fx.GraphModule, _: Any) -> Any:
        graphs.append(module)
        return module.forward

    def split(x: torch.Tensor) -> torch.Tensor:
        h = x * 2
        torch._dynamo.graph_break()
        return h + h.sum()

    from torch._dynamo.backends.common import aot_autograd

    torch._dynamo.reset()
    torch.compile(split, backend=aot_autograd(fw_compiler=compiler))(torch.ones(2))
    from torch_ttir.importers.fx import import_graph_module

    context = make_context()
    program = import_graph_module(graphs[1], context)
    assert list(kinds(program).values()) == ["input"]
    for h in (torch.full((2,), 2.0), torch.full((2,), 4.0)):
        torch.testing.assert_close(run(program, context, h)[0], h + h.sum())
