"""The pass `lift-constants`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.dialects import ttcore
from torch_ttir.ir.constants import is_resource, read_elements
from torch_ttir.ir.context import current
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at, op_name
from torch_ttir.ir.resources import ResourceError, as_array, resource_key
from torch_ttir.ir.types import element_bytes
from torch_ttir.passes.base import Pass

LITERALS = {
    "torch.vtensor.literal": "value",
    "ttir.constant": "value",
    "onnx.Constant": "torch.onnx.value",
}
"""The ops that hold a literal, and the attribute that it is in."""


@dataclass(frozen=True)
class LiftConstants(Pass):
    """Turn literals into named constant arguments, whose bytes stay outside the IR.

    Literals of at least `min_bytes` become arguments of the public function that uses them, with
    `ttcore.argument_type<constant>` and a `ttir.name`; 0-d ones and splats stay, as do small ones,
    which later ops may need as attributes. Equal literals, and literals of one resource, share an
    argument. Literals without a use are dropped.

    %0 = torch.vtensor.literal(dense_resource<w> : tensor<8x8xf32>) : !torch.vtensor<[8,8],f32>
      =>  %w: !torch.vtensor<[8,8],f32> {ttcore.argument_type = ..., ttir.name = "w"}
    """

    name: ClassVar[str] = "lift-constants"
    min_bytes: int = 1024

    def run(self, module: ir.Operation) -> None:
        """Lift in every public function with a body."""
        faults: list[Diagnostic] = []
        for function in module.regions[0].blocks[0]:
            if not isinstance(function, func.FuncOp) or function.is_external:
                continue
            if ttcore.is_const_eval(function.operation) or not _is_public(function):
                continue
            faults += _lift(function, self.min_bytes)
        if faults:
            raise CompileError(faults)


def _is_public(function: func.FuncOp) -> bool:
    attributes = function.operation.attributes
    return "sym_visibility" not in attributes or attributes["sym_visibility"].value == "public"


def _lift(function: func.FuncOp, min_bytes: int) -> list[Diagnostic]:
    """Lift the literals of one function; returns the faults, and changes nothing on one."""
    found: dict[ir.Attribute, list[ir.Operation]] = {}
    unused: list[ir.Operation] = []
    for view in function.entry_block:
        op = view.operation
        attribute = LITERALS.get(op_name(op))
        if attribute is None or attribute not in op.attributes:
            continue
        if not any(True for _ in op.results[0].uses):
            unused.append(op)
        elif _is_liftable(op.attributes[attribute], min_bytes):
            found.setdefault(op.attributes[attribute], []).append(op)
    arrays: list[Any] = []
    faults: list[Diagnostic] = []
    for attribute, ops in found.items():
        try:
            arrays.append(_array(attribute))
        except ResourceError as reason:
            faults.append(diagnostic_at(ops[0], str(reason)))
    if faults:
        return faults
    for op in unused:
        op.erase()
    names = _Names(function)
    for (attribute, ops), array in zip(found.items(), arrays, strict=True):
        name = names.fresh(attribute)
        current().parameters[name] = array
        argument = ttcore.add_argument(
            function, ops[0].results[0].type, name, "constant", ops[0].location
        )
        for op in ops:
            op.results[0].replace_all_uses_with(argument)
            op.erase()
    return []


def _is_liftable(attribute: ir.Attribute, min_bytes: int) -> bool:
    if isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat:
        return False
    if not isinstance(attribute, ir.DenseElementsAttr) and not is_resource(attribute):
        return False
    type_ = ir.RankedTensorType(attribute.type)
    count = 1
    for size in type_.shape:
        count *= size
    return bool(type_.shape) and count * element_bytes(str(type_.element_type)) >= min_bytes


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


class _Names:
    """Names for lifted literals: a resource's own, else `constant_<n>`, never one in use."""

    def __init__(self, function: func.FuncOp) -> None:
        self.used = {
            ttcore.argument_name(function, index) for index in range(len(function.arguments))
        } | set(current().parameters)
        self.count = 0

    def fresh(self, attribute: ir.Attribute) -> str:
        if is_resource(attribute):
            base = name = resource_key(attribute)
        else:
            base, name = "constant", f"constant_{self.count}"
            self.count += 1
        number = 1
        while name in self.used:
            name = f"{re.sub(r'_[0-9]+$', '', base)}_{number}"
            number += 1
        self.used.add(name)
        return name
