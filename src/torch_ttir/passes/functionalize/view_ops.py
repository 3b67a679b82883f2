"""How the walk treats ops that make views: their results become aliases of their operands."""

from __future__ import annotations

from torch_mlir import ir

from torch_ttir.ir.types import torch_tensor_info
from torch_ttir.passes.functionalize.aliases import (
    Alias,
    Refused,
    flat_steps,
    new_base,
    view,
)
from torch_ttir.passes.functionalize.emitter import is_tensor
from torch_ttir.passes.functionalize.layout_rules import LAYOUT_RULES, RETURNS_ITSELF, shared_steps
from torch_ttir.passes.functionalize.layouts import Layout
from torch_ttir.passes.functionalize.mutation_tables import VIEW_IN_PLACE
from torch_ttir.passes.functionalize.rewriter import Rewriter, TensorList
from torch_ttir.passes.functionalize.steps import Reshape
from torch_ttir.passes.functionalize.strided import strided_steps
from torch_ttir.passes.functionalize.views import LIST_VIEWS, VIEWS, Steps, ViewOp

_BY_STRIDES = frozenset(
    {
        "aten._reshape_alias",
        "aten._unsafe_view",
        "aten.unflatten.int",
        "aten.view",
        "aten.view_as",
        "prims.collapse_view",
        "prims.split_dim",
    }
)
"""View ops that PyTorch refuses for some strides: a value that is computed anew may have those."""

_UNKNOWN = (
    "whether this write reaches another tensor depends on strides that the IR does not say: an op "
    "between them returns a view or a copy"
)
_OPAQUE = "this write reaches another tensor through an op whose views cannot be written back"


