"""The pass `lift-constants`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore
from torch_ttir.ir.constants import NUMPY_DTYPES, is_resource, read_elements
from torch_ttir.ir.context import current
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at, op_name
from torch_ttir.ir.resources import ResourceError, as_array, resource_key
from torch_ttir.passes.base import Pass
from torch_ttir.passes.weights import (
    Constant,
    add_constants,
    argument_names,
    called_functions,
    drop_unused_weights,
)

LITERALS = {
    "torch.vtensor.literal": "value",
    "ttir.constant": "value",
    "onnx.Constant": "torch.onnx.value",
}
"""The ops that hold a literal, and the attribute that it is in."""


Key = tuple[ir.Attribute, ir.Type]
"""What is one literal: its elements, and the type of the value, the Torch dialect's or not."""


@dataclass(frozen=True)
class LiftConstants(Pass):
    """Turn literals into named constant arguments, whose bytes stay outside the IR.

    Literals of at least `min_bytes` become arguments of the public function that uses them, with
    `ttcore.argument_type<constant>` and a `ttir.name`, a resource's own where there is one; 0-d
    ones and splats stay, as do small ones, which later ops may need as attributes. Equal literals,
    and literals of one resource, share an argument, and a parameter where they are in more than
    one function. Literals without a use are dropped; so are parameters and constants of the
    signature, unless other functions call it.

    %0 = torch.vtensor.literal(dense_resource<w> : tensor<8x8xf32>) : !torch.vtensor<[8,8],f32>
      =>  %w: !torch.vtensor<[8,8],f32> {ttcore.argument_type = ..., ttir.name = "w"}
    """

    name: ClassVar[str] = "lift-constants"
    min_bytes: int = 1024

    def run(self, module: ir.Operation) -> None:
        """Lift in every public function with a body that no other calls."""
        called = called_functions(module)
        functions = [
            _Function(op, self.min_bytes)
            for op in module.regions[0].blocks[0]
            if isinstance(op, func.FuncOp) and _is_entry(op) and op.name.value not in called
        ]
        literals: dict[Key, ir.Operation] = {}
        for function in functions:
            for key, ops in function.literals.items():
                literals.setdefault(key, ops[0])
        arrays = _read(literals)
        names = _names(literals, functions)
        current().parameters.update({name: arrays[key[0]] for key, name in names.items()})
        for function in functions:
            function.lift(names)


def _is_entry(function: func.FuncOp) -> bool:
    if function.is_external or ttcore.is_const_eval(function.operation):
        return False
    attributes = function.operation.attributes
    return "sym_visibility" not in attributes or attributes["sym_visibility"].value == "public"


class _Function:
    """A function, its literals that can be lifted, and those that nothing uses."""

    def __init__(self, function: func.FuncOp, min_bytes: int) -> None:
        self.function = function
        self.names = argument_names(function)
        self.literals: dict[Key, list[ir.Operation]] = {}
        self.unused: list[ir.Operation] = []

        for op, attribute in _literals(function.operation):
            if not any(True for _ in op.results[0].uses):
                self.unused.append(op)
            elif _is_liftable(attribute, min_bytes):
                self.literals.setdefault((attribute, op.results[0].type), []).append(op)

    def lift(self, names: dict[Key, str]) -> None:
        """Put arguments with these names in the place of the literals, and drop what is unused."""
        for op in self.unused:
            op.erase()
        constants = [
            Constant(type_, names[attribute, type_], ops[0].location)
            for (attribute, type_), ops in self.literals.items()
        ]
        made = add_constants(self.function, constants)
        for ops, argument in zip(self.literals.values(), made, strict=True):
            for op in ops:
                op.results[0].replace_all_uses_with(argument)
                op.erase()
        drop_unused_weights(self.function)


def _literals(holder: ir.Operation) -> Iterator[tuple[ir.Operation, ir.Attribute]]:
    """Yield the ops in an op's regions that hold a literal, with it."""
    for region in holder.regions:
        for block in region:
            for view in block:
                op = view.operation
                name = LITERALS.get(op_name(op))
                if name is not None and name in op.attributes:
                    yield op, op.attributes[name]
                if len(op.regions):
                    yield from _literals(op)


def _is_liftable(attribute: ir.Attribute, min_bytes: int) -> bool:
    if isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat:
        return False
    if not isinstance(attribute, ir.DenseElementsAttr) and not is_resource(attribute):
        return False
    type_ = ir.RankedTensorType(attribute.type)
    dtype = NUMPY_DTYPES.get(str(type_.element_type))
    if dtype is None or not type_.shape:
        return False
    return bool(math.prod(type_.shape) * dtype.itemsize >= min_bytes)


def _read(literals: dict[Key, ir.Operation]) -> dict[ir.Attribute, Any]:
    """Return the arrays of literals; raises `CompileError` for all whose bytes are not there."""
    arrays: dict[ir.Attribute, Any] = {}
    faults: list[Diagnostic] = []
    for (attribute, _), op in literals.items():
        try:
            if attribute not in arrays:
                arrays[attribute] = _array(attribute)
        except ResourceError as reason:
            faults.append(diagnostic_at(op, str(reason)))
    if faults:
        raise CompileError(faults)
    return arrays


def _array(attribute: ir.Attribute) -> Any:
    if isinstance(attribute, ir.DenseElementsAttr):
        return read_elements(attribute)
    key = resource_key(attribute)
    blob = current().resources.get(key)
    if blob is None:
        raise ResourceError(
            f"resource `{key}` has no bytes here: was the IR printed with elided resources?"
        )
    return as_array(blob, ir.RankedTensorType(attribute.type))


def _names(literals: Iterable[Key], functions: list[_Function]) -> dict[Key, str]:
    """Return a new name for each literal: a resource keeps its own, others are `constant_<n>`."""
    used = {name for function in functions for name in function.names} | set(current().parameters)
    names: dict[Key, str] = {}
    # Resources come first, so that no other literal takes their names.
    for key in sorted(literals, key=lambda key: not is_resource(key[0])):
        own = resource_key(key[0]) if is_resource(key[0]) else None
        numbered = (f"{own or 'constant'}_{number}" for number in itertools.count())
        candidates = itertools.chain([own] if own else [], numbered)
        names[key] = next(name for name in candidates if name not in used)
        used.add(names[key])
    return names
