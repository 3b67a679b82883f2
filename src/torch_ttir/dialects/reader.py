"""Reading MLIR text and bytecode: ours, torch-mlir's, and what tt-mlir prints.

`parse_module(data, context, name)` is what to call. It respells tt-mlir's forms
(`torch_ttir.dialects.respell`), refuses what would end the process in MLIR's parser
(`torch_ttir.dialects.text_guards`), parses and verifies, and then checks what MLIR does not since
`ttcore` is unregistered: unknown ops (`torch_ttir.dialects.known_ops`), calls of const-eval
functions and marks of arguments (`torch_ttir.dialects.ttcore`). Every fault is a `CompileError`
with `file:line:col`.

MLIR's reader of bytecode trusts what it reads: a file with wrong bytes in it can end the process,
which is why the tools read in a child process.
"""

from __future__ import annotations

import mmap
import re

from torch_mlir import ir

from torch_ttir.dialects import ttcore
from torch_ttir.dialects.brackets import STRING_OR_COMMENT
from torch_ttir.dialects.known_ops import check_known, clearer
from torch_ttir.dialects.respell import respell
from torch_ttir.dialects.text_guards import check_text
from torch_ttir.ir.constants import is_resource
from torch_ttir.ir.context import Context, current
from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at, error, from_mlir
from torch_ttir.ir.resources import (
    BUFFER,
    BYTECODE_MAGIC,
    ResourceError,
    parse_bytecode,
    read_resources,
    resource_key,
)

_ONE_OP = "source must contain a single top-level operation"
_BARE_OP = re.compile(rf"(?:^|=)[ \t]*(ttir\.\w+)\b(?!\s*=)|{STRING_OR_COMMENT}", re.MULTILINE)
_HOLDS_ELEMENTS = {
    "ttir.constant": "value",
    "torch.vtensor.literal": "value",
    "torch.operator": "torch.onnx.value",
}
_ALIAS_LINE = re.compile(r"^[#!][\w.$-]+\s*=[^\n]*", re.MULTILINE)


def parse_module(
    data: str | bytes | mmap.mmap, context: Context, name: str, allow_unregistered: bool = False
) -> ir.Module:
    """Return the module that `data` holds, verified; its blobs are put in `context.resources`.

    `data` is MLIR text, as a string or as UTF-8, or bytecode; `name` stands for the file in
    locations. With `allow_unregistered`, ops of unknown dialects are taken as they are. Raises
    `CompileError` with all faults.
    """
    rejected: list[Diagnostic] = []
    found: list[Diagnostic] = []
    context.op_faults = rejected
    try:
        if isinstance(data, str) or bytes(data[:4]) != BYTECODE_MAGIC:
            module = _parse_text(data, context, name)
        else:
            _take_resources(data, context, name)
            with context:
                module = parse_bytecode(data, context)
    except ir.MLIRError as fault:
        found = from_mlir(fault).diagnostics if fault.error_diagnostics else _silent(data, name)
    except ResourceError as fault:
        raise error(f"damaged or truncated: {fault}", name) from None
    finally:
        context.op_faults = None
    if rejected or found:
        raise CompileError([_located(clearer(item), name) for item in [*rejected, *found]])
    checks = [ttcore.check_module, _check_resources]
    faults: list[Diagnostic] = []
    for check in checks if allow_unregistered else [check_known, *checks]:
        try:
            with context:
                check(module.operation)
        except CompileError as fault:
            faults += fault.diagnostics
    if faults:
        raise CompileError(faults)
    return module


