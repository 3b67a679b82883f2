"""How the walk treats ops that write: the functional twin's value goes to the written alias."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from torch_mlir import ir

from torch_ttir.ir.types import TensorInfo, torch_tensor_info
from torch_ttir.passes.functionalize.aliases import Alias, Refused, new_base, view
from torch_ttir.passes.functionalize.dtypes import computed_dtype, is_pointwise, number_behind
from torch_ttir.passes.functionalize.emitter import (
    DTYPE_NUMBERS,
    is_registered,
    is_tensor,
    vtensor,
)
from torch_ttir.passes.functionalize.mutation_tables import FACTORY_OUT, LISTS
from torch_ttir.passes.functionalize.mutations import Mutation
from torch_ttir.passes.functionalize.rewriter import Rewriter
from torch_ttir.passes.functionalize.steps import Diagonal, Reshape, Slice, Step

_TAKES_DTYPE = frozenset(
    {
        "aten.cumprod",
        "aten.cumsum",
        "aten.logcumsumexp",
        "aten.mean",
        "aten.mean.dim",
        "aten.nansum",
        "aten.prod",
        "aten.prod.dim_int",
        "aten.sum",
        "aten.sum.dim_IntList",
    }
)
"""Twins whose last argument is a dtype that is the destination's where it is not given."""


def rewrite_in_place(rewriter: Rewriter, op: ir.Operation, name: str, how: Mutation) -> None:
    """Write what the functional twin returns to the first operand, and let the op return that."""
    operands = list(op.operands)
    if not operands or not is_tensor(operands[0].type):
        raise Refused(how.refusal or LISTS)
    destination = rewriter.alias(operands[0])
    for result in op.results:
        rewriter.identify(result, operands[0])
    rewriter.drop(op)
    if how.refusal:
        raise Refused(how.refusal)
    info = _destination_info(operands[0], destination)
    special = _SPECIAL.get(name.removeprefix("aten."))
    if special is not None:
        special(rewriter, op, destination, info)
        return
    pointwise = is_pointwise(how.functional)
    rewriter.check_overlap(destination, operands[1:], pointwise)
    operands = [rewriter.current(operand) for operand in operands]
    if pointwise:
        _check_broadcast(operands, info)
    value = _call_twin(rewriter, how.functional, operands, info)
    rewriter.write(destination, value, op)


def rewrite_out(rewriter: Rewriter, op: ir.Operation, name: str, how: Mutation) -> None:
    """Write what the functional twin returns to the last operands, one for each result."""
    count = len(op.results)
    outs = list(op.operands)[len(op.operands) - count :] if count else []
    if not outs or not all(is_tensor(out.type) for out in outs):
        raise Refused(how.refusal or LISTS)
    aliases = [rewriter.alias(out) for out in outs]
    for result, out in zip(op.results, outs, strict=True):
        rewriter.identify(result, out)
    rewriter.drop(op)
    if how.refusal:
        raise Refused(how.refusal)
    infos = [_destination_info(out, alias) for out, alias in zip(outs, aliases, strict=True)]
    operands = [rewriter.current(operand) for operand in list(op.operands)[:-count]]
    for alias in aliases:
        inputs = list(op.operands)[:-count]
        rewriter.check_overlap(alias, inputs, is_pointwise(how.functional))
    shapes = [_known_info(result).shape for result in op.results]
    for position, shape in enumerate(shapes):
        if shape != infos[position].shape:
            aliases[position] = _resized(outs[position], infos[position], shape)
            rewriter.rebind(outs[position], aliases[position])
    targets = [TensorInfo(shape, info.dtype) for shape, info in zip(shapes, infos, strict=True)]
    if name.removeprefix("aten.") in FACTORY_OUT:
        options = [DTYPE_NUMBERS[targets[0].dtype], None, None, None]
        operands += [rewriter.emit.operand(option) for option in options]
    values = _call_twin_multi(rewriter, how.functional, operands, targets)
    for alias, value in zip(aliases, values, strict=True):
        if alias.parent is None and alias.value is None:
            alias.value = value
        else:
            rewriter.write(alias, value, op)


def _destination_info(value: ir.Value, alias: Alias) -> TensorInfo:
    """Return shape and dtype of what is written; an op in place may have changed the shape."""
    info = _known_info(value)
    if info.dtype not in DTYPE_NUMBERS:
        raise Refused(f"it writes elements of type `{info.dtype}`, which are not supported")
    return info if alias.shape is None else TensorInfo(alias.shape, info.dtype)


def _known_info(value: ir.Value) -> TensorInfo:
    info = torch_tensor_info(value.type)
    if info is None:
        raise Refused(f"it writes `{value.type}`, whose shape or dtype is not known")
    return info


def _resized(out: ir.Value, info: TensorInfo, shape: tuple[int, ...]) -> Alias:
    """Return the new tensor that `out=` makes of an empty one."""
    if math.prod(info.shape) or isinstance(out.owner, ir.Block):
        raise Refused(
            f"it resizes its `out` from {list(info.shape)} to {list(shape)}",
            "pass an `out` of the result's shape",
        )
    return new_base(None, shape, None)


def _check_broadcast(operands: Sequence[ir.Value], info: TensorInfo) -> None:
    for operand in operands:
        other = torch_tensor_info(operand.type)
        if other is None or other.shape == info.shape:
            continue
        if not _broadcasts(other.shape, info.shape):
            raise Refused(
                f"output with shape {list(info.shape)} doesn't match the broadcast shape of an "
                f"operand of shape {list(other.shape)}"
            )


