"""Whole models against eager PyTorch: those of transformers at small sizes, f32 and bf16."""

from __future__ import annotations

import warnings
from typing import Any

import mobilenet_v2
import pytest
import torch
import transformers
from architectures import ARCHITECTURES
from torch import nn
from torch.utils import _pytree as pytree

import torch_ttir
from torch_ttir.interpreters.compare import pcc


def _made(name: str) -> tuple[nn.Module, tuple[Any, ...], dict[str, Any]]:
    torch.manual_seed(0)
    transformers.logging.set_verbosity_error()
    model, args, kwargs = ARCHITECTURES[name]()
    return model.eval(), args, kwargs


def _tensors(output: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(output) if isinstance(leaf, torch.Tensor)]


def _run(model: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """Return what TTIR and what eager PyTorch make of one call."""
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        expected = model(*args, **kwargs)
        found = torch_ttir.compile(model, args, kwargs)(*args, **kwargs)
    assert type(found) is type(expected)
    return found, expected


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_float32_agrees(name: str) -> None:
    found, expected = _run(*_made(name))
    for value, wanted in zip(_tensors(found), _tensors(expected), strict=True):
        torch.testing.assert_close(value, wanted)


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_bfloat16_is_as_near_to_float32_as_eager_is(name: str) -> None:
    model, args, kwargs = _made(name)
    with torch.no_grad():
        exact = _tensors(model(*args, **kwargs))
    low = [a.bfloat16() if torch.is_tensor(a) and a.is_floating_point() else a for a in args]
    found, expected = _run(model.bfloat16(), tuple(low), kwargs)
    for value, eager, wanted in zip(_tensors(found), _tensors(expected), exact, strict=True):
        assert value.dtype == eager.dtype
        if not wanted.is_floating_point() or wanted.numel() < 2:
            continue
        assert pcc(value.float(), wanted.float()) > 0.99
        # The two round at other places, so neither is exact: one may be off by twice as much.
        rounding = torch.finfo(torch.bfloat16).eps * wanted.abs().max()
        error = (value.float() - wanted.float()).abs().max()
        assert error <= 2 * (eager.float() - wanted.float()).abs().max() + rounding


def test_mnist_convnet_agrees() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(
        *(nn.Conv2d(1, 32, 3), nn.ReLU(inplace=True), nn.Conv2d(32, 64, 3), nn.ReLU()),
        *(nn.MaxPool2d(2), nn.Dropout(0.25), nn.Flatten(), nn.Linear(9216, 128), nn.ReLU()),
        *(nn.Dropout(0.5), nn.Linear(128, 10), nn.LogSoftmax(dim=1)),
    ).eval()
    found, expected = _run(model, (torch.randn(2, 1, 28, 28),), {})
    torch.testing.assert_close(found, expected)


def test_mlp_agrees() -> None:
    torch.manual_seed(0)
    layers = (nn.Flatten(), nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.GELU())
    model = nn.Sequential(*layers, nn.Linear(512, 10)).eval()
    found, expected = _run(model, (torch.randn(4, 1, 28, 28),), {})
    torch.testing.assert_close(found, expected)


def test_mobilenet_v2_agrees_at_full_size() -> None:
    model, args = mobilenet_v2.make()
    found, expected = _run(model, args, {})
    torch.testing.assert_close(found, expected)


def test_resnet50_agrees_at_full_size() -> None:
    torch.manual_seed(0)
    model = transformers.ResNetModel(transformers.ResNetConfig()).eval()
    found, expected = _run(model, (torch.randn(1, 3, 224, 224),), {})
    for value, wanted in zip(_tensors(found), _tensors(expected), strict=True):
        torch.testing.assert_close(value, wanted)
