"""Why PyTorch could not trace a program, in the words of one who wrote it."""

from __future__ import annotations

from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedFakeTensorException,
)
from torch.fx.experimental.symbolic_shapes import (
    GuardOnDataDependentSymNode,
    PendingUnbackedSymbolNotFound,
)

from torch_ttir.importers.schemas import op_name
from torch_ttir.ir.diagnostics import CompileError, error

_ONE_COURSE = "a program has one course for all data: use `torch.where` for `if`, fixed sizes"


def untraceable(reason: BaseException, what: str, where: str) -> CompileError:
    """Return the error for what a tracer raised; `what` names the tracer and what it was given."""
    if isinstance(reason, GuardOnDataDependentSymNode):
        message = f"a branch or a size depends on the data (`{reason.cond}`)"
        return error(message, where, notes=[_ONE_COURSE])
    if isinstance(reason, DataDependentOutputException):
        message = "its result, a number that the program goes on with, depends on the data"
        return error(message, where, f"torch.{op_name(reason.func)}", notes=[_ONE_COURSE])
    if isinstance(reason, DynamicOutputShapeException):
        message = "sizes of its results depend on the data"
        return error(message, where, f"torch.{op_name(reason.func)}", notes=[_ONE_COURSE])
    if isinstance(reason, PendingUnbackedSymbolNotFound):
        message = "the place or a size of a view depends on the data"
        return error(message, where, notes=[_ONE_COURSE])
    if isinstance(reason, UnsupportedFakeTensorException) and "quantized" in str(reason):
        notes = ["keep its integers, and make the quantized tensor of them in `forward`"]
        return error("an input or a weight is a quantized tensor", where, notes=notes)
    return error(f"{what}: {one_line(reason)}", where)


def one_line(reason: BaseException) -> str:
    """Return an exception's type and the first line of its message that says something."""
    lines = [line.strip() for line in str(reason).splitlines() if line.strip()]
    return f"{type(reason).__name__}: {lines[0]}" if lines else type(reason).__name__
