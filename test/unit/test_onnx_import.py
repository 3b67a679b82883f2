"""ONNX models to TTIR: values, weights as arguments that are never copied, nothing written."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="ONNX models need onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from torch_ttir import onnx_backend  # noqa: E402
from torch_ttir.dialects.context import make_context  # noqa: E402
from torch_ttir.importers.onnx.importer import import_onnx  # noqa: E402

F = np.float32


def made(
    nodes: list[Any],
    inputs: dict[str, Sequence[Any]],
    outputs: Sequence[str],
    weights: dict[str, Any] | None = None,
    opset: int = 18,
    listed: bool = False,
) -> Any:
    """Return a model; its outputs have no declared shape. `listed` puts weights among inputs."""
    tensors = [numpy_helper.from_array(np.asarray(v), k) for k, v in (weights or {}).items()]
    values = [helper.make_tensor_value_info(k, TensorProto.FLOAT, v) for k, v in inputs.items()]
    if listed:
        values += [helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in tensors]
    results = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    graph = helper.make_graph(nodes, "graph", values, results, tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def node(op: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Any) -> Any:
    return helper.make_node(op, list(inputs), list(outputs), **attributes)


def i64(*values: int) -> Any:
    return np.array(values, np.int64)


CASES = {
    "shapes-are-inferred": (
        made(
            [node("Reshape", "xc", "t"), node("Relu", "t", "y")], {"x": [4]}, "y", {"c": i64(2, 2)}
        ),
        [F([-1, 2, -3, 4])],
        F([[0, 2], [0, 4]]),
    ),
    "axes-as-attribute": (
        made([node("ReduceMean", "x", "y", axes=[-1], keepdims=0)], {"x": [2, 3]}, "y", opset=13),
        [F([[0, 1, 2], [3, 4, 5]])],
        F([1, 4]),
    ),
    "noop-with-empty-axes": (
        made([node("ReduceSum", "x", "y", noop_with_empty_axes=1)], {"x": [2, 2]}, "y"),
        [F([[0, 1], [3, 4]])],
        F([[0, 1], [3, 4]]),
    ),
    "empty-optional-input": (
        made([node("Clip", ["x", "", "b"], "y")], {"x": [3]}, "y", {"b": F(6)}),
        [F([-9, 3, 9])],
        F([-9, 3, 6]),
    ),
    "negative-end": (
        made(
            [node("Slice", "xsea", "y")],
            {"x": [5]},
            "y",
            {"s": i64(1), "e": i64(-1), "a": i64(0)},
        ),
        [F([0, 1, 2, 3, 4])],
        F([1, 2, 3]),
    ),
    "dequantize-per-channel": (
        made(
            [node("DequantizeLinear", "csz", "d", axis=0), node("Add", "xd", "y")],
            {"x": [2, 2]},
            "y",
            {"c": np.int8([[2, 4], [3, 5]]), "s": F([0.5, 2]), "z": np.int8([0, 1])},
        ),
        [F([[0, 0], [0, 0]])],
        F([[1, 2], [4, 8]]),
    ),
    "quantize-and-back": (
        made(
            [node("QuantizeLinear", "xsz", "q"), node("DequantizeLinear", "qsz", "y")],
            {"x": [4]},
            "y",
            {"s": F(0.5), "z": np.uint8(200)},
        ),
        [F([-200, -0.25, 0.75, 1000])],
        F([-100, 0, 1, 27.5]),
    ),
    "average-pool-in-ceil-mode": (
        made(
            [
                node(
                    *("AveragePool", "x", "y"),
                    kernel_shape=[3],
                    strides=[2],
                    ceil_mode=1,
                    count_include_pad=1,
                )
            ],
            {"x": [1, 1, 4]},
            "y",
            opset=19,
        ),
        [F([[[1, 2, 3, 4]]])],
        F([[[2, 3.5]]]),
    ),
    "shape-of-a-symbolic-batch": (
        made(
            [
                node("Shape", "x", "s"),
                node("Gather", "sz", "b"),
                node("Unsqueeze", "bu", "v"),
                node("Concat", "vt", "n", axis=0),
                node("Reshape", "xn", "y"),
            ],
            {"x": ["batch", 4]},
            "y",
            {"z": np.int64(0), "u": i64(0), "t": i64(2, 2)},
        ),
        [F([[0, 1, 2, 3]] * 3)],
        F([[[0, 1], [2, 3]]] * 3),
    ),
    "initializers-among-inputs": (
        made(
            [node("Mul", "xw", "t"), node("Reshape", "ts", "y")],
            {"x": [4]},
            "y",
            {"w": F([1, 2, 3, 4]), "s": i64(2, 2)},
            listed=True,
        ),
        [F([1, 1, 1, 1])],
        F([[1, 2], [3, 4]]),
    ),
    "unwanted-first-output": (
        made(
            [node("LSTM", "xwr", ["", "", "y"], hidden_size=1)],
            {"x": [1, 1, 1]},
            "y",
            {"w": np.zeros((1, 4, 1), F), "r": np.zeros((1, 4, 1), F)},
        ),
        [F([[[5]]])],
        F([[[0]]]),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values(name: str) -> None:
    model, inputs, expected = CASES[name]
    (found,) = onnx_backend.TTIRBackendRep(model).run(inputs)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def branch(name: str, op: str) -> Any:
    result = helper.make_tensor_value_info(f"{name}_y", TensorProto.FLOAT, None)
    return helper.make_graph([node(op, "x", [f"{name}_y"])], name, [], [result])


@pytest.mark.parametrize("known", [True, False])
def test_if(known: bool) -> None:
    both = {"then_branch": branch("yes", "Neg"), "else_branch": branch("no", "Abs")}
    nodes = [node("If", "c", "y", **both)]
    model = made(nodes, {"x": [2]}, "y", {"c": np.array(True)} if known else {})
    if not known:
        model.graph.input.append(helper.make_tensor_value_info("c", TensorProto.BOOL, []))
    feeds = {"x": F([1, -2])} | ({} if known else {"c": np.array(False)})
    (found,) = onnx_backend.TTIRBackendRep(model).run(feeds)
    np.testing.assert_array_equal(found, F([-1, 2]) if known else F([1, 2]))


def test_loop() -> None:
    body = helper.make_graph(
        [node("Add", ["s", "x"], ["t"]), node("Identity", ["go"], ["on"])],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("s", TensorProto.FLOAT, [2]),
        ],
        [
            helper.make_tensor_value_info("on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("t", TensorProto.FLOAT, [2]),
        ],
    )
    nodes = [node("Loop", ["n", "", "x"], "y", body=body)]
    model = made(nodes, {"x": [2]}, "y", {"n": np.int64(3)})
    (found,) = onnx_backend.TTIRBackendRep(model).run([F([1, -2])])
    np.testing.assert_array_equal(found, F([4, -8]))


def test_function_of_the_model() -> None:
    twice = helper.make_function(
        "local", "Twice", ["a"], ["b"], [node("Add", "aa", "b")], [helper.make_opsetid("", 18)]
    )
    model = made([node("Twice", "x", "y", domain="local")], {"x": [2]}, "y")
    model.opset_import.append(helper.make_opsetid("local", 1))
    model.functions.append(twice)
    (found,) = onnx_backend.TTIRBackendRep(model).run([F([1, -2])])
    np.testing.assert_array_equal(found, F([2, -4]))


def test_no_onnx_op_remains() -> None:
    model = made([node("Det", "x", "y")], {"x": [9, 9]}, "y")
    with pytest.raises(onnx_backend.CompileError, match="the determinant of 9 x 9 matrices"):
        onnx_backend.TTIRBackendRep(model).run([np.zeros((9, 9), F)])


def test_inputs_that_are_no_arrays() -> None:
    prepared = onnx_backend.TTIRBackendRep(made([node("Relu", "x", "y")], {"x": [2]}, "y"))
    with pytest.raises(onnx_backend.CompileError, match="input `x` is a list, where an array"):
        prepared.run([[F(1), F(2)]])
    with pytest.raises(onnx_backend.CompileError, match="2 inputs are given, and the model has 1"):
        prepared.run([F([1, 2]), F([1, 2])])
    with pytest.raises(onnx_backend.CompileError, match="no value is given for input `x`"):
        prepared.run([])


SIDE = 1024
"""A weight has 4 MiB."""


def layered(path: Path, external: bool = False, layers: int = 8) -> None:
    weights = {f"w{i}": np.full((SIDE, SIDE), i, F) for i in range(layers)}
    names = ["x", *(f"h{i}" for i in range(layers - 1)), "y"]
    nodes = [node("MatMul", [names[i], f"w{i}"], [names[i + 1]]) for i in range(layers)]
    model = made(nodes, {"x": [1, SIDE]}, "y", weights)
    onnx.save_model(model, path, save_as_external_data=external, location="weights.bin")


@pytest.mark.parametrize("external", [False, True])
def test_weights_are_mapped(tmp_path: Path, external: bool) -> None:
    path = tmp_path / "model.onnx"
    layered(path, external)
    # What is loaded at the first import is no part of the model.
    import_onnx(made([node("Relu", "x", "y")], {"x": [2]}, "y"), make_context())
    context = make_context()
    gc.collect()
    tracemalloc.start()
    module = import_onnx(path, context)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # None of the 32 MiB is read: what is left is the graph.
    assert peak < 2 << 20
    assert sorted(context.parameters) == [f"w{i}" for i in range(8)]
    assert all((array == i).all() for i, array in enumerate(context.parameters.values()))
    assert str(module).count("ttcore.argument_type = #ttcore.argument_type<parameter>") == 8


def test_large_external_data(tmp_path: Path) -> None:
    """A weight of 3 GiB in a sparse file, of which nothing is read."""
    rows = 3 << 18
    path = tmp_path / "model.onnx"
    layered(path, external=True, layers=1)
    model = onnx.load(path, load_external_data=False)
    (tensor,) = model.graph.initializer
    tensor.dims[:] = [SIDE, rows]
    for entry in tensor.external_data:
        if entry.key == "length":
            entry.value = str(4 * SIDE * rows)
    with (tmp_path / "weights.bin").open("r+b") as file:
        file.truncate(4 * SIDE * rows)
    onnx.save_model(model, path)
    context = make_context()
    import_onnx(path, context)
    assert context.parameters["w0"].nbytes == 3 << 30


def test_command_line_without_torch(tmp_path: Path) -> None:
    """The tool compiles from another folder, writes nothing beside it, and loads no torch."""
    folder, other = tmp_path / "model", tmp_path / "elsewhere"
    folder.mkdir()
    other.mkdir()
    layered(folder / "model.onnx", external=True, layers=2)
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    onnx.save_model(model, folder / "model.onnx")
    before = sorted(folder.iterdir())
    folder.chmod(0o555)
    code = (
        "import sys\n"
        "from torch_ttir.tools.tt_opt import main\n"
        "status = main()\n"
        "assert 'torch' not in sys.modules, 'torch is loaded'\n"
        "sys.exit(status)\n"
    )
    arguments = [
        *("../model/model.onnx", "--pipeline=onnx-to-ttir", "--dim", "batch=1"),
        *("-o", "out.mlir", "--save-parameters=out.safetensors"),
    ]
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, cwd=other, capture_output=True, text=True, check=False)
    folder.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert sorted(folder.iterdir()) == before
    assert (other / "out.safetensors").stat().st_size > 2 * 4 * SIDE * SIDE
    text = (other / "out.mlir").read_text()
    assert '"ttir.matmul"' in text or "ttir.matmul" in text
    assert "onnx." not in text.replace("model.onnx", "")
