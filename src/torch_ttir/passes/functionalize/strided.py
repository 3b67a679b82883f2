"""Views given by strides alone: slices and permutations of a flat tensor, or single elements."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch_mlir import ir

from torch_ttir.ir.types import TensorInfo
from torch_ttir.passes.functionalize.emitter import Emitter, known_info
from torch_ttir.passes.functionalize.layouts import Layout, overlaps_itself
from torch_ttir.passes.functionalize.steps import Expand, Permute, Reshape, Slice, Step


@dataclass(frozen=True)
class Elements(Step):
    """The elements of a one-dimensional tensor that a layout names, one by one."""

    places: Layout

    @property
    def repeats(self) -> bool:  # type: ignore[override]
        """Say whether two elements have one place."""
        return overlaps_itself(self.places)

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the layout's shape."""
        return self.places.sizes

    def layout(self, layout: Layout) -> Layout | None:
        """Return the layout within a whole storage."""
        step = layout.strides[0]
        strides = tuple(stride * step for stride in self.places.strides)
        return Layout(layout.offset + self.places.offset * step, self.places.sizes, strides)

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.index_select with the places of all elements."""
        dtype = known_info(tensor).dtype
        count = math.prod(self.places.sizes)
        if count == 0:
            return emit.full(0, TensorInfo(self.places.sizes, dtype))
        index = self._index(emit)
        flat = emit.tensor(
            "torch.aten.index_select", [tensor, 0, index], TensorInfo((count,), dtype)
        )
        return emit.view(
            "torch.aten.reshape", [flat, self.places.sizes], TensorInfo(self.places.sizes, dtype)
        )

    def write(self, emit: Emitter, tensor: ir.Value | None, view: ir.Value) -> ir.Value:
        """Emit aten.scatter to the places of all elements, which must be distinct."""
        assert tensor is not None
        info = known_info(view)
        count = math.prod(info.shape)
        if count == 0:
            return tensor
        flat = emit.view("torch.aten.reshape", [view, (count,)], TensorInfo((count,), info.dtype))
        operands = [tensor, 0, self._index(emit), flat]
        return emit.tensor("torch.aten.scatter.src", operands, known_info(tensor))

    def _index(self, emit: Emitter) -> ir.Value:
        """Emit the flat list of places: a sum of one arange a dimension."""
        sizes, strides = self.places.sizes, self.places.strides
        total: ir.Value | None = None
        for dim, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
            start = self.places.offset if dim == 0 else 0
            shape = (size, *[1] * (len(sizes) - dim - 1))
            line = emit.tensor(
                "torch.aten.arange.start",
                [0, size, 4, None, None, None],
                TensorInfo((size,), "si64"),
            )
            info = TensorInfo((size,), "si64")
            line = emit.tensor("torch.aten.mul.Scalar", [line, stride], info)
            line = emit.tensor("torch.aten.add.Scalar", [line, start, 1], info)
            line = emit.view("torch.aten.reshape", [line, shape], TensorInfo(shape, "si64"))
            if total is None:
                total = line
                continue
            summed = TensorInfo((*sizes[: dim + 1], *[1] * (len(sizes) - dim - 1)), "si64")
            total = emit.tensor("torch.aten.add.Tensor", [total, line, 1], summed)
        if total is None:
            return emit.full(self.places.offset, TensorInfo((1,), "si64"))
        flat = (math.prod(sizes),)
        return emit.view("torch.aten.reshape", [total, flat], TensorInfo(flat, "si64"))


def strided_steps(length: int, layout: Layout) -> list[Step]:
    """Return the steps from a one-dimensional tensor of `length` to the view with this layout."""
    steps: list[Step] = []
    unique = tuple(
        1 if stride == 0 and size > 1 else size
        for size, stride in zip(layout.sizes, layout.strides, strict=True)
    )
    once = Layout(layout.offset, unique, layout.strides)
    nested = None if 0 in unique else _nested_steps(length, once)
    steps = [Elements(once)] if nested is None else nested
    return steps if unique == layout.sizes else [*steps, Expand(layout.sizes)]


def _nested_steps(length: int, layout: Layout) -> list[Step] | None:
    """Return slices of ever smaller rows; None where rows cannot be cut out of the tensor."""
    dims = [dim for dim, size in enumerate(layout.sizes) if size > 1]
    dims.sort(key=lambda dim: -layout.strides[dim])
    shape: tuple[int, ...] = (length,)
    offset = layout.offset
    steps: list[Step] = []
    for position, dim in enumerate(dims):
        size, stride = layout.sizes[dim], layout.strides[dim]
        if position == len(dims) - 1:
            _slice(steps, shape, offset, offset + (size - 1) * stride + 1, stride)
            shape = (*shape[:-1], size)
            break
        inner = 1 + sum((layout.sizes[d] - 1) * layout.strides[d] for d in dims[position + 1 :])
        first = max(0, offset + inner - stride)
        last = min(offset, shape[-1] - size * stride)
        if first > last:
            return None
        start = min(max(offset - offset % stride, first), last)
        _slice(steps, shape, start, start + size * stride)
        before, shape = (*shape[:-1], size * stride), (*shape[:-1], size, stride)
        steps.append(Reshape(before, shape))
        offset -= start
    if not dims:
        _slice(steps, shape, offset, offset + 1)
        shape = (1,)
    if dims and dims != sorted(dims):
        order = sorted(range(len(dims)), key=dims.__getitem__)
        steps.append(Permute(tuple(order)))
        shape = tuple(shape[dim] for dim in order)
    if shape != layout.sizes:
        steps.append(Reshape(shape, layout.sizes))
    return steps


def _slice(steps: list[Step], shape: tuple[int, ...], start: int, stop: int, step: int = 1) -> None:
    if (start, stop, step) != (0, shape[-1], 1):
        steps.append(Slice(len(shape) - 1, start, stop, step))
