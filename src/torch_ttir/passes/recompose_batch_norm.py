"""The pass `recompose-batch-norm`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.ir.types import TensorInfo, torch_tensor_info
from torch_ttir.passes.base import Pass

# Ops of the pattern; all are pure.
_SUB, _MUL, _ADD = "torch.aten.sub.Tensor", "torch.aten.mul.Tensor", "torch.aten.add.Tensor"
_SHAPES = ("torch.aten.unsqueeze", "torch.aten.view", "torch.aten.reshape")
_CONVERT = "torch.prims.convert_element_type"
_SCALED, _RECIPROCAL = "torch.aten.mul.Scalar", "torch.aten.reciprocal"
_SQRT, _RSQRT, _EPSILON = "torch.aten.sqrt", "torch.aten.rsqrt", "torch.aten.add.Scalar"
_PURE = {_SUB, _MUL, _ADD, *_SHAPES, _CONVERT, _SCALED, _RECIPROCAL, _SQRT, _RSQRT, _EPSILON}


@dataclass(frozen=True)
class RecomposeBatchNorm(Pass):
    """Write the batch norm of inference as one Torch op where a decomposition has spelled it out.

    Run it after functionalize-inplace-ops and before legalize-to-ttir: PyTorch's decomposition
    makes some twenty ops of each batch norm, most of them to give vectors the input's rank.
    Only in f32 and f64, where one op rounds as the twenty do.

    (x - mean) * rsqrt(variance + epsilon) * weight + bias  =>  torch.aten.batch_norm
    """

    name: ClassVar[str] = "recompose-batch-norm"

    def run(self, module: ir.Operation) -> None:
        """Look at every product of every function as the start of a batch norm."""
        for function in module.regions[0].blocks[0]:
            if isinstance(function, func.FuncOp) and not function.is_external:
                _recompose([view.operation for view in function.entry_block])


def _recompose(ops: list[ir.Operation]) -> None:
    found: dict[ir.Operation, _BatchNorm] = {}
    replaced = False
    for op in ops:
        if op.name not in (_MUL, _ADD):
            continue
        started = _match(op) if op.name == _MUL else None
        if started is not None:
            found[started.last] = started
        # Only when its last op is met: what follows may start at an earlier one's result.
        ended = found.pop(op, None)
        if ended is not None:
            _replace(ended)
            replaced = True
    if replaced:
        _erase_unused(ops)


class _BatchNorm(NamedTuple):
    """The operands of a batch norm, and the op that makes its result."""

    x: ir.Value
    weight: ir.Value | None
    bias: ir.Value | None
    mean: ir.Value
    variance: ir.Value
    epsilon: ir.Value
    last: ir.Operation


def _match(product: ir.Operation) -> _BatchNorm | None:
    """Match `(x - mean) * rsqrt(variance + epsilon)`, and the weight and bias that follow."""
    centered = _made_by(product.operands[0], _SUB)
    if centered is None or _constant(centered.operands[2]) != 1:
        return None
    x = centered.operands[0]
    info = torch_tensor_info(x.type)
    if info is None or info.dtype not in ("f32", "f64") or len(info.shape) < 2:
        return None
    mean = _vector(centered.operands[1], info)
    root = _vector(product.operands[1], info)
    found = None if root is None else _variance(root)
    if mean is None or found is None or torch_tensor_info(product.results[0].type) != info:
        return None
    weight, last = _next_vector(product, _MUL, info)
    bias, last = _next_vector(last, _ADD, info)
    return _BatchNorm(x, weight, bias, _unconverted(mean), found[0], found[1], last)


def _variance(value: ir.Value) -> tuple[ir.Value, ir.Value] | None:
    """Return variance and epsilon of `1 / sqrt(variance + epsilon)`."""
    scaled = _made_by(value, _SCALED)
    if scaled is not None and _constant(scaled.operands[1]) == 1:
        value = scaled.operands[0]
    reciprocal = _made_by(value, _RECIPROCAL)
    root = _made_by(value, _RSQRT) or (reciprocal and _made_by(reciprocal.operands[0], _SQRT))
    total = None if root is None else _made_by(root.operands[0], _EPSILON)
    if total is None or _constant(total.operands[2]) != 1:
        return None
    if not isinstance(_constant(total.operands[1]), float):
        return None
    return _unconverted(total.operands[0]), total.operands[1]


def _next_vector(
    op: ir.Operation, name: str, info: TensorInfo
) -> tuple[ir.Value | None, ir.Operation]:
    """Return the vector that alone the op's result is combined with, and the op that does it.

    None and the op itself if something else comes next.
    """
    uses = list(op.results[0].uses)
    user = uses[0].owner.operation if len(uses) == 1 else None
    if user is None or user.name != name or uses[0].operand_number != 0:
        return None, op
    if len(user.operands) == 3 and _constant(user.operands[2]) != 1:
        return None, op
    vector = _vector(user.operands[1], info)
    if vector is None or torch_tensor_info(user.results[0].type) != info:
        return None, op
    return vector, user


def _vector(value: ir.Value, info: TensorInfo) -> ir.Value | None:
    """Return the vector that `value` spreads over the channels of a tensor, dimension 1 of it."""
    wanted = (info.shape[1], *[1] * (len(info.shape) - 2))
    if torch_tensor_info(value.type) != TensorInfo(wanted, info.dtype):
        return None
    vector = TensorInfo(wanted[:1], info.dtype)
    while torch_tensor_info(value.type) != vector:
        op = _made_by(value, *_SHAPES)
        if op is None:
            return None
        value = op.operands[0]
    return value


def _unconverted(value: ir.Value) -> ir.Value:
    """Return what `value` is converted from, if that has the same type."""
    op = _made_by(value, _CONVERT)
    return op.operands[0] if op is not None and op.operands[0].type == value.type else value


def _made_by(value: ir.Value, *names: str) -> ir.Operation | None:
    if isinstance(value, ir.BlockArgument) or value.owner.name not in names:
        return None
    op: ir.Operation = value.owner.operation
    return op


def _constant(value: ir.Value) -> float | None:
    op = _made_by(value, "torch.constant.int", "torch.constant.float")
    return None if op is None else op.attributes["value"].value


def _replace(found: _BatchNorm) -> None:
    location, ip = found.last.location, ir.InsertionPoint(found.last)

    def constant(kind: str, value: ir.Attribute | None) -> ir.Value:
        type_ = ir.Type.parse(f"!torch.{kind}")
        attributes = None if value is None else {"value": value}
        name = f"torch.constant.{kind}"
        return ir.Operation.create(name, [type_], [], attributes, loc=location, ip=ip).result

    with found.last.context:
        whole = found.weight is not None and found.bias is not None
        absent = None if whole else constant("none", None)
        no = constant("bool", ir.BoolAttr.get(False))
        momentum = constant("float", ir.FloatAttr.get(ir.F64Type.get(), 0.0, loc=location))
    weight = absent if found.weight is None else found.weight
    bias = absent if found.bias is None else found.bias
    operands = [found.x, weight, bias, found.mean, found.variance, no, momentum, found.epsilon, no]
    types = [found.last.results[0].type]
    made = ir.Operation.create("torch.aten.batch_norm", types, operands, loc=location, ip=ip).result
    found.last.results[0].replace_all_uses_with(made)


def _erase_unused(ops: list[ir.Operation]) -> None:
    """Erase the ops of replaced patterns, and other dead ones like them."""
    for op in reversed(ops):
        if op.name in _PURE and next(iter(op.results[0].uses), None) is None:
            op.erase()
