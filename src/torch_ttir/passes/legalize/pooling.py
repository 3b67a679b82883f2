"""Rules for max and average pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.pooling_average import pool_average
from torch_ttir.passes.legalize.pooling_max import pool_max, pool_max_with_indices
from torch_ttir.passes.legalize.pooling_window import (
    PoolWindow,
    channels_first,
    channels_last,
    pool_window,
)
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


def _max_pool(
    spatial: int,
    low: Lowering,
    x: Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
) -> Tensor:
    """max_pool2d(Tensor self, int[2] kernel_size, stride, padding, dilation, bool ceil_mode)."""
    window = _window(low, x.shape[-spatial:], kernel, stride, padding, dilation, ceil_mode)
    made = pool_max(low, channels_last(low, x, spatial), window)
    return channels_first(low, made, low.result.shape)


def _max_pool_with_indices(
    spatial: int,
    low: Lowering,
    x: Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    ceil_mode: bool,
) -> list[Tensor]:
    """max_pool2d_with_indices(Tensor self, int[2] kernel_size, ...) -> (Tensor, Tensor)."""
    window = _window(low, x.shape[-spatial:], kernel, stride, padding, dilation, ceil_mode)
    last = channels_last(low, x, spatial)
    made = pool_max_with_indices(low, last, window, low.results[1].dtype)
    return [channels_first(low, part, low.result.shape) for part in made]


def _avg_pool(
    spatial: int,
    low: Lowering,
    x: Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None = None,
) -> Tensor:
    """avg_pool2d(Tensor self, int[2] kernel_size, stride, padding, bool ceil_mode, ...)."""
    window = _window(low, x.shape[-spatial:], kernel, stride, padding, [1], ceil_mode)
    last = channels_last(low, x, spatial)
    made = pool_average(low, last, window, count_include_pad, divisor_override)
    return channels_first(low, made, low.result.shape)


def _window(
    low: Lowering, sizes: Sequence[int], kernel: Sequence[int], *arguments: Any
) -> PoolWindow:
    window = pool_window(len(sizes), kernel, *arguments)
    # PyTorch's own limit; beyond it, tt-mlir would pad with zeros even for maxima.
    for size, pad in zip(window.kernel, window.padding, strict=True):
        low.expect(2 * pad <= size, f"padding {pad} is more than half of the kernel {size}")
    return window.within(sizes)


_FORMS: dict[str, Callable[..., object]] = {
    "aten.max_pool{}d": _max_pool,
    "aten.max_pool{}d_with_indices": _max_pool_with_indices,
    "aten.avg_pool{}d": _avg_pool,
}
for _form, _rule in _FORMS.items():
    for _spatial in (1, 2, 3):
        RULES.add(_form.format(_spatial), partial(_rule, _spatial))