def rewrite_view(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Bind the result of an op of `VIEWS` to a view of its operand."""
    source = rewriter.alias(op.operands[0])
    result = torch_tensor_info(op.results[0].type)
    # `conj` and its like return complex tensors that are not the same as their operand.
    if source.shape is None or result is None or result.dtype.startswith("complex"):
        rewrite_opaque(rewriter, op, name)
        return
    call = ViewOp(source.shape, source.layout, rewriter.constants(op), result.shape)
    try:
        steps = VIEWS[name](call)
    except Refused:
        rewrite_opaque(rewriter, op, name)
        return
    _bind_view(rewriter, op, source, steps, keeps_op=name not in _BY_STRIDES)


def rewrite_view_in_place(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Make the operand itself another view of its storage, and the result the same."""
    operand = op.operands[0]
    source = rewriter.alias(operand)
    result = torch_tensor_info(op.results[0].type)
    if source.shape is None or result is None:
        raise Refused("it changes the shape of a tensor whose shape the IR does not say")
    call = ViewOp(source.shape, source.layout, rewriter.constants(op), result.shape)
    if isinstance(operand.owner, ir.Block):
        raise Refused("it changes the shape of an argument, which the caller's tensor keeps")
    if name == "aten.as_strided_":
        found = view(source.storage.base, _strided(source, call))
    else:
        found = view(source, VIEWS[f"aten.{VIEW_IN_PLACE[name.removeprefix('aten.')]}"](call))
    if found.shape != result.shape:
        raise Refused(f"its result is `{list(result.shape)}` where PyTorch has `{found.shape}`")
    rewriter.identify(op.results[0], operand)
    rewriter.rebind(operand, found)
    rewriter.drop(op)


def rewrite_metadata(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Let an op that writes nothing return its operand."""
    for result in op.results:
        rewriter.identify(result, op.operands[0])
    rewriter.drop(op)


def rewrite_as_strided(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Bind the result of aten.as_strided to a view of the whole storage.

    As a value the op reads `source`, and not its storage: it stays only where that is the same.
    """
    source = rewriter.alias(op.operands[0])
    result = torch_tensor_info(op.results[0].type)
    try:
        if source.shape is None or result is None:
            raise Refused("it reads a storage whose layout the IR does not say")
        call = ViewOp(source.shape, source.layout, rewriter.constants(op), result.shape)
        steps = _strided(source, call)
    except Refused:
        # Where nothing is written, importers let only tensors pass that fill their storage.
        whole = all(alias.step is None or isinstance(alias.step, Reshape) for alias in source.way())
        if rewriter.writes or not whole:
            raise
        rewrite_opaque(rewriter, op, name)
        return
    _bind_view(rewriter, op, source.storage.base, steps, keeps_op=False)


def reads_hidden_storage(op: ir.Operation, name: str) -> bool:
    """Say whether `op` is as_strided of what an op made, whose storage only that op says."""
    if name not in ("aten.as_strided", "prims.as_strided"):
        return False
    return not isinstance(op.operands[0].owner, ir.Block)


def rewrite_by_layout(rewriter: Rewriter, op: ir.Operation, name: str) -> bool:
    """Bind the result of an op of `LAYOUT_RULES` where it is a view; False where it is a copy.

    The attribute `ttir.alias` of the op decides where the importer knows the strides.
    """
    operand = op.operands[0]
    source = rewriter.alias(operand)
    result = torch_tensor_info(op.results[0].type)
    before = torch_tensor_info(operand.type)
    if source.shape is None or result is None or before is None:
        rewrite_opaque(rewriter, op, name)
        return True
    call = ViewOp(source.shape, source.layout, rewriter.constants(op), result.shape)
    shares: bool | None = None
    if "ttir.alias" in op.attributes:
        shares = bool(ir.BoolAttr(op.attributes["ttir.alias"]).value)
    else:
        try:
            shares = LAYOUT_RULES[name](call, before.dtype == result.dtype)
        except Refused:
            shares = None
    if shares is None:
        rewrite_opaque(rewriter, op, name, _UNKNOWN)
    elif shares:
        _bind_view(rewriter, op, source, shared_steps(call))
        if name in RETURNS_ITSELF and call.shape == call.result:
            rewriter.identify(op.results[0], operand)
    return shares is not False


def rewrite_list_view(rewriter: Rewriter, op: ir.Operation, name: str) -> None:
    """Let the list that an op of `LIST_VIEWS` returns hold views of its operand."""
    source = rewriter.alias(op.operands[0])
    if source.shape is None:
        rewrite_opaque(rewriter, op, name)
        return
    call = ViewOp(source.shape, source.layout, rewriter.constants(op), None)
    try:
        items = [view(source, steps, op.location) for steps in LIST_VIEWS[name](call)]
    except Refused:
        rewrite_opaque(rewriter, op, name)
        return
    rewriter.refresh(op)
    rewriter.emit.views.append(op)
    rewriter.lists[op.results[0]] = TensorList(op.results[0], items, source.storage.generation)


def rewrite_opaque(rewriter: Rewriter, op: ir.Operation, name: str, reason: str = _OPAQUE) -> None:
    """Keep the op, and note that its results may share storage with its operands."""
    sources = [alias for operand in op.operands for alias in rewriter.tensors(operand)]
    rewriter.refresh(op)
    for result in op.results:
        if is_tensor(result.type):
            info = torch_tensor_info(result.type)
            made = new_base(result, None if info is None else info.shape, None)
            rewriter.bind(result, made)
        else:
            # The items of the list get their own links where it is unpacked.
            generation = sum(source.storage.generation for source in sources)
            rewriter.lists[result] = TensorList(result, sources, generation, is_opaque=True)
            continue
        for source in sources:
            rewriter.link(made, source, op, reason)


def _bind_view(
    rewriter: Rewriter, op: ir.Operation, source: Alias, steps: Steps, keeps_op: bool = True
) -> None:
    """Bind the result of `op`; `op` itself stays if it is what first reads the view."""
    result = op.results[0]
    info = torch_tensor_info(result.type)
    found = view(source, steps, op.location)
    if info is None or found.shape != info.shape:
        raise Refused(f"it declares `{result.type}` for a view of shape `{found.shape}`")
    rewriter.bind(result, found)
    storage = found.storage
    if not keeps_op or (found.value is not None and found.generation == storage.generation):
        rewriter.drop(op)
        return
    rewriter.refresh(op)
    if found.generation != storage.generation or found.value is None:
        found.value, found.generation = result, storage.generation
    rewriter.emit.views.append(op)


def _strided(source: Alias, call: ViewOp) -> Steps:
    """Return the steps from the base to as_strided, whose offset is that in the storage."""
    flat = flat_steps(source.storage)
    base = source.storage.base
    if flat is None or source.layout is None or source.storage.layout != base.places:
        raise Refused("it reads a storage whose layout the IR does not say")
    assert isinstance(flat[-1], Reshape)
    length = flat[-1].sizes[0]
    sizes, strides = (tuple(int(item) for item in call.argument(i)) for i in (0, 1))
    start = call.argument(2)
    layout = Layout(source.layout.offset if start is None else int(start), sizes, strides)
    reach = layout.offset + sum(
        (size - 1) * stride for size, stride in zip(sizes, strides, strict=True)
    )
    if 0 not in sizes and reach >= length:
        raise Refused("it reaches past the storage")
    return [*flat, *strided_steps(length, layout)]
