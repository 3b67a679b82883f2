"""Example inputs that are one tensor each, so that a trace tells them apart."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree


def distinct_inputs(module: torch.nn.Module, inputs: Any) -> Any:
    """Return `inputs`, with another tensor on the same memory for each that is there already.

    `torch.export` knows a tensor by its identity. Of one that is passed for two inputs, or is a
    weight too, it would make one value, and the program would be wrong for any other inputs.
    """
    seen = {id(tensor) for tensor in (*module.parameters(), *module.buffers())}

    def distinct(leaf: Any) -> Any:
        if type(leaf) not in (torch.Tensor, torch.nn.Parameter):
            return leaf
        if id(leaf) in seen:
            return leaf.detach().requires_grad_(leaf.requires_grad)
        seen.add(id(leaf))
        return leaf

    return pytree.tree_map(distinct, inputs)
