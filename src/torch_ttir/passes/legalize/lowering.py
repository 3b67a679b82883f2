"""The walk of legalization: a new function beside the old, op by op, through the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from torch_ttir.dialects.ttir import VerifyError
from torch_ttir.ir.context import current
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at, op_name
from torch_ttir.ir.types import TensorInfo, is_float, signless, torch_tensor_info
from torch_ttir.passes.legalize.builder import Builder, Rejected, Tensor
from torch_ttir.passes.legalize.onnx.attributes import onnx_attributes, opset_of
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.torch_constants import evaluate, is_compile_time


class Lowering(Builder):
    """What a rule works with: a builder, and the declared results of the op being lowered.

    A rule is called with this and the op's operands in the order of the ATen schema: a `Tensor`
    for a tensor, the Python value for a constant (int, float, bool, None, str, a list of those or
    of Tensors). It returns a Tensor, or a sequence of them for several results.
    """

    def __init__(self, ip: ir.InsertionPoint, loc: ir.Location) -> None:
        """Build at `ip`; the walk sets `loc` and `results` before it calls a rule."""
        super().__init__(ip, loc)
        self.results: list[TensorInfo] = []
        self.opset = 0
        """The version of ONNX's operator set that the function is in, if it is an ONNX model."""
        self._seeds = 0

    @property
    def result(self) -> TensorInfo:
        """Shape and element type (TTIR's) that the op declares for its first result."""
        return self.results[0]

    def next_seed(self) -> int:
        """Return a seed that this function has not used: equal `ttir.rand` ops would become one."""
        self._seeds += 1
        return self._seeds

    def expect(self, condition: object, message: str) -> None:
        """Reject the op with `message` unless `condition` holds."""
        if not condition:
            raise Rejected(message)

    def dim(self, dim: int, rank: int) -> int:
        """Return `dim` counted from the front; a 0-d tensor has the dimensions -1 and 0."""
        size = max(rank, 1)
        self.expect(-size <= dim < size, f"dimension {dim} is out of range for rank {rank}")
        return dim % size

    def dims(self, dims: int | Sequence[int] | None, rank: int) -> list[int]:
        """Return non-negative, sorted, distinct dims; all for None and for an empty list."""
        if dims is None or (not isinstance(dims, int) and not dims):
            return list(range(rank))
        listed = [dims] if isinstance(dims, int) else dims
        return sorted({self.dim(dim, rank) for dim in listed}) if rank else []

    def scalar(self, value: Tensor | float | bool, dtype: str) -> Tensor:
        """Return a number as a 0-d tensor of `dtype`; a Tensor is cast to it."""
        if isinstance(value, Tensor):
            return self.cast(value, dtype)
        return self.full((), value, dtype)

    def promote(self, *operands: Tensor | float | bool) -> str:
        """Return the dtype in which PyTorch computes with these operands.

        0-d tensors and Python numbers count only where their category (bool, integer, float) is
        higher than that of the tensors with dimensions. Source: torch.result_type.
        """
        return promoted_dtype(operands)


def promoted_dtype(operands: Sequence[Tensor | float | bool]) -> str:
    """Return `torch.result_type` of tensors and Python numbers, in TTIR's spelling."""
    best: list[str | None] = [None, None, None]
    for operand in operands:
        if isinstance(operand, Tensor):
            level, dtype = (0 if operand.shape else 1), operand.dtype
        else:
            kinds = {bool: "i1", int: "i64", float: "f32"}
            level, dtype = 2, kinds[type(operand)]
        known = best[level]
        best[level] = dtype if known is None else _join(known, dtype)
    result: str | None = None
    for candidate in best:
        if candidate is not None and (result is None or _category(candidate) > _category(result)):
            result = candidate
    assert result is not None, "promotion of nothing"
    return result


def _category(dtype: str) -> int:
    return 0 if dtype == "i1" else 2 if is_float(dtype) else 1


