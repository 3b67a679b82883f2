"""Whether two tensors agree: dtype, shape, closeness and correlation, judged together.

Correlation alone hides errors (`y` and `2 * y + 3` correlate perfectly), and closeness alone says
nothing about how far off a result is; each is reported.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from torch_ttir.interpreters.dtypes import MLIR_DTYPES
from torch_ttir.interpreters.step import described

MIN_PCC = 0.99

# (rtol, atol); exact for all other dtypes. Source: the table of torch.testing.assert_close.
_TOLERANCES: dict[torch.dtype, tuple[float, float]] = {
    torch.float64: (1e-7, 1e-7),
    torch.float32: (1.3e-6, 1e-5),
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.complex64: (1.3e-6, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}


@dataclass(frozen=True)
class Comparison:
    """How `name` compares with what is expected; `problem` is a difference of dtype or shape.

    `absolute` and `relative` are the largest errors. NaNs at the same place are equal; others make
    the errors NaN.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    pcc: float
    absolute: float
    relative: float
    close: bool
    problem: str = ""

    @property
    def agrees(self) -> bool:
        """Whether dtype and shape are equal, all elements close, and the correlation high."""
        return not self.problem and self.close and self.pcc >= MIN_PCC


def tolerances(dtype: torch.dtype) -> tuple[float, float]:
    """Return (rtol, atol) as `torch.testing.assert_close` has them by default; 0 where exact."""
    return _TOLERANCES.get(dtype, (0.0, 0.0))


def compare(
    name: str,
    actual: torch.Tensor,
    expected: torch.Tensor,
    rtol: float | None = None,
    atol: float | None = None,
) -> Comparison:
    """Compare a tensor with what is expected; the tolerances default to those of its dtype."""
    shape, dtype = tuple(actual.shape), MLIR_DTYPES.get(actual.dtype, str(actual.dtype))
    if actual.shape != expected.shape:
        nan = math.nan
        problem = f"{described(actual)}, expected {described(expected)}"
        return Comparison(name, shape, dtype, nan, nan, nan, False, problem)
    problem = ""
    if actual.dtype != expected.dtype:
        problem = f"{described(actual)}, expected {described(expected)}"
    default_rtol, default_atol = tolerances(expected.dtype)
    rtol = default_rtol if rtol is None else rtol
    atol = default_atol if atol is None else atol
    close = _all_close(actual, expected, rtol, atol)
    absolute, relative = errors(actual, expected)
    correlation = pcc(actual, expected, rtol, atol)
    return Comparison(name, shape, dtype, correlation, absolute, relative, close, problem)


def pcc(
    actual: torch.Tensor,
    expected: torch.Tensor,
    rtol: float | None = None,
    atol: float | None = None,
) -> float:
    """Return Pearson's correlation of two tensors of one shape, over elements finite in both.

    Where either has no spread beyond rounding there is nothing to correlate: 1 if all elements are
    close, else 0. NaN if a NaN stands against a number.
    """
    default_rtol, default_atol = tolerances(expected.dtype)
    rtol = default_rtol if rtol is None else rtol
    atol = default_atol if atol is None else atol
    x, y = _wide(actual), _wide(expected)
    if bool((x.isnan() != y.isnan()).any()):
        return math.nan
    finite = x.isfinite() & y.isfinite()
    x, y = x[finite], y[finite]
    if x.numel() == 0:
        return 1.0 if _all_close(actual, expected, rtol, atol) else 0.0
    scale = float(y.abs().max())
    x, y = x - x.mean(), y - y.mean()
    spread_x, spread_y = float(x.square().mean().sqrt()), float(y.square().mean().sqrt())
    rounding = 10 * (atol + max(rtol, 1e-15) * scale)
    if min(spread_x, spread_y) <= rounding:
        return 1.0 if _all_close(actual, expected, rtol, atol) else 0.0
    # Normalized first, since a product of spreads may overflow.
    return max(-1.0, min(1.0, float((x / spread_x * (y / spread_y)).mean())))


def errors(actual: torch.Tensor, expected: torch.Tensor) -> tuple[float, float]:
    """Return the largest absolute and relative error of two tensors of one shape."""
    x, y = _wide(actual), _wide(expected)
    same = (x == y) | (x.isnan() & y.isnan())
    difference = (x - y).abs().masked_fill(same, 0)
    if difference.numel() == 0:
        return 0.0, 0.0
    relative = (difference / y.abs()).masked_fill(same, 0)
    return float(difference.max()), float(relative.max())


def _all_close(actual: torch.Tensor, expected: torch.Tensor, rtol: float, atol: float) -> bool:
    if rtol == atol == 0:
        # Not through floats, which 64-bit integers do not fit into.
        if expected.dtype.is_floating_point or actual.dtype != expected.dtype:
            x, y = _wide(actual), _wide(expected)
            return bool(((x == y) | (x.isnan() & y.isnan())).all())
        return torch.equal(actual, expected)
    return torch.allclose(_wide(actual), _wide(expected), rtol, atol, equal_nan=True)


def _wide(tensor: torch.Tensor) -> torch.Tensor:
    """Return the values as f64; a complex number as two."""
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    return tensor.detach().to(torch.float64)
