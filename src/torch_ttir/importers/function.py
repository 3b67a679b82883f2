"""The entry function: its arguments and results with their attributes, around an imported graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch.fx
from torch.utils import _pytree as pytree
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.importers.body import Body, Unsupported, result_type
from torch_ttir.importers.graph import FAILED, GraphImporter
from torch_ttir.importers.node_locations import NodeLocations
from torch_ttir.importers.program import (
    Argument,
    ImportedProgram,
    InputLeaf,
    OutputLeaf,
    Signature,
)
from torch_ttir.importers.torch_types import DTYPES
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError


@dataclass
class Placeholder:
    """A tensor that the entry function takes: the nodes that are it, and how it is classified."""

    nodes: list[torch.fx.Node]
    name: str
    kind: str
    tensor: torch.Tensor
    leaf: int | None = None


@dataclass
class GraphProgram:
    """An FX graph with all that its entry function needs to know.

    `outputs` are the user's, as nodes or constants; `updates` are the new values of arguments (by
    name) that the graph returns. `constants` are values of nodes that are not tensors.
    """

    graph: torch.fx.Graph
    placeholders: list[Placeholder]
    constants: dict[torch.fx.Node, Any]
    inputs: list[InputLeaf]
    outputs: list[Any]
    updates: list[tuple[str, torch.fx.Node]]
    in_spec: pytree.TreeSpec
    out_spec: pytree.TreeSpec


def build(program: GraphProgram, context: Context) -> ImportedProgram:
    """Return the module of a graph; raises `CompileError` with every fault of the graph."""
    locations = NodeLocations(context)
    with context:
        location = _model_location(program.graph, locations, context)
        module = ir.Module.create(location)
        entry = ir.Operation.create(
            "func.func",
            attributes={
                "sym_name": ir.StringAttr.get("main"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get([], [])),
            },
            regions=1,
            loc=location,
            ip=ir.InsertionPoint(module.body),
        )
        block = entry.regions[0].blocks.append()
        importer = GraphImporter(context, Body(context, block), locations)
        importer.values.update(program.constants)
        arguments = _add_arguments(program, importer, block, context)
        importer.run(list(program.graph.nodes))
        results, outputs = _user_results(program, importer, location)
        updates = [importer.values[node] for _, node in program.updates]
        if importer.faults:
            raise CompileError(importer.faults)
        func.ReturnOp([*results, *updates], loc=location, ip=ir.InsertionPoint(block))
        types = [value.type for value in (*results, *updates)]
        entry.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get([argument.type for argument in block.arguments], types)
        )
        entry.attributes["arg_attrs"] = ir.ArrayAttr.get([_mark(a) for a in arguments])
        entry.attributes["res_attrs"] = ir.ArrayAttr.get(
            [ir.DictAttr.get({}) for _ in results]
            + [
                ir.DictAttr.get({"ttir.updates": ir.StringAttr.get(name)})
                for name, _ in program.updates
            ]
        )
        module.operation.verify()
    signature = Signature(
        tuple(arguments),
        tuple(program.inputs),
        tuple(outputs),
        program.in_spec,
        program.out_spec,
    )
    return ImportedProgram(module, signature)


def _add_arguments(
    program: GraphProgram, importer: GraphImporter, block: ir.Block, context: Context
) -> list[Argument]:
    arguments = []
    for placeholder in program.placeholders:
        name = placeholder.name
        loc = ir.Location.name(name)
        try:
            type_ = result_type(context, placeholder.tensor)
        except Unsupported as reason:
            importer.add_fault(f"{placeholder.kind} `{name}`: {reason}", loc, "", reason.notes)
            importer.values.update(dict.fromkeys(placeholder.nodes, FAILED))
            continue
        value = block.add_argument(type_, loc)
        importer.values.update(dict.fromkeys(placeholder.nodes, value))
        arguments.append(
            Argument(
                name,
                placeholder.kind,  # type: ignore[arg-type]
                tuple(placeholder.tensor.shape),
                DTYPES[placeholder.tensor.dtype],
                placeholder.leaf,
            )
        )
    return arguments


def _user_results(
    program: GraphProgram, importer: GraphImporter, loc: ir.Location
) -> tuple[list[ir.Value], list[OutputLeaf]]:
    results: list[ir.Value] = []
    outputs: list[OutputLeaf] = []
    for index, output in enumerate(program.outputs):
        value = importer.resolve(output)
        if value is FAILED:
            continue
        if not isinstance(value, ir.Value):
            outputs.append(OutputLeaf(None, value))
            continue
        if "tensor" not in str(value.type):
            importer.add_fault(
                f"result {index} of the model is a number that depends on the data",
                loc,
                notes=["return the tensor instead of its `.item()`"],
            )
            continue
        outputs.append(OutputLeaf(len(results)))
        results.append(value)
    return results, outputs


def _mark(argument: Argument) -> ir.Attribute:
    return ir.DictAttr.get(
        {
            "ttcore.argument_type": ir.Attribute.parse(f"#ttcore.argument_type<{argument.kind}>"),
            "ttir.name": ir.StringAttr.get(argument.name),
        }
    )


def _model_location(
    graph: torch.fx.Graph, locations: NodeLocations, context: Context
) -> ir.Location:
    """Return where the model is written: the outermost frame of its first node that has one."""
    for node in graph.nodes:
        outermost = locations.outermost(node)
        if outermost is not None:
            return outermost
    return ir.Location.name("main", context=context)
