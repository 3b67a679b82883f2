"""Finding misspelled names in a module that was parsed with unregistered dialects allowed.

`ttcore` is not registered, so MLIR takes any unknown dialect for granted: `trch.aten.relu` would
be an op that nothing knows, and `ttcore.argument_typ` a mark that nobody reads.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from torch_mlir import ir

from torch_ttir.dialects import ttcore
from torch_ttir.dialects.ttir import OPS
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at

_DIALECTS = ("builtin", "func", "torch", "torch_c", "ttir", "ttcore", "arith", "tensor", "linalg")
_MARKS = (ttcore.ARGUMENT_TYPE, ttcore.NAME, ttcore.UPDATES, ttcore.FUNCTION_TYPE)
_CLOSE = 0.85

_UNKNOWN_OP = re.compile(
    r"unregistered operation '([^']*)' found in dialect|custom op '([^']*)' is unknown"
    r"|Dialect `[^']*' not found for custom op '([^']*)'"
)


def check_known(module: ir.Operation) -> None:
    """Raise one `CompileError` with every op of an unknown dialect, and every misspelled mark."""
    unknown: dict[str, list[ir.Operation]] = {}
    faults: list[Diagnostic] = []
    registered: dict[str, bool] = {ttcore.LOAD_CACHED: True}
    context = module.context

    def visit(op: ir.Operation) -> ir.WalkResult:
        name = op.name
        known = registered.get(name)
        if known is None:
            known = registered[name] = context.is_registered_operation(name)
        if not known:
            unknown.setdefault(name, []).append(op)
        elif name == "func.func":
            faults.extend(_misspelled_marks(op))
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    for name, ops in unknown.items():
        uses = "1 use" if len(ops) == 1 else f"{len(ops)} uses"
        faults.append(diagnostic_at(ops[0], f"unknown op ({uses})", hint(name)))
    if faults:
        raise CompileError(faults)


def clearer(fault: Diagnostic) -> Diagnostic:
    """Return what MLIR says of an unknown op in this project's words, all else as it is."""
    match = _UNKNOWN_OP.search(fault.message)
    if match is None:
        return fault
    name = match[1] or match[2] or match[3]
    notes = hint(name)
    if name in OPS or name == ttcore.LOAD_CACHED:
        notes = [f'only its generic form can be read: `"{name}"(...) {{...}} : (...) -> ...`']
    return Diagnostic("unknown op", fault.location, name, tuple(notes))


def hint(name: str) -> list[str]:
    """Return a note with the known op that is spelled most like `name`; none if there is none."""
    dialect, _, rest = name.partition(".")
    dialects = [dialect, *difflib.get_close_matches(dialect, _DIALECTS, 2)]
    for candidate in dict.fromkeys(dialects):
        known = _ops_of(candidate)
        wanted = f"{candidate}.{rest}"
        close = [wanted] if wanted in known else difflib.get_close_matches(wanted, known, 1)
        if close:
            return [f"did you mean `{close[0]}`?"]
    if dialect not in _DIALECTS and dialects[1:]:
        return [f"there is no dialect `{dialect}`; did you mean `{dialects[1]}`?"]
    return [] if dialect in _DIALECTS else [f"there is no dialect `{dialect}`"]


def _ops_of(dialect: str) -> Iterable[str]:
    if dialect == "ttir":
        return list(OPS)
    if dialect == "ttcore":
        return [ttcore.LOAD_CACHED]
    if dialect == "torch":
        from torch_mlir.dialects import _torch_ops_gen as torch_ops

        classes = vars(torch_ops).values()
        return [op.OPERATION_NAME for op in classes if hasattr(op, "OPERATION_NAME")]
    return {"func": ["func.func", "func.return", "func.call"], "builtin": ["builtin.module"]}.get(
        dialect, []
    )


def _misspelled_marks(function: ir.Operation) -> Iterable[Diagnostic]:
    attributes = function.attributes
    names = set(attributes)
    for which in ("arg_attrs", "res_attrs"):
        if which in attributes:
            names |= {named.name for entry in attributes[which] for named in ir.DictAttr(entry)}
    for name in sorted(names):
        close = difflib.get_close_matches(name, _MARKS, 1, _CLOSE) if "." in name else []
        if close and close[0] != name:
            yield diagnostic_at(
                function, f"unknown attribute `{name}`", [f"did you mean `{close[0]}`?"]
            )
