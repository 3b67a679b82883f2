"""A model that returns complex numbers, from a buffer and an input."""

import torch


class Spectrum(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("window", torch.linspace(0.5, 1.5, 8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.fft.rfft(x * self.window)


def make() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    return Spectrum(), (torch.zeros(2, 8),)