def _parse_text(data: str | bytes | mmap.mmap, context: Context, name: str) -> ir.Module:
    text = data if isinstance(data, str) else _decode(data, name)
    check_text(text, name)
    resources = "{-#" in text
    if resources:
        _take_resources(data.encode() if isinstance(data, str) else data, context, name)
    text = respell(text)
    with context:
        if resources:
            # To be parsed once only: at a second time MLIR renames the resources of the first.
            op = ir.Operation.parse(_wrapped(text), source_name=name)
            inner = list(op.operation.regions[0].blocks[0])
            alone = len(inner) == 1 and inner[0].operation.name == "builtin.module"
            return _as_module((inner[0] if alone else op).operation)
        try:
            op = ir.Operation.parse(text, source_name=name)
        except ir.MLIRError as fault:
            # MLIR's parser of modules takes any number of ops, but no name for its locations.
            if not any(item.message.startswith(_ONE_OP) for item in fault.error_diagnostics):
                raise
            op = ir.Operation.parse(_wrapped(text), source_name=name)
        return _as_module(op.operation)


def _take_resources(data: bytes | mmap.mmap, context: Context, name: str) -> None:
    """Put the blobs of a file beside the context; a key stands for one blob in a context."""
    found = read_resources(data)
    twice = [f"`{key}`" for key in found if key in context.resources]
    if twice:
        message = f"has resources of another file's names: {', '.join(twice)}"
        raise error(message, name, notes=["read it in a context of its own"])
    context.resources.update(found)


def _decode(data: bytes | mmap.mmap, name: str) -> str:
    try:
        return str(memoryview(data), "utf-8")
    except UnicodeDecodeError as fault:
        raise error(f"not MLIR text: byte {fault.start} is not UTF-8", name) from None


def _wrapped(text: str) -> str:
    """Put a module around many ops, and aliases before it, on the lines where they are."""
    start = text.rfind("{-#")
    program, resources = (text, "") if start < 0 else (text[:start], text[start:])
    aliases = " ".join(match[0] for match in _ALIAS_LINE.finditer(program))
    return f"{aliases} module {{ {_ALIAS_LINE.sub('', program)}\n}} {resources}"


def _as_module(op: ir.Operation) -> ir.Module:
    """Return a module of the op that was parsed, itself a module or not."""
    module = ir.Module.create(op.location)
    if op.name != "builtin.module":
        module.body.append(op)
        return module
    for attribute in op.attributes:
        module.operation.attributes[attribute] = op.attributes[attribute]
    for child in list(op.regions[0].blocks[0]):
        module.body.append(child)
    return module


def _located(fault: Diagnostic, name: str) -> Diagnostic:
    """Name the file where MLIR has no name for it, as in bytecode."""
    location = fault.location
    if not location or location == "-" or location.startswith("-:"):
        location = name + location[1:]
    if BUFFER in location:
        location = name
    notes = fault.notes
    if fault.message == "expected dynamic attribute":
        hint = (
            "`#ttir<...>` cannot be read; tt-mlir's later passes write it, so take IR from before"
        )
        notes = (*notes, hint)
    return Diagnostic(fault.message, location, fault.op, notes)


def _silent(data: str | bytes | mmap.mmap, name: str) -> list[Diagnostic]:
    """Return the fault that MLIR fails at without a word: a TTIR op that is not in generic form."""
    text = data if isinstance(data, str) else _decode(data, name)
    for match in _BARE_OP.finditer(text):
        if match[1]:
            line = text.count("\n", 0, match.start(1)) + 1
            column = match.start(1) - text.rfind("\n", 0, match.start(1))
            message = "only its generic form can be read"
            notes = (f'write `"{match[1]}"(...) {{...}} : (...) -> ...`',)
            return [Diagnostic(message, f"{name}:{line}:{column}", match[1], notes)]
    return [Diagnostic("not MLIR that can be read", name)]


def _check_resources(module: ir.Operation) -> None:
    """Refuse a constant whose bytes were left out of the file: MLIR takes it, without a value."""
    missing: list[Diagnostic] = []
    resources = current().resources

    def visit(op: ir.Operation) -> ir.WalkResult:
        attribute = _HOLDS_ELEMENTS.get(op.name)
        if attribute is not None and attribute in op.attributes:
            value = op.attributes[attribute]
            if is_resource(value) and resource_key(value) not in resources:
                missing.append(diagnostic_at(op, f"the bytes of `{value}` are not in the file"))
        return ir.WalkResult.ADVANCE

    module.walk(visit)
    if missing:
        raise CompileError(missing)
