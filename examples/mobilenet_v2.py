"""MobileNetV2 written out as in torchvision: ReLU6 in place, a dropout before the classifier.

`tt-opt examples/mobilenet_v2.py:make --pipeline=torch-to-ttir` takes it to TTIR.
"""

from __future__ import annotations

import torch
from torch import nn

# Expansion, output channels, repeats and first stride of each stage: table 2 of
# "MobileNetV2: Inverted Residuals and Linear Bottlenecks", https://arxiv.org/abs/1801.04381
STAGES = [
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
]


class ConvNormActivation(nn.Sequential):
    """A convolution with batch normalization and ReLU6."""

    def __init__(
        self, inputs: int, outputs: int, kernel: int = 3, stride: int = 1, groups: int = 1
    ) -> None:
        """Pad so that a stride of 1 keeps the size."""
        super().__init__(
            nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU6(inplace=True),
        )


class InvertedResidual(nn.Module):
    """Expand, filter each channel by itself, project; add the input where the shapes agree."""

    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        """Leave the expanding convolution out where it would expand nothing."""
        super().__init__()
        hidden = inputs * expansion
        layers: list[nn.Module] = []
        if expansion != 1:
            layers.append(ConvNormActivation(inputs, hidden, kernel=1))
        layers += [
            ConvNormActivation(hidden, hidden, stride=stride, groups=hidden),
            nn.Conv2d(hidden, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        ]
        self.conv = nn.Sequential(*layers)
        self.is_residual = stride == 1 and inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Map `(batch, inputs, h, w)` to `(batch, outputs, h / stride, w / stride)`."""
        return x + self.conv(x) if self.is_residual else self.conv(x)


class MobileNetV2(nn.Module):
    """The classifier of images `(batch, 3, h, w)`."""

    def __init__(self, classes: int = 1000) -> None:
        """Make it with the widths of the paper."""
        super().__init__()
        channels = 32
        features: list[nn.Module] = [ConvNormActivation(3, channels, stride=2)]
        for expansion, outputs, repeats, first_stride in STAGES:
            for repeat in range(repeats):
                stride = first_stride if repeat == 0 else 1
                features.append(InvertedResidual(channels, outputs, stride, expansion))
                channels = outputs
        features.append(ConvNormActivation(channels, 1280, kernel=1))
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280, classes))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes, `(batch, classes)`."""
        x = self.features(x)
        x = nn.functional.adaptive_avg_pool2d(x, (1, 1))
        return self.classifier(torch.flatten(x, 1))


def make(size: int = 224, classes: int = 1000) -> tuple[nn.Module, tuple[torch.Tensor]]:
    """Return a model with random weights and statistics, always the same, and an input for it."""
    torch.manual_seed(0)
    model = MobileNetV2(classes).eval()
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, mode="fan_out")
        elif isinstance(module, nn.BatchNorm2d):
            nn.init.normal_(module.running_mean, std=0.1)
            nn.init.uniform_(module.running_var, 0.5, 1.5)
    return model, (torch.randn(1, 3, size, size),)
