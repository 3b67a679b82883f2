"""What tests of rules and passes need: any PyTorch function, run through TTIR."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.calls import restore_outputs
from torch_ttir.configs import CONFIGS, TTIRConfig
from torch_ttir.dialects import ttcore
from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.ttir import OPS, create
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.importers.program import ImportedProgram
from torch_ttir.importers.untraceable import untraceable
from torch_ttir.interpreters.dtypes import MLIR_DTYPES, to_torch
from torch_ttir.interpreters.runner import run_function
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.ir.types import tensor_type
from torch_ttir.passes.legalize.all_rules import KNOWN_OPS
from torch_ttir.passes.recognize_composites import RecognizeComposites
from torch_ttir.passes.registry import PASSES

__all__ = [
    "CONFIGS",
    "TTIRConfig",
    "import_function",
    "recognized",
    "run_op",
    "run_through_ttir",
    "ttir_ops",
]

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
        module = _legalize(imported)
        results = run_function(module, _arguments(module, tensors, context))
    return restore_outputs(dataclasses.replace(imported.signature, out_spec=out_spec), results)


def ttir_ops(function: Callable[..., Any], *inputs: Any) -> list[str]:
    """Return the names of the TTIR ops that `function` becomes, without dialect and in order.

    Constants are left out. Raises `CompileError` for what cannot be said in TTIR.
    """
    context = _shared_context()
    imported, _, _ = import_function(function, inputs, context)
    with context:
        return _names(_legalize(imported))


def recognized(
    function: Callable[..., Any], *inputs: Any, relaxed: bool = False
) -> tuple[Any, list[str]]:
    """Return the one tensor that `function` gives after `recognize-composites`, and its ops.

    The names are as those of `ttir_ops`.
    """
    context = _shared_context()
    imported, _, tensors = import_function(function, inputs, context)
    with context:
        module = _legalize(imported)
        RecognizeComposites(relaxed=relaxed).run(module.operation)
        module.operation.verify()
        return run_function(module, _arguments(module, tensors, context))[0], _names(module)


def _legalize(imported: ImportedProgram) -> ir.Module:
    module = imported.module
    for name in ("functionalize-inplace-ops", "legalize-to-ttir"):
        PASSES[name]().run(module.operation)
    module.operation.verify()
    return module


def _names(module: ir.Module) -> list[str]:
    function = next(iter(module.body))
    names = [str(op.operation.name) for op in function.regions[0].blocks[0]]
    made = [name.removeprefix("ttir.") for name in names if name.startswith("ttir.")]
    return [name for name in made if name not in ("constant", "full")]


def run_op(
    name: str,
    operands: Sequence[torch.Tensor | Sequence[torch.Tensor] | None],
    *results: tuple[Sequence[int], str],
    **attributes: Any,
) -> Any:
    """Run the one op `ttir.<name>`, verified, on the reference interpreter.

    `operands` are in declared order, None for an absent one and a list for a variadic one;
    `results` are shapes and MLIR dtypes; `attributes` are Python values. Returns the result, or a
    list of several.
    """
    context = _shared_context()
    with context, ir.Location.file("op.mlir", 1, 1):
        tensors = [tensor for operand in operands for tensor in _tensors(operand)]
        types = [tensor_type(tuple(t.shape), MLIR_DTYPES[t.dtype]) for t in tensors]
        module = ir.Module.create()
        result_types = [tensor_type(tuple(shape), dtype) for shape, dtype in results]
        function = func.FuncOp("main", (types, result_types), ip=ir.InsertionPoint(module.body))
        block = function.add_entry_block()
        remaining = iter(block.arguments)
        values = [
            None
            if operand is None
            else next(remaining)
            if isinstance(operand, torch.Tensor)
            else [next(remaining) for _ in operand]
            for operand in operands
        ]
        ip = ir.InsertionPoint(block)
        op = create(OPS[f"ttir.{name}"], values, result_types, attributes, ir.Location.current, ip)
        func.ReturnOp(op.results, ip=ip)
        module.operation.verify()
        found = run_function(module, tensors)
    return found[0] if len(found) == 1 else found


def import_function(
    function: Callable[..., Any], inputs: tuple[Any, ...], context: Context
) -> tuple[ImportedProgram, pytree.TreeSpec, list[torch.Tensor]]:
    """Trace a function on inputs of these shapes and import the graph.

    Returns the program, the structure of what the function returns, and the tensors among the
    flattened inputs, which are the program's inputs in order. Raises `CompileError` where PyTorch
    cannot trace it, for example since its course depends on the data.
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
        try:
            graph_module = trace(*tensors)
        except CompileError:
            raise
        except Exception as reason:
            # Tracing raises whatever the function does and PyTorch's own kernels on no data do.
            raise untraceable(reason, "PyTorch cannot trace the function", "") from reason
    for node in graph_module.graph.nodes:
        # The interpreter computes no gradients: whether they are on means nothing to it.
        if node.target is torch._C._set_grad_enabled:
            graph_module.graph.erase_node(node)
    imported = import_graph_module(graph_module, context, known_ops=KNOWN_OPS)
    return imported, out_specs[-1], tensors


def _tensors(operand: torch.Tensor | Sequence[torch.Tensor] | None) -> Sequence[torch.Tensor]:
    return [operand] if isinstance(operand, torch.Tensor) else operand or []


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
