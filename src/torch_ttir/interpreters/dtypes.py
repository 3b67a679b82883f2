"""Element types: MLIR's spellings, and the PyTorch dtypes that hold their values."""

from __future__ import annotations

import warnings
from typing import Any

import ml_dtypes
import numpy as np
import torch

TORCH_DTYPES: dict[str, torch.dtype] = {
    "f64": torch.float64,
    "f32": torch.float32,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f8E4M3FN": torch.float8_e4m3fn,
    "f8E5M2": torch.float8_e5m2,
    "f8E4M3FNUZ": torch.float8_e4m3fnuz,
    "f8E5M2FNUZ": torch.float8_e5m2fnuz,
    "i1": torch.bool,
    "complex<f32>": torch.complex64,
    "complex<f64>": torch.complex128,
    **{
        f"{sign}{bits}": getattr(torch, f"int{bits}")
        for sign in ("i", "si")
        for bits in (8, 16, 32, 64)
    },
    **{f"ui{bits}": getattr(torch, f"uint{bits}") for bits in (8, 16, 32, 64)},
}
"""The PyTorch dtype of each MLIR element type that has one."""

MLIR_DTYPES: dict[torch.dtype, str] = {
    dtype: name for name, dtype in TORCH_DTYPES.items() if not name.startswith("si")
}
"""How TTIR spells each PyTorch dtype."""

UNSIGNED: frozenset[torch.dtype] = frozenset({torch.uint16, torch.uint32, torch.uint64})
"""Dtypes that PyTorch stores but hardly computes with: ops on them go through int64."""


_EXTENSION_NAMES = frozenset(
    {"bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"}
)


def to_torch(array: np.ndarray[Any, Any]) -> torch.Tensor:
    """Return `array` as a tensor that shares its memory; `ml_dtypes` types become PyTorch's own."""
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array).reshape(array.shape)
    if array.dtype.name not in _EXTENSION_NAMES:
        return _share(array)
    bits = _share(array.view(f"int{8 * array.dtype.itemsize}"))
    return bits.view(getattr(torch, array.dtype.name))


def to_numpy(tensor: torch.Tensor) -> np.ndarray[Any, Any]:
    """Return the values of a tensor as an array, `ml_dtypes` where numpy has no such type."""
    tensor = tensor.detach().cpu().contiguous()
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in _EXTENSION_NAMES:
        plain: np.ndarray[Any, Any] = tensor.numpy()
        return plain
    bits = tensor.view(torch.int16 if tensor.element_size() == 2 else torch.int8).numpy()
    typed: np.ndarray[Any, Any] = bits.view(getattr(ml_dtypes, name))
    return typed


def _share(array: np.ndarray[Any, Any]) -> torch.Tensor:
    with warnings.catch_warnings():
        # A file mapped into memory is read-only, which PyTorch cannot say: it warns, once.
        warnings.filterwarnings("ignore", message="The given NumPy array is not writable")
        return torch.from_numpy(array)
