"""Rules for scans: running sums, products, extrema, and differences."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from torch_ttir.ir.types import is_float
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.composed import is_nan, widened
from torch_ttir.passes.legalize.elementwise_binary import log_add_exp
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


def _direct(ttir: str, low: Lowering, x: Tensor, dim: int, dtype: int | None = None) -> Tensor:
    """Scan after a cast to the result's type: i64 for integers, or the `dtype` asked."""
    x = low.cast(x, low.result.dtype)
    return low.unary(ttir, x, dim=low.dim(dim, x.rank)) if x.rank else x


for _ttir in ("cumsum", "cumprod"):
    RULES.add(f"aten.{_ttir}", partial(_direct, _ttir))


def scan(low: Lowering, x: Tensor, dim: int, combine: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    """Return the running combination along `dim`, in a logarithmic number of steps.

    After the step of width s, each element combines the 2 s elements up to itself.
    """
    size, width = x.shape[dim], 1
    while width < size:
        combined = combine(low.slice(x, dim, width, size), low.slice(x, dim, 0, size - width))
        x = low.concat([low.slice(x, dim, 0, width), combined], dim)
        width *= 2
    return x


def _extrema(ttir: str, low: Lowering, x: Tensor, dim: int) -> list[Tensor]:
    """Return the running extremum and where it is: at the last of equals, and at the last NaN."""
    if not x.rank:
        return [x, low.full((), 0, "i64")]
    dim = low.dim(dim, x.rank)
    order = low.cast(x, "i32") if x.dtype == "i1" else x
    values = scan(low, order, dim, partial(low.binary, ttir))
    reached = low.compare("eq", order, values)
    if is_float(x.dtype):
        reached = low.binary("logical_or", reached, is_nan(low, x))
    position = low.arange(x.shape, dim, "i64")
    indices = scan(low, low.where(reached, position, 0), dim, low.maximum)
    return [low.cast(values, x.dtype), indices]


RULES.add("aten.cummax", partial(_extrema, "maximum"))
RULES.add("aten.cummin", partial(_extrema, "minimum"))


@RULES.lowers("aten.logcumsumexp")
@widened
def logcumsumexp(low: Lowering, x: Tensor, dim: int) -> Tensor:
    """logcumsumexp(Tensor self, int dim) -> Tensor."""
    return scan(low, x, low.dim(dim, x.rank), partial(log_add_exp, low)) if x.rank else x


@RULES.lowers("aten.diff")
def diff(
    low: Lowering,
    x: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None)."""
    if n == 0:
        return x
    dim = low.dim(dim, x.rank)
    dtype = low.result.dtype
    parts = [low.cast(part, dtype) for part in (prepend, x, append) if part is not None]
    x = low.concat(parts, dim)
    for _ in range(n):
        later, earlier = low.slice(x, dim, 1, x.shape[dim]), low.slice(x, dim, 0, x.shape[dim] - 1)
        x = low.binary("logical_xor" if dtype == "i1" else "subtract", later, earlier)
    return x
