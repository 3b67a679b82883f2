"""Rules for moments and norms: var, std, and vector and matrix norms."""

from __future__ import annotations

import math
from collections.abc import Sequence

from torch_ttir.passes.legalize.builder import Number, Tensor
from torch_ttir.passes.legalize.composed import widened
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import compute_dtype
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

Dims = int | Sequence[int] | None


def _moments(
    low: Lowering, x: Tensor, dim: Dims, correction: Number | None, root: bool
) -> list[Tensor]:
    """Return the variance (or its root) and the mean in the declared result types."""
    info = low.result
    x = low.cast(x, compute_dtype(info.dtype))
    dims = low.dims(dim, x.rank)
    mean = low.reduce("mean", x, dims, True)
    squares = low.reduce("sum", low.unary("square", low.sub(x, mean)), dims, True)
    count = math.prod(x.shape[axis] for axis in dims)
    variance = low.div(squares, max(0.0, count - (1 if correction is None else correction)))
    spread = low.unary("sqrt", variance) if root else variance
    return [low.cast(low.reshape(made, info.shape), info.dtype) for made in (spread, mean)]


def _add_moments(name: str, root: bool, both: bool) -> None:
    """Add the rules of the overloads of one of var, std, var_mean, std_mean."""

    def chosen(made: list[Tensor]) -> Tensor | list[Tensor]:
        return made if both else made[0]

    @RULES.lowers(f"aten.{name}")
    def over_all(low: Lowering, x: Tensor, unbiased: bool = True) -> Tensor | list[Tensor]:
        """var(Tensor self, bool unbiased=True) -> Tensor."""
        return chosen(_moments(low, x, None, int(unbiased), root))

    @RULES.lowers(f"aten.{name}.dim")
    def over_dims(
        low: Lowering, x: Tensor, dim: Dims, unbiased: bool = True, keepdim: bool = False
    ) -> Tensor | list[Tensor]:
        """var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor."""
        return chosen(_moments(low, x, dim, int(unbiased), root))

    @RULES.lowers(f"aten.{name}.correction")
    def corrected(
        low: Lowering,
        x: Tensor,
        dim: Dims = None,
        correction: Number | None = None,
        keepdim: bool = False,
    ) -> Tensor | list[Tensor]:
        """var.correction(Tensor self, int[1]? dim, *, Scalar? correction, bool keepdim)."""
        return chosen(_moments(low, x, dim, correction, root))


for _name in ("var", "std", "var_mean", "std_mean"):
    _add_moments(_name, root=_name.startswith("std"), both=_name.endswith("mean"))


@RULES.lowers("prims.var")
def prims_var(
    low: Lowering, x: Tensor, dims: Dims, correction: Number = 1, dtype: int | None = None
) -> Tensor:
    """prims.var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype)."""
    return _moments(low, x, dims, correction, root=False)[0]


def vector_norm(low: Lowering, x: Tensor, order: Number, dims: Sequence[int]) -> Tensor:
    """Return (sum |x|^order)^(1/order) with `dims` kept; its limits for 0, inf and -inf."""
    if order == 0:
        return low.reduce("sum", low.cast(low.compare("ne", x, 0), x.dtype), dims, True)
    if order == 2:
        return low.unary("sqrt", low.reduce("sum", low.unary("square", x), dims, True))
    size = low.unary("abs", x)
    if math.isinf(order):
        return low.reduce("max" if order > 0 else "min", size, dims, True)
    if order == 1:
        return low.reduce("sum", size, dims, True)
    total = low.reduce("sum", low.binary("pow", size, order), dims, True)
    return low.binary("pow", total, 1 / order)


