"""Import of a `torch.export.ExportedProgram`, in-place ops and all; no weight is touched."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import (
    ConstantArgument,
    InputKind,
    InputSpec,
    OutputKind,
    TensorArgument,
)

from torch_ttir.importers.function import GraphProgram, Placeholder, build
from torch_ttir.importers.program import ImportedProgram, InputLeaf
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import error


def import_exported_program(
    program: ExportedProgram, context: Context, *, known_ops: Collection[str] | None = None
) -> ImportedProgram:
    """Return the Torch-dialect module of an exported program; its weights go to the context.

    Every tensor of `program.state_dict` and `program.constants` that it uses is put, as it is,
    into `context.parameters` under its own name. Ops outside `known_ops` (names like
    `aten.diff`; None for all) are decomposed by PyTorch's own decompositions. Raises
    `CompileError` with every fault of the program.
    """
    signature = program.graph_signature
    nodes = {node.name: node for node in program.graph.nodes}
    values = {**program.state_dict, **program.constants}
    placeholders: list[Placeholder] = []
    constants: dict[torch.fx.Node, Any] = {}
    inputs: list[InputLeaf] = []
    written = {*signature.buffers_to_mutate.values()}
    for spec in signature.input_specs:
        node = nodes[spec.arg.name]
        if spec.kind is InputKind.USER_INPUT:
            name = spec.arg.name
            if isinstance(spec.arg, ConstantArgument):
                constants[node] = spec.arg.value
                inputs.append(InputLeaf(name, False, spec.arg.value))
                continue
            placeholders.append(
                Placeholder([node], name, "input", node.meta["val"], len(inputs))
            )
            inputs.append(InputLeaf(name, True))
            continue
        target = _target(spec)
        tensor = values[target]
        kind = "parameter" if spec.kind is InputKind.PARAMETER else "constant"
        if target in written:
            kind = "input"
        placeholders.append(Placeholder([node], target, kind, tensor))
        context.parameters[target] = tensor
    outputs: list[Any] = []
    updates = []
    names = {p.nodes[0].name: p.name for p in placeholders}
    for output in signature.output_specs:
        argument = output.arg
        if output.kind is OutputKind.USER_OUTPUT:
            constant = isinstance(argument, ConstantArgument)
            outputs.append(argument.value if constant else nodes[argument.name])
        elif output.kind is OutputKind.USER_INPUT_MUTATION:
            updates.append((names[output.target], nodes[argument.name]))
        elif isinstance(argument, TensorArgument):
            updates.append((output.target, nodes[argument.name]))
    return build(
        GraphProgram(
            program.graph,
            placeholders,
            constants,
            inputs,
            outputs,
            updates,
            program.call_spec.in_spec,
            program.call_spec.out_spec,
        ),
        context,
    )


def _target(spec: InputSpec) -> str:
    if spec.target is None or not isinstance(spec.arg, TensorArgument):
        raise error(
            f"argument `{spec.arg.name}` is a {spec.kind.name.lower()}, which is not supported"
        )
    return spec.target
