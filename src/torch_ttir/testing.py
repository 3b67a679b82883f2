"""What tests of rules and passes need: any PyTorch function, run through TTIR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree
from torch_mlir import ir

from torch_ttir.dialects import ttcore
from torch_ttir.dialects.context import make_context
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.importers.program import ImportedProgram
from torch_ttir.interpreters.dtypes import to_torch
from torch_ttir.interpreters.runner import run_function
from torch_ttir.ir.context import Context
from torch_ttir.passes.legalize.families import RULES
from torch_ttir.passes.registry import PASSES

_CALLS_PER_CONTEXT = 100
_contexts: list[tuple[Context, int]] = []


def run_through_ttir(function: Callable[..., Any], *inputs: Any) -> Any:
    """Return what `function(*inputs)` returns, computed by TTIR on the reference interpreter.

    `function` is a function or an `nn.Module`; its inputs may be nested. It is traced before
    dispatch, so that its ops are those that `torch.export` gives, and nothing of `inputs` is
    changed. Raises `CompileError` for what cannot be said in TTIR.
    """
    context = _shared_context()
    imported, out_spec, tensors = import_function(function, inputs, context)
    with context:
        module = imported.module
        for name in ("functionalize-inplace-ops", "legalize-to-ttir"):
            if name in PASSES:
                PASSES[name]().run(module.operation)
        module.operation.verify()
        results = run_function(module, _arguments(module, tensors, context))
    leaves = [
        leaf.constant if leaf.result is None else results[leaf.result]
        for leaf in imported.signature.outputs
    ]
    return pytree.tree_unflatten(leaves, out_spec)


def import_function(
    function: Callable[..., Any], inputs: tuple[Any, ...], context: Context
) -> tuple[ImportedProgram, pytree.TreeSpec, list[torch.Tensor]]:
    """Trace a function on inputs of these shapes and import the graph.

    Returns the program, the structure of what the function returns, and the tensors among the
    flattened inputs, which are the program's inputs in order.
    """
    leaves, in_spec = pytree.tree_flatten(inputs)
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    out_specs: list[pytree.TreeSpec] = []

    def flat(*traced: torch.Tensor) -> list[Any]:
        remaining = iter(traced)
        filled = [next(remaining) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        returned, out_spec = pytree.tree_flatten(function(*pytree.tree_unflatten(filled, in_spec)))
        out_specs.append(out_spec)
        return returned

    with torch.no_grad():
        trace = make_fx(
            flat,
            tracing_mode="fake",
            pre_dispatch=True,
            record_stack_traces=True,
            _allow_non_fake_inputs=True,
        )
        graph_module = trace(*tensors)
    for node in graph_module.graph.nodes:
        # The interpreter computes no gradients: whether they are on means nothing to it.
        if node.target is torch._C._set_grad_enabled:
            graph_module.graph.erase_node(node)
    known = {*RULES, *RULES.rejected}
    imported = import_graph_module(graph_module, context, known_ops=known)
    return imported, out_specs[-1], tensors


def _arguments(
    module: ir.Module, tensors: list[torch.Tensor], context: Context
) -> list[torch.Tensor]:
    """Return the tensors of all arguments of `main`: the inputs in order, weights by name."""
    remaining = iter(tensors)
    entry = next(op for op in module.body if op.operation.name == "func.func")
    found = []
    for index in range(len(entry.arguments)):
        name = ttcore.argument_name(entry, index)
        weight = context.parameters.get(name)
        if weight is None:
            found.append(next(remaining))
        else:
            found.append(weight if isinstance(weight, torch.Tensor) else to_torch(weight))
    return found


def _shared_context() -> Context:
    """Return a context that some calls share, since making one costs more than a small function."""
    if not _contexts or _contexts[-1][1] >= _CALLS_PER_CONTEXT:
        _contexts[:] = [(make_context(), 0)]
    context, calls = _contexts[-1]
    _contexts[-1] = (context, calls + 1)
    context.parameters.clear()
    return context
