"""Losses, distances and recurrent layers, which PyTorch's decompositions take apart before."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.testing import run_through_ttir

Case = tuple[Any, ...]


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


def chance(*shape: int) -> torch.Tensor:
    return f(*shape).sigmoid()


CLASSES = torch.tensor([1, 0, 2, -100])
SIGNS = torch.tensor([1.0, -1.0, 1.0])
LOSSES: dict[str, Case] = {
    "mse": (F.mse_loss, f(3, 4), f(3, 4) * 2),
    "mse-none": (lambda x, y: F.mse_loss(x, y, reduction="none"), f(3, 4), f(3, 4) * 2),
    "l1": (lambda x, y: F.l1_loss(x, y, reduction="sum"), f(3, 4), f(4, 3).mT),
    "smooth_l1": (lambda x, y: F.smooth_l1_loss(x, y, beta=0.5), f(3, 4), f(4, 3).mT),
    "huber": (lambda x, y: F.huber_loss(x, y, delta=0.3), f(3, 4), f(4, 3).mT),
    "bce": (F.binary_cross_entropy, chance(3, 4), chance(4, 3).mT),
    "bce-certain": (F.binary_cross_entropy, torch.tensor([0.0, 1.0]), torch.tensor([1.0, 1.0])),
    "bce-weight": (
        lambda *xs: F.binary_cross_entropy(*xs, reduction="sum"),
        chance(3),
        chance(3),
        f(3),
    ),
    "bce-logits": (F.binary_cross_entropy_with_logits, f(3, 4) * 50, chance(3, 4)),
    "bce-logits-weights": (
        lambda x, y, w, p: F.binary_cross_entropy_with_logits(x, y, w, pos_weight=p),
        f(3, 4),
        chance(3, 4),
        f(4),
        chance(4),
    ),
    "nll": (F.nll_loss, f(4, 3), CLASSES),
    "nll-weight": (
        lambda x, t, w: F.nll_loss(x, t, w, ignore_index=0),
        f(4, 3),
        CLASSES.abs() % 3,
        f(3),
    ),
    "nll-2d": (F.nll_loss, f(2, 3, 2, 2), torch.tensor([[[0, 1], [2, -100]]]).expand(2, 2, 2)),
    "nll-all-ignored": (F.nll_loss, f(2, 3), torch.tensor([-100, -100])),
    "cross_entropy": (F.cross_entropy, f(4, 3), CLASSES),
    "cross_entropy-smooth": (
        lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1),
        f(4, 3),
        CLASSES,
    ),
    "cross_entropy-weight": (lambda x, t, w: F.cross_entropy(x, t, w), f(4, 3), CLASSES, chance(3)),
    "cross_entropy-chances": (F.cross_entropy, f(4, 3), chance(4, 3)),
    "cross_entropy-1d": (F.cross_entropy, f(3), torch.tensor(2)),
    "kl_div": (lambda x, y: F.kl_div(x, y, reduction="batchmean"), f(3, 4), chance(3, 4)),
    "kl_div-log": (
        lambda x, y: F.kl_div(x, y, log_target=True, reduction="sum"),
        f(3, 4),
        f(3, 4) - 1,
    ),
    "cosine_embedding": (F.cosine_embedding_loss, f(3, 4), f(4, 3).mT, SIGNS),
    "hinge_embedding": (F.hinge_embedding_loss, f(3), SIGNS),
    "margin_ranking": (lambda *xs: F.margin_ranking_loss(*xs, margin=0.2), f(3), f(3) * 2, SIGNS),
    "soft_margin": (F.soft_margin_loss, f(3), SIGNS),
    "triplet_margin": (F.triplet_margin_loss, f(3, 4), f(4, 3).mT, f(3, 4) * 2),
    "multi_margin": (F.multi_margin_loss, f(4, 3), CLASSES.abs() % 3),
    "multilabel_margin": (F.multilabel_margin_loss, f(3), torch.tensor([2, 0, -1])),
    "multilabel_margin-rows": (
        lambda x, t: F.multilabel_margin_loss(x, t, reduction="none"),
        f(5, 3),
        torch.tensor([[0, 1, 2], [2, -1, 1], [-1, 0, 0], [1, 1, -1], [0, -1, -1]]),
    ),
    "multilabel_margin_forward": (
        lambda x, t: torch.ops.aten.multilabel_margin_loss_forward(x, t, 2),
        f(2, 3),
        torch.tensor([[2, -1, 1], [1, 0, -1]]),
    ),
    "multilabel_soft_margin": (F.multilabel_soft_margin_loss, f(3, 4), chance(3, 4).round()),
    "poisson_nll": (lambda x, y: F.poisson_nll_loss(x, y, full=True), f(3, 4), chance(3, 4) * 9),
    "pairwise_distance": (F.pairwise_distance, f(3, 4), f(4, 3).mT),
    "cdist": (torch.cdist, f(3, 4), f(5, 4)),
    "pdist": (F.pdist, f(4, 3)),
}

LAYERS: dict[str, torch.nn.Module] = {
    "lstm": torch.nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True),
    "lstm-projected": torch.nn.LSTM(3, 4, proj_size=2),
    "gru": torch.nn.GRU(3, 4, 2, bias=False),
    "rnn": torch.nn.RNN(3, 4, nonlinearity="relu"),
    "encoder": torch.nn.TransformerEncoderLayer(3, 1, 5, batch_first=True),
    "decoder": torch.nn.TransformerDecoderLayer(3, 1, 5),
}


@pytest.mark.parametrize("case", LOSSES.values(), ids=LOSSES.keys())
def test_losses(case: Case) -> None:
    function, *inputs = case
    torch.testing.assert_close(
        run_through_ttir(function, *inputs), function(*inputs), equal_nan=True
    )


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str) -> None:
    module, x = LAYERS[name].eval(), f(2, 5, 3)
    given = (x, f(2, 5, 3) * 2) if name == "decoder" else (x,)
    found, wanted = run_through_ttir(module, *given), module(*given)
    torch.testing.assert_close(found, wanted)


def test_weight_norm_of_a_layer() -> None:
    torch.manual_seed(0)
    module = torch.nn.utils.parametrizations.weight_norm(torch.nn.Conv1d(3, 4, 2))
    x = f(2, 3, 6)
    torch.testing.assert_close(run_through_ttir(module, x), module(x).detach())


def test_transformer_encoder_with_padding() -> None:
    torch.manual_seed(0)
    layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True)
    module = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).eval()
    x, padding = f(2, 3, 4), torch.tensor([[False, False, True], [False, False, False]])

    def function(x: torch.Tensor, padding: torch.Tensor) -> torch.Tensor:
        return module(x, src_key_padding_mask=padding)

    torch.testing.assert_close(
        run_through_ttir(function, x, padding), function(x, padding).detach()
    )
