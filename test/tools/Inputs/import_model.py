"""A model for tests of import: a buffer that is written, an in-place op, a helper, a keyword."""

import torch


def shifted(x):
    return x + 1


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Linear(2, 2, bias=False)
        self.register_buffer("count", torch.zeros(2))

    def forward(self, x, *, times=2):
        self.count.add_(1)
        y = shifted(self.scale(x))
        y.mul_(times)
        return {"y": y, "count": self.count, "times": times}


class Odd(torch.nn.Module):
    def forward(self, x):
        return x.nonzero(), torch.fft.rfft(x)


def counter():
    return Counter(), (torch.ones(3, 2),), {"times": 3}


def odd():
    return Odd(), (torch.ones(2, 4),)
