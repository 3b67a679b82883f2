"""Torch types in MLIR's spelling, and the numbers by which the Torch dialect knows dtypes."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import torch
from torch_mlir import ir

from torch_ttir.ir.context import Context

DTYPES: dict[torch.dtype, str] = {
    torch.float64: "f64",
    torch.float32: "f32",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float8_e4m3fn: "f8E4M3FN",
    torch.float8_e5m2: "f8E5M2",
    torch.float8_e4m3fnuz: "f8E4M3FNUZ",
    torch.float8_e5m2fnuz: "f8E5M2FNUZ",
    torch.int64: "si64",
    torch.int32: "si32",
    torch.int16: "si16",
    torch.int8: "si8",
    torch.uint8: "ui8",
    torch.uint16: "ui16",
    torch.uint32: "ui32",
    torch.uint64: "ui64",
    torch.bool: "i1",
}
"""How the Torch dialect spells each dtype that TTIR can have."""

ENUMERATIONS: dict[object, int] = {
    torch.uint8: 0,
    torch.int8: 1,
    torch.int16: 2,
    torch.int32: 3,
    torch.int64: 4,
    torch.float16: 5,
    torch.float32: 6,
    torch.float64: 7,
    torch.complex32: 8,
    torch.complex64: 9,
    torch.complex128: 10,
    torch.bool: 11,
    torch.bfloat16: 15,
    torch.float8_e5m2: 23,
    torch.float8_e4m3fn: 24,
    torch.float8_e5m2fnuz: 25,
    torch.float8_e4m3fnuz: 26,
    torch.uint16: 27,
    torch.uint32: 28,
    torch.uint64: 29,
    torch.contiguous_format: 0,
    torch.preserve_format: 1,
    torch.channels_last: 2,
    torch.channels_last_3d: 3,
    torch.strided: 0,
}
"""Dtypes, memory formats and layouts as the integers that the Torch dialect's constants hold.

Source: c10/core/ScalarType.h, MemoryFormat.h and Layout.h.
"""


def tensor_type(context: Context, shape: tuple[int, ...], dtype: torch.dtype) -> ir.Type:
    """Return the uniqued `!torch.vtensor` of a static shape and a dtype of `DTYPES`."""
    key: Hashable = ("vtensor", shape, dtype)
    found: Any = context.cache.get(key)
    if found is None:
        sizes = ",".join(map(str, shape))
        found = named_type(context, f"vtensor<[{sizes}],{DTYPES[dtype]}>")
        context.cache[key] = found
    return found


def named_type(context: Context, name: str) -> ir.Type:
    """Return the uniqued type `!torch.<name>`."""
    key: Hashable = ("torch-type", name)
    found: Any = context.cache.get(key)
    if found is None:
        found = context.cache[key] = ir.Type.parse(f"!torch.{name}", context)
    return found
