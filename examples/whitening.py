"""A model with ops that TTIR cannot say, to see how they are reported."""

import torch
from torch import nn


class Whitening(nn.Module):
    """Make the columns of a matrix uncorrelated."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map `(samples, features)` to `(features, samples)`."""
        factor = torch.linalg.cholesky(x.t() @ x)
        return torch.linalg.solve_triangular(factor, x.t(), upper=False)


def make() -> tuple[nn.Module, tuple[torch.Tensor]]:
    """Return the model and an example input."""
    return Whitening(), (torch.randn(8, 4),)
