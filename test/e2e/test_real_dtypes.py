"""Results of tensors of two dtypes, of which PyTorch's fake tensors promise another dtype."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.nn import functional

from torch_ttir import compile

aten = torch.ops.aten
F32, F64, BF16, I64 = torch.float32, torch.float64, torch.bfloat16, torch.int64
FUNCTIONS: dict[str, Callable[..., torch.Tensor]] = {
    "threshold_backward": lambda x, y: aten.threshold_backward(x, y, 0.5) + 1,
    "huber_loss": functional.huber_loss,
    "huber_loss-each": lambda x, y: functional.huber_loss(x, y, reduction="none") * 2,
    "mish_backward": lambda x, y: aten.mish_backward(x, y),
    "soft_margin_loss": functional.soft_margin_loss,
}
CASES = [
    ("threshold_backward", I64, F32),
    ("threshold_backward", F32, I64),
    ("threshold_backward", BF16, F64),
    ("huber_loss", F32, F64),
    ("huber_loss-each", BF16, F32),
    ("mish_backward", F64, F32),
    ("mish_backward", F32, BF16),
    ("soft_margin_loss", F32, F64),
]


@pytest.mark.parametrize(("name", "x", "y"), CASES)
def test_dtype_is_that_of_pytorchs_kernel(name: str, x: torch.dtype, y: torch.dtype) -> None:
    inputs = (torch.tensor([0.25, 3, -1, 0]).to(x), torch.tensor([2, 0.25, 1, -1]).to(y))
    found = compile(FUNCTIONS[name], inputs)(*inputs)
    torch.testing.assert_close(found, FUNCTIONS[name](*inputs))
