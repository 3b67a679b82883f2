"""Import of a `torch.export.ExportedProgram`, in-place ops and all; no weight is touched."""

from __future__ import annotations

import warnings
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
from torch.utils import _pytree as pytree

from torch_ttir.importers.complex_numbers import as_real_graph, has_complex_numbers
from torch_ttir.importers.function import GraphProgram, Placeholder, build
from torch_ttir.importers.inline import inline_regions
from torch_ttir.importers.program import ArgumentKind, ImportedProgram, InputLeaf
from torch_ttir.importers.quiet import quiet_torch
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
    program, graph, nodes, results = _graph(_without_vmap(program))
    placeholders, constants, inputs = _arguments(program, nodes)
    outputs, updates = _results(program, nodes, results)
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


def _graph(
    program: ExportedProgram,
) -> tuple[ExportedProgram, torch.fx.Graph, dict[str, torch.fx.Node], dict[str, torch.fx.Node]]:
    """Return a program, its graph, and its inputs and its results, by the signature's names.

    A program with complex numbers becomes one of real numbers that writes nothing, if it can.
    """
    if has_complex_numbers(program.graph):
        functional = _functional(program)
        real = as_real_graph(functional)
        if real is not None:
            graph, placeholders, results = real
            outputs: Any = functional.graph.output_node().args[0]
            made = {
                output.name: result
                for output, result in zip(outputs, results, strict=True)
                if isinstance(output, torch.fx.Node)
            }
            return functional, graph, {old.name: new for old, new in placeholders.items()}, made
    graph, mapping = inline_regions(program.graph)
    named = {node.name: node for node in program.graph.nodes if node.op != "output"}
    nodes = named if mapping is None else {name: mapping[node] for name, node in named.items()}
    return program, graph, nodes, nodes


def _functional(program: ExportedProgram) -> ExportedProgram:
    with quiet_torch(), warnings.catch_warnings():
        # Of copies of pytree specs, which PyTorch itself has deprecated.
        warnings.filterwarnings("ignore", ".*LeafSpec", FutureWarning)
        functional: ExportedProgram = program.run_decompositions()
    return functional


def _arguments(
    program: ExportedProgram, nodes: dict[str, Any]
) -> tuple[list[Placeholder], dict[torch.fx.Node, Any], list[InputLeaf]]:
    """Return the tensors that the program takes, its other inputs' values, the user's leaves."""
    values = {**program.state_dict, **program.constants}
    placeholders: list[Placeholder] = []
    constants: dict[torch.fx.Node, Any] = {}
    inputs: list[InputLeaf] = []
    faults: list[Diagnostic] = []
    program_nodes = {node.name: node for node in program.graph.find_nodes(op="placeholder")}
    for spec in program.graph_signature.input_specs:
        name = spec.arg.name
        node = nodes.get(name, program_nodes[name])
        if spec.kind is InputKind.USER_INPUT and isinstance(spec.arg, ConstantArgument):
            constants[node] = spec.arg.value
            inputs.append(InputLeaf(name, False, spec.arg.value))
        elif spec.kind is InputKind.USER_INPUT and isinstance(spec.arg, TensorArgument):
            placeholders.append(Placeholder([node], name, "input", node.meta["val"], len(inputs)))
            traced = program_nodes[name].meta["val"]
            inputs.append(InputLeaf(name, True, is_complex=traced.is_complex()))
        elif spec.target in values and isinstance(spec.arg, TensorArgument):
            kind: ArgumentKind = "parameter" if spec.kind is InputKind.PARAMETER else "constant"
            tensor = values[spec.target]
            if tensor.is_complex() and not node.meta["val"].is_complex():
                tensor = torch.view_as_real(tensor.detach().resolve_conj())
            placeholders.append(Placeholder([node], spec.target, kind, tensor))
        else:
            faults.append(Diagnostic(f"argument `{name}`: {_why_not(spec)}"))
    faults += _merged_inputs(program)
    if faults:
        raise CompileError(faults)
    return placeholders, constants, inputs


def _merged_inputs(program: ExportedProgram) -> list[Diagnostic]:
    """Return a fault for each input of which the export made one value with another argument."""
    specs = [s for s in program.graph_signature.input_specs if s.kind is InputKind.USER_INPUT]
    examples = pytree.tree_leaves(program.example_inputs)
    if len(examples) != len(specs):
        return []
    weights = {**program.state_dict, **program.constants}
    first = {id(weight): name for name, weight in weights.items()}
    faults: list[Diagnostic] = []
    for spec, example in zip(specs, examples, strict=True):
        other = first.setdefault(id(example), spec.arg.name)
        if isinstance(example, torch.Tensor) and other != spec.arg.name:
            message = f"argument `{spec.arg.name}` was the same tensor as `{other}` at export"
            note = "PyTorch made one value of both: export with a `.clone()` for one of them"
            faults.append(Diagnostic(message, notes=(note,)))
    return faults


def _why_not(spec: InputSpec) -> str:
    if isinstance(spec.arg, (SymIntArgument, SymFloatArgument, SymBoolArgument)):
        return "a number that is not fixed at export is not supported"
    return f"an argument of kind {spec.kind.name} is not supported"


def _results(
    program: ExportedProgram, nodes: dict[str, Any], results: dict[str, Any]
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
            value = results[argument.name]
        if spec.kind in (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT):
            outputs.append(value)
        elif spec.kind is OutputKind.USER_INPUT_MUTATION:
            updates.append((nodes[str(spec.target)], value))
        elif spec.kind in (OutputKind.BUFFER_MUTATION, OutputKind.PARAMETER_MUTATION):
            updates.append((targets[spec.target], value))
        else:
            raise error(f"a result of kind {spec.kind.name} is not supported")
    return outputs, updates
