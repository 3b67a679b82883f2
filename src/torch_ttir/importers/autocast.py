"""The casts of `torch.autocast`, which a graph traced before dispatch does not show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch._ops import OpOverload
from torch._subclasses import FakeTensorMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from torch_ttir.importers.aliases import fake_like
from torch_ttir.importers.schemas import call


class _CastLog(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Remembers the dtype to which each of `operands` is cast first."""

    def __init__(self, operands: list[torch.Tensor]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.dtypes: dict[int, torch.dtype] = {}
        self._operands = operands

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        keywords = kwargs or {}
        if func is torch.ops.aten._to_copy.default:
            for position, operand in enumerate(self._operands):
                if args[0] is operand and keywords.get("dtype") is not None:
                    self.dtypes.setdefault(position, keywords["dtype"])
        return func(*args, **keywords)


def operand_casts(
    op: OpOverload, values: Sequence[Any], device: str, dtype: torch.dtype
) -> dict[int, torch.dtype] | None:
    """Return to which dtype `torch.autocast(device, dtype)` casts operands of a call.

    `values` are those of all schema arguments, tensors as they were traced; the keys are positions
    among their leaves. None where the casts are inside the op and not on its operands.
    """
    leaves, spec = pytree.tree_flatten(list(values))
    with FakeTensorMode(), torch.no_grad():
        fakes = [fake_like(leaf) if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        positions = [i for i, fake in enumerate(fakes) if isinstance(fake, torch.Tensor)]
        log = _CastLog([fakes[position] for position in positions])
        with torch.autocast(device, dtype, cache_enabled=False), log:
            wanted = call(op, op, pytree.tree_unflatten(fakes, spec))
        casts = {positions[index]: cast for index, cast in log.dtypes.items()}
        for position, cast in casts.items():
            fakes[position] = fakes[position].to(cast)
        found = call(op, op, pytree.tree_unflatten(fakes, spec))
    same = all(
        x.dtype == y.dtype
        for x, y in zip(pytree.tree_leaves(wanted), pytree.tree_leaves(found), strict=True)
        if isinstance(x, torch.Tensor)
    )
    return casts if same else None
