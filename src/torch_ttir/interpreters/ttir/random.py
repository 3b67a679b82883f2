"""Random ops: deterministic by their seed, since a reference has to repeat itself."""

from __future__ import annotations

import torch

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, result_of

MEANINGS = MeaningTable()


@MEANINGS.means("rand")
def rand(op: Decoded) -> Tensor:
    """Draw uniform values in [low, high)."""
    attrs = op.attrs
    low, high = attrs["low"], attrs["high"]
    values = torch.rand(result_of(op).shape, generator=_generator(attrs["seed"]))
    return torch.add(values * (high - low), low)


@MEANINGS.means("dropout")
def dropout(op: Decoded, x: Tensor) -> Tensor:
    """Set elements to zero with probability `prob`, and multiply the others by `scale`."""
    attrs = op.attrs
    kept = torch.rand(x.shape, generator=_generator(attrs["seed"])) >= attrs["prob"]
    return torch.where(kept, x * attrs["scale"], 0)


def _generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
