"""Programs with complex numbers, which go to TTIR as real and imaginary parts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

import torch_ttir
from torch_ttir.ir.diagnostics import CompileError

GENERATOR = torch.Generator().manual_seed(0)
REAL = torch.randn(3, 4, 5, generator=GENERATOR)
COMPLEX = torch.randn(3, 4, 5, dtype=torch.complex64, generator=GENERATOR)
DOUBLE = COMPLEX.to(torch.complex128)
Case = tuple[Callable[..., Any], torch.Tensor]

CASES: dict[str, Case] = {
    "arithmetic": (lambda x: (x * x + 2) / (x - 1j), COMPLEX),
    "number-times-real": (lambda x: x * 2j + 1, REAL),
    "real-and-complex": (lambda x: x + x.real * x.imag, COMPLEX),
    "functions": (lambda x: (x.exp(), x.sqrt(), x.log(), x.tanh(), x**2, x.reciprocal()), COMPLEX),
    "parts": (lambda x: (x.real, x.imag + 1, x.abs(), x.angle(), x.conj(), x.sgn()), COMPLEX),
    "comparison": (lambda x: (x == x.conj(), x != 0), COMPLEX),
    "moves": (lambda x: torch.cat([x[0].t(), x[1].t()]), COMPLEX),
    "views": (lambda x: x.view(12, 5).unsqueeze(0).expand(2, -1, -1).permute(2, 0, 1), COMPLEX),
    "windows": (lambda x: x.unfold(2, 2, 1), COMPLEX),
    "scattered": (lambda x: x.scatter(0, torch.ones(1, 4, 5, dtype=torch.int64), x * 2), COMPLEX),
    "sigmoid": (torch.sigmoid, DOUBLE),
    "reductions": (lambda x: (x.sum((0, 1)), x.mean(0), x.prod(1), x.cumsum(0), x.var()), COMPLEX),
    "norms": (
        lambda x: (
            torch.linalg.vector_norm(x, ord=1, dim=0),
            torch.ops.aten.norm(x, 3.0),
            torch.ops.aten.norm(x, 3.0, dim=[0, 1], keepdim=True),
            torch.linalg.norm(x[0]),
        ),
        DOUBLE,
    ),
    "products": (lambda x: (x[0] @ x[1].t(), x.bmm(x.mH), torch.outer(x[0, 0], x[0, 1])), COMPLEX),
    "where": (lambda x: torch.where(x.real > 0, x, x * 2), COMPLEX),
    "unchanged": (lambda x: x, COMPLEX),
    "made": (lambda x: (torch.complex(x, -x), torch.polar(x, x * 2), x.to(torch.complex128)), REAL),
    "cast": (lambda x: (x.to(torch.complex128) * 2, x.to(torch.complex64) + 1), COMPLEX),
    "made-of-integers": (lambda x: (x * 3).long().to(torch.complex64) + 1, REAL),
    "filled": (
        lambda x: (
            torch.full((2,), 1 + 2j) + x[0, 0, :2],
            torch.ones(2, dtype=torch.complex64),
            torch.zeros(2, dtype=torch.complex128),
            torch.tensor([1 + 2j, 3.0]),
        ),
        REAL,
    ),
    "as-real": (lambda x: torch.view_as_real(x * 1j).sum(-1), COMPLEX),
    "as-complex": (lambda x: torch.view_as_complex(x[..., :2].contiguous()) * 2, REAL),
    "only-inside": (lambda x: torch.view_as_complex(x[..., :2].contiguous()).abs(), REAL),
    "written": (lambda x: x.clone().mul_(2).add_(1j), COMPLEX),
    "fft": (lambda x: (torch.fft.fft(x), torch.fft.ifft(x, norm="ortho")), COMPLEX),
    "fft-of-real": (lambda x: torch.fft.fft(x, n=8, dim=1), REAL),
    "fft2": (lambda x: (torch.fft.fft2(x), torch.fft.ifftn(x, norm="forward")), DOUBLE),
    "rfft": (lambda x: (torch.fft.rfft(x, norm="ortho"), torch.fft.rfft2(x, dim=(0, 1))), REAL),
    "irfft": (lambda x: (torch.fft.irfft(x), torch.fft.irfft(x, n=7)), COMPLEX),
    "irfft2": (lambda x: torch.fft.irfft2(x, norm="forward"), COMPLEX),
    "hfft": (lambda x: torch.fft.hfft(x), COMPLEX),
    "stft": (
        lambda x: torch.stft(x.flatten(), 16, window=torch.hann_window(16), return_complex=True),
        REAL,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_matches_eager(name: str) -> None:
    function, x = CASES[name]
    found = torch_ttir.compile(lambda x: function(x), (x,))(x)
    torch.testing.assert_close(found, function(x), rtol=1e-4, atol=1e-5)


class Rotation(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(COMPLEX[0, 0].clone())
        self.register_buffer("turned", torch.zeros(3, 4, 5, dtype=torch.complex64))

    def forward(self, x: torch.Tensor) -> Any:
        self.turned.add_(x * self.weight)
        return {"turned": self.turned * 1, "size": self.turned.abs()}


def test_complex_weights_and_state(tmp_path: Path) -> None:
    eager, program = Rotation(), torch_ttir.compile(Rotation(), (COMPLEX,))
    program.save(tmp_path / "rotation")
    loaded = torch_ttir.load(tmp_path / "rotation")
    for _ in range(2):
        wanted = eager(COMPLEX)
        torch.testing.assert_close(program(COMPLEX), wanted)
        torch.testing.assert_close(loaded(COMPLEX), wanted)


def test_a_complex_input_that_is_written() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2j).sum()

    wanted_input, found_input = COMPLEX.clone(), COMPLEX.clone()
    wanted = function(wanted_input)
    torch.testing.assert_close(
        torch_ttir.compile(function, (COMPLEX.clone(),))(found_input), wanted
    )
    torch.testing.assert_close(found_input, wanted_input)


def test_the_function_takes_and_returns_parts() -> None:
    program = torch_ttir.compile(lambda x: x * 2, (COMPLEX,))
    assert "tensor<3x4x5x2xf32>" in str(program.module)
    torch.testing.assert_close(program(torch.view_as_real(COMPLEX)), COMPLEX * 2)
    with pytest.raises(CompileError, match="the inputs do not fit the program"):
        program(COMPLEX.to(torch.complex128))
    with pytest.raises(CompileError, match="the inputs do not fit the program"):
        torch_ttir.compile(lambda x: x * 2, (torch.ones(3, 2),))(torch.ones(3) * 1j)


def test_an_op_without_a_definition_in_real_numbers_is_refused() -> None:
    with pytest.raises(CompileError, match="complex tensors"):
        torch_ttir.compile(lambda x: torch.linalg.eigvals(x), (COMPLEX[0, :, :4],))
