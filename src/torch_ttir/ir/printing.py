"""How IR is printed: the flags of `mlir-opt`, and never a blob that the text leaves out."""

from __future__ import annotations

from dataclasses import dataclass

from torch_mlir import ir

from torch_ttir.ir import resources


@dataclass(frozen=True)
class PrintFormat:
    """The printing flags; a limit is the largest count that is still written in full."""

    debuginfo: bool = False
    generic: bool = False
    elements_limit: int | None = None
    elide_resources: bool = False

    def print(self, op: ir.Operation) -> str:
        """Return `op` as text, in the generic form where it does not verify.

        With `elide_resources`, `dense_resource<name.elided>` stands for each blob, and the text
        cannot be read back.
        """
        if self.elide_resources:
            resources.detach(op)
        try:
            return str(
                op.get_asm(
                    enable_debug_info=self.debuginfo,
                    print_generic_op_form=self.generic,
                    large_elements_limit=self.elements_limit,
                )
            )
        finally:
            if self.elide_resources:
                resources.attach(op)
