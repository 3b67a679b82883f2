"""Emitting an ONNX graph as `torch.operator "onnx.<op>"` on `!torch.vtensor` values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx
from onnx import numpy_helper
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore
from torch_ttir.dialects.onnx_rejected import REASONS
from torch_ttir.importers.onnx.model import Array
from torch_ttir.importers.onnx.prepare import Graph
from torch_ttir.ir.constants import elements_attribute
from torch_ttir.ir.diagnostics import CompileError, Diagnostic

DTYPES: dict[int, str] = {
    getattr(onnx.TensorProto, name): spelling
    for name, spelling in {
        "FLOAT": "f32",
        "DOUBLE": "f64",
        "FLOAT16": "f16",
        "BFLOAT16": "bf16",
        "BOOL": "i1",
        "INT8": "si8",
        "INT16": "si16",
        "INT32": "si32",
        "INT64": "si64",
        "UINT8": "ui8",
        "UINT16": "ui16",
        "UINT32": "ui32",
        "UINT64": "ui64",
        "FLOAT8E4M3FN": "f8E4M3FN",
        "FLOAT8E5M2": "f8E5M2",
        "FLOAT8E4M3FNUZ": "f8E4M3FNUZ",
        "FLOAT8E5M2FNUZ": "f8E5M2FNUZ",
    }.items()
}
"""The Torch dialect's spelling of ONNX's element types; the others cannot be said."""


class Emitter:
    """Builds the entry function of one graph."""

    def __init__(self, graph: Graph, source: str, module: ir.Module) -> None:
        """Emit into `module`, whose context is entered."""
        self.graph = graph
        self.file = Path(source).name
        self.module = module
        self.values: dict[str, ir.Value] = {}
        self.faults: list[Diagnostic] = []
        self.location = ir.Location.file(self.file, 0, 0)

    def emit(self, name: str, weights: dict[str, Array]) -> func.FuncOp:
        """Build the function; raises `CompileError` with every node that cannot be emitted.

        `weights` become parameters.
        """
        proto = self.graph.model.graph
        used = {name for node in proto.node for name in node.input} | {
            value.name for value in proto.output
        }
        inputs = [v.name for v in proto.input if v.name not in weights or v.name in used]
        types = [self._type(name, "input") for name in inputs]
        self._raise()
        location = self.location
        self.function = func.FuncOp(
            name, (types, []), ip=ir.InsertionPoint(self.module.body), loc=location
        )
        block = self.function.add_entry_block([ir.Location.name(name, location) for name in inputs])
        self.ip = ir.InsertionPoint(block)
        self.values.update(zip(inputs, block.arguments, strict=True))
        for index, node in enumerate(proto.node):
            self.location = ir.Location.name(
                node.name or node.output[0], ir.Location.file(self.file, index + 1, 0)
            )
            self._node(node)
        results = [self._value(value.name) for value in proto.output]
        self._raise()
        self._finish(inputs, [v.name for v in proto.output], results, weights)
        return self.function

    def _finish(
        self,
        inputs: list[str],
        outputs: list[str],
        results: list[ir.Value],
        weights: dict[str, Array],
    ) -> None:
        func.ReturnOp(results, loc=self.location, ip=self.ip)
        attributes = self.function.operation.attributes
        types = [value.type for value in self.function.arguments], [value.type for value in results]
        attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*types))
        attributes["arg_attrs"] = ir.ArrayAttr.get(
            [
                ir.DictAttr.get(
                    {
                        ttcore.ARGUMENT_TYPE: ttcore.argument_type(
                            "parameter" if name in weights else "input"
                        ),
                        ttcore.NAME: ir.StringAttr.get(name),
                    }
                )
                for name in inputs
            ]
        )
        attributes["res_attrs"] = ir.ArrayAttr.get(
            [ir.DictAttr.get({ttcore.NAME: ir.StringAttr.get(name)}) for name in outputs]
        )
        integer = ir.IntegerType.get_signed(64)
        attributes["torch.onnx_meta.opset_version"] = ir.IntegerAttr.get(integer, self.graph.opset)

    def _node(self, node: onnx.NodeProto) -> None:
        domain = "" if node.domain in ("", "ai.onnx") else f"{node.domain}."
        if (reason := REASONS.get(f"{domain}{node.op_type}")) is not None:
            self._fault(f"{domain}{node.op_type}", f"cannot be said in TTIR: {reason}")
            return
        operands = [self._value(name) for name in node.input]
        while node.input and node.input[-1] == "" and operands:
            operands.pop()
            node.input.pop()
        if any(item is None for item in operands):
            # What makes one of them has a fault already.
            return
        types = [self._type(name, f"{domain}{node.op_type}") for name in node.output if name]
        attributes = {"name": ir.StringAttr.get(f"onnx.{domain}{node.op_type}")}
        for attribute in node.attribute:
            value = self._attribute(node, attribute)
            if value is not None:
                attributes[f"torch.onnx.{attribute.name}"] = value
        if any(item is None for item in types):
            return
        made = ir.Operation.create(
            "torch.operator", types, operands, attributes, None, 0, self.location, self.ip
        )
        # An output that is not wanted ("") has no result; a rule sees how many are.
        wanted = [name for name in node.output if name]
        self.values.update(zip(wanted, made.results, strict=True))

    def _value(self, name: str) -> ir.Value | None:
        """Return the SSA value of a name; None if the node that makes it could not be emitted."""
        if name == "":
            none = ir.Type.parse("!torch.none")
            return ir.Operation.create(
                "torch.constant.none", [none], [], None, None, 0, self.location, self.ip
            ).result
        if name not in self.values and name in self.graph.constants:
            self.values[name] = self._constant(name, self.graph.constants[name])
        return self.values.get(name)

    def _constant(self, name: str, array: Array) -> ir.Value:
        type_ = self._type(name, "Constant")
        dense = ir.RankedTensorType.get(
            array.shape, ir.Type.parse(DTYPES[self.graph.types[name][0]]), loc=self.location
        )
        return ir.Operation.create(
            "torch.vtensor.literal",
            [type_],
            [],
            {"value": elements_attribute(array, dense)},
            None,
            0,
            ir.Location.name(name, self.location),
            ir.InsertionPoint.at_block_begin(self.ip.block),
        ).result

    def _type(self, name: str, what: str) -> ir.Type | None:
        found = self.graph.types.get(name)
        if found is None:
            self._fault(what, f"the shape of `{name}` cannot be inferred")
            return None
        element, shape = found
        if element not in DTYPES:
            kind = onnx.TensorProto.DataType.Name(element)
            self._fault(what, f"`{name}` has element type {kind}, which TTIR has no type for")
            return None
        sizes = ",".join(str(size) for size in shape)
        return ir.Type.parse(f"!torch.vtensor<[{sizes}],{DTYPES[element]}>")

    def _attribute(self, node: onnx.NodeProto, attribute: onnx.AttributeProto) -> Any:
        kinds = onnx.AttributeProto
        if attribute.type == kinds.FLOAT:
            return ir.FloatAttr.get(ir.F32Type.get(), attribute.f, loc=self.location)
        if attribute.type == kinds.INT:
            return ir.IntegerAttr.get(ir.IntegerType.get_signed(64), attribute.i)
        if attribute.type == kinds.STRING:
            return ir.StringAttr.get(attribute.s.decode("utf-8", "replace"))
        if attribute.type == kinds.TENSOR and attribute.t.data_type in DTYPES:
            array = numpy_helper.to_array(attribute.t)
            element = ir.Type.parse(DTYPES[attribute.t.data_type])
            type_ = ir.RankedTensorType.get(array.shape, element, loc=self.location)
            return elements_attribute(array, type_)
        if attribute.type == kinds.FLOATS:
            return ir.ArrayAttr.get(
                [ir.FloatAttr.get(ir.F32Type.get(), v, loc=self.location) for v in attribute.floats]
            )
        if attribute.type == kinds.INTS:
            type_ = ir.IntegerType.get_signed(64)
            return ir.ArrayAttr.get([ir.IntegerAttr.get(type_, v) for v in attribute.ints])
        if attribute.type == kinds.STRINGS:
            return ir.ArrayAttr.get(
                [ir.StringAttr.get(v.decode("utf-8", "replace")) for v in attribute.strings]
            )
        if attribute.type == kinds.GRAPH:
            message = "how often its subgraph runs is not known when the model is compiled"
            self._fault(node.op_type, message)
            return None
        kind = kinds.AttributeType.Name(attribute.type)
        self._fault(node.op_type, f"attribute `{attribute.name}` of kind {kind} cannot be said")
        return None

    def _fault(self, op: str, message: str) -> None:
        where = str(self.location)
        line = where.rsplit(":", 2)[1] if where.count(":") >= 2 else "0"
        self.faults.append(Diagnostic(message, f"{self.file}:{line}", f"onnx.{op}"))

    def _raise(self) -> None:
        if self.faults:
            raise CompileError(self.faults)
