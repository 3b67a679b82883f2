"""Making an ONNX graph ready to be emitted: static shapes, constants folded, functions inlined."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import numpy_helper

from torch_ttir.importers.onnx.check import check_graph
from torch_ttir.importers.onnx.control_flow import unroll
from torch_ttir.importers.onnx.fold import fold_constants
from torch_ttir.importers.onnx.functions import expand_functions, inline_local_functions
from torch_ttir.importers.onnx.infer import Types, infer_types
from torch_ttir.importers.onnx.model import Array, Model
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, error

_KNOWN_DOMAINS = ("", "ai.onnx")
_MAX_ROUNDS = 64


@dataclass
class Graph:
    """A graph that can be emitted: nodes in order, the static type of each value, and constants.

    `types` maps a value's name to (element type number, shape); `constants` has the small values
    that are known, the results of folding among them.
    """

    model: onnx.ModelProto
    types: Types
    constants: dict[str, Array]
    opset: int


def prepare(
    model: Model,
    dims: Mapping[str, int],
    values: Mapping[str, Array],
    known_ops: Collection[str],
) -> Graph:
    """Return the model's graph with static shapes, and only ops of `known_ops` where possible.

    `dims` sets symbolic dimensions by name; `values` fixes inputs, which then are inputs no more.
    Raises `CompileError` for inputs that are not tensors, open dimensions, and unknown domains.
    """
    proto = model.proto
    opset = _check_opsets(model)
    _bind_values(proto, values)
    _check_inputs(model, dims)
    check_graph(proto, model.source)
    proto = inline_local_functions(proto, model.source)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in proto.graph.initializer}
    for _ in range(_MAX_ROUNDS):
        _name_outputs(proto)
        proto, types = infer_types(proto, model.source, constants)
        # Each makes values known that the others need.
        folded = fold_constants(proto, types, constants)
        expanded = expand_functions(proto, known_ops, opset)
        unrolled = unroll(proto, types, constants)
        if not (folded or expanded or unrolled):
            break
    return Graph(proto, types, constants, opset)


def _check_opsets(model: Model) -> int:
    versions = {entry.domain: entry.version for entry in model.proto.opset_import}
    opset = max((versions[domain] for domain in _KNOWN_DOMAINS if domain in versions), default=0)
    local = {function.domain for function in model.proto.functions}
    newest = onnx.defs.onnx_opset_version()
    if opset > newest:
        raise error(
            f"opset {opset} is newer than the {newest} of the installed onnx",
            model.source,
            notes=["`pip install -U onnx` may know it"],
        )
    if opset == 0 and not local:
        # IR version 1 and 2 had no opset import: the opset then is 1.
        opset = 1
    return opset or newest


def _bind_values(proto: onnx.ModelProto, values: Mapping[str, Array]) -> None:
    for name, value in values.items():
        kept = [entry for entry in proto.graph.input if entry.name != name]
        del proto.graph.input[:]
        proto.graph.input.extend(kept)
        others = [tensor for tensor in proto.graph.initializer if tensor.name != name]
        del proto.graph.initializer[:]
        proto.graph.initializer.extend([*others, numpy_helper.from_array(np.asarray(value), name)])


def _check_inputs(model: Model, dims: Mapping[str, int]) -> None:
    """Set symbolic dimensions, and reject inputs that have no static tensor type."""
    faults: list[Diagnostic] = []
    used: set[str] = set()
    for value in model.proto.graph.input:
        kind = value.type.WhichOneof("value")
        if kind != "tensor_type":
            what = (kind or "unknown_type").removesuffix("_type")
            faults.append(
                Diagnostic(f"input `{value.name}` is a {what}, not a tensor", model.source)
            )
            continue
        if value.type.tensor_type.elem_type == onnx.TensorProto.STRING:
            faults.append(Diagnostic(f"input `{value.name}` holds strings", model.source))
            continue
        if not value.type.tensor_type.HasField("shape"):
            faults.append(Diagnostic(f"input `{value.name}` has no shape", model.source))
            continue
        for index, dim in enumerate(value.type.tensor_type.shape.dim):
            if dim.HasField("dim_value") and dim.dim_value >= 0:
                continue
            names = [dim.dim_param, f"{value.name}.{index}"]
            found = next((name for name in names if name in dims), None)
            if found is None:
                name = dim.dim_param or names[1]
                faults.append(
                    Diagnostic(
                        f"input `{value.name}` has an open dimension {index}, `{name}`",
                        model.source,
                        notes=(f"set it, e.g. with `--dim {name}=1`",),
                    )
                )
                continue
            used.add(found)
            dim.dim_value = dims[found]
    for name in dims:
        if name not in used and not faults:
            faults.append(Diagnostic(f"no input has a dimension `{name}` to set", model.source))
    if faults:
        raise CompileError(faults)


def _name_outputs(proto: onnx.ModelProto) -> None:
    """Name each unwanted output before a wanted one, and drop those at the end.

    A node then has its first n outputs, and a rule knows each by its place.
    """
    for node in proto.graph.node:
        while node.output and not node.output[-1]:
            node.output.pop()
        for place, name in enumerate(node.output):
            if not name:
                node.output[place] = f"{node.output[-1]}/unused{place}"
