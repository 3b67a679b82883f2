"""The Torch type of what an FX node returns, and the errors for what has none."""

from __future__ import annotations

from typing import Any

import torch
import torch.fx
from torch.utils._sympy.symbol import SymT, symbol_is_type
from torch_mlir import ir

from torch_ttir.importers.torch_types import DTYPES, named_type, tensor_type
from torch_ttir.ir.context import Context


class Unsupported(Exception):
    """What the importer cannot say; the walk over the graph adds the op and the user's line."""

    def __init__(self, message: str, *notes: str) -> None:
        """Say what was found, and in notes what to do about it."""
        super().__init__(message)
        self.notes = notes


def node_value(node: torch.fx.Node) -> Any:
    """Return what a node gave when the graph was traced, on fake tensors.

    Raises `Unsupported` for a graph that was not traced with them.
    """
    for key in ("val", "example_value"):
        if key in node.meta:
            return node.meta[key]
    raise Unsupported(
        "the shape of its result is not known",
        "trace the graph with `torch.export.export` or `make_fx`, which record shapes",
    )


def result_type(context: Context, value: Any) -> ir.Type:
    """Return the Torch type of a traced value.

    Raises `Unsupported` for what the Torch dialect or TTIR has no type for.
    """
    if isinstance(value, torch.Tensor):
        check_tensor(value)
        return tensor_type(context, tuple(value.shape), value.dtype)
    if value is None:
        return named_type(context, "none")
    for types, name in (
        ((bool, torch.SymBool), "bool"),
        ((int, torch.SymInt), "int"),
        ((float, torch.SymFloat), "float"),
        ((str,), "str"),
    ):
        if isinstance(value, types):
            return named_type(context, name)
    raise Unsupported(f"a value of type `{type(value).__name__}` is not a tensor or a number")


def check_tensor(tensor: torch.Tensor) -> None:
    """Raise `Unsupported` unless the tensor is dense, of static shape, and of a known dtype."""
    if tensor.layout is not torch.strided:
        raise Unsupported(
            f"sparse tensors ({tensor.layout}) are not supported",
            "make it dense with `.to_dense()` before the model",
        )
    if tensor.is_complex():
        raise Unsupported(
            f"complex tensors ({tensor.dtype}) are not supported",
            "compute with real and imaginary parts (`torch.view_as_real` before the model)",
        )
    if tensor.dtype not in DTYPES:
        kind = "quantized tensors" if tensor.is_quantized else "tensors of this dtype"
        raise Unsupported(f"{kind} ({tensor.dtype}) are not supported")
    for dim, size in enumerate(tensor.shape):
        if isinstance(size, torch.SymInt):
            raise _dynamic(tensor, dim, size)


def _dynamic(tensor: torch.Tensor, dim: int, size: torch.SymInt) -> Unsupported:
    sizes = ", ".join(map(str, tensor.shape))
    data = (SymT.UNBACKED_INT, SymT.UNBACKED_FLOAT)
    if any(symbol_is_type(symbol, data) for symbol in size.node.expr.free_symbols):
        return Unsupported(
            f"size {dim} of its result [{sizes}] depends on the data",
            "shapes must be known at export: use a mask (`torch.where`) or a fixed size instead",
        )
    return Unsupported(f"size {dim} of [{sizes}] is dynamic", "export it without `dynamic_shapes`")
