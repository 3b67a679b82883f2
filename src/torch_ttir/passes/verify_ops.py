"""The pass `verify-ops`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.ir.diagnostics import CompileError, Diagnostic, diagnostic_at
from torch_ttir.passes.base import Pass


@dataclass(frozen=True)
class VerifyOps(Pass):
    """Verify every op, and hold its result types against PyTorch's meta kernels; report all faults.

    The Torch dialect's verifier looks at neither shapes nor dtypes, so a wrong type shows only much
    later. `meta` says when PyTorch is asked: `installed` (whenever it can be imported), `loaded`
    (only where something else has imported it already) or `never`. Ops whose result types depend
    on data, and types that are not known, are passed over.

    %0 = torch.aten.mm %a, %b : <[2,3],f32>, <[4,5],f32> -> <[7,7],si64>
      => error: 'torch.aten.mm': mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)
    """

    name: ClassVar[str] = "verify-ops"
    meta: Literal["installed", "loaded", "never"] = "installed"

    def run(self, module: ir.Operation) -> None:
        """Raise one `CompileError` with every fault; the module is not changed."""
        faults = list(_own_faults(module))
        if not faults and self._asks_pytorch():
            from torch_ttir.interpreters.meta import type_faults

            faults = [
                fault
                for function in module.regions[0].blocks[0]
                if isinstance(function, func.FuncOp) and not function.is_external
                for fault in type_faults(function)
            ]
        if faults:
            raise CompileError(faults)

    def _asks_pytorch(self) -> bool:
        if self.meta == "installed":
            return importlib.util.find_spec("torch") is not None
        return self.meta == "loaded" and "torch" in sys.modules


def _own_faults(module: ir.Operation) -> Iterator[Diagnostic]:
    """Yield what MLIR's verifier says of each op; it stops at the first by itself."""
    try:
        module.verify()
    except ir.MLIRError:
        yield from _each_fault(module)


def _each_fault(op: ir.Operation) -> Iterator[Diagnostic]:
    found = False
    for region in op.regions:
        for block in region:
            for view in block:
                for fault in _each_fault(view.operation):
                    found = True
                    yield fault
    if found:
        return
    try:
        op.verify()
    except ir.MLIRError as reason:
        for diagnostic in reason.error_diagnostics:
            message = diagnostic.message.removeprefix(f"'{op.name}' op ")
            yield diagnostic_at(op, message, [note.message for note in diagnostic.notes])
