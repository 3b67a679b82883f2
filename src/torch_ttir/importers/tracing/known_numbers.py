"""Numbers that a program reads from tensors it has filled itself, which tracing can know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing
from torch.overrides import TorchFunctionMode

_FILLED = (torch.full, torch.ones, torch.zeros)


class KnownNumbers(TorchFunctionMode):
    """Has tracing know `torch.ones(1).item()`, as it does `torch.tensor([1.0]).item()`."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Call `func`, or make a literal of the one number that it fills a tensor with."""
        kwargs = dict(kwargs or {})
        if func not in _FILLED or kwargs.get("out") is not None:
            return func(*args, **kwargs)
        with unset_fake_temporarily(), disable_proxy_modes_tracing():
            is_number = func(*args, **{**kwargs, "device": "meta"}).numel() == 1
            made = func(*args, **kwargs) if is_number else None
        if made is None:
            return func(*args, **kwargs)
        return torch.tensor(made.tolist(), dtype=made.dtype, device=made.device)
