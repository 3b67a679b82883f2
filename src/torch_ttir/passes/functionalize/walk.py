"""The walk over a function: each op to what treats its kind, and the function's new signature."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache

from torch_mlir import ir

from torch_ttir.ir.diagnostics import Diagnostic, op_name
from torch_ttir.ir.types import torch_tensor_info
from torch_ttir.passes.functionalize.aliases import Alias, Refused
from torch_ttir.passes.functionalize.batch_norm import (
    BATCH_NORMS,
    rewrite_batch_norm,
    writes_statistics,
)
from torch_ttir.passes.functionalize.emitter import is_tensor
from torch_ttir.passes.functionalize.layout_rules import LAYOUT_RULES
from torch_ttir.passes.functionalize.mutation_tables import METADATA_ONLY, VIEW_IN_PLACE
from torch_ttir.passes.functionalize.mutations import mutation
from torch_ttir.passes.functionalize.rewriter import Rewriter, TensorList
from torch_ttir.passes.functionalize.row_major import makes_row_major
from torch_ttir.passes.functionalize.value_semantics import (
    rewrite_copy,
    rewrite_literal,
    rewrite_overwrite,
    to_value_types,
    value_type,
)
from torch_ttir.passes.functionalize.view_ops import (
    reads_hidden_storage,
    rewrite_as_strided,
    rewrite_by_layout,
    rewrite_list_view,
    rewrite_metadata,
    rewrite_opaque,
    rewrite_view,
    rewrite_view_in_place,
)
from torch_ttir.passes.functionalize.views import LIST_VIEWS, OPAQUE_VIEWS, VIEWS
from torch_ttir.passes.functionalize.writes import rewrite_in_place, rewrite_out

Treatment = Callable[[Rewriter, ir.Operation, str], None]


def needs_rewriting(block: ir.Block) -> bool:
    """Say whether the block needs rewriting: an op writes, a type can be written, a view hides."""
    if any(value_type(argument.type) is not None for argument in block.arguments):
        return True
    # Most ops have types that others have too: each is looked at once.
    types: set[ir.Type] = set()
    for view in block:
        op = view.operation
        types.update(op.results.types)
        if _is_plain(op.name):
            continue
        if _writes(op) or reads_hidden_storage(op, op_name(op).removeprefix("torch.")):
            return True
    return any(value_type(type_) is not None for type_ in types)


def rewrite_block(
    block: ir.Block, strides: list[tuple[int, ...] | None]
) -> tuple[list[ir.Value | None], list[Diagnostic]]:
    """Make every op of a function's block a pure one; `strides` are those of its arguments.

    Returns the new value of each argument, None for one that nothing writes, and all faults. The
    block's terminator has the current values; where there are faults the block is not to be used.
    """
    to_value_types(block.arguments)
    rewriter = Rewriter(block, strides)
    ops = [view.operation for view in block]
    rewriter.writes = any(_writes(op) for op in ops)
    for op in ops:
        to_value_types(op.results)
        rewriter.emit.at(op)
        name = op_name(op).removeprefix("torch.")
        try:
            _treatment(name)(rewriter, op, name)
        except Refused as reason:
            rewriter.refuse(op, reason)
    updates: list[ir.Value | None] = []
    for argument in block.arguments:
        alias = rewriter.known(argument)
        if alias is None:
            updates.append(None)
            continue
        rewriter.report_loss(alias.storage)
        updates.append(rewriter.read(alias) if alias.storage.generation else None)
    if not rewriter.faults:
        rewriter.finish(updates)
    return updates, rewriter.faults


def _writes_unnamed(op: ir.Operation) -> bool:
    """Say whether an op of the user's own writes: the importer says so, or it returns nothing."""
    if op.name != "torch.operator":
        return False
    return "ttir.writes" in op.attributes or (not len(op.results) and bool(len(op.operands)))


def _writes(op: ir.Operation) -> bool:
    name = op_name(op).removeprefix("torch.")
    if _writes_unnamed(op):
        return True
    if _may_write(name):
        return name not in BATCH_NORMS or writes_statistics(name, op)
    return len(op.regions) > 0 and any(
        _writes(view.operation)
        for region in op.regions
        for block in region.blocks
        for view in block
    )


@cache
def _is_plain(name: str) -> bool:
    """Say whether an op's name alone says that it neither writes nor holds what could."""
    aten = name.removeprefix("torch.aten.")
    return aten != name and not aten.startswith("as_strided") and not _may_write(f"aten.{aten}")


@cache
def _may_write(name: str) -> bool:
    rest = name.partition(".")[2]
    return (
        mutation(name) is not None
        or name in BATCH_NORMS
        or rest in VIEW_IN_PLACE
        or rest.partition(".")[0] in METADATA_ONLY
    )


@cache
def _treatment(name: str) -> Treatment:
    rest = name.partition(".")[2]
    if name in _TREATMENTS:
        return _TREATMENTS[name]
    if rest in VIEW_IN_PLACE:
        return rewrite_view_in_place
    if rest.partition(".")[0] in METADATA_ONLY:
        return rewrite_metadata
    for table, treatment in _TABLES:
        if name in table:
            return treatment
    how = mutation(name)
    if how is None:
        return _keep
    if how.kind == "out":
        return lambda rewriter, op, name: rewrite_out(rewriter, op, name, how)
    return lambda rewriter, op, name: rewrite_in_place(rewriter, op, name, how)


