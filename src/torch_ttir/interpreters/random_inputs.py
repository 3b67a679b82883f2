"""Inputs drawn at random, the same for the same seed on every machine."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from torch_ttir.interpreters.arguments import Argument
from torch_ttir.interpreters.dtypes import TORCH_DTYPES
from torch_ttir.ir.diagnostics import error

DEFAULT_INTEGERS = (0, 10)


def random_inputs(
    arguments: Iterable[Argument], seed: int, integers: tuple[int, int] = DEFAULT_INTEGERS
) -> dict[str, torch.Tensor]:
    """Return a tensor for each argument, by name.

    Floats are drawn from the normal distribution, integers from `integers` (the end excluded), and
    booleans evenly. An integer argument with `mask` in its name gets ones and zeros, a one first.
    """
    generator = np.random.default_rng(seed)
    return {a.name: _draw(a, generator, integers) for a in arguments}


def _draw(
    argument: Argument, generator: np.random.Generator, integers: tuple[int, int]
) -> torch.Tensor:
    if argument.info is None:
        raise error(f"no random value for {argument}")
    shape, name = argument.info
    dtype = TORCH_DTYPES[name]
    if dtype.is_floating_point or dtype.is_complex:
        return torch.from_numpy(np.asarray(generator.standard_normal(shape))).to(dtype)
    if dtype is torch.bool:
        return torch.from_numpy(np.asarray(generator.random(shape) < 0.5))
    if "mask" in argument.name.lower():
        mask = np.asarray(generator.random(shape) < 0.8)
        mask[..., :1] = True
        return torch.from_numpy(mask).to(dtype)
    return torch.from_numpy(np.asarray(generator.integers(*integers, size=shape))).to(dtype)
