"""A small classifier, for a first look: `tt-opt examples/mlp.py:make --pipeline=torch-to-ttir`."""

import torch
from torch import nn


class Classifier(nn.Module):
    """Two linear layers; the scores are scaled by a factor that depends on the weights alone."""

    def __init__(self) -> None:
        """Make the layers, and the factor as a buffer."""
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.scores = nn.Linear(8, 3)
        self.register_buffer("scale", torch.tensor([1.0, 2.0, 4.0]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map `(batch, 4)` to probabilities, `(batch, 3)`."""
        hidden = self.hidden(x).relu_()
        return torch.softmax(self.scores(hidden) * self.scale.sqrt(), dim=-1)


def make() -> tuple[nn.Module, tuple[torch.Tensor]]:
    """Return the model and an example input."""
    torch.manual_seed(0)
    return Classifier().eval(), (torch.randn(2, 4),)
