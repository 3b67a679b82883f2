"""The attributes of an ONNX node, as the importer holds them on `torch.operator`."""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

_PREFIX = "torch.onnx."


def onnx_attributes(op: ir.Operation) -> dict[str, Any]:
    """Return a node's attributes as Python values: int, float, str, lists of those, MLIR elements.

    A rule takes them as keyword arguments, named and defaulted as the ONNX standard does. Where an
    attribute of an old opset became an input (`axes`), the input's parameter takes either.
    """
    return {
        name.removeprefix(_PREFIX): _read(op.attributes[name])
        for name in op.attributes
        if name.startswith(_PREFIX)
    }


def opset_of(function: ir.Operation) -> int:
    """Return the opset version that the importer notes on a function; 0 for none."""
    attributes = function.operation.attributes
    name = "torch.onnx_meta.opset_version"
    return int(ir.IntegerAttr(attributes[name]).value) if name in attributes else 0


def _read(attribute: ir.Attribute) -> Any:
    if isinstance(attribute, ir.ArrayAttr):
        return [_read(item) for item in attribute]
    if isinstance(attribute, (ir.IntegerAttr, ir.FloatAttr, ir.StringAttr)):
        return attribute.value
    return attribute
