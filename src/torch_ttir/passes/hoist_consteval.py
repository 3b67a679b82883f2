"""The pass `hoist-consteval`."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from torch_mlir import ir
from torch_mlir.dialects import func
from torch_mlir.dialects.ext import Pure

from torch_ttir.dialects import ttcore
from torch_ttir.dialects.ttir import OPS
from torch_ttir.ir.types import element_bytes, tensor_info
from torch_ttir.passes.base import Pass

_NOT_CACHEABLE = ("ttir.empty", "ttir.rand", "ttir.dropout")
_WRITES_FIRST_OPERAND = ("ttir.fill_cache", "ttir.update_cache")


@dataclass(frozen=True)
class HoistConstEval(Pass):
    """Move what depends on weights alone to functions that are evaluated once per set of weights.

    Run it after legalize-to-ttir, and after dead code is gone. Pure ops whose operands are all
    parameters, constants or results of such ops, creation ops among them, move to private functions
    `@<function>_const_eval_<n>`, one per connected piece, as tt-mlir's const-eval-hoist-transform
    does. Arguments without a mark, inputs, state, and random or impure ops are never moved.
    A second run changes nothing; ops that a later pass adds join the function that feeds them.

    %0 = "ttir.permute"(%w) ...     =>  %0 = "ttcore.load_cached"(%w) {callee = @main_const_eval_0}
    """

    name: ClassVar[str] = "hoist-consteval"
    report: bool = False

    def run(self, module: ir.Operation) -> None:
        """Hoist in every function that is not a const-eval function itself."""
        symbols = ir.SymbolTable(module)
        made: list[func.FuncOp] = []
        functions = [op for op in module.regions[0].blocks[0] if isinstance(op, func.FuncOp)]
        for function in functions:
            if not function.is_external and not ttcore.is_const_eval(function.operation):
                made += _hoist(function, symbols)
        _erase_unused(module, functions, symbols)
        if self.report:
            sys.stderr.write(_report(module))


@dataclass
class _Piece:
    """Ops that move together, in program order."""

    ops: list[ir.Operation] = field(default_factory=list)


def _hoist(function: func.FuncOp, symbols: ir.SymbolTable) -> list[func.FuncOp]:
    """Move the pieces of one function; returns the functions made."""
    block = function.entry_block
    ops = [view.operation for view in block]
    pieces = _pieces(function, ops)
    names = _fresh_names(symbols, function.name.value)
    arguments = {argument: index for index, argument in enumerate(function.arguments)}
    made: list[func.FuncOp] = []
    call: ir.Operation | None = None
    for piece in pieces:
        if all(op.name == ttcore.LOAD_CACHED for op in piece.ops):
            continue
        inside = set(piece.ops)
        outputs = [
            result
            for op in piece.ops
            for result in op.results
            if any(use.owner.operation not in inside for use in result.uses)
        ]
        if not outputs:
            continue
        ip = (
            ir.InsertionPoint.at_block_begin(block)
            if call is None
            else ir.InsertionPoint.after(call)
        )
        used = {operand for op in piece.ops for operand in op.operands} & arguments.keys()
        inputs = sorted(used, key=arguments.__getitem__)
        hoisted, call = _outline(function, next(names), piece, inputs, outputs, symbols, ip)
        made.append(hoisted)
    return made


def _pieces(function: func.FuncOp, ops: list[ir.Operation]) -> list[_Piece]:
    """Return the connected pieces of const-evaluable ops, in the order of their first ops."""
    kinds = ttcore.argument_kinds(function)
    constant: dict[ir.Value, int | None] = {
        argument: None
        for argument, kind in zip(function.arguments, kinds, strict=True)
        if kind in ("parameter", "constant")
    }
    parent: list[int] = []

    def find(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    members: list[ir.Operation] = []
    written = _written_values(ops)
    for op in ops:
        operands = list(op.operands)
        if not _is_evaluable(op, written) or not all(value in constant for value in operands):
            continue
        own = len(parent)
        parent.append(own)
        members.append(op)
        for value in operands:
            producer = constant[value]
            if producer is not None:
                parent[find(producer)] = find(own)
        for result in op.results:
            constant[result] = own
    pieces: dict[int, _Piece] = {}
    for index, op in enumerate(members):
        pieces.setdefault(find(index), _Piece()).ops.append(op)
    return list(pieces.values())


def _is_evaluable(op: ir.Operation, written: set[ir.Value]) -> bool:
    if op.name == ttcore.LOAD_CACHED:
        return True
    declared = OPS.get(op.name)
    if declared is None or op.name in _NOT_CACHEABLE or Pure not in declared._traits:
        return False
    return not any(result in written for result in op.results)


def _written_values(ops: Iterable[ir.Operation]) -> set[ir.Value]:
    return {op.operands[0] for op in ops if op.name in _WRITES_FIRST_OPERAND}


def _outline(
    function: func.FuncOp,
    name: str,
    piece: _Piece,
    inputs: list[ir.Value],
    outputs: list[ir.Value],
    symbols: ir.SymbolTable,
    ip: ir.InsertionPoint,
) -> tuple[func.FuncOp, ir.Operation]:
    """Move one piece to a new function, and call it at `ip`; returns the function and the call."""
    types = [value.type for value in inputs], [value.type for value in outputs]
    location = ir.Location.fused([op.location for op in piece.ops[:8]])
    made = func.FuncOp(
        name,
        types,
        visibility="private",
        ip=ir.InsertionPoint(function.operation),
        loc=location,
    )
    made.operation.attributes["tt.function_type"] = ir.StringAttr.get("const_eval")
    symbols.insert(made)
    block = made.add_entry_block([value.location for value in inputs])
    call = ttcore.load_cached(made.name.value, inputs, types[1], location, ip)
    inside_ops = set(piece.ops)
    for output, cached in zip(outputs, call.results, strict=True):
        output.replace_all_uses_except(
            cached,
            [use.owner.operation for use in output.uses if use.owner.operation in inside_ops],
        )
    mapping = dict(zip(inputs, block.arguments, strict=True))
    end = ir.InsertionPoint(block)
    returned = _move(piece, mapping, end, symbols)
    func.ReturnOp([returned.get(value, value) for value in outputs], loc=location, ip=end)
    return made, call


def _move(
    piece: _Piece,
    mapping: dict[ir.Value, ir.Value],
    end: ir.InsertionPoint,
    symbols: ir.SymbolTable,
) -> dict[ir.Value, ir.Value]:
    """Move the piece's ops to `end`; a call of a const-eval function becomes its body.

    Returns what took the place of the results of such calls.
    """
    replaced: dict[ir.Value, ir.Value] = {}
    for op in piece.ops:
        for index, operand in enumerate(op.operands):
            value = replaced.get(operand, mapping.get(operand, operand))
            if value is not operand:
                op.operands[index] = value
        if op.name != ttcore.LOAD_CACHED:
            end.insert(op.detach_from_parent())
            continue
        callee = symbols[ttcore.callee(op)]
        inner = dict(zip(callee.regions[0].blocks[0].arguments, op.operands, strict=True))
        for view in callee.regions[0].blocks[0]:
            if view.operation.name == "func.return":
                results = [inner[value] for value in view.operation.operands]
                continue
            clone = view.operation.clone(ip=end)
            for index, operand in enumerate(clone.operation.operands):
                clone.operation.operands[index] = inner[operand]
            inner.update(zip(view.operation.results, clone.operation.results, strict=True))
        replaced.update(zip(op.results, results, strict=True))
    for op in piece.ops:
        if op.name == ttcore.LOAD_CACHED:
            for result in op.results:
                result.replace_all_uses_with(replaced[result])
            op.erase()
    return replaced


def _fresh_names(symbols: ir.SymbolTable, base: str) -> Iterator[str]:
    """Yield the names that are free for const-eval functions of `base`."""
    for number in itertools.count():
        name = f"{base}_const_eval_{number}"
        if name not in symbols:
            yield name


def _erase_unused(
    module: ir.Operation, functions: list[func.FuncOp], symbols: ir.SymbolTable
) -> None:
    """Erase const-eval functions that nothing calls any more."""
    if not any(ttcore.is_const_eval(function.operation) for function in functions):
        return
    called = {
        ttcore.callee(view.operation)
        for function in module.regions[0].blocks[0]
        if isinstance(function, func.FuncOp) and not function.is_external
        for view in function.entry_block
        if view.operation.name == ttcore.LOAD_CACHED
    }
    for function in functions:
        if ttcore.is_const_eval(function.operation) and function.name.value not in called:
            symbols.erase(function)


def _report(module: ir.Operation) -> str:
    """Return a table of the const-eval functions, with a last row of their sums."""
    rows: dict[str, tuple[int, int, int]] = {}
    for function in module.regions[0].blocks[0]:
        if isinstance(function, func.FuncOp) and ttcore.is_const_eval(function.operation):
            count = sum(1 for _ in function.entry_block) - 1
            bytes_in, bytes_out = (
                sum(_tensor_bytes(type_) for type_ in types)
                for types in (function.type.inputs, function.type.results)
            )
            rows[function.name.value] = (count, bytes_in, bytes_out)
    totals = [sum(row[column] for row in rows.values()) for column in range(3)]
    lines = [["const-eval function", "ops", "bytes in", "bytes out"]]
    for name, numbers in [*rows.items(), ("in all", totals)]:
        lines.append([name, *(f"{number:,}" for number in numbers)])
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) + "\n"
        for line in lines
    )


def _tensor_bytes(type_: ir.Type) -> int:
    info = tensor_info(type_)
    return element_bytes(info.dtype) * math.prod(info.shape) if info is not None else 0
