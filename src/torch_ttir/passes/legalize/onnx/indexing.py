"""Rules for ONNX's gathers, scatters and padding."""

from __future__ import annotations

import math

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import put_rows, take_rows, wrap_index
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.onnx.adapt import Ints, aten, integers, number
from torch_ttir.passes.legalize.padding import constant_pad
from torch_ttir.passes.legalize.padding import pad as aten_pad
from torch_ttir.passes.legalize.rules import RuleTable
from torch_ttir.passes.legalize.scatter import reduce_into

RULES = RuleTable()

_REDUCTIONS = {"none": "invalid", "add": "sum", "mul": "prod", "max": "max", "min": "min"}


@RULES.lowers("onnx.Gather")
def gather(low: Lowering, x: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    """Gather(data, indices; axis=0) -> output."""
    dim = low.dim(axis, x.rank)
    return take_rows(low, x, dim, wrap_index(low, indices, x.shape[dim]))


@RULES.lowers("onnx.GatherElements")
def gather_elements(low: Lowering, x: Tensor, indices: Tensor, *, axis: int = 0) -> Tensor:
    """GatherElements(data, indices; axis=0) -> output."""
    dim = low.dim(axis, x.rank)
    index = wrap_index(low, indices, x.shape[dim])
    return aten(low, "gather", x, dim, index, False)  # type: ignore[no-any-return]


@RULES.lowers("onnx.GatherND")
def gather_nd(low: Lowering, x: Tensor, indices: Tensor, *, batch_dims: int = 0) -> Tensor:
    """GatherND(data, indices; batch_dims=0) -> output."""
    flat, index = _linear(low, x, indices, batch_dims)
    return low.reshape(take_rows(low, flat, 0, index), low.result.shape)


@RULES.lowers("onnx.ScatterElements", "onnx.Scatter")
def scatter_elements(
    low: Lowering,
    x: Tensor,
    indices: Tensor,
    updates: Tensor,
    *,
    axis: int = 0,
    reduction: str = "none",
) -> Tensor:
    """ScatterElements(data, indices, updates; axis=0, reduction="none") -> output."""
    dim = low.dim(axis, x.rank)
    index = wrap_index(low, indices, x.shape[dim])
    if reduction == "none":
        return aten(low, "scatter.src", x, dim, index, updates)  # type: ignore[no-any-return]
    return reduce_into(low, x, dim, index, updates, _REDUCTIONS[reduction], True)


@RULES.lowers("onnx.ScatterND")
def scatter_nd(
    low: Lowering, x: Tensor, indices: Tensor, updates: Tensor, *, reduction: str = "none"
) -> Tensor:
    """ScatterND(data, indices, updates; reduction="none") -> output."""
    flat, index = _linear(low, x, indices, 0)
    source = low.reshape(updates, (*index.shape, *flat.shape[1:]))
    made = put_rows(low, flat, 0, index, source, _REDUCTIONS[reduction])
    return low.reshape(made, x.shape)


def _linear(low: Lowering, x: Tensor, indices: Tensor, batch_dims: int) -> tuple[Tensor, Tensor]:
    """Return x with the indexed dimensions as one, and one index into it for each tuple."""
    depth = indices.shape[-1]
    indexed = x.shape[batch_dims : batch_dims + depth]
    outer = math.prod(x.shape[:batch_dims])
    rest = x.shape[batch_dims + depth :]
    flat = low.reshape(x, (outer * math.prod(indexed), *rest))
    table = low.reshape(indices, (outer, math.prod(indices.shape[batch_dims:-1]), depth))
    index: Tensor | None = None
    for axis, size in enumerate(indexed):
        column = wrap_index(low, low.slice(table, 2, axis, axis + 1), size)
        column = low.cast(column, "i64")
        scaled = index if index is None else low.mul(index, low.full((), size, "i64"))
        index = column if scaled is None else low.add(scaled, column)
    assert index is not None
    index = low.reshape(index, table.shape[:2])
    if outer > 1:
        first = low.arange((outer, 1), 0, "i64", 0, math.prod(indexed))
        index = low.add(index, first)
    return flat, low.reshape(index, (math.prod(index.shape),))


@RULES.lowers("onnx.Pad")
def pad(
    low: Lowering,
    x: Tensor,
    pads: Ints = None,
    constant_value: Tensor | float | None = None,
    axes: Ints = None,
    *,
    mode: str = "constant",
    value: float = 0.0,
    paddings: list[int] | None = None,
) -> Tensor:
    """Pad(data, pads, constant_value, axes; mode="constant") -> output."""
    amounts = integers(low, paddings if pads is None else pads, "pads") or []
    dims = [low.dim(axis, x.rank) for axis in integers(low, axes, "axes") or range(x.rank)]
    pairs = [(0, 0)] * x.rank
    for place, dim in enumerate(dims):
        pairs[dim] = (amounts[place], amounts[place + len(dims)])
    flat = [amount for pair in pairs[::-1] for amount in pair]
    if mode != "constant":
        names = {"edge": "replicate", "reflect": "reflect", "wrap": "circular"}
        low.expect(mode in names, f"padding mode `{mode}` is not known")
        return aten_pad(low, x, flat, names[mode])
    if isinstance(constant_value, Tensor) and not _is_known(constant_value):
        inside = constant_pad(low, low.full(x.shape, 1, "i1"), flat, 0)
        return low.where(inside, constant_pad(low, x, flat, 0), low.reshape(constant_value, ()))
    fill = number(low, constant_value, "constant_value")
    return constant_pad(low, x, flat, value if fill is None else fill)


def _is_known(x: Tensor) -> bool:
    return getattr(x.value.owner, "name", "") in ("ttir.constant", "ttir.full")


@RULES.lowers("onnx.Compress")
def compress(low: Lowering, x: Tensor, condition: Tensor, *, axis: int | None = None) -> Tensor:
    """Compress(input, condition; axis) -> output, for a condition that is known."""
    chosen = integers(low, condition, "condition") or []
    flat = low.reshape(x, (math.prod(x.shape),)) if axis is None else x
    dim = 0 if axis is None else low.dim(axis, x.rank)
    kept = [place for place, keep in enumerate(chosen) if keep]
    parts = [low.slice(flat, dim, place, place + 1) for place in kept]
    return low.concat(parts, dim)


@RULES.lowers("onnx.ReverseSequence")
def reverse_sequence(
    low: Lowering, x: Tensor, lengths: Tensor, *, batch_axis: int = 1, time_axis: int = 0
) -> Tensor:
    """ReverseSequence(input, sequence_lens; batch_axis=1, time_axis=0) -> Y."""
    time = low.arange(x.shape, time_axis, "i64")
    shape = [1] * x.rank
    shape[batch_axis] = x.shape[batch_axis]
    size = low.reshape(low.cast(lengths, "i64"), shape)
    turned = low.sub(low.sub(low.broadcast(size, x.shape), low.full((), 1, "i64")), time)
    index = low.where(low.compare("lt", time, size), turned, time)
    return aten(low, "gather", x, time_axis, index, False)  # type: ignore[no-any-return]


@RULES.lowers("onnx.TensorScatter")
def tensor_scatter(
    low: Lowering,
    cache: Tensor,
    update: Tensor,
    starts: Tensor | None = None,
    *,
    axis: int = -2,
    mode: str = "linear",
) -> Tensor:
    """TensorScatter(past_cache, update, write_indices; axis=-2, mode="linear") -> present_cache."""
    dim = low.dim(axis, cache.rank)
    index = low.arange(update.shape, dim, "i64")
    if starts is not None:
        first = low.reshape(low.cast(starts, "i64"), starts.shape + (1,) * (cache.rank - 1))
        index = low.add(index, first)
    if mode == "circular":
        index = low.binary("remainder", index, cache.shape[dim])
    return aten(low, "scatter.src", cache, dim, index, update)  # type: ignore[no-any-return]
