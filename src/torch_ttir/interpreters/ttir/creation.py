"""Creation ops; all of them but `empty` are constants of the program."""

from __future__ import annotations

import math

import torch

from torch_ttir.dialects.ttir import Decoded
from torch_ttir.interpreters.dtypes import TORCH_DTYPES, to_torch
from torch_ttir.interpreters.ttir.table import MeaningTable, Tensor, expect, result_of
from torch_ttir.ir.constants import read_elements

MEANINGS = MeaningTable()

CONSTANTS = frozenset(f"ttir.{name}" for name in ("full", "zeros", "ones", "constant", "arange"))
"""Ops whose result is the same at every run, so that it is made once."""


@MEANINGS.means("full")
def full(op: Decoded) -> Tensor:
    """Fill with one value; in an integer type it is truncated and wraps around."""
    value, (shape, name) = op.attrs["fill_value"], result_of(op)
    dtype = TORCH_DTYPES[name]
    if dtype.is_floating_point:
        return torch.tensor(value, dtype=torch.float64).to(dtype).expand(shape)
    expect(math.isfinite(value), f"`fill_value` = {value} in a tensor of `{name}`")
    if dtype is torch.bool:
        expect(isinstance(value, int) or value in (0, 1), f"`fill_value` = {value} in `i1`")
        return torch.tensor(bool(int(value) & 1)).expand(shape)
    return torch.tensor(int(value)).to(dtype).expand(shape)


@MEANINGS.means("zeros")
def zeros(op: Decoded) -> Tensor:
    """Fill with zeros."""
    shape, name = result_of(op)
    return torch.zeros((), dtype=TORCH_DTYPES[name]).expand(shape)


@MEANINGS.means("ones")
def ones(op: Decoded) -> Tensor:
    """Fill with ones."""
    shape, name = result_of(op)
    return torch.ones((), dtype=TORCH_DTYPES[name]).expand(shape)


@MEANINGS.means("empty")
def empty(op: Decoded) -> Tensor:
    """Leave a tensor unset: NaN in floats, so that a use of its values shows."""
    shape, name = result_of(op)
    dtype = TORCH_DTYPES[name]
    return torch.tensor(math.nan if dtype.is_floating_point else 1).to(dtype).expand(shape)


@MEANINGS.means("constant")
def constant(op: Decoded) -> Tensor:
    """Read the values out of the attribute."""
    return to_torch(read_elements(op.attrs["value"]))


@MEANINGS.means("arange")
def arange(op: Decoded) -> Tensor:
    """Count `start + k * step` along one dimension; the count is a truncating division."""
    attrs, (shape, _) = op.attrs, result_of(op)
    start, step, dim = attrs["start"], attrs["step"], attrs["arange_dimension"]
    span = attrs["end"] - start
    count = abs(span) // abs(step) if span * step > 0 else 0
    expect(count == shape[dim], f"{count} values in a dimension of size {shape[dim]}")
    values = torch.add(torch.arange(count) * step, start)
    return values.reshape([-1] + [1] * (len(shape) - dim - 1)).expand(shape)
