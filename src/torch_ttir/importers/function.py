"""The entry function: its arguments and results with their attributes, around an imported graph."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import Any

import torch
import torch.fx
from torch.utils import _pytree as pytree
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.importers.aliases import Aliasing, analyze, writes_memory
from torch_ttir.importers.body import Body
from torch_ttir.importers.decompose import Decomposer
from torch_ttir.importers.graph import FAILED, GraphImporter, Scope
from torch_ttir.importers.node_locations import NodeLocations
from torch_ttir.importers.program import (
    Argument,
    ArgumentKind,
    ImportedProgram,
    InputLeaf,
    OutputLeaf,
    Signature,
)
from torch_ttir.importers.quiet import quiet_torch
from torch_ttir.importers.result_types import Unsupported, result_type
from torch_ttir.importers.torch_types import DTYPES
from torch_ttir.importers.verify import verify_or_hold
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError


@dataclass
class Placeholder:
    """A tensor that the entry function takes, and the nodes that are it.

    `tensor` is the program's own tensor, or a fake one of the user's input at position `leaf`. A
    `literal` stays in the IR, unless the program writes it.
    """

    nodes: list[torch.fx.Node]
    name: str
    kind: ArgumentKind
    tensor: torch.Tensor
    leaf: int | None = None
    literal: bool = False


@dataclass
class GraphProgram:
    """An FX graph with all that its entry function needs to know.

    `outputs` are the user's, as nodes or constants; `updates` are the new values of arguments that
    the graph returns, as pairs of nodes. `constants` are values of nodes that are not tensors.
    """

    graph: torch.fx.Graph
    placeholders: list[Placeholder]
    constants: dict[torch.fx.Node, Any]
    inputs: list[InputLeaf]
    outputs: list[Any]
    updates: list[tuple[torch.fx.Node, torch.fx.Node]]
    in_spec: pytree.TreeSpec
    out_spec: pytree.TreeSpec


def build(
    program: GraphProgram, context: Context, known_ops: Collection[str] | None
) -> ImportedProgram:
    """Return the module of a graph; raises `CompileError` with every fault of the graph.

    The program's own tensors go to `context.parameters`.
    """
    # PyTorch logs at length what of its own decompositions and meta kernels does not apply.
    with quiet_torch():
        return _build(program, context, known_ops)


def _build(
    program: GraphProgram, context: Context, known_ops: Collection[str] | None
) -> ImportedProgram:
    writes = writes_memory(program.graph)
    aliasing = analyze(program.graph) if writes else Aliasing()
    placeholders = _tied_once(program.placeholders)
    _name_uniquely(placeholders)
    _classify(placeholders, aliasing.written | {node for node, _ in program.updates})
    locations = NodeLocations(context)
    with context:
        location = _model_location(program.graph, locations)
        module = ir.Module.create(location)
        entry, block = _empty_function(module, location)
        importer = GraphImporter(context, Body(context, block), locations, Decomposer(known_ops))
        scope = Scope(dict(program.constants), aliasing, writes)
        placeholders = _without_literals(placeholders, importer, scope, location)
        arguments = _add_arguments(placeholders, importer, scope, block, location)
        importer.run(program.graph, scope)
        results, outputs = _user_results(program, importer, scope)
        names = {node: p.name for p in placeholders for node in p.nodes}
        updates = [(names[node], scope.values[value]) for node, value in program.updates]
        _check_overlaps(placeholders, importer, location)
        if importer.faults:
            raise CompileError(importer.faults)
        values = [*results, *(value for _, value in updates)]
        func.ReturnOp(values, loc=location, ip=ir.InsertionPoint(block))
        _set_types(entry, block, values)
        _set_marks(entry, arguments, placeholders if writes else [], len(results), updates)
        verify_or_hold(module, block)
    for placeholder in placeholders:
        if placeholder.leaf is None:
            context.parameters[placeholder.name] = placeholder.tensor
    signature = Signature(
        tuple(arguments), tuple(program.inputs), tuple(outputs), program.in_spec, program.out_spec
    )
    return ImportedProgram(module, signature)


def _tied_once(placeholders: list[Placeholder]) -> list[Placeholder]:
    """Return the placeholders, with those of one weight united under its first name."""
    found: dict[Hashable, Placeholder] = {}
    for placeholder in placeholders:
        tensor = placeholder.tensor
        key: Hashable = id(placeholder)
        if placeholder.leaf is None and tensor.layout is torch.strided and tensor.numel():
            storage = tensor.untyped_storage()._cdata
            layout = (tuple(tensor.shape), tensor.stride(), tensor.storage_offset())
            key = (storage, layout, tensor.dtype)
        if key in found:
            found[key].nodes += placeholder.nodes
        else:
            found[key] = placeholder
    return list(found.values())


def _name_uniquely(placeholders: list[Placeholder]) -> None:
    """Give inputs that are named like a weight another name: `ttir.name` is a key."""
    taken = {placeholder.name for placeholder in placeholders if placeholder.leaf is None}
    for placeholder in placeholders:
        if placeholder.leaf is not None:
            base, count = placeholder.name, 0
            while placeholder.name in taken:
                count += 1
                placeholder.name = f"{base}_{count}"
            taken.add(placeholder.name)


def _classify(placeholders: list[Placeholder], written: set[torch.fx.Node]) -> None:
    """What the program writes is state, so an input."""
    for placeholder in placeholders:
        if not written.isdisjoint(placeholder.nodes):
            placeholder.kind = "input"


def _check_overlaps(
    placeholders: list[Placeholder], importer: GraphImporter, loc: ir.Location
) -> None:
    """Report state that shares part of its memory with another weight: a write shows in both."""
    owned = [p for p in placeholders if p.leaf is None and p.tensor.layout is torch.strided]
    for state in owned:
        if state.kind != "input":
            continue
        for other in owned:
            storages = {p.tensor.untyped_storage()._cdata for p in (state, other)}
            if other is not state and len(storages) == 1:
                importer.add_fault(
                    f"`{state.name}`, which the program writes, shares memory with `{other.name}`",
                    loc,
                    notes=["register one of them, and make the other from it in `forward`"],
                )


def _empty_function(module: ir.Module, location: ir.Location) -> tuple[ir.Operation, ir.Block]:
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
    return entry, entry.regions[0].blocks.append()


def _set_types(entry: ir.Operation, block: ir.Block, results: list[ir.Value]) -> None:
    inputs = [argument.type for argument in block.arguments]
    outputs = [value.type for value in results]
    entry.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))


def _without_literals(
    placeholders: list[Placeholder], importer: GraphImporter, scope: Scope, loc: ir.Location
) -> list[Placeholder]:
    """Bind constants that stay in the IR; returns the others."""
    arguments = []
    for placeholder in placeholders:
        if placeholder.literal and placeholder.kind == "constant":
            value = importer.literal(placeholder.tensor, loc)
            scope.values.update(dict.fromkeys(placeholder.nodes, value))
        else:
            arguments.append(placeholder)
    return arguments


def _add_arguments(
    placeholders: list[Placeholder],
    importer: GraphImporter,
    scope: Scope,
    block: ir.Block,
    location: ir.Location,
) -> list[Argument]:
    arguments = []
    for placeholder in placeholders:
        name, tensor = placeholder.name, placeholder.tensor
        try:
            type_ = result_type(importer.context, tensor)
        except Unsupported as reason:
            message = f"{placeholder.kind} `{name}`: {reason}"
            importer.add_fault(message, location, notes=reason.notes)
            scope.values.update(dict.fromkeys(placeholder.nodes, FAILED))
            continue
        value = block.add_argument(type_, ir.Location.name(name))
        scope.values.update(dict.fromkeys(placeholder.nodes, value))
        arguments.append(
            Argument(
                name,
                placeholder.kind,
                tuple(tensor.shape),
                DTYPES[tensor.dtype],
                placeholder.leaf,
            )
        )
    return arguments


def _user_results(
    program: GraphProgram, importer: GraphImporter, scope: Scope
) -> tuple[list[ir.Value], list[OutputLeaf]]:
    """Return the function's results of the user's outputs, and where each output is."""
    results: list[ir.Value] = []
    outputs: list[OutputLeaf] = []
    for output in program.outputs:
        value = scope.resolve(output)
        is_complex = isinstance(output, torch.fx.Node) and "complex" in output.meta
        if value is FAILED:
            continue
        if isinstance(value, ir.Value):
            is_number = importer.is_number(value)
            outputs.append(OutputLeaf(len(results), number=is_number, is_complex=is_complex))
            results.append(value)
        else:
            outputs.append(OutputLeaf(None, value))
    return results, outputs


def _set_marks(
    entry: ir.Operation,
    arguments: list[Argument],
    written: list[Placeholder],
    results: int,
    updates: list[tuple[str, ir.Value]],
) -> None:
    """Say of each argument what it is, and of each result behind the user's what it updates.

    Where the program writes memory, also how arguments lie there if not in order: on that hangs
    whether a view shares their memory.
    """
    strides = {p.name: list(p.tensor.stride()) for p in written if not p.tensor.is_contiguous()}
    marks = []
    for argument in arguments:
        mark = {
            "ttcore.argument_type": ir.Attribute.parse(f"#ttcore.argument_type<{argument.kind}>"),
            "ttir.name": ir.StringAttr.get(argument.name),
        }
        if argument.name in strides:
            mark["ttir.strides"] = ir.DenseI64ArrayAttr.get(strides[argument.name])
        marks.append(ir.DictAttr.get(mark))
    entry.attributes["arg_attrs"] = ir.ArrayAttr.get(marks)
    updated = [ir.DictAttr.get({"ttir.updates": ir.StringAttr.get(name)}) for name, _ in updates]
    empty = [ir.DictAttr.get({})] * results
    entry.attributes["res_attrs"] = ir.ArrayAttr.get([*empty, *updated])


def _model_location(graph: torch.fx.Graph, locations: NodeLocations) -> ir.Location:
    """Return where the model is written: the outermost frame of its first node that has one."""
    for node in graph.nodes:
        outermost = locations.outermost(node)
        if outermost is not None:
            return outermost
    return ir.Location.name("main")
