"""Rules for the gradients of nearest resizing: what was copied from an element is added up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import spread_index
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.resize_axes import Axis, nearest_index, real_type
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


def _nearest_backward(
    exact: bool,
    low: Lowering,
    grad: Tensor,
    _output_size: Sequence[int],
    input_size: Sequence[int],
    *scales: Any,
) -> Tensor:
    """upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, input_size, ...)."""
    factors = [*scales, *[None] * (grad.rank - 2 - len(scales))]
    (made,) = widen(low, grad)
    for dim, factor in enumerate(factors, start=2):
        axis = Axis(input_size[dim], grad.shape[dim], factor, False, real_type("f32"))
        index = low.constant(nearest_index(axis, exact), "i64")
        shape = (*made.shape[:dim], axis.size, *made.shape[dim + 1 :])
        made = low.op(
            "scatter",
            [low.full(shape, 0, made.dtype), spread_index(low, index, dim, made.shape), made],
            shape,
            made.dtype,
            dim=dim,
            scatter_reduce_type="sum",
        )
    return low.cast(made, grad.dtype)


for _form, _exact in (
    ("aten.upsample_nearest{}d_backward", False),
    ("aten._upsample_nearest_exact{}d_backward", True),
):
    for _spatial in (1, 2, 3):
        RULES.add(_form.format(_spatial), partial(_nearest_backward, _exact))
