"""Tensor types as plain data: a shape, and an element type by its MLIR spelling."""

from __future__ import annotations

import re
from typing import NamedTuple

from torch_mlir import ir

from torch_ttir.ir.context import current


class TensorInfo(NamedTuple):
    """A static tensor type: `shape` in elements, `dtype` as MLIR spells it (`f32`, `ui8`, `i1`)."""

    shape: tuple[int, ...]
    dtype: str

    def __str__(self) -> str:
        """Return the type in MLIR's spelling."""
        return "tensor<" + "".join(f"{size}x" for size in self.shape) + f"{self.dtype}>"


_VTENSOR = re.compile(r"!torch\.v?tensor<\[([^]]*)\],([^,>]+(?:<[^>]*>)?)>")


def element_type(dtype: str) -> ir.Type:
    """Return the MLIR element type spelled `dtype`; raises `MLIRError` for an unknown spelling."""
    cache = current().cache
    found = cache.get(("element", dtype))
    if found is None:
        found = cache["element", dtype] = ir.Type.parse(dtype)
    return found


def tensor_type(shape: tuple[int, ...], dtype: str) -> ir.RankedTensorType:
    """Return the uniqued `tensor<shape x dtype>`."""
    cache = current().cache
    key = ("tensor", shape, dtype)
    found = cache.get(key)
    if found is None:
        found = cache[key] = ir.RankedTensorType.get(
            shape, element_type(dtype), loc=ir.Location.unknown()
        )
        cache["info", found] = TensorInfo(shape, dtype)
    return found


def tensor_info(type_: ir.Type) -> TensorInfo | None:
    """Return shape and dtype of a builtin tensor type; None if it is unranked, dynamic, or none."""
    cache = current().cache
    key = ("info", type_)
    if key not in cache:
        cache[key] = _read_tensor(type_)
    return cache[key]  # type: ignore[no-any-return]


def torch_tensor_info(type_: ir.Type) -> TensorInfo | None:
    """Return shape and *Torch* dtype (`si64`, `f32`) of a `!torch.vtensor` or `!torch.tensor`.

    None where the type is not a tensor, or its sizes or element type are not all known.
    """
    cache = current().cache
    key = ("torch-info", type_)
    if key not in cache:
        cache[key] = _read_torch_tensor(str(type_))
    return cache[key]  # type: ignore[no-any-return]


def signless(dtype: str) -> str:
    """Return how TTIR spells a Torch element type: `si64` is `i64`, all others stay."""
    return dtype[1:] if dtype.startswith("si") else dtype


def is_float(dtype: str) -> bool:
    """Say whether `dtype` is a floating point type, of any width."""
    return dtype.startswith(("f", "bf"))


def element_bytes(dtype: str) -> int:
    """Return how many bytes one element takes in memory; a boolean takes one."""
    digits = re.search(r"\d+", dtype)
    return max(1, int(digits[0]) // 8) if digits else 1


def _read_tensor(type_: ir.Type) -> TensorInfo | None:
    if not isinstance(type_, ir.RankedTensorType) or not type_.has_static_shape:
        return None
    return TensorInfo(tuple(type_.shape), str(type_.element_type))


def _read_torch_tensor(text: str) -> TensorInfo | None:
    match = _VTENSOR.fullmatch(text)
    if match is None or "?" in match[1]:
        return None
    shape = tuple(int(size) for size in match[1].split(",")) if match[1] else ()
    return TensorInfo(shape, match[2])
