"""ONNX's backend interface over TTIR: `prepare`, `run_model`, `run_node`, `supports_device`.

A model's shapes have to be known to be compiled. Open dimensions are taken from the inputs of each
call, and so are the values of small integer inputs on which shapes depend, where the model cannot
be compiled without them; a call with others compiles anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.base import Backend, BackendRep, namedtupledict
from torch_mlir import ir

from torch_ttir.dialects import ttcore
from torch_ttir.dialects.context import make_context
from torch_ttir.importers.onnx.importer import import_onnx
from torch_ttir.importers.onnx.static_inputs import static_inputs
from torch_ttir.interpreters.dtypes import to_numpy, to_torch
from torch_ttir.interpreters.runner import load_function
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, error
from torch_ttir.passes.legalize.all_rules import KNOWN_ONNX_OPS
from torch_ttir.pipelines import RunOptions, run

Array = np.ndarray[Any, Any]

_MAX_FIXED = 64
"""Inputs of at most this many elements may be fixed to their values, where ops need constants."""


_MODELS_PER_CONTEXT = 100
_contexts: list[tuple[Context, int]] = []


def _shared_context() -> Context:
    """Return a context; one serves many models, since making it takes longer than a small model."""
    context, uses = _contexts.pop() if _contexts else (make_context(), 0)
    if uses == _MODELS_PER_CONTEXT:
        context, uses = make_context(), 0
    _contexts.append((context, uses + 1))
    return context


class Executable:
    """A model compiled for inputs of certain shapes, with some inputs fixed to their values."""

    def __init__(
        self, model: onnx.ModelProto, dims: dict[str, int], values: dict[str, Array]
    ) -> None:
        """Compile; raises `CompileError` for what cannot be said in TTIR."""
        context = _shared_context()
        context.parameters.clear()
        self.module = import_onnx(
            model, context, dims=dims, values=values, known_ops=KNOWN_ONNX_OPS
        )
        run(self.module, "onnx-to-ttir", RunOptions(verify_each="end"))
        self.function = load_function(self.module)
        self.weights = dict(context.parameters)
        entry = next(
            op
            for op in self.module.body
            if ir.StringAttr(op.operation.attributes["sym_name"]).value == "main"
        )
        self.names = [ttcore.argument_name(entry, i) for i in range(len(entry.type.inputs))]

    def __call__(self, feeds: dict[str, Array]) -> list[Array]:
        """Run on the inputs by name; weights come from the model."""
        inputs = [
            to_torch(np.asarray(feeds[name] if name in feeds else self._weight(name)))
            for name in self.names
        ]
        return [to_numpy(result) for result in self.function(inputs)]

    def _weight(self, name: str) -> Array:
        if name not in self.weights:
            raise error(f"no value is given for input `{name}`", "<model>")
        return np.asarray(self.weights[name])


class TTIRBackendRep(BackendRep):
    """A prepared model; it is compiled at the first call, when the inputs' shapes are known."""

    def __init__(self, model: onnx.ModelProto) -> None:
        """Keep the model."""
        self.model = model
        initialized = {tensor.name for tensor in model.graph.initializer}
        self.inputs = [v.name for v in model.graph.input if v.name not in initialized]
        self.outputs = [value.name for value in model.graph.output]
        self.compiled: dict[Any, Executable] = {}

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Return the outputs for inputs in the order of the graph's, or by name."""
        if isinstance(inputs, dict):
            feeds = dict(inputs)
        else:
            listed = [inputs] if isinstance(inputs, np.ndarray | np.generic) else list(inputs)
            if len(listed) > len(self.inputs):
                message = f"{len(listed)} inputs are given, and the model has {len(self.inputs)}"
                raise error(message, "<model>")
            feeds = dict(zip(self.inputs, listed, strict=False))
        for name, value in feeds.items():
            if not isinstance(value, np.ndarray | np.generic | bool | int | float):
                kind = type(value).__name__
                raise error(f"input `{name}` is a {kind}, where an array is needed", "<model>")
        results = self._executable(feeds)(feeds)
        return namedtupledict("Outputs", self.outputs)(*results)  # type: ignore[no-any-return]

    def _executable(self, feeds: dict[str, Array]) -> Executable:
        shapes = tuple((name, np.shape(value)) for name, value in sorted(feeds.items()))
        fixed = _fixable(self.model, feeds)
        values = tuple((name, value.tobytes()) for name, value in sorted(fixed.items()))
        for key in (shapes, (shapes, values)):
            if key in self.compiled:
                return self.compiled[key]
        dims = _open_dimensions(self.model, feeds)
        try:
            made = self.compiled[shapes] = Executable(self.model, dims, {})
        except CompileError:
            if not fixed:
                raise
            kept = {name: size for name, size in dims.items() if name.split(".")[0] not in fixed}
            made = self.compiled[shapes, values] = Executable(self.model, kept, fixed)
        return made


class TTIRBackend(Backend):
    """TTIR on the reference interpreter, as an ONNX backend."""

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> TTIRBackendRep:
        """Check the model and keep it for its first call."""
        super().prepare(model, device, **kwargs)
        return TTIRBackendRep(model)

    @classmethod
    def run_node(
        cls,
        node: onnx.NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[Any, tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...]:
        """Run one node on arrays."""
        arrays = inputs if isinstance(inputs, dict) else dict(zip(node.input, inputs, strict=False))
        declared = [
            numpy_helper_info(name, np.asarray(array)) for name, array in arrays.items() if name
        ]
        graph = onnx.helper.make_graph(
            [node], "node", declared, [onnx.ValueInfoProto(name=name) for name in node.output]
        )
        opset = kwargs.get("opset_version", onnx.defs.onnx_opset_version())
        model = onnx.helper.make_model(
            graph, opset_imports=[onnx.helper.make_opsetid(node.domain, opset)]
        )
        return TTIRBackendRep(onnx.shape_inference.infer_shapes(model, data_prop=True)).run(arrays)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Say whether models run on the named device: on the CPU only."""
        return device == "CPU"


def numpy_helper_info(name: str, array: Array) -> onnx.ValueInfoProto:
    """Return the value info of an array."""
    element = numpy_helper.from_array(array).data_type
    return onnx.helper.make_tensor_value_info(name, element, array.shape)


def _fixable(model: onnx.ModelProto, feeds: dict[str, Array]) -> dict[str, Array]:
    """Return the small inputs that ops need as constants: nothing else is ever fixed."""
    return {
        name: np.asarray(feeds[name])
        for name in sorted(static_inputs(model) & feeds.keys())
        if np.size(feeds[name]) <= _MAX_FIXED
    }


def _open_dimensions(model: onnx.ModelProto, feeds: dict[str, Array]) -> dict[str, int]:
    """Return the sizes of the open dimensions of the inputs, by their names or `input.index`."""
    dims: dict[str, int] = {}
    for value in model.graph.input:
        if value.name not in feeds or not value.type.tensor_type.HasField("shape"):
            continue
        sizes = np.shape(feeds[value.name])
        for index, dim in enumerate(value.type.tensor_type.shape.dim):
            if not dim.HasField("dim_value") and index < len(sizes):
                dims[dim.dim_param or f"{value.name}.{index}"] = sizes[index]
    return dims


# ONNX's test runner takes a module as a backend.
prepare = TTIRBackend.prepare
run_model = TTIRBackend.run_model
run_node = TTIRBackend.run_node
supports_device = TTIRBackend.supports_device
