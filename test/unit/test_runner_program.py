"""Programs: called as the model is, with its structure, its writes, and weights that change."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import torch

import torch_ttir
from torch_ttir import CompileError

T = torch.tensor


class Scaled(torch.nn.Module):
    """Depends on a weight alone before it meets the input: there is something to const-evaluate."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.arange(6.0).reshape(2, 3))
        self.register_buffer("offset", torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.relu(self.weight * 2 - 3).sum(0) + self.offset


def same(found: Any, expected: Any) -> None:
    torch.testing.assert_close(found, expected)


@pytest.fixture(scope="module")
def scaled() -> tuple[Scaled, torch_ttir.Program]:
    model = Scaled()
    return model, torch_ttir.compile(model, (torch.zeros(3),))


def test_const_eval_runs_once_per_set_of_weights(
    scaled: tuple[Scaled, torch_ttir.Program],
) -> None:
    model, program = scaled
    x = torch.randn(3)
    for _ in range(3):
        same(program(x), model(x).detach())
    before = program.const_eval.evaluations
    assert before >= 1
    program(x + 1)
    assert program.const_eval.evaluations == before


def _optimizer_step(model: Scaled) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model(torch.ones(3)).sum().backward()
    optimizer.step()


def _load_state(model: Scaled, assign: bool) -> None:
    state = {name: torch.randn_like(value) for name, value in model.state_dict().items()}
    model.load_state_dict(state, assign=assign)


CHANGES = {
    "in-place-on-data": lambda m: m.weight.data.add_(1.0),
    "element-of-data": lambda m: m.weight.data[1].__setitem__(2, -7.5),
    "swap-in-data": lambda m: m.weight.data.copy_(m.weight.data.flip(0).clone()),
    "sign-in-data": lambda m: m.weight.data.neg_(),
    "through-numpy": lambda m: m.weight.detach().numpy().__imul__(3.0),
    "new-data": lambda m: setattr(m.weight, "data", torch.full((2, 3), 4.0)),
    "no-grad": lambda m: torch.nn.init.constant_(m.weight, 2.5),
    "optimizer": _optimizer_step,
    "load-state": lambda m: _load_state(m, False),
    "assign-state": lambda m: _load_state(m, True),
    "new-parameter": lambda m: setattr(m, "weight", torch.nn.Parameter(torch.ones(2, 3))),
    "buffer": lambda m: m.offset.add_(2.0),
    "new-buffer": lambda m: setattr(m, "offset", torch.full((3,), 9.0)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_weight_is_noticed(
    change: str, scaled: tuple[Scaled, torch_ttir.Program]
) -> None:
    model, program = scaled
    x = torch.randn(3)
    program(x)
    CHANGES[change](model)
    same(program(x), model(x).detach())
    same(program.parameters["weight"], model.weight)


def test_views_of_weights_are_not_evaluated_again() -> None:
    class Transposed(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.randn(4, 3))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + self.weight.t()

    model = Transposed()
    program = torch_ttir.compile(model, (torch.zeros(3, 4),))
    x = torch.randn(3, 4)
    for _ in range(2):
        model.weight.data.mul_(2)
        same(program(x), model(x).detach())
    assert program.const_eval.evaluations <= 1


def test_what_is_constant_throughout() -> None:
    class Constant(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(T([1.0, 2.0]))

        def forward(self) -> torch.Tensor:
            return self.w * 2 + 1

    model = Constant()
    program = torch_ttir.compile(model)
    same(program(), T([3.0, 5.0]))
    model.w.data.fill_(5)
    same(program(), T([11.0, 11.0]))


def test_a_returned_parameter_is_passed_through_and_not_shared() -> None:
    class Returned(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = torch.nn.Parameter(T([1.0, 2.0]))

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
            return x + self.w, self.w * 3, self.w, self.w.reshape(2, 1)

    model = Returned()
    program = torch_ttir.compile(model, (torch.zeros(2),))
    for _ in range(2):
        results = program(T([1.0, 1.0]))
        same(results, (T([2.0, 3.0]), T([3.0, 6.0]), T([1.0, 2.0]), T([[1.0], [2.0]])))
        for result in results:
            assert not result.requires_grad
            # What the caller does with a result is not seen by the weights, nor by the next call.
            result.fill_(100)
        same(model.w.detach(), T([1.0, 2.0]))


class Point(NamedTuple):
    x: Any
    y: Any


def test_structure_of_inputs_and_results() -> None:
    class Nested(torch.nn.Module):
        def forward(self, pair: Any, flag: bool = True, *, extra: Any) -> Any:
            total = pair[0] + pair[1][0] if flag else pair[0]
            return OrderedDict(a=[total, 7, None], b=(extra["u"] * extra["v"], "text", 1.5))

    model = Nested()
    one, two, three = torch.ones(2), torch.full((2,), 2.0), torch.full((2,), 3.0)
    program = torch_ttir.compile(model, ((one, [two]), True), {"extra": {"u": two, "v": three}})
    found = program((one, [two]), True, extra={"v": three, "u": two})
    expected = model((one, [two]), True, extra={"u": two, "v": three})
    assert type(found) is OrderedDict
    assert found["a"][1:] == [7, None]
    assert found["b"][1:] == ("text", 1.5)
    same(found["a"][0], expected["a"][0])
    same(found["b"][0], expected["b"][0])


def test_constant_results_stand_where_they_were_beside_updates() -> None:
    def f(x: torch.Tensor) -> tuple[Any, ...]:
        x.add_(1.0)
        return x * 2, 7, None

    for pipeline in ("", "torch-to-ttir"):
        program = torch_ttir.compile(f, (torch.zeros(2),), pipeline=pipeline)
        x = T([1.0, 2.0])
        product, seven, none = program(x)
        same(product, T([4.0, 6.0]))
        assert (seven, none) == (7, None)
        same(x, T([2.0, 3.0]))
        kinds = {str(type_) for type_ in _main(program).type.results}
        assert not any("int" in kind or "none" in kind for kind in kinds)


def test_a_function_that_keeps_a_copy_of_what_it_writes() -> None:
    def f(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        before = x.clone()
        view = x.t()
        x.copy_(view.clone() * 2)
        return before, x, x.reshape(-1)

    for pipeline in ("", "torch-to-ttir"):
        program = torch_ttir.compile(f, (torch.zeros(2, 2),), pipeline=pipeline)
        x = T([[1.0, 2.0], [3.0, 4.0]])
        before, after, flat = program(x)
        same(before, T([[1.0, 2.0], [3.0, 4.0]]))
        same(x, T([[2.0, 6.0], [4.0, 8.0]]))
        same(after, x)
        same(flat, x.reshape(-1))


def test_buffers_that_are_written_are_state() -> None:
    class Counter(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("count", torch.zeros((), dtype=torch.int64))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count.add_(1)
            return x * self.count

    for pipeline in ("", "torch-to-ttir"):
        model = Counter()
        program = torch_ttir.compile(model, (torch.zeros(2),), pipeline=pipeline)
        same(program(torch.ones(2)), torch.ones(2))
        evaluations = program.const_eval.evaluations
        for step in (2, 3):
            same(program(torch.ones(2)), torch.full((2,), float(step)))
        assert model.count.item() == 3
        assert program.parameters["count"].item() == 3
        assert program.const_eval.evaluations == evaluations


def test_every_stage_runs() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Softmax(-1)).eval()
    x = torch.randn(3, 4)
    expected = model(x).detach()
    for pipeline in ("", "builtin.module(lift-constants)", "torch-to-ttir"):
        program = torch_ttir.compile(model, (x,), pipeline=pipeline)
        same(program(x), expected)
    exported = torch.export.export(model, (x,))
    same(torch_ttir.compile(exported)(x), expected)


def test_parameters_are_the_models_own() -> None:
    model = torch.nn.Linear(4, 3)
    program = torch_ttir.compile(model, (torch.zeros(2, 4),))
    assert program.parameters["weight"] is model.weight
    assert program.parameters["bias"] is model.bias


class Partial(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.used = torch.nn.Parameter(torch.ones(2))
        self.never_used = torch.nn.Parameter(torch.ones(5))

    def forward(self, x: torch.Tensor, unused: torch.Tensor) -> torch.Tensor:
        return x + self.used


def test_a_wrong_call_lists_names_kinds_and_shapes() -> None:
    program = torch_ttir.compile(Partial(), (torch.zeros(2), torch.zeros(3, dtype=torch.int32)))
    x, unused = torch.ones(2), torch.zeros(3, dtype=torch.int32)
    for found in (program(x, unused), program(x, unused=unused), program(unused=unused, x=x)):
        same(found, torch.full((2,), 2.0))
    with pytest.raises(CompileError) as fault:
        program(torch.ones(2))
    assert str(fault.value).splitlines() == [
        "error: the call has other inputs than the program was made for",
        "note: needed: input `x`: tensor<2xf32>",
        "note: needed: input `unused`: tensor<3xi32>",
        "note: found: argument [0]: tensor<2xf32>",
    ]
    with pytest.raises(CompileError) as fault:
        program(torch.ones(3), torch.zeros(3))
    assert str(fault.value).splitlines() == [
        "error: the inputs do not fit the program",
        "note: input `x`: tensor<2xf32>; found tensor<3xf32>",
        "note: input `unused`: tensor<3xi32>; found tensor<3xf32>",
    ]
    with pytest.raises(CompileError, match=r"input `x`: tensor<2xf32>; found 1\.0 \(float\)"):
        program(1.0, torch.zeros(3, dtype=torch.int32))


def test_a_value_fixed_at_export_is_told() -> None:
    def f(x: torch.Tensor, scale: int, mode: str) -> torch.Tensor:
        return x * scale if mode == "mul" else x

    program = torch_ttir.compile(f, (torch.zeros(2), 3, "mul"))
    same(program(torch.ones(2), 3, "mul"), torch.full((2,), 3.0))
    with pytest.raises(CompileError, match=r"input `scale` was fixed to `3`.*found `4`"):
        program(torch.ones(2), 4, "mul")


def test_a_model_that_changed_its_dtype_is_told() -> None:
    model = Partial()
    program = torch_ttir.compile(model, (torch.zeros(2), torch.zeros(3)))
    model.half()
    with pytest.raises(CompileError, match="parameter `used`: tensor<2xf32>; found tensor<2xf16>"):
        program(torch.ones(2), torch.zeros(3))


def test_what_is_no_model_is_told() -> None:
    with pytest.raises(CompileError, match=r"a model is .*, not a `int`"):
        torch_ttir.compile(3)

    def f(x: torch.Tensor) -> torch.Tensor:
        raise KeyError("wrong")

    with pytest.raises(CompileError, match=r"`torch.export` cannot export the model: .*wrong"):
        torch_ttir.compile(f, (torch.zeros(2),))


def test_graph_modules_of_both_kinds() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
    x = torch.randn(2, 4)
    symbolic = torch.fx.symbolic_trace(copy.deepcopy(model))
    same(torch_ttir.compile(symbolic, (x,))(x), model(x).detach())
    from torch.fx.experimental.proxy_tensor import make_fx

    with torch.no_grad():
        traced = make_fx(model, pre_dispatch=True)(x)
    same(torch_ttir.compile(traced)(x), model(x).detach())


def test_saved_programs_load_and_run(tmp_path: Path) -> None:
    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(4, 3, dtype=torch.bfloat16)
            self.register_buffer("count", torch.zeros((), dtype=torch.int64))

        def forward(self, x: torch.Tensor, *, scale: dict[str, torch.Tensor]) -> Any:
            self.count.add_(1)
            return {"y": self.linear(x) * scale["s"], "n": (self.count + 0, None)}

    model = Model()
    x, scale = torch.randn(2, 4, dtype=torch.bfloat16), {"s": torch.ones(3, dtype=torch.bfloat16)}
    program = torch_ttir.compile(model, (x,), {"scale": scale})
    program(x, scale=scale)
    stem = tmp_path / "sub.model"
    program.save(stem)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "sub.model.json",
        "sub.model.mlir",
        "sub.model.safetensors",
    ]
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for name in (stem, f"{stem}.mlir"):
        loaded = torch_ttir.load(name)
        for count in (2, 3):
            found = loaded(x, scale=scale)
            assert found["n"][0].item() == count
            assert found["n"][1] is None
            with torch.no_grad():
                same(found["y"], model.linear(x) * scale["s"])
        # State and weights of a loaded program can be written; the files stay as they were.
        loaded.parameters["linear.weight"].zero_()
        same(loaded(x, scale=scale)["y"], (model.linear.bias.detach() * scale["s"]).expand(2, 3))
    assert files == {path: path.read_bytes() for path in tmp_path.iterdir()}


def test_model_outputs_of_transformers_survive_a_file(tmp_path: Path) -> None:
    from transformers import modeling_outputs as outputs

    def f(x: torch.Tensor) -> Any:
        return outputs.BaseModelOutput(last_hidden_state=x + 1, hidden_states=(x, x * 2))

    x = torch.randn(3)
    program = torch_ttir.compile(f, (x,))
    program.save(tmp_path / "model")
    for found in (program(x), torch_ttir.load(tmp_path / "model")(x)):
        assert type(found) is outputs.BaseModelOutput
        same(found.last_hidden_state, x + 1)
        same(found.hidden_states, (x, x * 2))
    # Where transformers has not been imported, loading does it.
    code = "import sys, torch_ttir, torch; print(type(torch_ttir.load(sys.argv[1])(torch.ones(3))))"
    command = [sys.executable, "-c", code, str(tmp_path / "model")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "BaseModelOutput" in done.stdout


def test_files_that_are_missing_or_damaged(tmp_path: Path) -> None:
    program = torch_ttir.compile(torch.nn.Linear(4, 3), (torch.zeros(2, 4),))
    stem = tmp_path / "model"
    with pytest.raises(CompileError, match=r"model.json: error: cannot read: no such file"):
        torch_ttir.load(stem)
    with pytest.raises(CompileError, match=r"cannot write: no such file or directory"):
        program.save(tmp_path / "missing" / "model")
    for use in (program.save, torch_ttir.load):
        with pytest.raises(CompileError, match="there is no file name"):
            use("")
    with pytest.raises(CompileError, match=r"input `input`: .*; found a `ndarray`$"):
        program(torch.zeros(2, 4).numpy())
    for suffix, text, message in (
        (".safetensors", "", "the file is empty"),
        (".safetensors", "\x08" + "\0" * 7 + "{}      ", "missing: parameter `weight`"),
        (".json", "{", "not the structure of a program"),
        (".json", '{"version": 1, "signature": ' + "[" * 3000, "not the structure of a program"),
        (".json", '{"version": 99, "signature": {}}', "written by another version, 99"),
        (".mlir", "module {", "model.mlir:1:7: error:"),
    ):
        program.save(stem)
        stem.with_suffix(suffix).write_text(text)
        with pytest.raises(CompileError, match=message):
            torch_ttir.load(stem)


@pytest.mark.parametrize("external", [False, True])
def test_onnx_models_run_and_their_weights_can_change(tmp_path: Path, external: bool) -> None:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper

    weight = np.random.default_rng(0).normal(size=(32, 16)).astype(np.float32)
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"]), helper.make_node("Neg", ["y"], ["z"])],
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 32])],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 16]) for name in "zy"],
        [onnx.numpy_helper.from_array(weight, "w")],
    )
    path = tmp_path / "model.onnx"
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    onnx.save(model, path, save_as_external_data=external, location="weights", size_threshold=0)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    program = torch_ttir.compile(path, dims={"batch": 2})
    x = torch.randn(2, 32)
    product = x @ torch.from_numpy(weight)
    same(program(x), (-product, product))
    same(program(x=x), (-product, product))
    with pytest.raises(CompileError, match=r"needed: input `x`: tensor<2x32xf32>"):
        program()
    program.parameters["w"].mul_(2)
    same(program(x), (-2 * product, 2 * product))
    assert before == {file: file.read_bytes() for file in tmp_path.iterdir()}


def test_dims_are_for_onnx() -> None:
    with pytest.raises(CompileError, match="`dims` are for ONNX models"):
        torch_ttir.compile(torch.nn.Linear(2, 2), (torch.zeros(1, 2),), dims={"batch": 1})


def test_importing_the_package_is_light() -> None:
    code = "import torch_ttir, sys; print('torch' in sys.modules, 'onnx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def _main(program: torch_ttir.Program) -> Any:
    return next(op for op in program.module.body if op.name.value == "main")
