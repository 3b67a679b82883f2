"""Numbers that a program reads from tensors it has filled itself, which tracing can know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing

from torch_ttir.importers.tracing.call_mode import CallMode

_FILLED = (torch.full, torch.ones, torch.zeros)


class KnownNumbers(CallMode):
    """Has tracing know `torch.ones(1).item()`, as it does `torch.tensor([1.0]).item()`."""

    def call(self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call `func`, or make a literal of the one number that it fills a tensor with."""
        if func not in _FILLED or kwargs.get("out") is not None:
            return func(*args, **kwargs)
        with unset_fake_temporarily(), disable_proxy_modes_tracing():
            is_number = func(*args, **{**kwargs, "device": "meta"}).numel() == 1
            made = func(*args, **kwargs) if is_number else None
        if made is None:
            return func(*args, **kwargs)
        return torch.tensor(made.tolist(), dtype=made.dtype, device=made.device)
