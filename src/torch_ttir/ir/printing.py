"""How IR is printed: the flags of `mlir-opt`, and never a blob that the text leaves out."""

from __future__ import annotations

from dataclasses import dataclass

from torch_mlir import ir

from torch_ttir.ir import resources
from torch_ttir.ir.context import current

_ELIDED = "// The bytes of constants are left out: this cannot be run."


@dataclass(frozen=True)
class PrintFormat:
    """The printing flags; a limit is the largest size that is still written in full.

    `elements_limit` counts elements of a constant, `resources_limit` characters of a blob.
    """

    debuginfo: bool = False
    generic: bool = False
    elements_limit: int | None = None
    resources_limit: int | None = None

    def print(self, op: ir.Operation, *, verified: bool = False) -> str:
        """Return `op` as text, in the generic form where it does not verify.

        `verified` saves the check. Where blobs are left out, `dense_resource<name.elided>` stands
        for each, and the text cannot be read back.
        """
        with op.context:
            return self._print(op, verified)

    def _print(self, op: ir.Operation, verified: bool) -> str:
        largest = max((2 * len(blob) for blob in current().resources.values()), default=0)
        if self.resources_limit is None or largest <= self.resources_limit:
            return self._text(op, verified)
        resources.detach(op)
        try:
            return f"{_ELIDED}\n{self._text(op, verified)}"
        finally:
            resources.attach(op)

    def _text(self, op: ir.Operation, verified: bool) -> str:
        return str(
            op.get_asm(
                enable_debug_info=self.debuginfo,
                print_generic_op_form=self.generic,
                large_elements_limit=self.elements_limit,
                assume_verified=verified,
            )
        )
