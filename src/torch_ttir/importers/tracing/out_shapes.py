"""Ranges with `out=`: kernels fill a tensor of as many elements in whatever shape it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from torch_ttir.importers.tracing.call_mode import CallMode

_RANGES = (torch.arange, torch.linspace, torch.logspace, torch.range)


class OutShapes(CallMode):
    """Has PyTorch trace such calls with the shape of `out`, which its meta kernels would resize."""

    def call(self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call `func`, or write what it makes to an `out` that only has another shape."""
        out = kwargs.get("out")
        # One dimension of as many elements is the shape that tracing expects.
        if func not in _RANGES or not isinstance(out, torch.Tensor) or out.dim() == 1:
            return func(*args, **kwargs)
        made = func(*args, **{**kwargs, "out": None, "dtype": out.dtype})
        if made.numel() != out.numel():
            return func(*args, **kwargs)
        return out.copy_(made.reshape(out.shape))
