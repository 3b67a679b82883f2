"""The pass `fold-consteval`."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore
from torch_ttir.ir.context import current
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at, error
from torch_ttir.passes.base import Pass
from torch_ttir.passes.weights import (
    KINDS,
    Constant,
    add_constants,
    argument_names,
    called_functions,
    drop_unused_weights,
)

FOLDED_FROM = "ttir.folded_from"
"""The mark of an argument that this pass made: the names of the weights that it came from."""


@dataclass(frozen=True)
class FoldConstEval(Pass):
    """Evaluate const-eval functions now, and keep their results in place of the weights.

    Run it after hoist-consteval, in the run that imports the program, or with the weights that
    `tt-opt --parameters` reads: it needs their values, and PyTorch. Each result becomes a constant
    argument and a parameter, named after the function, as `main_const_eval_0.0`, with the names of
    its weights in `ttir.folded_from`. Weights that are used no more leave the signature. The
    program's numbers stay, but for what is done to the model's weights afterwards: a folded program
    has its own, and does not see it.

    %0 = "ttcore.load_cached"(%w) {callee = @main_const_eval_0}
      =>  %0: {ttir.folded_from = ["w"], ttir.name = "main_const_eval_0.0"}, an argument
    """

    name: ClassVar[str] = "fold-consteval"

    def run(self, module: ir.Operation) -> None:
        """Fold in every function; changes nothing where a weight has no value."""
        functions = [
            op
            for op in module.regions[0].blocks[0]
            if isinstance(op, func.FuncOp) and not op.is_external
        ]
        callers = [op for op in functions if not ttcore.is_const_eval(op.operation)]
        called = called_functions(module)
        folds = [_Fold(op) for op in callers if op.name.value not in called]
        faults = [fault for fold in folds for fault in fold.faults()]
        if faults:
            hint = (
                "weights have values in the run that imports the program, and from `tt-opt "
                "--parameters=FILE.safetensors`"
            )
            raise CompileError(faults, [hint])
        if not any(fold.calls for fold in folds):
            return
        if importlib.util.find_spec("torch") is None:
            raise error(f"`{self.name}` needs PyTorch: `pip install torch-ttir[torch]`")
        for fold in folds:
            fold.run(module)
        _erase_uncalled(module, functions)


class _Fold:
    """The calls of const-eval functions in one function, whose operands are all weights."""

    def __init__(self, function: func.FuncOp) -> None:
        self.function = function
        self.calls: list[ir.Operation] = []
        self.names = argument_names(function)
        kinds = ttcore.argument_kinds(function)
        self.weights: dict[ir.Value, int] = {
            argument: index
            for index, (argument, kind) in enumerate(zip(function.arguments, kinds, strict=True))
            if kind in KINDS
        }
        known = set(self.weights)
        for view in function.entry_block:
            op = view.operation
            if op.name == ttcore.LOAD_CACHED and all(value in known for value in op.operands):
                self.calls.append(op)
                known |= set(op.results)

    def faults(self) -> list[Diagnostic]:
        """Return a fault for each call that needs weights without a value."""
        parameters = current().parameters
        faults = []
        for call in self.calls:
            needed = [self.names[self.weights[v]] for v in call.operands if v in self.weights]
            missing = [f"`{name}`" for name in needed if not _has_data(parameters.get(name))]
            if missing:
                message = f"`@{ttcore.callee(call)}` needs the values of {', '.join(missing)}"
                faults.append(diagnostic_at(call, message))
        return faults

    def run(self, module: ir.Operation) -> None:
        """Evaluate the calls, and put arguments in the place of their results."""
        from torch_ttir.interpreters.dtypes import to_torch
        from torch_ttir.interpreters.runner import load_function

        parameters = current().parameters
        values: dict[ir.Value, Any] = {}
        sources: dict[ir.Value, list[str]] = {}
        for argument, index in self.weights.items():
            value = parameters.get(self.names[index])
            values[argument] = to_torch(value) if isinstance(value, np.ndarray) else value
            sources[argument] = _sources(self.function, index, self.names[index])
        used = {*self.names, *parameters}
        constants: list[Constant] = []
        for call in self.calls:
            operands = [values[value] for value in call.operands]
            results = load_function(module, ttcore.callee(call))(operands)
            origin = list(dict.fromkeys(name for value in call.operands for name in sources[value]))
            marks = {FOLDED_FROM: ir.ArrayAttr.get([ir.StringAttr.get(name) for name in origin])}
            for index, (result, tensor) in enumerate(zip(call.results, results, strict=True)):
                name = _fresh(f"{ttcore.callee(call)}.{index}", used)
                parameters[name] = values[result] = _own(tensor, operands)
                sources[result] = origin
                constants.append(Constant(result.type, name, call.location, marks))
        results = [result for call in self.calls for result in call.results]
        for result, argument in zip(results, add_constants(self.function, constants), strict=True):
            result.replace_all_uses_with(argument)
        for call in self.calls:
            call.erase()
        drop_unused_weights(self.function)


def _has_data(value: Any) -> bool:
    """Say whether a value is an array, or a tensor with memory behind it."""
    return value is not None and (isinstance(value, np.ndarray) or value.device.type != "meta")


def _sources(function: func.FuncOp, index: int, name: str) -> list[str]:
    """Return the names of the weights that an argument is, or was folded from."""
    attributes = function.operation.attributes
    entry = ir.DictAttr(ir.ArrayAttr(attributes["arg_attrs"])[index])
    if FOLDED_FROM not in entry:
        return [name]
    return [str(ir.StringAttr(source).value) for source in ir.ArrayAttr(entry[FOLDED_FROM])]


def _fresh(name: str, used: set[str]) -> str:
    number, fresh = 0, name
    while fresh in used:
        number += 1
        fresh = f"{name}_{number}"
    used.add(fresh)
    return fresh


def _own(tensor: Any, operands: Sequence[Any]) -> Any:
    """Return a tensor that has memory of its own, and no more of it than it needs."""
    import torch

    from torch_ttir.interpreters.const_eval import storages

    exact = tensor.is_contiguous() and tensor.untyped_storage().nbytes() == tensor.nbytes
    if exact and storages([tensor]).isdisjoint(storages(operands)):
        return tensor
    return tensor.clone(memory_format=torch.contiguous_format)


def _erase_uncalled(module: ir.Operation, functions: Sequence[func.FuncOp]) -> None:
    called = called_functions(module)
    for function in functions:
        if ttcore.is_const_eval(function.operation) and function.name.value not in called:
            function.operation.erase()
