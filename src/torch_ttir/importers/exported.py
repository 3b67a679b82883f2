"""Import of a `torch.export.ExportedProgram`, in-place ops and all; no weight is touched."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import torch
from torch._functorch import predispatch
from torch.export import ExportedProgram
from torch.export.graph_signature import (
    ConstantArgument,
    InputKind,
    InputSpec,
    OutputKind,
    SymBoolArgument,
    SymFloatArgument,
    SymIntArgument,
    TensorArgument,
)

from torch_ttir.importers.function import GraphProgram, Placeholder, build
from torch_ttir.importers.inline import inline_regions
from torch_ttir.importers.program import ArgumentKind, ImportedProgram, InputLeaf
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, error


def import_exported_program(
    program: ExportedProgram, context: Context, *, known_ops: Collection[str] | None = None
) -> ImportedProgram:
    """Return the Torch-dialect module of an exported program; its weights go to the context.

    Every tensor of `program.state_dict` and `program.constants` that it uses is put, as it is,
    into `context.parameters` under its own name. Ops outside `known_ops` (names like
    `aten.diff`; None for all) are decomposed by PyTorch's own decompositions. Raises
    `CompileError` with every fault of the program.
    """
    program = _without_vmap(program)
    graph, mapping = inline_regions(program.graph)
    nodes: dict[str, Any] = {
        node.name: node if mapping is None else mapping[node]
        for node in program.graph.nodes
        if node.op != "output"
    }
    placeholders, constants, inputs = _arguments(program, nodes)
    outputs, updates = _results(program, nodes)
    spec = program.call_spec
    return build(
        GraphProgram(
            graph, placeholders, constants, inputs, outputs, updates, spec.in_spec, spec.out_spec
        ),
        context,
        known_ops,
    )


def _without_vmap(program: ExportedProgram) -> ExportedProgram:
    """Return a program without the calls by which `torch.vmap` is written before dispatch.

    What a batched op is on whole tensors only PyTorch knows, so all of such a program is traced
    again.
    """
    modules = program.graph_module.modules()
    graphs = [module.graph for module in modules if isinstance(module, torch.fx.GraphModule)]
    nodes = [node for graph in graphs for node in graph.nodes]
    if any(getattr(node.target, "__module__", "") == predispatch.__name__ for node in nodes):
        retraced: ExportedProgram = program.run_decompositions({})
        return retraced
    return program


def _arguments(
    program: ExportedProgram, nodes: dict[str, Any]
) -> tuple[list[Placeholder], dict[torch.fx.Node, Any], list[InputLeaf]]:
    """Return the tensors that the program takes, its other inputs' values, the user's leaves."""
    values = {**program.state_dict, **program.constants}
    placeholders: list[Placeholder] = []
    constants: dict[torch.fx.Node, Any] = {}
    inputs: list[InputLeaf] = []
    faults: list[Diagnostic] = []
    for spec in program.graph_signature.input_specs:
        node, name = nodes[spec.arg.name], spec.arg.name
        if spec.kind is InputKind.USER_INPUT and isinstance(spec.arg, ConstantArgument):
            constants[node] = spec.arg.value
            inputs.append(InputLeaf(name, False, spec.arg.value))
        elif spec.kind is InputKind.USER_INPUT and isinstance(spec.arg, TensorArgument):
            placeholders.append(Placeholder([node], name, "input", node.meta["val"], len(inputs)))
            inputs.append(InputLeaf(name, True))
        elif spec.target in values and isinstance(spec.arg, TensorArgument):
            kind: ArgumentKind = "parameter" if spec.kind is InputKind.PARAMETER else "constant"
            placeholders.append(Placeholder([node], spec.target, kind, values[spec.target]))
        else:
            faults.append(Diagnostic(f"argument `{name}`: {_why_not(spec)}"))
    if faults:
        raise CompileError(faults)
    return placeholders, constants, inputs


def _why_not(spec: InputSpec) -> str:
    if isinstance(spec.arg, (SymIntArgument, SymFloatArgument, SymBoolArgument)):
        return "a number that is not fixed at export is not supported"
    return f"an argument of kind {spec.kind.name} is not supported"


def _results(
    program: ExportedProgram, nodes: dict[str, Any]
) -> tuple[list[Any], list[tuple[torch.fx.Node, torch.fx.Node]]]:
    """Return what the user gets, as nodes or constants, and the new values of arguments."""
    signature = program.graph_signature
    targets = {spec.target: nodes[spec.arg.name] for spec in signature.input_specs if spec.target}
    outputs: list[Any] = []
    updates: list[tuple[torch.fx.Node, torch.fx.Node]] = []
    for spec in signature.output_specs:
        argument = spec.arg
        value: Any = getattr(argument, "value", None)
        if not isinstance(argument, ConstantArgument):
            value = nodes[argument.name]
        if spec.kind in (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT):
            outputs.append(value)
        elif spec.kind is OutputKind.USER_INPUT_MUTATION:
            updates.append((nodes[str(spec.target)], value))
        elif spec.kind in (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION):
            updates.append((targets[spec.target], value))
        else:
            raise error(f"a result of kind {spec.kind.name} is not supported")
    return outputs, updates
