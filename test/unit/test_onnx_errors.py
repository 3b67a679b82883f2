"""Models that cannot be imported: one clear error each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="ONNX models need onnx")

from onnx import helper, numpy_helper  # noqa: E402

from torch_ttir.dialects.context import make_context  # noqa: E402
from torch_ttir.importers.onnx.importer import import_onnx  # noqa: E402
from torch_ttir.ir.diagnostics import CompileError  # noqa: E402
from torch_ttir.passes.legalize.all_rules import KNOWN_ONNX_OPS  # noqa: E402
from torch_ttir.pipelines import run  # noqa: E402

FLOAT, INT64, STRING = 1, 7, 8


def tensor(name: str, shape: Sequence[Any] | None = (2,), kind: int = FLOAT) -> Any:
    return helper.make_tensor_value_info(name, kind, shape)


def model(
    nodes: list[Any],
    inputs: list[Any],
    outputs: list[Any],
    weights: Sequence[Any] = (),
    opset: int = 18,
    domains: Sequence[str] = (),
) -> Any:
    graph = helper.make_graph(nodes, "graph", inputs, outputs, list(weights))
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
    return helper.make_model(graph, opset_imports=imports)


def node(op: str, inputs: list[str], outputs: list[str], **attributes: Any) -> Any:
    return helper.make_node(op, inputs, outputs, **attributes)


RELU = node("Relu", ["x"], ["y"])
X, Y = tensor("x"), tensor("y")
BAD = {
    "open-dimension": (
        model([RELU], [tensor("x", ["batch", 4])], [tensor("y", ["batch", 4])]),
        "input `x` has an open dimension 0, `batch`",
    ),
    "no-shape": (model([RELU], [tensor("x", None)], [Y]), "input `x` has no shape"),
    "string": (
        model([node("Identity", ["x"], ["y"])], [tensor("x", [2], STRING)], [Y]),
        "input `x` holds strings",
    ),
    "sequence": (
        model(
            [node("SequenceLength", ["x"], ["y"])],
            [helper.make_tensor_sequence_value_info("x", FLOAT, [2])],
            [tensor("y", [], INT64)],
        ),
        "input `x` is a sequence, not a tensor",
    ),
    "int4": (
        model(
            [node("Identity", ["x"], ["y"])],
            [tensor("x", [2], 22)],
            [tensor("y", [2], 22)],
            opset=21,
        ),
        "`x` has element type INT4, which TTIR has no type for",
    ),
    "unknown-domain": (
        model([node("Foo", ["x"], ["y"], domain="com.acme")], [X], [Y], domains=["com.acme"]),
        "'onnx.com.acme.Foo': domain `com.acme` is not known",
    ),
    "unknown-op": (
        model([node("Foo", ["x"], ["y"])], [X], [Y]),
        "'onnx.Foo': No Op registered for Foo with domain_version of 18",
    ),
    "new-opset": (model([RELU], [X], [Y], opset=99), "opset 99 is newer than the"),
    "missing-value": (
        model([node("Relu", ["z"], ["y"])], [X], [Y]),
        "'onnx.Relu': its operand `z` is not made by any node",
    ),
    "missing-output": (
        model([RELU], [X], [tensor("q")]),
        "output `q` is not made by any node",
    ),
    "cycle": (
        model([node("Add", ["x", "b"], ["a"]), node("Relu", ["a"], ["b"])], [X], [tensor("b")]),
        "'onnx.Add': its operand `b` is only made by a later node",
    ),
    "made-twice": (model([RELU, RELU], [X], [Y]), "its result `y` is there already"),
    "too-many-operands": (
        model([node("Relu", ["x", "x"], ["y"])], [X], [Y]),
        "has input size 2 not in range [min=1, max=1]",
    ),
    "unknown-attribute": (
        model([node("Relu", ["x"], ["y"], slope=1)], [X], [Y]),
        "Unrecognized attribute: slope for operator Relu",
    ),
    "shapes": (
        model([node("MatMul", ["x", "x"], ["y"])], [tensor("x", [2, 3])], [tensor("y", None)]),
        "'onnx.MatMul': Incompatible dimensions for matrix multiplication",
    ),
    "types": (
        model([node("Add", ["x", "z"], ["y"])], [X, tensor("z", [2], INT64)], [Y]),
        "'onnx.Add': B has inconsistent type tensor(int64)",
    ),
    "data-dependent": (
        model([node("NonZero", ["x"], ["y"])], [X], [tensor("y", None, INT64)]),
        "'onnx.NonZero': cannot be said in TTIR: the shape of its result depends on the data",
    ),
    "run-time-shape": (
        model(
            [node("Reshape", ["x", "s"], ["y"])],
            [tensor("x", [4]), tensor("s", [2], INT64)],
            [tensor("y", None)],
        ),
        "the shape of `y` cannot be inferred",
    ),
}


def _compile(proto: Any) -> None:
    run(import_onnx(proto, make_context(), known_ops=KNOWN_ONNX_OPS), "onnx-to-ttir")


@pytest.mark.parametrize("name", BAD)
def test_bad_model(name: str) -> None:
    proto, message = BAD[name]
    with pytest.raises(CompileError) as caught:
        _compile(proto)
    assert message in str(caught.value)


def test_all_faults_are_listed() -> None:
    nodes = [node("Relu", ["a"], ["b"]), node("Tanh", ["c"], ["d"])]
    with pytest.raises(CompileError) as caught:
        import_onnx(model(nodes, [X], [tensor("d")]), make_context(), known_ops=KNOWN_ONNX_OPS)
    assert len(caught.value.diagnostics) == 2


def test_unknown_dimension() -> None:
    with pytest.raises(CompileError, match="no input has a dimension `batch` to set"):
        import_onnx(
            model([RELU], [X], [Y]), make_context(), dims={"batch": 1}, known_ops=KNOWN_ONNX_OPS
        )


def weighted(folder: Path, external: bool) -> Path:
    weight = numpy_helper.from_array(np.ones((64, 64), np.float32), "w")
    nodes = [node("MatMul", ["x", "w"], ["y"])]
    proto = model(nodes, [tensor("x", [1, 64])], [tensor("y", [1, 64])], [weight])
    path = folder / "model.onnx"
    onnx.save_model(
        proto, path, save_as_external_data=external, location="weights.bin", size_threshold=0
    )
    return path


def test_files(tmp_path: Path) -> None:
    good = weighted(tmp_path, external=False)
    data = good.read_bytes()
    files = {
        "missing.onnx": (None, "cannot read the model"),
        "empty.onnx": (b"", "the file is empty"),
        "text.onnx": (b"hello world, this is no model\n" * 9, "not an ONNX model"),
        "short.onnx": (data[: len(data) // 2], "not an ONNX model: the file ends early"),
    }
    for name, (content, message) in files.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(CompileError, match=message):
            import_onnx(tmp_path / name, make_context(), known_ops=KNOWN_ONNX_OPS)


def test_external_data(tmp_path: Path) -> None:
    path = weighted(tmp_path, external=True)
    weights = tmp_path / "weights.bin"
    data = weights.read_bytes()
    weights.write_bytes(data[:100])
    with pytest.raises(CompileError, match=r"`w`: external data file .* has 100 bytes, but 16384"):
        import_onnx(path, make_context(), known_ops=KNOWN_ONNX_OPS)
    weights.unlink()
    with pytest.raises(CompileError, match=r"`w`: external data file .* is missing"):
        import_onnx(path, make_context(), known_ops=KNOWN_ONNX_OPS)
    with pytest.raises(CompileError, match="the model has no folder"):
        import_onnx(
            onnx.load(path, load_external_data=False), make_context(), known_ops=KNOWN_ONNX_OPS
        )
