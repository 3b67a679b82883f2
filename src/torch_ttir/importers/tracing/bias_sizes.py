"""Gradients of convolutions with the bias that their kernel finds, whatever `bias_sizes` says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from torch_ttir.importers.schemas import bind
from torch_ttir.importers.tracing.call_mode import CallMode

_BACKWARD = torch.ops.aten.convolution_backward.default


class BiasSizes(CallMode):
    """Have `convolution_backward` traced with the size that the gradient of its bias has.

    PyTorch's fake tensors take it from an argument, which may be None or wrong: its kernels on the
    CPU look at the gradient of the result alone.
    """

    def call(self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call `func`, a gradient of a convolution with the size of the bias."""
        if func in (_BACKWARD, _BACKWARD.overloadpacket):
            values = bind(_BACKWARD, args, kwargs)
            gradient, bias_sizes, mask = values[0], 3, values[-1]
            if mask[2]:
                values[bias_sizes] = [gradient.shape[1]]
            return _BACKWARD(*values)
        return func(*args, **kwargs)
