"""TTIR ops, ready to run: the op's meaning, between operands and results of the declared types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch_mlir import ir

from torch_ttir.dialects.ttir import OPS, Decoded, VerifyError, decode
from torch_ttir.dialects.ttir.base import split_operands
from torch_ttir.interpreters.dtypes import TORCH_DTYPES, UNSIGNED
from torch_ttir.interpreters.step import Fault, Prepared, described, literal
from torch_ttir.interpreters.ttir import MEANINGS
from torch_ttir.interpreters.ttir.creation import CONSTANTS
from torch_ttir.interpreters.ttir.indexing import IN_PLACE
from torch_ttir.interpreters.ttir.table import Meaning, NotModelled
from torch_ttir.ir.types import TensorInfo

_UNSIGNED_NAMES = frozenset({"ui16", "ui32", "ui64"})
# These move or reinterpret bits: they work on the very dtype, or must.
_BITWISE = frozenset({"ttir.bitcast_convert", "ttir.reshape", "ttir.permute", "ttir.typecast"})


def prepare(op: ir.Operation) -> Prepared:
    """Return a TTIR op ready to run; raises `Fault` for one that the interpreter does not run."""
    cls, meaning = OPS.get(op.name), MEANINGS.get(op.name)
    if cls is None:
        raise Fault("it is not an op of TTIR")
    if meaning is None:
        raise Fault("the reference interpreter does not run this op")
    try:
        decoded = decode(cls, op)
        operands = tuple(split_operands(cls, op).values())
    except VerifyError as fault:
        raise Fault(str(fault)) from None
    if op.name == "ttir.constant":
        value = literal(decoded.attrs["value"])
        return Prepared(_conforming(lambda _: value, decoded, _results(decoded)), (), constant=True)
    rebinds = op.name in IN_PLACE
    results = [decoded.operands["cache"]] if rebinds else _results(decoded)
    return Prepared(
        _conforming(meaning, decoded, results),
        operands,
        constant=op.name in CONSTANTS,
        rebinds=rebinds,
    )


def _results(op: Decoded) -> list[TensorInfo]:
    return [info for info in op.results.values() if info is not None]


def _conforming(
    meaning: Meaning, op: Decoded, results: list[TensorInfo]
) -> Callable[..., tuple[Any, ...]]:
    """Return `meaning` with its results cast to the declared dtypes, and their shapes checked."""
    for info in (*results, *_infos(op)):
        if info.dtype not in TORCH_DTYPES:
            raise Fault(f"PyTorch has no dtype for element type `{info.dtype}`")
    wanted = [(torch.Size(info.shape), TORCH_DTYPES[info.dtype]) for info in results]
    names = {info.dtype for info in (*results, *_infos(op))}
    through_int64 = not names.isdisjoint(_UNSIGNED_NAMES) and op.name not in _BITWISE

    def run(*operands: Any) -> tuple[Any, ...]:
        if through_int64:
            operands = tuple(_signed(operand) for operand in operands)
        try:
            made = meaning(op, *operands)
        except NotModelled as reason:
            raise Fault(f"the reference interpreter does not model {reason}") from None
        if len(wanted) == 1:
            shape, dtype = wanted[0]
            if type(made) is tuple:
                (made,) = made
            if made.shape != shape:
                raise _shape_fault(made, results[0])
            return (made if made.dtype is dtype else made.to(dtype),)
        for value, info in zip(made, results, strict=True):
            if tuple(value.shape) != info.shape:
                raise _shape_fault(value, info)
        return tuple(value.to(dtype) for value, (_, dtype) in zip(made, wanted, strict=True))

    return run


def _infos(op: Decoded) -> list[TensorInfo]:
    found: list[TensorInfo] = []
    for info in op.operands.values():
        if isinstance(info, TensorInfo):
            found.append(info)
        elif info is not None:
            found.extend(info)
    return found


def _signed(operand: Any) -> Any:
    if isinstance(operand, tuple):
        return tuple(_signed(item) for item in operand)
    if operand is None or operand.dtype not in UNSIGNED:
        return operand
    wide = operand.to(torch.int64)
    if operand.dtype is torch.uint64 and bool((wide < 0).any()):
        raise Fault("the reference interpreter does not model ui64 values of 2^63 and more")
    return wide


def _shape_fault(made: torch.Tensor, declared: TensorInfo) -> Fault:
    return Fault(f"it makes `{described(made)}` where the op declares `{declared}`")
