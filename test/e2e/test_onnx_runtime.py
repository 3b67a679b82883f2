"""Single ONNX ops against onnxruntime, where ONNX's own backend tests have few cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="ONNX models need onnx")
runtime = pytest.importorskip("onnxruntime", reason="the reference that is compared with")

from onnx import helper, numpy_helper  # noqa: E402

from torch_ttir import onnx_backend  # noqa: E402

F = np.float32


def compare(
    op: str,
    inputs: dict[str, Any],
    outputs: Sequence[tuple[str, int]],
    weights: dict[str, Any] | None = None,
    **attributes: Any,
) -> None:
    """Run one node; its operands are the inputs and the weights in order, "" for none."""
    names = [*inputs, *(weights or {})]
    operands = [name if not name.startswith("_") else "" for name in names]
    node = helper.make_node(op, operands, [name for name, _ in outputs], **attributes)
    tensors = [
        numpy_helper.from_array(np.asarray(value), name)
        for name, value in (weights or {}).items()
        if not name.startswith("_")
    ]
    graph = helper.make_graph(
        [node],
        "graph",
        [onnx_backend.numpy_helper_info(name, value) for name, value in inputs.items()],
        [helper.make_tensor_value_info(name, kind, None) for name, kind in outputs],
        tensors,
    )
    opset = [helper.make_opsetid("", 21)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10)
    session = runtime.InferenceSession(model.SerializeToString())
    expected = session.run(None, inputs)
    found = onnx_backend.TTIRBackendRep(model).run(inputs)
    for mine, reference in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, reference, rtol=1e-4, atol=1e-5)


def random(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(F)


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize(
    ("op", "gates", "options"),
    [
        ("RNN", 1, {}),
        ("GRU", 3, {"linear_before_reset": 0}),
        ("GRU", 3, {"linear_before_reset": 1, "clip": 0.5}),
        ("LSTM", 4, {}),
    ],
)
def test_recurrent(op: str, gates: int, options: dict[str, Any], direction: str) -> None:
    directions = 2 if direction == "bidirectional" else 1
    width, hidden, batch = 3, 5, 2
    weights = {
        "w": random(directions, gates * hidden, width),
        "r": random(directions, gates * hidden, hidden),
        "b": random(directions, 2 * gates * hidden),
        "l": np.array([4, 2], np.int32),
        "h": random(directions, batch, hidden),
    }
    outputs = [("y", 1), ("yh", 1)]
    if op == "LSTM":
        weights["c"] = random(directions, batch, hidden)
        weights["p"] = random(directions, 3 * hidden)
        outputs.append(("yc", 1))
    settings = {"hidden_size": hidden, "direction": direction, **options}
    compare(op, {"x": random(4, batch, width)}, outputs, weights, **settings)


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
        ("...ij,...jk->...ik", [(2, 1, 3, 4), (2, 5, 4, 2)]),
        ("bhid,bhjd->bhij", [(2, 3, 4, 5), (2, 3, 6, 5)]),
        ("ii->i", [(4, 4)]),
        ("i,j->ij", [(3,), (4,)]),
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)]),
        ("ij,ij", [(2, 3), (2, 3)]),
    ],
)
def test_einsum(equation: str, shapes: Sequence[tuple[int, ...]]) -> None:
    inputs = {f"x{place}": random(*shape) for place, shape in enumerate(shapes)}
    compare("Einsum", inputs, [("y", 1)], equation=equation)


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("transformation", ["half_pixel", "align_corners", "asymmetric"])
@pytest.mark.parametrize("sizes", [(1, 2, 7, 9), (1, 2, 3, 2)])
def test_resize(mode: str, transformation: str, sizes: tuple[int, ...]) -> None:
    weights = {"_roi": None, "_scales": None, "sizes": np.array(sizes, np.int64)}
    options = {"mode": mode, "coordinate_transformation_mode": transformation}
    compare("Resize", {"x": random(1, 2, 5, 4)}, [("y", 1)], weights, **options)


@pytest.mark.parametrize("channels", [1, 4])
def test_quantized_convolution(channels: int) -> None:
    make = np.random.default_rng(0)
    weights = {
        "xs": F(0.05),
        "xz": np.uint8(120),
        "w": make.integers(0, 255, (4, 3, 3, 3), np.uint8),
        "ws": make.random(channels, F) / 50,
        "wz": np.full(channels, 130, np.uint8),
        "ys": F(0.3),
        "yz": np.uint8(100),
        "b": make.integers(-500, 500, 4, np.int32),
    }
    inputs = {"x": make.integers(0, 255, (1, 3, 6, 6), np.uint8)}
    compare("QLinearConv", inputs, [("y", 2)], weights, pads=[1, 1, 1, 1], strides=[2, 1])


@pytest.mark.parametrize("mode", ["linear", "nearest", "cubic"])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
def test_grid_sample(mode: str, padding_mode: str) -> None:
    inputs = {"x": random(1, 2, 4, 5), "g": random(1, 3, 6, 2)}
    compare("GridSample", inputs, [("y", 1)], mode=mode, padding_mode=padding_mode)