def _broadcasts(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    return len(shape) <= len(target) and all(
        size in (1, wanted) for size, wanted in zip(reversed(shape), reversed(target), strict=False)
    )


def _call_twin(
    rewriter: Rewriter, twin: str, operands: list[ir.Value], info: TensorInfo
) -> ir.Value:
    return _call_twin_multi(rewriter, twin, operands, [info])[0]


def _call_twin_multi(
    rewriter: Rewriter, twin: str, operands: list[ir.Value], infos: Sequence[TensorInfo]
) -> list[ir.Value]:
    """Emit the functional twin and cast what it returns to the destinations' dtypes."""
    emit = rewriter.emit
    if twin in _TAKES_DTYPE and rewriter.constant(operands[-1]) is None:
        operands = [*operands[:-1], emit.operand(DTYPE_NUMBERS[infos[0].dtype])]
    dtypes = [computed_dtype(twin, operands, info.dtype) for info in infos]
    twin, operands = _with_number(twin, operands)
    types = [
        vtensor(TensorInfo(info.shape, dtype)) for info, dtype in zip(infos, dtypes, strict=True)
    ]
    made = emit.op(f"torch.{twin}", operands, types)
    pairs = zip(made.results, infos, strict=True)
    return [emit.cast(result, info.dtype) for result, info in pairs]


def _with_number(twin: str, operands: list[ir.Value]) -> tuple[str, list[ir.Value]]:
    """Return the overload for a number where a number stands as a 0-d tensor: it promotes less."""
    number = number_behind(operands[1]) if len(operands) > 1 else None
    scalar = f"{twin.removesuffix('Tensor')}Scalar"
    if number is None or not twin.endswith("Tensor") or not is_registered(f"torch.{scalar}"):
        return twin, operands
    return scalar, [operands[0], number, *operands[2:]]


# Ops whose twin has other arguments, or that need none ---------------------------------------


def _copy(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)."""
    source = op.operands[1]
    if rewriter.known(source) is alias:
        return
    rewriter.check_overlap(alias, [source], pointwise=True)
    _check_broadcast([source], info)
    value = rewriter.emit.cast(rewriter.current(source), info.dtype)
    rewriter.write(alias, rewriter.emit.expand(value, info.shape), op)


def _fill(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)."""
    rewriter.write(alias, rewriter.emit.full(op.operands[1], info), op, uniform=True)


def _fill_tensor(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)."""
    value = rewriter.emit.cast(rewriter.current(op.operands[1]), info.dtype)
    rewriter.write(alias, rewriter.emit.expand(value, info.shape), op)


def _zero(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """zero_(Tensor(a!) self) -> Tensor(a!)."""
    number = 0.0 if info.dtype.startswith(("f", "bf")) else 0
    rewriter.write(alias, rewriter.emit.full(number, info), op, uniform=True)


def _fill_diagonal(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)."""
    shape = info.shape
    wrap = rewriter.constant(op.operands[2])
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise Refused("all dimensions of input must be of equal length")
    if wrap is NotImplemented:
        raise Refused("its argument `wrap` is not known at compile time")
    steps: list[Step] = [Diagonal(0, 0, rank - 1) for rank in range(len(shape), 1, -1)]
    if wrap and len(shape) == 2 and shape[0] > shape[1] + 1:
        count = math.prod(shape)
        steps = [Reshape(shape, (count,)), Slice(0, 0, count, shape[1] + 1)]
    diagonal = view(alias, steps)
    if diagonal.shape is None:
        return
    line = TensorInfo(diagonal.shape, info.dtype)
    rewriter.write(diagonal, rewriter.emit.full(op.operands[1], line), op, uniform=True)


def _dropout(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!): nothing in evaluation."""
    train = rewriter.constant(op.operands[2])
    if train is False:
        return
    name = (
        str(ir.StringAttr(op.attributes["name"]).value) if op.name == "torch.operator" else op.name
    )
    operands = [rewriter.current(operand) for operand in op.operands]
    twin = name.removeprefix("torch.").removesuffix("_")
    rewriter.write(alias, _call_twin(rewriter, twin, operands, info), op)


def _index_put(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """_index_put_impl_(self, indices, values, accumulate=False, unsafe=False) -> Tensor(a!)."""
    rewriter.check_overlap(alias, list(op.operands)[1:], pointwise=False)
    operands = [rewriter.current(operand) for operand in list(op.operands)[:4]]
    rewriter.write(alias, _call_twin(rewriter, "aten.index_put", operands, info), op)


def _polygamma(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """polygamma_(Tensor(a!) self, int n) -> Tensor(a!): the twin has them the other way round."""
    operands = [op.operands[1], rewriter.current(op.operands[0])]
    rewriter.write(alias, _call_twin(rewriter, "aten.polygamma", operands, info), op)


def _masked_fill(rewriter: Rewriter, op: ir.Operation, alias: Alias, info: TensorInfo) -> None:
    """masked_fill_.Tensor(self, Tensor mask, Tensor value): the 0-d value is read beforehand."""
    rewriter.check_overlap(alias, [op.operands[1]], pointwise=True)
    operands = [rewriter.current(operand) for operand in op.operands]
    _check_broadcast(operands, info)
    rewriter.write(alias, _call_twin(rewriter, "aten.masked_fill.Tensor", operands, info), op)


Special = Callable[[Rewriter, ir.Operation, Alias, TensorInfo], None]

_SPECIAL: dict[str, Special] = {
    "_index_put_impl_": _index_put,
    "alpha_dropout_": _dropout,
    "copy_": _copy,
    "dropout_": _dropout,
    "feature_alpha_dropout_": _dropout,
    "feature_dropout_": _dropout,
    "fill_.Scalar": _fill,
    "fill_.Tensor": _fill_tensor,
    "fill_diagonal_": _fill_diagonal,
    "masked_fill_.Tensor": _masked_fill,
    "polygamma_": _polygamma,
    "prims.copy_to": _copy,
    "zero_": _zero,
}
