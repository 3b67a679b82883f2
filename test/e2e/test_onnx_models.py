"""Models exported from PyTorch to ONNX, against eager PyTorch and onnxruntime."""

from __future__ import annotations

import contextlib
import importlib.util
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

pytest.importorskip("onnx", reason="ONNX models need onnx")
runtime = pytest.importorskip("onnxruntime", reason="the reference that is compared with")
pytest.importorskip("onnxscript", reason="PyTorch's exporter needs it")
transformers = pytest.importorskip("transformers", reason="where the models come from")

import torch_ttir  # noqa: E402

EXAMPLES = Path(__file__).parents[2] / "examples"
Made = tuple[nn.Module, tuple[torch.Tensor, ...]]


class Output(nn.Module):
    """A transformers model that returns one tensor."""

    def __init__(self, model: nn.Module, **options: Any) -> None:
        super().__init__()
        self.model, self.options = model, options

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x, **self.options, return_dict=False)[0]  # type: ignore[no-any-return]


def mobilenet_v2() -> Made:
    spec = importlib.util.spec_from_file_location("mobilenet_v2", EXAMPLES / "mobilenet_v2.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model, _ = module.make()
    return model, (torch.randn(1, 3, 64, 64),)


def resnet() -> Made:
    config = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 2], layer_type="basic", num_labels=4
    )
    return Output(transformers.ResNetForImageClassification(config)), (torch.randn(1, 3, 32, 32),)


def swinv2() -> Made:
    config = transformers.Swinv2Config(
        image_size=32,
        patch_size=4,
        embed_dim=16,
        depths=[1, 2],
        num_heads=[2, 4],
        window_size=4,
        num_labels=4,
        attn_implementation="eager",
    )
    return Output(transformers.Swinv2ForImageClassification(config)), (torch.randn(1, 3, 32, 32),)


SMALL = {
    "vocab_size": 99,
    "attn_implementation": "eager",
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}


def bert() -> Made:
    config = transformers.BertConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=37,
        **SMALL,
    )
    return Output(transformers.BertModel(config)), (torch.randint(0, 99, (2, 7)),)


def gpt2() -> Made:
    config = transformers.GPT2Config(n_embd=32, n_layer=2, n_head=4, n_positions=64, **SMALL)
    model = Output(transformers.GPT2LMHeadModel(config), use_cache=False)
    return model, (torch.randint(0, 99, (2, 7)),)


@pytest.mark.parametrize("make", [mobilenet_v2, resnet, swinv2, bert, gpt2])
def test_exported_model(make: Callable[[], Made], tmp_path: Path) -> None:
    torch.manual_seed(0)
    model, inputs = make()
    model.eval()
    path = tmp_path / "model.onnx"
    # The exporter prints its progress.
    with contextlib.redirect_stdout(io.StringIO()):
        torch.onnx.export(model, inputs, str(path), dynamo=True, external_data=True)
    program = torch_ttir.compile(path)
    assert "onnx." not in str(program.module).replace("model.onnx", "")
    found = program(*inputs)
    with torch.no_grad():
        expected = model(*inputs)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    session = runtime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    feeds = {i.name: x.numpy() for i, x in zip(session.get_inputs(), inputs, strict=True)}
    (reference,) = session.run(None, feeds)
    np.testing.assert_allclose(found.numpy(), reference, rtol=1e-4, atol=1e-5)