def _keep_constant(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    rewriter.emit.know(rewriter.constant(op.results[0]), op.results[0])


def _keep(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Let an op that makes new tensors read the current values."""
    if _writes_unnamed(op):
        raise Refused("it writes its operands, and no op is known that returns what it writes")
    if len(op.regions):
        _keep_regions(rewriter, op, name)
        return
    if "ttir.alias" in op.attributes and ir.BoolAttr(op.attributes["ttir.alias"]).value:
        rewrite_opaque(rewriter, op, name)
        return
    if makes_row_major(rewriter, op, name):
        rewriter.set_row_major(op.results)
    rewriter.refresh(op)


def _keep_opaque(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Link results and operands, unless the importer knows that the op has copied."""
    if "ttir.alias" in op.attributes and not ir.BoolAttr(op.attributes["ttir.alias"]).value:
        _keep(rewriter, op, name)
    else:
        rewrite_opaque(rewriter, op, name)


def _keep_by_layout(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    if not rewrite_by_layout(rewriter, op, name):
        _keep(rewriter, op, name)


def _keep_batch_norm(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    if not rewrite_batch_norm(rewriter, op, name):
        _keep(rewriter, op, name)


def _keep_regions(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Let an op with regions read the current values; what it returns may be what it captures."""
    captured: list[Alias] = []
    for inner in _inner_ops(op):
        if _writes(inner):
            raise Refused(f"it holds `{op_name(inner)}`, and writes in a region are not supported")
        to_value_types(inner.results)
        captured += [a for operand in inner.operands if (a := rewriter.known(operand)) is not None]
        rewriter.refresh(inner)
    rewrite_opaque(rewriter, op, name)
    for result in op.results:
        if is_tensor(result.type):
            for alias in captured:
                rewriter.link(rewriter.alias(result), alias, op, "this write reaches a region")


def _inner_ops(op: ir.Operation) -> list[ir.Operation]:
    found = []
    for region in op.regions:
        for block in region.blocks:
            for view in block:
                found += [view.operation, *_inner_ops(view.operation)]
    return found


def _list_construct(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Remember the tensors in a list: it holds them, and not what they were when it was made."""
    result = op.results[0]
    if str(result.type) == "!torch.list<int>":
        constant = rewriter.constant(result)
        if constant is not NotImplemented:
            rewriter.emit.know(constant, result)
    elif any(is_tensor(operand.type) for operand in op.operands):
        items = list(op.operands)
        rewriter.refresh(op)
        rewriter.emit.views.append(op)
        rewriter.lists[result] = TensorList(result, items, then=list(op.operands))


def _list_unpack(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    known = rewriter.lists.get(op.operands[0])
    if known is None:
        _keep(rewriter, op, name)
    else:
        rewriter.emit.views.append(op)
        for position, result in enumerate(op.results):
            _take(rewriter, op, known, position, result)


def _list_item(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    known = rewriter.lists.get(op.operands[0])
    position = rewriter.constant(op.operands[1])
    if known is None:
        _keep(rewriter, op, name)
    elif position is NotImplemented:
        rewrite_opaque(rewriter, op, name)
    else:
        rewriter.emit.views.append(op)
        _take(rewriter, op, known, position, op.results[0])


def _take(
    rewriter: Rewriter, op: ir.Operation, known: TensorList, position: int, result: ir.Value
) -> None:
    """Bind an item of a list; the op stays as what first reads it."""
    if known.is_opaque:
        rewriter.current(known.value)
        made = rewriter.alias(result)
        for source in known.items:
            if isinstance(source, Alias):
                reason = "this write reaches a list of tensors whose views cannot be written back"
                rewriter.link(made, source, op, reason)
        return
    item = known.items[position]
    if isinstance(item, ir.Value):
        rewriter.bind(result, rewriter.alias(item))
        return
    info = torch_tensor_info(result.type)
    if info is None or info.shape != item.shape:
        raise Refused(f"it takes `{result.type}` from a list that has shape `{item.shape}` there")
    rewriter.bind(result, item)
    fresh = item.value is None or item.generation != item.storage.generation
    if fresh and known.generation == item.storage.generation:
        item.value, item.generation = result, known.generation


_TREATMENTS: dict[str, Treatment] = {
    "aten.__getitem__.t": _list_item,
    "aten.as_strided": rewrite_as_strided,
    "prims.as_strided": rewrite_as_strided,
    **dict.fromkeys(
        ("constant.bool", "constant.float", "constant.int", "constant.none"), _keep_constant
    ),
    "copy.to_tensor": rewrite_copy,
    "copy.to_vtensor": rewrite_copy,
    "overwrite.tensor.contents": rewrite_overwrite,
    "prim.ListConstruct": _list_construct,
    "prim.ListUnpack": _list_unpack,
    "tensor.literal": rewrite_literal,
}
_TABLES: list[tuple[Container[str], Treatment]] = [
    (VIEWS, rewrite_view),
    (LIST_VIEWS, rewrite_list_view),
    (OPAQUE_VIEWS, _keep_opaque),
    (LAYOUT_RULES, _keep_by_layout),
    (BATCH_NORMS, _keep_batch_norm),
]
