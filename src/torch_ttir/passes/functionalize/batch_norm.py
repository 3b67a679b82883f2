"""Normalization in training: the running statistics, which PyTorch writes, as values."""

from __future__ import annotations

import math
from typing import NamedTuple

from torch_mlir import ir

from torch_ttir.ir.types import TensorInfo, torch_tensor_info
from torch_ttir.passes.functionalize.aliases import Refused
from torch_ttir.passes.functionalize.emitter import Emitter, is_tensor, known_info
from torch_ttir.passes.functionalize.rewriter import Rewriter


class _Form(NamedTuple):
    """Where an op has its arguments: input, running mean and variance, training flag, momentum.

    `per_instance` says that statistics are taken for each instance, and then averaged. `twin` is
    the op that returns the same without writing, where that is not the op without statistics.
    """

    mean: int
    variance: int
    training: int | None
    momentum: int
    per_instance: bool = False
    twin: str = ""


_FORMS = {
    "aten.batch_norm": _Form(3, 4, 5, 6),
    "aten.instance_norm": _Form(3, 4, 5, 6, per_instance=True),
    "aten.native_batch_norm": _Form(3, 4, 5, 6),
    "aten._native_batch_norm_legit": _Form(3, 4, 5, 6, twin="aten.native_batch_norm"),
    "aten._batch_norm_with_update": _Form(3, 4, None, 5, twin="aten.native_batch_norm"),
}
BATCH_NORMS = frozenset(_FORMS)
"""The ops that may write running statistics."""


def writes_statistics(name: str, op: ir.Operation) -> bool:
    """Say whether `op`, one of `BATCH_NORMS`, has running statistics that it may write."""
    return is_tensor(op.operands[_FORMS[name].mean].type)


def rewrite_batch_norm(rewriter: Rewriter, op: ir.Operation, name: str) -> bool:
    """Write the new running statistics; False where the op writes none and stays as it is."""
    form = _FORMS[name]
    training = True if form.training is None else rewriter.constant(op.operands[form.training])
    if not writes_statistics(name, op):
        return False
    if training is False and not form.twin:
        return form.per_instance and _by_batch_norm(rewriter, op)
    if training is NotImplemented:
        raise Refused("whether it is training is not known at compile time")
    if training:
        _write_statistics(rewriter, op, form)
    rewriter.refresh(op)
    none = rewriter.emit.operand(None)
    operands = list(op.operands)
    if training:
        operands[form.mean] = operands[form.variance] = none
    if form.twin:
        _replace(rewriter, op, form, operands, bool(training))
    else:
        op.operands[form.mean] = op.operands[form.variance] = none
    return True


def _by_batch_norm(rewriter: Rewriter, op: ir.Operation) -> bool:
    """Replace instance_norm by given statistics by batch_norm, which is the same then."""
    operands = [rewriter.current(operand) for operand in op.operands]
    made = rewriter.emit.op("torch.aten.batch_norm", operands, [op.results[0].type])
    rewriter.bind(op.results[0], rewriter.alias(made.results[0]))
    rewriter.drop(op)
    return True


def _replace(
    rewriter: Rewriter, op: ir.Operation, form: _Form, operands: list[ir.Value], training: bool
) -> None:
    if form.training is None:
        operands.insert(form.momentum, rewriter.emit.operand(training))
    results = list(op.results)
    if len(results) > 3 and any(True for _ in results[3].uses):
        raise Refused("its fourth result, which only its gradient reads, is not supported")
    made = rewriter.emit.op(f"torch.{form.twin}", operands, [result.type for result in results[:3]])
    for result, value in zip(results, made.results, strict=False):
        rewriter.bind(result, rewriter.alias(value))
    rewriter.drop(op)


def _write_statistics(rewriter: Rewriter, op: ir.Operation, form: _Form) -> None:
    """Write `(1 - momentum) * running + momentum * batch`, with the unbiased variance."""
    momentum = rewriter.constant(op.operands[form.momentum])
    if not isinstance(momentum, (int, float)):
        raise Refused("its momentum is not known at compile time")
    emit = rewriter.emit
    source = rewriter.current(op.operands[0])
    info = torch_tensor_info(source.type)
    if info is None:
        raise Refused("the shape of its input is not known")
    dims = [
        dim for dim in range(len(info.shape)) if dim != 1 and not (form.per_instance and dim == 0)
    ]
    count = math.prod(info.shape[dim] for dim in dims)
    if count < 2:
        raise Refused("it needs more than one value per channel when training")
    for position, batch in ((form.mean, _mean), (form.variance, _variance)):
        running = rewriter.alias(op.operands[position])
        dtype = known_info(op.operands[position]).dtype
        new = batch(emit, emit.cast(source, dtype), dims)
        if form.per_instance:
            new = _mean(emit, new, [0])
        old = rewriter.read(running)
        kept = emit.tensor("torch.aten.mul.Scalar", [old, 1.0 - momentum], known_info(old))
        operands = [kept, new, float(momentum)]
        value = emit.tensor("torch.aten.add.Tensor", operands, known_info(old))
        rewriter.write(running, value, op)


def _mean(emit: Emitter, source: ir.Value, dims: list[int]) -> ir.Value:
    return emit.tensor("torch.aten.mean.dim", [source, dims, False, None], _reduced(source, dims))


def _variance(emit: Emitter, source: ir.Value, dims: list[int]) -> ir.Value:
    operands = [source, dims, 1, False]
    return emit.tensor("torch.aten.var.correction", operands, _reduced(source, dims))


def _reduced(source: ir.Value, dims: list[int]) -> TensorInfo:
    info = known_info(source)
    shape = tuple(size for dim, size in enumerate(info.shape) if dim not in dims)
    return TensorInfo(shape, info.dtype)
