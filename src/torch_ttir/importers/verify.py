"""The check of a module that has just been imported."""

from __future__ import annotations

from torch_mlir import ir

from torch_ttir.ir.diagnostics import CompileError, diagnostic_at


def verify_or_hold(module: ir.Module, block: ir.Block) -> None:
    """Verify the module; hold ops that torch-mlir declares otherwise than PyTorch does.

    torch-mlir's ops are generated from some version of PyTorch's schemas. Where another version
    has other arguments, `torch.operator` holds the op, as it does an op that torch-mlir has not.
    Raises `CompileError` for what is not valid even so.
    """
    if _verifies(module.operation):
        return
    for view in list(block):
        op = view.operation
        if op.name.startswith("torch.") and op.name != "torch.operator" and not _verifies(op):
            _hold(op)
    message = "the importer made an invalid op, which is a fault of torch-ttir"
    invalid = [view.operation for view in block if not _verifies(view.operation)]
    if invalid:
        raise CompileError([diagnostic_at(op, message) for op in invalid])
    module.operation.verify()


def _verifies(op: ir.Operation) -> bool:
    try:
        return bool(op.verify())
    except ir.MLIRError:
        return False


def _hold(op: ir.Operation) -> None:
    attributes = {name: op.attributes[name] for name in op.attributes}
    held = ir.Operation.create(
        "torch.operator",
        [result.type for result in op.results],
        list(op.operands),
        attributes=attributes | {"name": ir.StringAttr.get(op.name)},
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )
    for old, new in zip(op.results, held.results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
