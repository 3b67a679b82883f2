"""Ops whose new results PyTorch lays out in row-major order if their operands are so."""

from __future__ import annotations

from torch_mlir import ir

from torch_ttir.passes.functionalize.dtypes import is_pointwise
from torch_ttir.passes.functionalize.rewriter import Rewriter

ROW_MAJOR = frozenset(
    {
        "_log_softmax",
        "_softmax",
        "addmm",
        "all",
        "amax",
        "amin",
        "any",
        "arange",
        "argmax",
        "argmin",
        "baddbmm",
        "bmm",
        "cat",
        "constant_pad_nd",
        "convert_element_type",
        "cumsum",
        "embedding",
        "empty",
        "eye",
        "fill",
        "flip",
        "full",
        "gather",
        "gelu",
        "hardswish",
        "index_select",
        "isinf",
        "isnan",
        "lift_fresh_copy",
        "linspace",
        "literal",
        "log_softmax",
        "max",
        "mean",
        "min",
        "mm",
        "native_layer_norm",
        "new_full",
        "new_ones",
        "new_zeros",
        "ones",
        "prod",
        "repeat",
        "roll",
        "rsub",
        "scalar_tensor",
        "select_scatter",
        "slice_scatter",
        "softmax",
        "sort",
        "stack",
        "std",
        "sum",
        "topk",
        "tril",
        "triu",
        "var",
        "zeros",
    }
)
"""The names without overloads; a unit test runs them."""

_BY_FORMAT = frozenset(
    {
        "_to_copy",
        "clone",
        "empty_like",
        "full_like",
        "ones_like",
        "rand_like",
        "randn_like",
        "to",
        "zeros_like",
    }
)
_RESHAPING = frozenset({"aten.flatten.using_ints", "aten.ravel", "aten.reshape", "aten.reshape_as"})
"""Ops whose copies, where they make one, are row-major whatever they read."""

_ROW_MAJOR_FORMATS = (None, 0, 1)


def makes_row_major(rewriter: Rewriter, op: ir.Operation, name: str) -> bool:
    """Say whether the results of `op` are certain to be contiguous in PyTorch."""
    if "ttir.strides" in op.attributes:
        return False
    if name in _RESHAPING:
        return True
    if name == "aten.contiguous":
        return bool(rewriter.constant(op.operands[1]) == 0)
    base = name.partition(".")[2].partition(".")[0]
    if base in _BY_FORMAT:
        fits = _has_row_major_format(rewriter, op)
    else:
        fits = base in ROW_MAJOR or is_pointwise(f"aten.{base}") or name == "vtensor.literal"
    return fits and all(rewriter.are_row_major(operand) for operand in op.operands)


def _has_row_major_format(rewriter: Rewriter, op: ir.Operation) -> bool:
    return rewriter.constant(list(op.operands)[-1]) in _ROW_MAJOR_FORMATS
