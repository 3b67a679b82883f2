"""Rules for convolutions against eager PyTorch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.nn import functional as F  # noqa: N812

from torch_ttir.compiler import compile
from torch_ttir.testing import run_through_ttir, ttir_ops

aten = torch.ops.aten
Case = tuple[Any, ...]


def f(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(len(shape) + sum(shape)))


T = torch.tensor
PLAIN: dict[str, Case] = {
    "1d": (F.conv1d, f(2, 3, 9), f(4, 3, 3), f(4)),
    "1d-all": (lambda *xs: F.conv1d(*xs, 2, 3, 2, 2), f(2, 4, 9), f(6, 2, 3), f(6)),
    "1d-same-odd": (lambda *xs: F.conv1d(*xs, padding="same"), f(2, 3, 7), f(4, 3, 4)),
    "1d-unbatched": (F.conv1d, f(3, 9), f(4, 3, 3), f(4)),
    "2d": (F.conv2d, f(2, 3, 8, 7), f(4, 3, 3, 2), f(4)),
    "2d-no-bias": (F.conv2d, f(2, 3, 8, 7), f(4, 3, 3, 2)),
    "2d-all": (
        lambda *xs: F.conv2d(*xs, (2, 1), (1, 2), (1, 2), 2),
        f(2, 4, 9, 8),
        f(6, 2, 3, 3),
        f(6),
    ),
    "2d-depthwise": (lambda *xs: F.conv2d(*xs, padding=1, groups=4), f(1, 4, 5, 5), f(8, 1, 3, 3)),
    "2d-pointwise": (F.conv2d, f(1, 4, 5, 5), f(8, 4, 1, 1), f(8)),
    "2d-valid": (lambda *xs: F.conv2d(*xs, padding="valid"), f(1, 2, 5, 5), f(3, 2, 3, 3)),
    "2d-same": (lambda *xs: F.conv2d(*xs, padding="same"), f(1, 2, 5, 5), f(3, 2, 3, 3)),
    "2d-same-uneven": (
        lambda *xs: F.conv2d(*xs, padding="same", dilation=(1, 3)),
        f(1, 2, 6, 9),
        f(3, 2, 2, 4),
        f(3),
    ),
    "2d-unbatched": (lambda *xs: F.conv2d(*xs, padding=1), f(3, 6, 5), f(4, 3, 3, 3), f(4)),
    "2d-one-number": (lambda *xs: aten.conv2d(*xs, [2], [1]), f(1, 3, 6, 6), f(4, 3, 3, 3), f(4)),
    "2d-stride-past-kernel": (lambda *xs: F.conv2d(*xs, stride=3), f(1, 2, 8, 8), f(2, 2, 1, 1)),
    "2d-empty-batch": (F.conv2d, f(0, 3, 6, 6), f(4, 3, 3, 3), f(4)),
    "3d": (lambda *xs: F.conv3d(*xs, 2, 1), f(2, 4, 5, 6, 5), f(6, 4, 3, 2, 3), f(6)),
    "3d-groups": (lambda *xs: F.conv3d(*xs, groups=2), f(1, 4, 4, 4, 4), f(6, 2, 2, 2, 2)),
    "3d-dilated": (
        lambda *xs: F.conv3d(*xs, (1, 2, 1), (2, 1, 0), (2, 1, 2), 2),
        f(2, 4, 6, 6, 6),
        f(6, 2, 3, 2, 2),
        f(6),
    ),
    "3d-dilated-in-depth": (
        lambda *xs: F.conv3d(*xs, dilation=(3, 1, 1)),
        f(1, 2, 7, 3, 3),
        f(2, 2, 3, 2, 2),
    ),
    "3d-dilation-of-kernel-1": (
        lambda *xs: F.conv3d(*xs, dilation=2),
        f(1, 2, 3, 3, 3),
        f(2, 2, 1, 1, 1),
    ),
    "3d-same-uneven": (
        lambda *xs: F.conv3d(*xs, padding="same"),
        f(1, 1, 4, 4, 4),
        f(2, 1, 2, 4, 3),
    ),
    "3d-unbatched": (F.conv3d, f(2, 4, 4, 4), f(3, 2, 2, 2, 2), f(3)),
    "tbc": (lambda *xs: torch.conv_tbc(*xs, pad=1), f(7, 2, 3), f(3, 3, 4), f(4)),
    "_convolution": (
        lambda x, w, b: torch._convolution(
            x, w, b, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, False, False, True, True
        ),
        f(1, 2, 4, 4),
        f(3, 2, 3, 3),
        f(3),
    ),
    "_convolution_mode": (
        lambda x, w: torch._convolution_mode(x, w, None, [1, 1], "same", [1, 1], 1),
        f(1, 2, 4, 4),
        f(3, 2, 3, 3),
    ),
}

TRANSPOSED: dict[str, Case] = {
    "1d-output-padding": (
        lambda x, w: F.conv_transpose1d(x, w, stride=2, padding=1, output_padding=1),
        T([[[1.0, 1.0, 1.0]]]),
        T([[[1.0, 2.0, 3.0]]]),
    ),
    "1d-groups": (
        lambda x, w: F.conv_transpose1d(x, w, stride=2, groups=2),
        torch.ones(1, 2, 2),
        T([[[1.0, 2.0]], [[3.0, 4.0]]]),
    ),
    "1d-padding-crops": (
        lambda x, w: F.conv_transpose1d(x, w, padding=1),
        T([[[1.0, 2.0, 3.0]]]),
        torch.ones(1, 1, 1),
    ),
    "1d-all": (
        lambda *xs: F.conv_transpose1d(*xs, 3, 2, 1, 2, 2),
        f(2, 4, 5),
        f(4, 3, 4),
        f(6),
    ),
    "1d-unbatched": (F.conv_transpose1d, f(2, 5), f(2, 3, 3), f(3)),
    "2d": (F.conv_transpose2d, f(2, 3, 4, 5), f(3, 2, 3, 2), f(2)),
    "2d-all": (
        lambda *xs: F.conv_transpose2d(*xs, (2, 3), (1, 2), (1, 2), 2, (2, 3)),
        f(2, 4, 4, 3),
        f(4, 3, 3, 2),
        f(6),
    ),
    "2d-unbatched": (F.conv_transpose2d, f(3, 4, 5), f(3, 2, 3, 2), f(2)),
    "3d": (
        lambda *xs: F.conv_transpose3d(*xs, (2, 1, 3), (1, 0, 2), (1, 0, 1), 2, (1, 2, 2)),
        f(2, 4, 3, 4, 3),
        f(4, 3, 3, 2, 2),
        f(6),
    ),
    "3d-stride-past-kernel": (
        lambda *xs: F.conv_transpose3d(*xs, stride=3, output_padding=2),
        f(1, 2, 2, 2, 2),
        f(2, 2, 1, 2, 1),
    ),
    "3d-padding-crops": (
        lambda *xs: F.conv_transpose3d(*xs, padding=1),
        f(1, 2, 4, 4, 4),
        f(2, 2, 1, 2, 3),
        f(2),
    ),
    "3d-unbatched": (F.conv_transpose3d, f(2, 3, 3, 3), f(2, 3, 2, 2, 2), f(3)),
}


@pytest.mark.parametrize("case", [*PLAIN.values(), *TRANSPOSED.values()], ids=[*PLAIN, *TRANSPOSED])
def test_matches_eager(case: Case) -> None:
    function, *inputs = case
    torch.testing.assert_close(run_through_ttir(function, *inputs), function(*inputs))


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.float16], ids=str)
def test_other_floats(dtype: torch.dtype) -> None:
    """Each result is rounded once: what is compared with is computed in float64."""
    arguments = [f(1, 2, 5, 5), f(3, 2, 3, 3), f(3), f(1, 2, 4, 4, 4), f(2, 3, 2, 2, 2), f(3)]
    given = [x.to(dtype) for x in arguments]

    def function(x: Any, w: Any, b: Any, y: Any, v: Any, c: Any) -> Any:
        plane = F.conv2d(x, w, b, padding=1), F.conv1d(x[:, :, 0], w[:, :, 0], b)
        return *plane, F.conv_transpose3d(y, v, c, 2)

    wanted = [x.to(dtype) for x in function(*(x.double() for x in given))]
    torch.testing.assert_close(list(run_through_ttir(function, *given)), wanted)


def test_integers() -> None:
    x, w = torch.arange(50).reshape(1, 2, 5, 5), torch.arange(36).reshape(2, 2, 3, 3)
    function = lambda x, w: F.conv2d(x, w, padding=1)  # noqa: E731
    torch.testing.assert_close(run_through_ttir(function, x, w), function(x, w))


@pytest.mark.parametrize("function", [F.conv3d, F.conv_transpose3d], ids=["plain", "transposed"])
def test_infinities_stay_where_they_are(function: Callable[..., Any]) -> None:
    """What a composition adds must not be zero times an infinity."""
    x, w = f(1, 2, 6, 5, 5), f(2, 2, 2, 2, 2)
    x[0, 0, 1, 2, 3] = float("inf")
    call = lambda x, w: function(x, w, dilation=2)  # noqa: E731
    torch.testing.assert_close(run_through_ttir(call, x, w), call(x, w))
    w[0, 0, 1, 1, 0] = float("-inf")
    finite = f(1, 2, 4, 4, 4)
    strided = lambda x, w: function(x, w, stride=2)  # noqa: E731
    torch.testing.assert_close(
        run_through_ttir(strided, finite, w), strided(finite, w), equal_nan=True
    )


GRADIENTS = [
    (spatial, transposed, stride, padding, dilation, groups)
    for spatial, transposed in itertools.product((1, 2, 3), (False, True))
    for stride, padding, dilation, groups in ((1, 0, 1, 1), (2, 1, 1, 2), (3, 1, 2, 1))
]


@pytest.mark.parametrize("case", GRADIENTS, ids=str)
def test_gradients(case: tuple[int, bool, int, int, int, int]) -> None:
    spatial, transposed, stride, padding, dilation, groups = case
    sizes, kernel = [7, 6, 5][:spatial], [3, 2, 1][:spatial]
    channels = (4, 6 // groups) if transposed else (6, 4 // groups)
    x, w = f(2, 4, *sizes).double(), f(*channels, *kernel).double()
    moves = ([stride] * spatial, [padding] * spatial, [dilation] * spatial)
    extra = [1 if transposed and stride > 1 else 0] * spatial
    y = torch.convolution(x, w, None, *moves, transposed, extra, groups)
    grad = f(*y.shape).double()

    def function(*tensors: torch.Tensor) -> Any:
        return aten.convolution_backward(
            *tensors, [6], *moves, transposed, extra, groups, [True, True, True]
        )

    torch.testing.assert_close(run_through_ttir(function, grad, x, w), function(grad, x, w))


def test_gradients_not_asked_for() -> None:
    def function(grad: Any, x: Any, w: Any) -> Any:
        moves = ([1, 1], [0, 0], [1, 1], False, [0, 0], 1)
        return aten.convolution_backward(grad, x, w, None, *moves, [False, True, False])[1]

    inputs = f(1, 3, 3, 3), f(1, 2, 4, 4), f(3, 2, 2, 2)
    torch.testing.assert_close(run_through_ttir(function, *inputs), function(*inputs))


@pytest.mark.parametrize("sizes", [None, [3], [5]], ids=str)
def test_gradient_of_the_bias_is_of_the_channels(sizes: list[int] | None) -> None:
    """As PyTorch's kernels have it, whatever its argument says."""

    class Gradients(torch.nn.Module):
        def forward(self, grad: Any, x: Any, w: Any) -> Any:
            moves = ([1, 1], [0, 0], [1, 1], False, [0], 1)
            mask = [True, True, True]
            return aten.convolution_backward(grad, x, w, sizes, *moves, output_mask=mask)

    inputs = f(2, 3, 3, 3), f(2, 2, 4, 4), f(3, 2, 2, 2)
    with torch.backends.mkldnn.flags(enabled=False):
        wanted = Gradients()(*inputs)
        torch.testing.assert_close(compile(Gradients(), inputs)(*inputs), wanted)


@pytest.mark.parametrize(
    ("name", "ops"),
    [
        ("1d", ["permute", "reshape", "conv1d", "permute"]),
        ("2d", ["reshape", "conv2d"]),
        ("2d-same-uneven", ["reshape", "conv2d"]),
        ("3d", ["reshape", "conv3d"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_stays_whole(name: str, ops: list[str]) -> None:
    function, *inputs = PLAIN[name]
    assert sorted(ttir_ops(function, *inputs)) == sorted(ops)


def test_transposed_stays_whole() -> None:
    function, *inputs = TRANSPOSED["2d-all"]
    assert ttir_ops(function, *inputs) == ["reshape", "conv_transpose2d"]
