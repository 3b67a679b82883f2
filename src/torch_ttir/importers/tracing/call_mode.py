"""The base of modes that look at each call of a PyTorch function while a program is traced."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch.overrides import TorchFunctionMode


class CallMode(TorchFunctionMode):
    """Has each call of PyTorch's functions, methods and operators go through `call`."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return what `call` returns."""
        return self.call(func, args, dict(kwargs or {}))

    @abstractmethod
    def call(self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call `func`, or do in its stead what the mode is for."""
