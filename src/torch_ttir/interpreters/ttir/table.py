"""The table of meanings: which PyTorch function runs which TTIR op, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from torch_ttir.dialects.ttir import Decoded

Tensor = torch.Tensor
Meaning = Callable[..., Any]
"""Called with the decoded op and its operands in declared order; returns the op's result, or a
tuple of them. Operands are tensors, None for an absent one, a tuple for a variadic one."""


class NotModelled(Exception):
    """What the interpreter does not run: a guess would be a wrong reference."""


class MeaningTable(dict[str, Meaning]):
    """Meanings by op name (`ttir.relu`); each family has one table of its own."""

    def means(self, *names: str) -> Callable[[Meaning], Meaning]:
        """Register the decorated function for `ttir.<name>`; raises `ValueError` for a second."""

        def register(meaning: Meaning) -> Meaning:
            for name in names:
                self.add(f"ttir.{name}", meaning)
            return meaning

        return register

    def add(self, name: str, meaning: Meaning) -> None:
        """Register `meaning` for one op; raises `ValueError` if it has one already."""
        if name in self:
            raise ValueError(f"two meanings for {name}")
        self[name] = meaning


def unite(*tables: MeaningTable) -> MeaningTable:
    """Return all meanings of `tables`; raises `ValueError` if two of them run the same op."""
    united = MeaningTable()
    for table in tables:
        for name, meaning in table.items():
            united.add(name, meaning)
    return united


def expect(condition: object, message: str) -> None:
    """Raise `NotModelled` with `message` unless `condition` holds."""
    if not condition:
        raise NotModelled(message)


def common(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Convert tensors to their common dtype, whatever their ranks.

    TTIR has no promotion. PyTorch's own would let a 0-d operand's dtype count for less.
    """
    dtype = tensors[0].dtype
    if all(tensor.dtype == dtype for tensor in tensors):
        return tensors
    for tensor in tensors[1:]:
        dtype = torch.promote_types(dtype, tensor.dtype)
    return tuple(tensor.to(dtype) for tensor in tensors)


def widen(*tensors: Tensor | None) -> tuple[Any, ...]:
    """Convert f16 and bf16 tensors to f32, and all to one dtype; None stays.

    Normalizations and attention are computed so, and rounded once at the end.
    """
    present = [_to_f32(tensor) for tensor in tensors if tensor is not None]
    converted = iter(common(*present))
    return tuple(None if tensor is None else next(converted) for tensor in tensors)


def pair(value: int | tuple[int, ...], what: str) -> tuple[int, int]:
    """Return an attribute for both spatial dimensions from its scalar or array form."""
    if isinstance(value, int):
        return value, value
    if len(value) == 1:
        return value[0], value[0]
    expect(len(value) == 2, f"`{what}` has {len(value)} entries")
    return value[0], value[1]


def window_padding(value: int | tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return (top, left, bottom, right) from any form of a 2-d padding attribute."""
    if isinstance(value, int):
        return value, value, value, value
    if len(value) == 2:
        return value[0], value[1], value[0], value[1]
    expect(len(value) == 4, f"`padding` has {len(value)} entries")
    return value[0], value[1], value[2], value[3]


def result_of(op: Decoded) -> Any:
    """Return shape and dtype of an op's first result."""
    return next(iter(op.results.values()))


def _to_f32(tensor: Tensor) -> Tensor:
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor
