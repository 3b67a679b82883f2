"""Rules for matrix products: mm, bmm, matmul, linear, dot and their sums with a bias."""

from __future__ import annotations

from collections.abc import Sequence

from torch_mlir import ir

from torch_ttir.dialects.ttir.shapes import broadcast_shape
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


@RULES.lowers("aten.mm", "aten.bmm", "aten.mv", "aten.dot", "aten.vdot", "aten.matmul")
@RULES.lowers("aten.linalg_matmul")
def matmul(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """matmul(Tensor self, Tensor other) -> Tensor; of any ranks from 1 up."""
    return product(low, x, y)


@RULES.lowers("aten.linear")
def linear(low: Lowering, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor."""
    if weight.rank == 1:
        made = product(low, x, weight)
        return made if bias is None else low.add(made, bias)
    vector = x.rank == 1
    x = low.reshape(x, (1, *x.shape)) if vector else x
    shape = (*x.shape[:-1], weight.shape[0])
    made = low.op("linear", [x, weight, _bias(low, bias)], shape, x.dtype, transpose_b=True)
    return low.reshape(made, low.result.shape)


@RULES.lowers("aten.addmm", "aten.addmv", "aten.baddbmm")
def addmm(
    low: Lowering, bias: Tensor, x: Tensor, y: Tensor, beta: float = 1, alpha: float = 1
) -> Tensor:
    """addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor."""
    if beta == alpha == 1 and y.rank == 2 and bias.rank > 0:
        y, transposed = _before_transpose(y)
        shape = low.result.shape
        return low.op("linear", [x, y, bias], shape, x.dtype, transpose_b=transposed or None)
    dtype = low.result.dtype
    bias, x, y = widen(low, bias, x, y)
    made = _scaled_sum(low, bias, product(low, x, y), beta, alpha)
    return low.cast(low.broadcast(made, low.result.shape), dtype)


@RULES.lowers("aten._addmm_activation")
def addmm_activation(
    low: Lowering,
    bias: Tensor,
    x: Tensor,
    y: Tensor,
    beta: float = 1,
    alpha: float = 1,
    use_gelu: bool = False,
) -> Tensor:
    """_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, beta, alpha, bool use_gelu)."""
    return low.unary("gelu" if use_gelu else "relu", addmm(low, bias, x, y, beta, alpha))


@RULES.lowers("aten.addbmm")
def addbmm(
    low: Lowering, bias: Tensor, x: Tensor, y: Tensor, beta: float = 1, alpha: float = 1
) -> Tensor:
    """addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)."""
    dtype = low.result.dtype
    batch, rows, inner = x.shape
    x = low.reshape(low.permute(x, (1, 0, 2)), (rows, batch * inner))
    y = low.reshape(y, (batch * inner, y.shape[2]))
    bias, x, y = widen(low, bias, x, y)
    return low.cast(_scaled_sum(low, bias, product(low, x, y), beta, alpha), dtype)


@RULES.lowers("aten.addr")
def addr(
    low: Lowering, bias: Tensor, x: Tensor, y: Tensor, beta: float = 1, alpha: float = 1
) -> Tensor:
    """addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor."""
    dtype = low.result.dtype
    if dtype == "i1":
        outer_ = times(low, low.reshape(x, (*x.shape, 1)), y)
        outer_ = outer_ if alpha else low.full(outer_.shape, 0, "i1")
        return low.binary("logical_or", bias, outer_) if beta else outer_
    bias, x, y = widen(low, *(low.cast(tensor, dtype) for tensor in (bias, x, y)))
    made = low.mul(low.reshape(x, (*x.shape, 1)), y)
    return low.cast(_scaled_sum(low, bias, made, beta, alpha), dtype)


@RULES.lowers("aten.outer", "aten.ger")
def outer(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """outer(Tensor self, Tensor vec2) -> Tensor."""
    dtype = low.result.dtype
    return times(low, low.reshape(low.cast(x, dtype), (*x.shape, 1)), low.cast(y, dtype))


@RULES.lowers("aten.inner")
def inner(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """inner(Tensor self, Tensor other) -> Tensor; the product over both last dimensions."""
    if not x.shape or not y.shape:
        return low.mul(x, y)
    return contract(low, x, y, [x.rank - 1], [y.rank - 1])


@RULES.lowers("aten.tensordot")
def tensordot(
    low: Lowering, x: Tensor, y: Tensor, dims_x: Sequence[int], dims_y: Sequence[int]
) -> Tensor:
    """tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor."""
    left = [low.dim(dim, x.rank) for dim in dims_x]
    right = [low.dim(dim, y.rank) for dim in dims_y]
    # PyTorch sums a dimension of size 1 away where the other operand's is larger.
    for dim_x, dim_y in zip(left, right, strict=True):
        if x.shape[dim_x] == 1 != y.shape[dim_y]:
            y = low.reduce("sum", y, [dim_y], keep=True)
        elif y.shape[dim_y] == 1 != x.shape[dim_x]:
            x = low.reduce("sum", x, [dim_x], keep=True)
    return contract(low, x, y, left, right)


@RULES.lowers("aten.kron")
def kron(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """kron(Tensor self, Tensor other) -> Tensor."""
    dtype, rank = low.result.dtype, max(x.rank, y.rank)
    pairs = [
        low.reshape(low.cast(tensor, dtype), (1,) * (rank - tensor.rank) + tensor.shape)
        for tensor in (x, y)
    ]
    rows, columns = (tensor.shape for tensor in pairs)
    left = low.reshape(pairs[0], [size for old in rows for size in (old, 1)])
    right = low.reshape(pairs[1], [size for old in columns for size in (1, old)])
    return low.reshape(times(low, left, right), low.result.shape)


@RULES.lowers("aten.linalg_vecdot")
def vecdot(low: Lowering, x: Tensor, y: Tensor, dim: int = -1) -> Tensor:
    """linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor."""
    dtype = low.result.dtype
    wide = low.mul(*widen(low, low.cast(x, dtype), low.cast(y, dtype)))
    return low.cast(low.reduce("sum", wide, [low.dim(dim, wide.rank)], keep=False), dtype)


@RULES.lowers("aten.chain_matmul", "aten.linalg_multi_dot")
def chain_matmul(low: Lowering, matrices: Sequence[Tensor]) -> Tensor:
    """linalg_multi_dot(Tensor[] tensors) -> Tensor; in the order of fewest multiplications."""
    first, *middle, last = matrices
    vector = first.rank == 1
    first = low.reshape(first, (1, *first.shape)) if vector else first
    last = low.reshape(last, (*last.shape, 1)) if last.rank == 1 else last
    return low.reshape(_chain(low, [first, *middle, last]), low.result.shape)


def product(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """Return the matrix product by torch.matmul's rules; two vectors give a 0-d tensor."""
    left = x.shape if x.rank > 1 else (1, *x.shape)
    right = y.shape if y.rank > 1 else (*y.shape, 1)
    batch = broadcast_shape([left[:-2], right[:-2]])
    rows = left[-2:-1] if x.rank > 1 else ()
    columns = right[-1:] if y.rank > 1 else ()
    shape = (*batch, *rows, *columns)
    y, transposed = _before_transpose(y)
    # TTIR's product of two vectors has one element in one dimension.
    made = low.op("matmul", [x, y], shape or (1,), x.dtype, transpose_b=transposed or None)
    return low.reshape(made, shape)


