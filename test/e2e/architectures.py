"""Architectures of transformers at small sizes: random weights, no download."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import transformers as t

Made = tuple[torch.nn.Module, tuple[Any, ...], dict[str, Any]]

_TEXT = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 99}
_FEED = {"intermediate_size": 64}
_IMAGE = {"image_size": 32, "patch_size": 8}


def _ids(length: int = 12) -> torch.Tensor:
    return torch.randint(3, 90, (2, length))


def _pixels(size: int = 32) -> torch.Tensor:
    return torch.randn(1, 3, size, size)


def _text(config: str, model: str, **options: Any) -> Callable[[], Made]:
    def make() -> Made:
        made = getattr(t, config)(**{**_TEXT, **options})
        cache = {"use_cache": False} if hasattr(made, "use_cache") else {}
        return getattr(t, model)(made), (_ids(),), cache

    return make


def _vision(config: str, model: str, size: int = 32, **options: Any) -> Callable[[], Made]:
    def make() -> Made:
        return getattr(t, model)(getattr(t, config)(**options)), (_pixels(size),), {}

    return make


_VIT = {**_FEED, **_IMAGE, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
_ROTARY = {**_FEED, "num_key_value_heads": 2}


def _clip() -> Made:
    text = {**_TEXT, **_FEED, "max_position_embeddings": 32}
    config = t.CLIPConfig(text_config=text, vision_config=_VIT, projection_dim=16)
    ids = _ids()
    return t.CLIPModel(config), (ids, _pixels()), {"attention_mask": torch.ones_like(ids)}


def _t5_encoder() -> Made:
    config = t.T5Config(d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, vocab_size=99)
    return t.T5EncoderModel(config), (_ids(),), {}


def _gpt2() -> Made:
    config = t.GPT2Config(n_embd=32, n_layer=2, n_head=4, vocab_size=99, n_positions=64)
    return t.GPT2Model(config), (_ids(),), {"use_cache": False}


def _gpt_neox() -> Made:
    config = t.GPTNeoXConfig(**_TEXT, **_FEED, max_position_embeddings=64)
    return t.GPTNeoXModel(config), (_ids(),), {"use_cache": False}


def _whisper() -> Made:
    config = t.WhisperConfig(
        vocab_size=99,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_source_positions=50,
        num_mel_bins=20,
        pad_token_id=0,
        decoder_start_token_id=1,
    )
    model = t.WhisperModel(config)
    inputs = (torch.randn(1, 20, 100),)
    return model, inputs, {"decoder_input_ids": _ids()[:1], "use_cache": False}


def _wav2vec2() -> Made:
    config = t.Wav2Vec2Config(
        **_TEXT,
        **_FEED,
        conv_dim=(32, 32),
        conv_kernel=(10, 3),
        conv_stride=(5, 2),
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=2,
    )
    return t.Wav2Vec2Model(config), (torch.randn(1, 400),), {}


def _mamba() -> Made:
    config = t.MambaConfig(vocab_size=99, hidden_size=32, num_hidden_layers=2, state_size=8)
    return t.MambaModel(config), (_ids(),), {"use_cache": False}


ARCHITECTURES: dict[str, Callable[[], Made]] = {
    "ResNet": _vision(
        "ResNetConfig", "ResNetModel", embedding_size=16, hidden_sizes=[16, 32], depths=[1, 1]
    ),
    "ConvNeXt": _vision(
        "ConvNextConfig", "ConvNextModel", hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1]
    ),
    "RegNet": _vision(
        "RegNetConfig",
        "RegNetModel",
        embedding_size=16,
        hidden_sizes=[16, 32],
        depths=[1, 1],
        groups_width=8,
    ),
    "EfficientNet": _vision(
        "EfficientNetConfig",
        "EfficientNetModel",
        width_coefficient=0.25,
        depth_coefficient=0.25,
        hidden_dim=320,
    ),
    "MobileViT": _vision(
        "MobileViTConfig",
        "MobileViTModel",
        64,
        image_size=64,
        hidden_sizes=[16, 24, 32],
        neck_hidden_sizes=[8, 8, 16, 24, 32, 40, 64],
    ),
    "Swin": _vision(
        "SwinConfig",
        "SwinModel",
        image_size=32,
        patch_size=4,
        embed_dim=16,
        depths=[2, 2],
        num_heads=[2, 4],
        window_size=4,
    ),
    "Swinv2": _vision(
        "Swinv2Config",
        "Swinv2Model",
        image_size=32,
        patch_size=4,
        embed_dim=16,
        depths=[2, 2],
        num_heads=[2, 4],
        window_size=4,
    ),
    "ViT": _vision("ViTConfig", "ViTModel", **_VIT),
    "DeiT": _vision("DeiTConfig", "DeiTModel", **_VIT),
    "BEiT": _vision("BeitConfig", "BeitModel", **_VIT, use_relative_position_bias=True),
    "SegFormer": _vision(
        "SegformerConfig",
        "SegformerModel",
        num_encoder_blocks=2,
        depths=[1, 1],
        sr_ratios=[2, 1],
        hidden_sizes=[16, 32],
        patch_sizes=[7, 3],
        strides=[4, 2],
        num_attention_heads=[1, 2],
        mlp_ratios=[2, 2],
    ),
    "YOLOS": _vision(
        "YolosConfig",
        "YolosModel",
        **{**_VIT, "image_size": [32, 32]},
        num_detection_tokens=5,
    ),
    "DPT": _vision(
        "DPTConfig",
        "DPTForDepthEstimation",
        **{**_VIT, "num_hidden_layers": 4},
        backbone_out_indices=[0, 1, 2, 3],
        neck_hidden_sizes=[8, 16, 24, 32],
        fusion_hidden_size=16,
    ),
    "CLIP": _clip,
    "BERT": _text("BertConfig", "BertModel", **_FEED),
    "ALBERT": _text("AlbertConfig", "AlbertModel", **_FEED, embedding_size=16),
    "RoBERTa": _text("RobertaConfig", "RobertaModel", **_FEED),
    "ELECTRA": _text("ElectraConfig", "ElectraModel", **_FEED, embedding_size=16),
    "DistilBERT": _text("DistilBertConfig", "DistilBertModel", dim=32, n_layers=2, n_heads=4),
    "T5 encoder": _t5_encoder,
    "GPT-2": _gpt2,
    "GPT-NeoX": _gpt_neox,
    "OPT": _text("OPTConfig", "OPTModel", ffn_dim=64, word_embed_proj_dim=32),
    "Bloom": _text("BloomConfig", "BloomModel", n_layer=2, n_head=4),
    "Llama": _text("LlamaConfig", "LlamaModel", **_ROTARY),
    "Mistral": _text("MistralConfig", "MistralModel", **_ROTARY),
    "Qwen2": _text("Qwen2Config", "Qwen2Model", **_ROTARY),
    "Gemma": _text("GemmaConfig", "GemmaModel", **_ROTARY, head_dim=8),
    "Phi": _text("PhiConfig", "PhiModel", **_FEED),
    "Falcon": _text("FalconConfig", "FalconModel"),
    "Whisper": _whisper,
    "Wav2Vec2": _wav2vec2,
    "Mamba": _mamba,
}
"""By name: each makes a model, and the arguments and keyword arguments of a call."""
