"""Whole models of transformers, tiny and with random weights: names, locations, and numbers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.importers.exporting import export_module
from torch_ttir.importers.fx import import_graph_module
from torch_ttir.program import Program

IDS = torch.tensor([[3, 14, 15, 9, 2, 6, 5, 35]])
IMAGE = torch.linspace(-1, 1, 3 * 32 * 32).reshape(1, 3, 32, 32)
SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}


def mobilenet() -> torch.nn.Module:
    config = transformers.MobileNetV2Config(depth_multiplier=0.25, image_size=32)
    return transformers.MobileNetV2Model(config)


def resnet() -> torch.nn.Module:
    config = transformers.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1])
    return transformers.ResNetModel(config)


def swin() -> torch.nn.Module:
    config = transformers.Swinv2Config(
        image_size=32, patch_size=4, embed_dim=8, depths=[1, 1], num_heads=[2, 2], window_size=4
    )
    return transformers.Swinv2Model(config)


def bert() -> torch.nn.Module:
    return transformers.BertModel(transformers.BertConfig(vocab_size=50, **SMALL))


def vit() -> torch.nn.Module:
    return transformers.ViTModel(transformers.ViTConfig(image_size=32, patch_size=8, **SMALL))


def gpt2() -> torch.nn.Module:
    config = transformers.GPT2Config(
        vocab_size=50,
        n_positions=16,
        n_embd=16,
        n_layer=2,
        n_head=2,
        bos_token_id=0,
        eos_token_id=1,
    )
    return transformers.GPT2LMHeadModel(config)


def llama() -> torch.nn.Module:
    config = transformers.LlamaConfig(vocab_size=50, num_key_value_heads=1, **SMALL)
    return transformers.LlamaForCausalLM(config)


def t5() -> torch.nn.Module:
    config = transformers.T5Config(
        vocab_size=50, d_model=16, d_kv=8, num_layers=2, num_heads=2, d_ff=32
    )
    return transformers.T5EncoderModel(config)


MODELS: list[tuple[Callable[[], torch.nn.Module], torch.Tensor, dict[str, Any], set[str]]] = [
    (mobilenet, IMAGE, {}, set()),
    (resnet, IMAGE, {}, {"torch.aten.add_.Tensor"}),
    (swin, IMAGE, {}, {"torch.aten.relu_"}),
    (bert, IDS, {}, set()),
    (vit, IMAGE, {}, set()),
    (gpt2, IDS, {"use_cache": False}, set()),
    (llama, IDS, {"use_cache": False}, set()),
    (t5, IDS, {}, {"torch.aten.add_.Tensor"}),
]


@pytest.mark.parametrize(
    ("build", "example", "options", "held"), MODELS, ids=[model[0].__name__ for model in MODELS]
)
def test_model(
    build: Callable[[], torch.nn.Module],
    example: torch.Tensor,
    options: dict[str, Any],
    held: set[str],
) -> None:
    torch.manual_seed(0)
    model = build().eval()
    context = make_context()
    program = import_exported_program(export_module(model, (example,), options), context)
    text = program.module.operation.get_asm(enable_debug_info=True)
    ir.Module.parse(text, context)
    assert "loc(unknown)" not in text
    assert "dense_resource" not in text
    for name in held:
        assert f'torch.operator "{name}"' in text
    owned = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    for argument in program.signature.arguments:
        if argument.leaf is None and not argument.name.startswith("lifted_tensor"):
            assert context.parameters[argument.name] is owned[argument.name]
            assert argument.kind == (
                "parameter" if isinstance(owned[argument.name], torch.nn.Parameter) else "constant"
            )
    with torch.no_grad():
        found = Program(program.module, program.signature, context.parameters)(example, **options)
        torch.testing.assert_close(dict(found), dict(model(example, **options)))


def test_the_cost_of_import_is_linear_and_free_of_weight_bytes() -> None:
    def seconds(layers: int, width: int) -> float:
        module = torch.nn.Module()
        module.weight = torch.nn.Parameter(torch.empty(width, width, device="meta"))
        graph = torch.fx.Graph()
        node = graph.placeholder("x")
        node.meta["val"] = torch.empty(1, width, device="meta")
        weight = graph.get_attr("weight")
        for _ in range(layers):
            previous = node
            node = graph.call_function(torch.ops.aten.linear.default, (previous, weight))
            node.meta["val"] = previous.meta["val"]
        graph.output(node)
        traced = torch.fx.GraphModule(module, graph)
        best = float("inf")
        for _ in range(3):
            context = make_context()
            start = time.process_time()
            import_graph_module(traced, context)
            best = min(best, time.process_time() - start)
        return best

    small = seconds(500, 8)
    assert seconds(2000, 8) < 4 * small * 2
    assert seconds(500, 65536) < small * 2
