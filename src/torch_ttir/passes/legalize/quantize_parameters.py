"""Rules that choose scales and zero points for data, as dynamic quantization does."""

from __future__ import annotations

from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import round_half_even
from torch_ttir.passes.legalize.elementwise_select import clamp_numbers
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

# The codes of `torch.uint8` and `torch.quint8`: c10/core/ScalarType.h.
_UNSIGNED = (0, 13)


@RULES.lowers("quantized_decomposed.choose_qparams.tensor")
def choose_qparams(
    low: Lowering, x: Tensor, least: int, most: int, eps: float, _dtype: int
) -> Sequence[Tensor]:
    """choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, dtype).

    Source: torch.ao.quantization.utils.determine_qparams.
    """
    below, above = _range(low, x)
    scale = _at_least(low, low.div(low.sub(above, below), float(most - least)), eps)
    steps = low.cast(round_half_even(low, low.div(low.cast(below, "f32"), scale)), "i32")
    return _parameters(low, scale, clamp_numbers(low, low.sub(least, steps), least, most))


@RULES.lowers("quantized_decomposed.choose_qparams_symmetric.tensor")
def choose_qparams_symmetric(
    low: Lowering, x: Tensor, least: int, most: int, eps: float, dtype: int
) -> Sequence[Tensor]:
    """choose_qparams_symmetric.tensor(Tensor input, int quant_min, int quant_max, ...)."""
    below, above = _range(low, x)
    reach = low.maximum(low.unary("neg", below), above)
    scale = _at_least(low, low.div(reach, float(most - least) / 2), eps)
    return _parameters(low, scale, 128 if dtype in _UNSIGNED else 0)


def _range(low: Lowering, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the least and the greatest of the values and zero."""
    low.expect(0 not in x.shape, "an empty tensor has no range of values")
    dims = range(x.rank)
    least, most = (low.reduce(name, x, dims, False) if dims else x for name in ("min", "max"))
    return low.minimum(least, 0), low.maximum(most, 0)


def _at_least(low: Lowering, scale: Tensor, eps: float) -> Tensor:
    # PyTorch compares with a tensor of f32, which has a dimension and so decides the dtype.
    return low.maximum(low.cast(scale, "f32"), eps)


def _parameters(low: Lowering, scale: Tensor, zero_point: Tensor | Number) -> Sequence[Tensor]:
    return [
        low.broadcast(low.scalar(value, info.dtype), info.shape)
        for value, info in zip((scale, zero_point), low.results, strict=True)
    ]


@RULES.lowers("quantized_decomposed.choose_qparams_per_token")
def choose_qparams_per_token(low: Lowering, x: Tensor, _dtype: int) -> Sequence[Tensor]:
    """choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, Tensor); for int8.

    PyTorch's kernel computes in the input's dtype, whatever its declared results are.
    """
    reach = low.reduce("max", low.unary("abs", x), [x.rank - 1], True)
    if x.dtype == "f16":
        reach = low.cast(reach, "f32")
    return _parameters(low, low.div(clamp_numbers(low, reach, 1e-5, None), 127), 0)
