"""The pass `recognize-composites`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from torch_mlir import ir
from torch_mlir.dialects import func
from torch_mlir.dialects.ext import Pure

from torch_ttir.dialects.ttir import OPS
from torch_ttir.passes.base import Pass
from torch_ttir.passes.legalize.builder import Builder

if TYPE_CHECKING:
    from torch_ttir.passes.recognize.table import Candidate


@dataclass(frozen=True)
class RecognizeComposites(Pass):
    """Write linear layers, normalizations, attention, activations and softmax as one op each.

    Run it after legalize-to-ttir: by then all ways to spell them are few. The numbers stay what
    they were up to f32's own rounding. With `relaxed`, what was rounded to f16 or bf16 in between
    no longer is, and an f32 computation between casts becomes the narrower type's op.

    %1 = "ttir.sigmoid"(%0)
    %2 = "ttir.multiply"(%0, %1)      =>      %2 = "ttir.silu"(%0)
    """

    name: ClassVar[str] = "recognize-composites"
    relaxed: bool = False

    def run(self, module: ir.Operation) -> None:
        """Look at every op of every function, first to last, as the end of a composite."""
        # Not at the top: a tool that runs other passes should not wait for it.
        from torch_ttir.passes.recognize.table import RECOGNIZERS

        for function in module.regions[0].blocks[0]:
            if isinstance(function, func.FuncOp) and not function.is_external:
                for op in [view.operation for view in function.entry_block]:
                    self._replace(op, RECOGNIZERS)

    def _replace(self, op: ir.Operation, table: Mapping[str, tuple[Candidate, ...]]) -> None:
        """Put a composite in the place of an op, and a larger one in the place of that."""
        candidates = table.get(op.name)
        if candidates is None:
            return
        makers = _makers(op)
        for recognize, wanted in candidates:
            if wanted.isdisjoint(makers):
                continue
            made = recognize(Builder(ir.InsertionPoint(op), op.location), op, self.relaxed)
            if made is not None:
                op.results[0].replace_all_uses_with(made.value)
                _erase_dead(op)
                if not isinstance(made.value, ir.BlockArgument):
                    self._replace(made.value.owner, table)
                return


def _makers(op: ir.Operation) -> list[str]:
    """Return the names of the ops that make an op's operands."""
    return [v.owner.name for v in op.operands if not isinstance(v, ir.BlockArgument)]


def _erase_dead(op: ir.Operation) -> None:
    """Erase a pure op without uses, and all pure ops that were computed for it alone."""
    waiting = [op]
    while waiting:
        maker = waiting.pop()
        if not _is_pure(maker) or _is_used(maker):
            continue
        operands = [value for value in maker.operands if not isinstance(value, ir.BlockArgument)]
        makers = [value.owner.operation for value in operands]
        maker.erase()
        for before in makers:
            # Once only: the second time it would be gone.
            if before not in waiting:
                waiting.append(before)


def _is_pure(op: ir.Operation) -> bool:
    declared = OPS.get(op.name)
    return declared is not None and Pure in declared._traits


def _is_used(op: ir.Operation) -> bool:
    return any(next(iter(result.uses), None) is not None for result in op.results)
