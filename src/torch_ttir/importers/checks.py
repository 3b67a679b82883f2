"""Checks that tracing leaves in a graph: dropped where they hold, reported where they may not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch._ops import OpOverload

from torch_ttir.importers.result_types import Unsupported

aten = torch.ops.aten


def _check_metadata(
    tensor: torch.Tensor,
    size: Any = None,
    stride: Any = None,
    dtype: torch.dtype | None = None,
    *,
    device: torch.device | None = None,
    layout: torch.layout | None = None,
) -> None:
    """_assert_tensor_metadata: what is known of the tensor is what the program wants.

    The device is the one that the program was traced on, and means nothing to TTIR.
    """
    for name, wanted, found in (
        ("size", size and list(size), list(tensor.shape)),
        ("stride", stride and list(stride), list(tensor.stride())),
        ("dtype", dtype, tensor.dtype),
        ("layout", layout, tensor.layout),
    ):
        if wanted is not None and wanted != found:
            raise Unsupported(f"the program needs {name} {wanted} here, and has {found}")


def _check_scalar(condition: Any, message: str = "", *_: Any) -> None:
    """_assert_scalar: a condition that tracing knows; TTIR cannot stop at one on data.

    It is dropped, as compilers do: a program that passes its own checks computes the same.
    """
    if isinstance(condition, bool) and not condition:
        raise Unsupported(f"the program's own check fails: {message}")


def _check_range(*_: Any, **__: Any) -> None:
    """sym_constrain_range: bounds of a number from data, which tracing has used already."""


def _check_data(*_: Any) -> None:
    raise Unsupported(
        "a check on data cannot be said in TTIR", "remove the assertion before exporting the model"
    )


CHECKS: dict[OpOverload, Callable[..., None]] = {
    aten._assert_tensor_metadata.default: _check_metadata,
    aten._assert_scalar.default: _check_scalar,
    aten._assert_async.default: _check_data,
    aten._assert_async.msg: _check_data,
    aten.sym_constrain_range.default: _check_range,
    aten.sym_constrain_range_for_size.default: _check_range,
}
"""Ops that only check: called with what tracing knows, each raises `Unsupported` if it may fail."""
