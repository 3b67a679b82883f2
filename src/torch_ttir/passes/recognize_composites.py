"""The pass `recognize-composites`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from torch_mlir import ir
from torch_mlir.dialects import func
from torch_mlir.dialects.ext import Pure

from torch_ttir.dialects.ttir import OPS
from torch_ttir.passes.base import Pass
from torch_ttir.passes.legalize.builder import Builder, Tensor

Recognizer = Callable[[Builder, ir.Operation, bool], Tensor | None]
"""Makes the composite whose last op is given, in its place; None where it is none."""


@dataclass(frozen=True)
class RecognizeComposites(Pass):
    """Write normalizations, attention, gelu, silu and softmax as one op where they are spelled out.

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
                # What one composite becomes may be part of a larger one.
                while self._replace(function.entry_block, RECOGNIZERS):
                    pass

    def _replace(self, block: ir.Block, recognizers: Mapping[str, tuple[Recognizer, ...]]) -> bool:
        """Look at each op once, first to last; say whether any was replaced."""
        changed = False
        for op in [view.operation for view in block]:
            for recognize in recognizers.get(op.name, ()):
                made = recognize(Builder(ir.InsertionPoint(op), op.location), op, self.relaxed)
                if made is not None:
                    op.results[0].replace_all_uses_with(made.value)
                    _erase_dead(op)
                    changed = True
                    break
        return changed


def _erase_dead(op: ir.Operation) -> None:
    """Erase a pure op without uses, and all that was computed for it alone."""
    dead: list[ir.Operation] = []
    waiting = [op]
    while waiting:
        maker = waiting.pop()
        if maker not in dead and _is_pure(maker) and all(user in dead for user in _users(maker)):
            dead.append(maker)
            waiting += [
                value.owner for value in maker.operands if not isinstance(value, ir.BlockArgument)
            ]
    # A user was found dead before what it uses.
    for maker in dead:
        maker.erase()


def _is_pure(op: ir.Operation) -> bool:
    declared = OPS.get(op.name)
    return declared is not None and Pure in declared._traits


def _users(op: ir.Operation) -> list[ir.Operation]:
    return [use.owner.operation for result in op.results for use in result.uses]
