"""In which element type PyTorch's kernels compute, where it is not the operands' own."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering

_WIDER = ("f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ")


def compute_dtype(dtype: str) -> str:
    """Return the type of PyTorch's intermediate values for `dtype`: f32 for floats below 32 bits.

    Source: at::opmath_type.
    """
    return "f32" if dtype in _WIDER else dtype


def widen(low: Lowering, *tensors: Tensor) -> tuple[Tensor, ...]:
    """Cast each tensor to the type that PyTorch computes in, so that only the result is rounded."""
    return tuple(low.cast(x, compute_dtype(x.dtype)) for x in tensors)


def is_narrow(dtype: str) -> bool:
    """Say whether PyTorch computes in a wider type than `dtype`."""
    return compute_dtype(dtype) != dtype