def _join(x: str, y: str) -> str:
    """Return PyTorch's common type of two dtypes of equal standing."""
    if x == y:
        return x
    if _category(x) != _category(y):
        return x if _category(x) > _category(y) else y
    if is_float(x):
        widths = {"f64": 64, "f32": 32}
        wide = max((x, y), key=lambda dtype: widths.get(dtype, 16))
        return wide if wide in widths else "f32"
    bits = {dtype: int(dtype.lstrip("usi")) for dtype in (x, y)}
    unsigned, signed = sorted((x, y), key=lambda dtype: not dtype.startswith("u"))
    if unsigned.startswith("u") and not signed.startswith("u"):
        width = bits[signed] if bits[signed] > bits[unsigned] else 2 * bits[unsigned]
        return f"i{min(width, 64)}"
    return max((x, y), key=lambda dtype: bits[dtype])


def lower_block(old: ir.Block, new: ir.Block, rules: RuleTable, loc: ir.Location) -> list[Any]:
    """Translate every op of `old` into `new`, whose arguments match one to one.

    Returns what the terminator's operands became. Raises one `CompileError` that lists every op
    that no rule lowers, with the reason if one is known, its count and first locations, and every
    op that a rule rejects.
    """
    low = Lowering(ir.InsertionPoint(new), loc)
    low.opset = opset_of(old.owner)
    values: dict[ir.Value, Any] = {}
    for before, after in zip(old.arguments, new.arguments, strict=True):
        info = torch_tensor_info(before.type)
        values[before] = Tensor(after, info.shape, signless(info.dtype)) if info else after
    faults: list[Diagnostic] = []
    unknown: dict[str, list[ir.Operation]] = {}
    failed: set[ir.Value] = set()
    for view in old:
        op = view.operation
        operands = list(op.operands)
        name = op_name(op).removeprefix("torch.")
        if name in ("func.return", "operator_terminator"):
            if faults or unknown:
                raise CompileError(_unknown_faults(unknown, rules) + faults)
            return [values[operand] for operand in operands]
        if failed and not failed.isdisjoint(operands):
            failed.update(op.results)
            if name not in rules and not is_compile_time(name):
                unknown.setdefault(name, []).append(op)
            continue
        low.loc = op.location
        arguments = [values[operand] for operand in operands]
        try:
            made = _lower_op(low, rules, name, op, arguments)
        except (Rejected, VerifyError) as reason:
            faults.append(diagnostic_at(op, str(reason)))
            failed.update(op.results)
            continue
        except _DO_NOT_FIT as reason:
            raise CompileError([*faults, _misfit(op, reason)]) from reason
        if made is None:
            unknown.setdefault(name, []).append(op)
            failed.update(op.results)
            continue
        values.update(zip(op.results, made, strict=True))
    raise AssertionError("a block without a terminator passed the verifier")


# What a rule raises that meets operands of other kinds, numbers or values than its op's.
_DO_NOT_FIT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def _misfit(op: ir.Operation, reason: Exception) -> Diagnostic:
    what = str(reason).partition("\n")[0]
    message = f"its rule does not fit its operands: {type(reason).__name__}: {what}"
    note = "this is a fault of torch-ttir, or the IR is wrong: run `--verify-ops` on it"
    return diagnostic_at(op, message, [note])


def _lower_op(
    low: Lowering, rules: RuleTable, name: str, op: ir.Operation, arguments: list[Any]
) -> list[Any] | None:
    """Return what the op's results become; None if no rule lowers it."""
    if is_compile_time(name):
        made = evaluate(name, op, arguments)
        if made is not NotImplemented:
            return [made] if len(op.results) == 1 else list(made)
    rule = rules.get(name)
    if rule is None:
        return None
    declared = [_declared(type_) for type_ in op.results.types]
    low.results = [info for info in declared if info is not None]
    if name not in rules.run_time_scalars:
        _expect_constants(op, arguments)
    attributes = {} if name.startswith("aten.") else _attributes(name, op)
    made = _empty_results(low, len(declared)) or rule(low, *arguments, **attributes)
    made = [made] if len(declared) == 1 else list(made)
    for index, (info, value) in enumerate(zip(declared, made, strict=True)):
        if info is not None and isinstance(value, Tensor) and info != value[1:]:
            _reject_type(op, index, value)
    return made


