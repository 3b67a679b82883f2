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

ZERO_DATA = (torch.zeros(2), -128, 127, 1e-8, torch.int8)


def _dynamic(x: torch.Tensor) -> torch.Tensor:
    scale, zero_point = quantized.choose_qparams.tensor(x, -128, 127, 1e-8, torch.int8)
    integers = quantized.quantize_per_tensor.tensor(x, scale, zero_point, *I8)
    return quantized.dequantize_per_tensor.tensor(integers, scale, zero_point, *I8)


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
    "dequantize-channel-symmetric": lambda x, q, s, z: quantized.dequantize_per_channel(
        q, s, None, 0, *I8
    ),
    "dequantize-channel-wraps": lambda x, q, s, z: quantized.dequantize_per_channel(
        q.view(torch.uint8), s.double(), z.to(torch.uint8), 0, 0, 255, torch.uint8
    ),
    "quantize-tensor-bounds": lambda x, q, s, z: quantized.quantize_per_tensor.tensor2(
        x, s[0], z[0], z[2] - 4, z[1] * 5, torch.int8
    ),
    "dequantize-tensor-bounds": lambda x, q, s, z: quantized.dequantize_per_tensor.tensor2(
        q, s[1], z[1], z[0], z[1], torch.int8
    ),
    "choose": lambda x, q, s, z: quantized.choose_qparams.tensor(x, -128, 127, 1e-8, torch.int8),
    "choose-positive": lambda x, q, s, z: quantized.choose_qparams.tensor(
        x.abs() + 1, 0, 255, 1e-8, torch.uint8
    ),
    "choose-f16": lambda x, q, s, z: quantized.choose_qparams.tensor(
        x.half(), -128, 127, 1e-8, torch.int8
    ),
    "choose-of-zeros": lambda x, q, s, z: quantized.choose_qparams.tensor(*ZERO_DATA),
    "choose-symmetric": lambda x, q, s, z: quantized.choose_qparams_symmetric.tensor(
        -x.abs(), -128, 127, 1e-8, torch.int8
    ),
    "choose-symmetric-u8": lambda x, q, s, z: quantized.choose_qparams_symmetric.tensor(
        x, 0, 255, 1e-8, torch.uint8
    ),
    "choose-token": lambda x, q, s, z: quantized.choose_qparams_per_token_asymmetric(x, I8[-1]),
    "quantize-token": lambda x, q, s, z: quantized.quantize_per_token(
        x, s[:, None], z[:, None], *I8
    ),
    "dequantize-token": lambda x, q, s, z: quantized.dequantize_per_token(
        q, s[:, None].double(), z[:, None], *I8, torch.float32
    ),
    "quantize-group": lambda x, q, s, z: quantized.quantize_per_channel_group(
        x, s[:, None].expand(3, 2), z[:, None].expand(3, 2), *I8, 2
    ),
    "quantize-group-of-all": lambda x, q, s, z: quantized.quantize_per_channel_group(
        x.bfloat16(), s[:, None], z[:, None], *I8, 128
    ),
    "dequantize-group": lambda x, q, s, z: quantized.dequantize_per_channel_group(
        q, s[:, None].expand(3, 2), None, *I8, 2, torch.float32
    ),
    "dynamic": lambda x, q, s, z: _dynamic(x),
    "fake-channel-decomposed": lambda x, q, s, z: quantized.fake_quant_per_channel(
        x, s, z, 0, -20, 30
    ),
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


def test_parameters_by_token_have_the_declared_dtypes() -> None:
    # PyTorch's kernel returns float32 for both; what follows was traced with the declared dtypes.
    found = run_through_ttir(lambda x: quantized.choose_qparams_per_token(x, torch.int8), X)
    wanted = quantized.choose_qparams_per_token(X, torch.int8)
    assert [y.dtype for y in found] == [torch.float64, torch.int64]
    torch.testing.assert_close([y.float() for y in found], list(wanted), rtol=0, atol=0)
