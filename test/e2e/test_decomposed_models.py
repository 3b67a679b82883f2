"""Models that PyTorch has decomposed first: their layers are whole ops again, with eager's numbers.

The table of decompositions is the one that torch-mlir's own import uses.
"""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

import torch_ttir


def _norm(module: nn.Module) -> nn.Module:
    """Give a batch norm statistics and weights that show."""
    for tensor in (*module.parameters(), *module.buffers()):
        if tensor.is_floating_point():
            tensor.data.uniform_(0.5, 2)
    return module.eval()


CASES = {
    "batch_norm_1d": (nn.BatchNorm1d(4), (3, 4), "batch_norm_inference"),
    "batch_norm_1d_of_sequences": (nn.BatchNorm1d(4), (3, 4, 5), "batch_norm_inference"),
    "batch_norm_2d": (nn.BatchNorm2d(4), (3, 4, 5, 6), "batch_norm_inference"),
    "batch_norm_3d": (nn.BatchNorm3d(4), (3, 4, 5, 6, 2), "batch_norm_inference"),
    "batch_norm_without_weights": (
        nn.BatchNorm2d(4, eps=0.1, affine=False), (3, 4, 5, 6), "batch_norm_inference",
    ),
    "two_batch_norms": (
        nn.Sequential(nn.BatchNorm2d(4), nn.BatchNorm2d(4)), (3, 4, 5, 6), "batch_norm_inference",
    ),
    "batch_norm_f64": (
        nn.BatchNorm2d(4, eps=2**-10).double(), (3, 4, 5, 6), "batch_norm_inference",
    ),
    "linear": (nn.Linear(4, 7), (3, 4), "linear"),
    "linear_of_sequences": (nn.Linear(4, 7), (2, 3, 4), "linear"),
    "linear_without_bias": (nn.Linear(4, 7, bias=False), (3, 4), "matmul"),
    "layer_norm": (nn.LayerNorm(4), (3, 4), "layer_norm"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_decomposed_layer_is_whole_again(
    case: tuple[nn.Module, tuple[int, ...], str],
) -> None:
    model, shape, op = case
    torch.manual_seed(0)
    model = _norm(model)
    dtype = next((tensor.dtype for tensor in model.buffers()), torch.float32)
    x = torch.randn(shape, dtype=dtype)
    program = torch.export.export(model, (x,)).run_decompositions(get_decomposition_table())
    compiled = torch_ttir.compile(program)
    text = str(compiled.module)
    assert f"ttir.{op}" in text
    assert not any(f"ttir.{rest}" in text for rest in ("unsqueeze", "permute", "rsqrt", "sqrt"))
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), model(x))


@pytest.mark.parametrize("scale", [1, 1.0, True])
def test_a_product_with_one_is_the_operand(scale: float) -> None:
    x = torch.randn(3)
    program = torch_ttir.compile(lambda x: x * scale, (x,))
    assert "ttir.multiply" not in str(program.module)
    assert torch.equal(program(x), x)


def test_a_product_with_one_still_promotes() -> None:
    x = torch.arange(3)
    program = torch_ttir.compile(lambda x: (x * 1.0, x / 1, x * True), (x,))
    torch.testing.assert_close(program(x), (x * 1.0, x / 1, x * True), rtol=0, atol=0)


def _mask(kind: str) -> list[torch.Tensor]:
    """Return no mask, or one whose first row hides all keys, or one to add."""
    seen = torch.ones(2, 1, 5, 7, dtype=torch.bool).tril(-1)
    return {"none": [], "bool": [seen], "float": [torch.where(seen, 0.5, -torch.inf)]}[kind]


@pytest.mark.parametrize("mask", ["none", "bool", "float"])
@pytest.mark.parametrize("table", [None, get_decomposition_table()], ids=["pytorch", "torch-mlir"])
def test_decomposed_attention_is_whole_again(mask: str, table: Any) -> None:
    class Attention(nn.Module):
        def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
            return nn.functional.scaled_dot_product_attention(*inputs)

    torch.manual_seed(0)
    inputs = (torch.randn(2, 3, 5, 8), torch.randn(2, 3, 7, 8), torch.randn(2, 3, 7, 8))
    inputs = (*inputs, *_mask(mask))
    program = torch.export.export(Attention(), inputs).run_decompositions(table)
    compiled = torch_ttir.compile(program)
    text = str(compiled.module)
    assert text.count("ttir.scaled_dot_product_attention") == 1
    assert not any(f"ttir.{rest}" in text for rest in ("softmax", "matmul", "multiply"))
    torch.testing.assert_close(compiled(*inputs), Attention()(*inputs))
