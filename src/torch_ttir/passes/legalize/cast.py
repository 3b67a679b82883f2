"""Rules for casts, and for ops that do nothing to values."""

from __future__ import annotations

from typing import Any

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers(
    "aten._to_copy",
    "aten.to.dtype",
    "aten.to.dtype_layout",
    "aten.to.device",
    "aten.to.other",
    "aten.to.prim_Device",
    "aten.to.prim_dtype",
    "aten.to.prim_other",
    "aten.type_as",
    "aten._cast_Byte",
    "aten._cast_Char",
    "aten._cast_Double",
    "aten._cast_Float",
    "aten._cast_Half",
    "aten._cast_Int",
    "aten._cast_Long",
    "aten._cast_Short",
    "prims.convert_element_type",
)
def to_dtype(low: Lowering, x: Tensor, *_: Any) -> Tensor:
    """to.dtype(Tensor self, ScalarType dtype, ...) -> Tensor; devices and layouts do not matter."""
    return low.cast(x, low.result.dtype)


@RULES.lowers(
    "aten._conj",
    "aten._conj_physical",
    "aten._neg_view",
    "aten.alias",
    "aten.alias_copy",
    "aten.clone",
    "aten.conj",
    "aten.conj_physical",
    "aten.contiguous",
    "aten.detach",
    "aten.detach_copy",
    "aten.lift",
    "aten.lift_fresh",
    "aten.lift_fresh_copy",
    "aten.positive",
    "aten.real",
    "aten.requires_grad_",
    "aten.resolve_conj",
    "aten.resolve_neg",
    "copy.to_tensor",
    "copy.to_vtensor",
    "prims.clone",
    "prims.device_put",
    "tensor_static_info_cast",
)
def same(low: Lowering, x: Tensor, *_: Any) -> Tensor:
    """clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor; nothing to do."""
    return x


@RULES.lowers("aten.copy", "prims.copy_to")
def copy(low: Lowering, x: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor; src, expanded and cast."""
    return low.broadcast(low.cast(source, low.result.dtype), low.result.shape)


@RULES.lowers(
    "aten._assert_async",
    "aten._assert_async.msg",
    "aten._assert_scalar",
    "aten._assert_tensor_metadata",
    "aten.sym_constrain_range",
    "aten.sym_constrain_range_for_size",
    "aten.warn",
    "bind_symbolic_shape",
    "runtime.assert",
    run_time_scalars=True,
)
def checks(low: Lowering, *_: Any) -> tuple[()]:
    """_assert_tensor_metadata(...) -> (); checks of what the types state already."""
    return ()


for _name in ("aten.view_as_real", "aten.view_as_complex", "aten.complex", "aten.polar"):
    RULES.rejects(_name, "TTIR has no complex numbers")