def _before_transpose(y: Tensor) -> tuple[Tensor, bool]:
    """Return the matrix of which `y` is the transpose, and that it is one; else `y` itself.

    Exported linear layers multiply by the transpose of their weight, which TTIR's products can do
    themselves.
    """
    if y.rank != 2 or isinstance(y.value, ir.BlockArgument) or y.value.owner.name != "ttir.permute":
        return y, False
    op = y.value.owner
    if list(op.attributes["permutation"]) != [1, 0]:
        return y, False
    return Tensor(op.operands[0], y.shape[::-1], y.dtype), True


def times(low: Lowering, x: Tensor, y: Tensor) -> Tensor:
    """Return the elementwise product, of bools too."""
    return low.binary("logical_and" if x.dtype == "i1" else "multiply", x, y)


def contract(
    low: Lowering, x: Tensor, y: Tensor, dims_x: Sequence[int], dims_y: Sequence[int]
) -> Tensor:
    """Return the product summed over pairs of dims; x's remaining dims stand before y's."""
    free_x = [dim for dim in range(x.rank) if dim not in dims_x]
    free_y = [dim for dim in range(y.rank) if dim not in dims_y]
    kept = [x.shape[dim] for dim in free_x], [y.shape[dim] for dim in free_y]
    left = _flatten(low, low.permute(x, [*free_x, *dims_x]), len(free_x))
    right = _flatten(low, low.permute(y, [*dims_y, *free_y]), len(dims_y))
    return low.reshape(low.matmul(left, right), [*kept[0], *kept[1]])


def _flatten(low: Lowering, x: Tensor, split: int) -> Tensor:
    sizes = [1, 1]
    for dim, size in enumerate(x.shape):
        sizes[dim >= split] *= size
    return low.reshape(x, sizes)


def _scaled_sum(low: Lowering, bias: Tensor, made: Tensor, beta: float, alpha: float) -> Tensor:
    """Return `beta * bias + alpha * made`; a bias times zero is left out, NaN and all."""
    scaled = made if alpha == 1 else low.mul(made, low.scalar(alpha, made.dtype))
    if beta == 0:
        return scaled
    return low.add(bias if beta == 1 else low.mul(bias, low.scalar(beta, bias.dtype)), scaled)


def _bias(low: Lowering, bias: Tensor | None) -> Tensor | None:
    return low.reshape(bias, (1,)) if bias is not None and bias.rank == 0 else bias


def _chain(low: Lowering, matrices: Sequence[Tensor]) -> Tensor:
    """Multiply by the cheapest bracketing; cost[i][j] is that of the matrices i to j."""
    count = len(matrices)
    sizes = [matrices[0].shape[0], *(matrix.shape[1] for matrix in matrices)]
    cost = {(i, i): (0, i) for i in range(count)}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i, j] = min(
                (cost[i, k][0] + cost[k + 1, j][0] + sizes[i] * sizes[k + 1] * sizes[j + 1], k)
                for k in range(i, j)
            )

    def build(i: int, j: int) -> Tensor:
        if i == j:
            return matrices[i]
        k = cost[i, j][1]
        return low.matmul(build(i, k), build(k + 1, j))

    return build(0, count - 1)
