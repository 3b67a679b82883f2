"""Normalizations that write their running statistics, with those writes as ops of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch._ops import OpOverload

from torch_ttir.importers.schemas import COMPOSITE

aten = torch.ops.aten
Tensor = torch.Tensor


def _batch_norm(
    input_: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    *_: Any,
) -> Tensor:
    return _native_batch_norm(
        input_, weight, bias, running_mean, running_var, training, momentum, eps
    )[0]


def _native_batch_norm(
    input_: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> tuple[Tensor, Tensor, Tensor]:
    """batch_norm(training=True), as PyTorch's functionalization writes it."""
    made = aten._native_batch_norm_legit_functional.default(
        input_, weight, bias, running_mean, running_var, training, momentum, eps
    )
    output, mean, inverse_deviation, new_mean, new_var = made
    if running_mean is not None:
        running_mean.copy_(new_mean)
    if running_var is not None:
        running_var.copy_(new_var)
    return output, mean, inverse_deviation


def _instance_norm(*arguments: Any) -> Any:
    """PyTorch's own definition, which copies the statistics back by itself."""
    return aten.instance_norm.default._op_dk(COMPOSITE, *arguments)


def written_statistics(op: OpOverload, names: list[str], values: Sequence[Any]) -> set[int]:
    """Return which arguments a call of an op of `WITH_WRITES` writes.

    `names` and `values` are those of all schema arguments.
    """
    flag = "use_input_stats" if op is aten.instance_norm.default else "training"
    if not values[names.index(flag)]:
        return set()
    positions = {names.index("running_mean"), names.index("running_var")}
    return {position for position in positions if values[position] is not None}


WITH_WRITES: dict[OpOverload, Callable[..., Any]] = {
    aten.batch_norm.default: _batch_norm,
    aten.native_batch_norm.default: _native_batch_norm,
    aten.instance_norm.default: _instance_norm,
}
"""What to import for ops that write their running statistics in training, as no schema says."""
