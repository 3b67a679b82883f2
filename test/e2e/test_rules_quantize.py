"""Quantization with its arithmetic written out, against PyTorch's reference operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.ao.quantization.fx import _decomposed  # noqa: F401

from torch_ttir.testing import run_through_ttir

aten, quantized = torch.ops.aten, torch.ops.quantized_decomposed
X = torch.randn(3, 4, generator=torch.Generator().manual_seed(0)) * 4
SCALES, ZEROS = torch.tensor([0.1, 0.02, 0.5]), torch.tensor([0, 3, -5])
Q = torch.arange(-6, 6, dtype=torch.int8).reshape(3, 4)
I8 = (-128, 127, torch.int8)

CASES: dict[str, Callable[[], Any]] = {
    "quantize": lambda x, q, s, z: quantized.quantize_per_tensor(x, 0.05, 3, *I8),
    "quantize-u8": lambda x, q, s, z: quantized.quantize_per_tensor(
        x, 0.1, 128, 0, 255, torch.uint8
    ),
    "quantize-bf16": lambda x, q, s, z: quantized.quantize_per_tensor(x.bfloat16(), 0.1, 0, *I8),
    "quantize-tensors": lambda x, q, s, z: quantized.quantize_per_tensor.tensor(x, s[0], z[0], *I8),
    "quantize-channel": lambda x, q, s, z: quantized.quantize_per_channel(x, s, z, 0, *I8),
    "dequantize": lambda x, q, s, z: quantized.dequantize_per_tensor(q, 0.05, 3, *I8),
    "dequantize-tensors": lambda x, q, s, z: quantized.dequantize_per_tensor.tensor(
        q, s[1], z[1], *I8
    ),
    "dequantize-channel": lambda x, q, s, z: quantized.dequantize_per_channel(q, s, z, 0, *I8),
    "fake": lambda x, q, s, z: torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -20, 30),
    "fake-mask": lambda x, q, s, z: aten.fake_quantize_per_tensor_affine_cachemask(
        x, 0.1, 3, -20, 30
    ),
    "fake-tensors": lambda x, q, s, z: torch.fake_quantize_per_tensor_affine(
        x, s[0], z[0].int(), -20, 30
    ),
    "fake-switch": lambda x, q, s, z: (
        aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(
            x, s[0], z[0].int(), torch.ones(1), -20, 30
        )
    ),
    "fake-channel": lambda x, q, s, z: aten.fake_quantize_per_channel_affine_cachemask(
        x, s, z.int(), 0, -20, 30
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_quantization(name: str) -> None:
    inputs = (X, Q, SCALES, ZEROS)
    found, wanted = run_through_ttir(CASES[name], *inputs), CASES[name](*inputs)
    torch.testing.assert_close(found, wanted)
