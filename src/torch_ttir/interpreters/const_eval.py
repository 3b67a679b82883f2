"""The results of const-eval functions, kept while the weights that they come from do not change.

A write to `parameter.data` changes neither the parameter's version counter nor its address, so
those cannot tell that a weight is the same. What is kept is therefore known by a checksum of the
weights' bytes, taken at each call (about as fast as memory is read); counters and addresses only
tell sooner that they are others. Results that are views of their weights, as a permutation is,
change with them, and need no checksum.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import torch

from torch_ttir.interpreters.executable import Executable

_CHUNK = 4 << 20

Key = tuple[Any, ...]


@dataclass(frozen=True)
class _Entry:
    """Results with the tensors that they come from; `sums` is None where they are views of them."""

    operands: tuple[torch.Tensor, ...]
    keys: tuple[Key, ...]
    sums: tuple[int, ...] | None
    results: list[Any]


class ConstEvalCache:
    """Calls const-eval functions once per set of weights; `evaluations` counts the calls made."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self.evaluations = 0
        self._entries: dict[str, _Entry] = {}

    def __call__(self, function: Executable, operands: list[Any]) -> list[Any]:
        """Return the function's results, from an earlier call if the operands are unchanged."""
        keys = tuple(_key(operand) for operand in operands)
        entry = self._entries.get(function.name)
        sums: tuple[int, ...] | None = None
        if entry is not None and entry.keys == keys:
            if entry.sums is None:
                return entry.results
            sums = tuple(map(checksum, operands))
            if entry.sums == sums:
                return entry.results
        self.evaluations += 1
        results = function(operands)
        if _are_views(results, operands):
            sums = None
        elif sums is None:
            sums = tuple(map(checksum, operands))
        self._entries[function.name] = _Entry(tuple(operands), keys, sums, results)
        return results

    def results(self) -> list[Any]:
        """Return all results that are kept."""
        return [result for entry in self._entries.values() for result in entry.results]


def checksum(tensor: torch.Tensor) -> int:
    """Return a CRC-32 of a tensor's bytes, of 4 MiB pieces on all of PyTorch's threads."""
    data = _bytes(tensor).numpy().data
    pieces = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
    if len(pieces) < 2:
        return zlib.crc32(data)
    with ThreadPoolExecutor(torch.get_num_threads()) as pool:
        sums = list(pool.map(zlib.crc32, pieces))
    return zlib.crc32(repr(sums).encode())


def storages(tensors: Sequence[Any]) -> set[int]:
    """Return the addresses of the memory that tensors with elements live in."""
    return {
        tensor.untyped_storage().data_ptr()
        for tensor in tensors
        if isinstance(tensor, torch.Tensor) and tensor.numel()
    }


def _key(tensor: torch.Tensor) -> Key:
    # Two tensors may have the same address one after the other, but not with both of them alive:
    # an entry keeps its operands.
    version = 0 if tensor.is_inference() else tensor._version
    return (tensor.data_ptr(), tensor.dtype, tensor.shape, tensor.stride(), version)


def _are_views(results: Sequence[Any], operands: Sequence[Any]) -> bool:
    return bool(operands) and storages(results) <= storages(operands)


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    flat = tensor.detach()
    if not flat.is_contiguous():
        flat = flat.contiguous()
    return flat.reshape(-1).view(torch.uint8)