SCALARS = {"!torch.int": "i64", "!torch.float": "f64", "!torch.bool": "i1"}
"""How TTIR holds a number that the program computes: as a 0-d tensor of PyTorch's type for it."""

# Types that say nothing of a tensor: a rule makes a list as a list of Tensors, and backward ops
# have None for each gradient that they are told not to compute.
_NO_TENSOR = ("!torch.list<", "!torch.none", "!torch.number")


def _declared(type_: ir.Type) -> TensorInfo | None:
    """Return what a result's type declares; None if it is no tensor's. Rejects what TTIR lacks."""
    cache = current().cache
    key = ("declared", type_)
    if key not in cache:
        cache[key] = _read_declared(type_)
    found = cache[key]
    if isinstance(found, str):
        raise Rejected(found)
    return found  # type: ignore[no-any-return]


def _read_declared(type_: ir.Type) -> TensorInfo | str | None:
    info, text = torch_tensor_info(type_), str(type_)
    if text in SCALARS:
        return TensorInfo((), SCALARS[text])
    if text.startswith(_NO_TENSOR):
        return None
    if info is None:
        return f"result type `{type_}` is not a tensor of known shape and dtype"
    if "complex" in info.dtype:
        return f"element type `{info.dtype}` cannot be said in TTIR"
    return TensorInfo(info.shape, signless(info.dtype))


def _attributes(name: str, op: ir.Operation) -> dict[str, Any]:
    """Return what a rule gets by name: an ONNX node's attributes, and the value of a literal."""
    if name.startswith("onnx."):
        return onnx_attributes(op)
    return {"value": op.attributes["value"]} if name.endswith("tensor.literal") else {}


def _expect_constants(op: ir.Operation, arguments: Sequence[Any]) -> None:
    """Reject an op for which a number is known only when the program runs."""
    for index, value in enumerate(arguments):
        # A number that the program computes is a 0-d tensor here.
        if isinstance(value, Tensor):
            computed = not value.shape and torch_tensor_info(op.operands[index].type) is None
        elif isinstance(value, list):
            computed = any(isinstance(item, Tensor) for item in value) and (
                "tensor" not in str(op.operands[index].type)
            )
        else:
            continue
        if computed:
            raise Rejected(
                f"operand {index} is a number that the program computes, and TTIR needs a constant"
            )


def _empty_results(low: Lowering, count: int) -> Any:
    """Return the `count` results of an op that has nothing to compute: all are without elements."""
    if not count or len(low.results) != count or 0 not in low.results[0].shape:
        return None
    if not all(0 in info.shape for info in low.results):
        return None
    made = [low.full(info.shape, 0, info.dtype) for info in low.results]
    return made if len(made) > 1 else made[0]


def _reject_type(op: ir.Operation, index: int, made: Tensor) -> None:
    declared = op.results[index].type
    fault = diagnostic_at(
        op,
        f"the rule makes `{made.info}` where the op declares `{declared}`",
        ["this is a fault of torch-ttir, or the IR is wrong: run `--verify-ops` on it"],
    )
    raise CompileError([fault])


def _unknown_faults(unknown: dict[str, list[ir.Operation]], rules: RuleTable) -> list[Diagnostic]:
    faults = []
    for name, ops in sorted(unknown.items(), key=lambda item: (-len(item[1]), item[0])):
        reason = rules.rejected.get(name)
        message = f"cannot be said in TTIR: {reason}" if reason else "no rule lowers it to TTIR"
        first = diagnostic_at(ops[0], f"{message} ({_times(len(ops))})")
        others = {diagnostic_at(op, "").location: None for op in ops[1:4]}
        notes = tuple(f"also at {where}" for where in others if where != first.location)
        faults.append(Diagnostic(first.message, first.location, f"torch.{name}", notes))
    return faults


def _times(count: int) -> str:
    return "1 use" if count == 1 else f"{count} uses"