@RULES.lowers("aten.linalg_vector_norm")
@widened
def linalg_vector_norm(
    low: Lowering,
    x: Tensor,
    order: Number = 2,
    dim: Dims = None,
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    """linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim, ...)."""
    made = vector_norm(low, x, order, low.dims(dim, x.rank))
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten.norm.ScalarOpt_dim", "aten.norm.ScalarOpt_dim_dtype")
@widened
def norm_dims(
    low: Lowering,
    x: Tensor,
    order: Number | None,
    dim: Dims,
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    """norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor."""
    made = vector_norm(low, x, 2 if order is None else order, low.dims(dim, x.rank))
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten.norm.Scalar", "aten.norm.ScalarOpt_dtype")
@widened
def norm(low: Lowering, x: Tensor, order: Number | None = 2, dtype: int | None = None) -> Tensor:
    """norm.Scalar(Tensor self, Scalar p=2) -> Tensor."""
    made = vector_norm(low, x, 2 if order is None else order, low.dims(None, x.rank))
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten.frobenius_norm.dim")
@widened
def frobenius_norm(low: Lowering, x: Tensor, dim: Dims, keepdim: bool = False) -> Tensor:
    """frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor."""
    return low.reshape(vector_norm(low, x, 2, low.dims(dim, x.rank)), low.result.shape)


@RULES.lowers("aten.linalg_norm", "aten.linalg_norm.ord_str")
@widened
def linalg_norm(
    low: Lowering,
    x: Tensor,
    order: Number | str | None = None,
    dim: Dims = None,
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    """linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, ...)."""
    axes = list(range(x.rank)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    axes = [low.dim(axis, x.rank) for axis in axes]
    if order is None:
        made = vector_norm(low, x, 2, axes)
    elif len(axes) == 2:
        made = _matrix_norm(low, x, order, axes)
    else:
        low.expect(not isinstance(order, str), f"`ord={order!r}` needs two dimensions")
        made = vector_norm(low, x, float(order), axes)
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten.linalg_matrix_norm", "aten.linalg_matrix_norm.str_ord")
@widened
def linalg_matrix_norm(
    low: Lowering,
    x: Tensor,
    order: Number | str = "fro",
    dim: Sequence[int] = (-2, -1),
    keepdim: bool = False,
    dtype: int | None = None,
) -> Tensor:
    """linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2,-1], bool keepdim=False, ...)."""
    made = _matrix_norm(low, x, order, [low.dim(axis, x.rank) for axis in dim])
    return low.reshape(made, low.result.shape)


def _matrix_norm(low: Lowering, x: Tensor, order: Number | str, axes: Sequence[int]) -> Tensor:
    if order == "fro":
        return vector_norm(low, x, 2, axes)
    low.expect(
        order in (1, -1, math.inf, -math.inf),
        f"a matrix norm of order {order!r} needs singular values, which TTIR cannot say",
    )
    if 0 in x.shape:
        kept = [1 if axis in axes else size for axis, size in enumerate(x.shape)]
        return low.full(kept, 0, x.dtype)
    rows, columns = axes
    summed, compared = (rows, columns) if abs(float(order)) == 1 else (columns, rows)
    sums = low.reduce("sum", low.unary("abs", x), [summed], True)
    return low.reduce("max" if float(order) > 0 else "min", sums, [compared], True)


@RULES.lowers("aten.dist")
@widened
def dist(low: Lowering, x: Tensor, y: Tensor, order: Number = 2) -> Tensor:
    """dist(Tensor self, Tensor other, Scalar p=2) -> Tensor."""
    gap = low.sub(x, y)
    return low.reshape(vector_norm(low, gap, order, low.dims(None, gap.rank)), ())


@RULES.lowers("aten.renorm")
@widened
def renorm(low: Lowering, x: Tensor, order: Number, dim: int, maxnorm: Number) -> Tensor:
    """renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor; longer ones are scaled."""
    kept = low.dim(dim, x.rank)
    norms = vector_norm(low, x, order, [axis for axis in range(x.rank) if axis != kept])
    factor = low.div(maxnorm, low.add(norms, 1e-7))
    factor = low.where(low.compare("gt", norms, maxnorm), factor, 1)
    return low.mul(x, factor)


_SINGULAR_VALUES = "needs singular values, which TTIR has no op for"
for _name in ("aten.nuclear_norm", "aten.nuclear_norm.dim"):
    RULES.rejects(_name, _SINGULAR_VALUES)
