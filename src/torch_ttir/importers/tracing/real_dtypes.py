"""Dtypes of results as PyTorch's kernels give them, where its fake tensors promise others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from torch_ttir.importers.tracing.call_mode import CallMode


class RealDtypes(CallMode):
    """Have programs traced with the dtypes that they have when they run."""

    def call(self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call `func`, and convert its result where tensors of several dtypes mislead PyTorch."""
        made = func(*args, **kwargs)
        dtype_of = _DTYPES.get(getattr(func, "__name__", "").split(".")[0])
        if dtype_of is None or not isinstance(made, torch.Tensor):
            return made
        given = (*args, *kwargs.values())
        dtype = dtype_of(*[value for value in given if isinstance(value, torch.Tensor)])
        return made if made.dtype is dtype else made.to(dtype)


def _of_first(first: torch.Tensor, *_: torch.Tensor) -> torch.dtype:
    return first.dtype


_DTYPES: dict[str, Callable[..., torch.dtype]] = {
    "huber_loss": _of_first,
    "mish_backward": lambda gradient, x: x.dtype,
    "soft_margin_loss": _of_first,
    "threshold_backward": lambda gradient, x: torch.result_type(gradient, x),
}
