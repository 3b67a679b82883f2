"""What tracing writes for ops that have another name, or that do nothing to numbers."""

from __future__ import annotations

import torch
from torch._ops import OpOverload

aten = torch.ops.aten

IDENTITIES: frozenset[OpOverload] = frozenset({aten.lift_fresh.default, aten.detach_.default})
"""Ops that return their operand, as the very same tensor."""

SYNONYMS: dict[OpOverload, OpOverload] = {
    aten.lift_fresh_copy.default: aten.clone.default,
    aten._local_scalar_dense.default: aten.item.default,
}
"""Ops of one operand that are imported as another op."""
