"""One step of a view: what it reads of a tensor, where its elements lie, and how to write it back.

Every view op is one of these, or a few in turn, with constant arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from torch_mlir import ir

from torch_ttir.ir.types import TensorInfo
from torch_ttir.passes.functionalize.emitter import Emitter, known_info
from torch_ttir.passes.functionalize.layouts import Layout, view_strides


class Step(ABC):
    """A step from a tensor to a view of it.

    `total` says that the view has every element of the tensor, `repeats` that it may have one
    element several times: such a step cannot be written back by itself.
    """

    total: ClassVar[bool] = False
    repeats: ClassVar[bool] = False

    @abstractmethod
    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the view's shape for a tensor's."""

    @abstractmethod
    def layout(self, layout: Layout) -> Layout | None:
        """Return where the view's elements lie; None if strides cannot say it."""

    @abstractmethod
    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit the view of `tensor`."""

    def write(self, emit: Emitter, tensor: ir.Value | None, view: ir.Value) -> ir.Value:
        """Emit `tensor` with the elements of the view replaced; `tensor` is None if `total`."""
        raise NotImplementedError(f"{type(self).__name__} is not written back by itself")

    def after(self, earlier: Step) -> Step | None:
        """Return the one step that is `earlier` and then this; None where there is none."""
        return None

    def _info(self, tensor: ir.Value) -> TensorInfo:
        info = known_info(tensor)
        return TensorInfo(self.shape(info.shape), info.dtype)


@dataclass(frozen=True)
class Reshape(Step):
    """The same elements in row-major order, in another shape."""

    before: tuple[int, ...]
    sizes: tuple[int, ...]
    total: ClassVar[bool] = True

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the new shape."""
        return self.sizes

    def layout(self, layout: Layout) -> Layout | None:
        """Return the layout of a `view`; None where PyTorch would refuse it."""
        strides = view_strides(layout.sizes, layout.strides, self.sizes)
        return None if strides is None else Layout(layout.offset, self.sizes, strides)

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.reshape: what it reads may lie in any order."""
        return emit.view("torch.aten.reshape", [tensor, self.sizes], self._info(tensor))

    def write(self, emit: Emitter, tensor: ir.Value | None, view: ir.Value) -> ir.Value:
        """Emit aten.reshape back."""
        info = TensorInfo(self.before, known_info(view).dtype)
        return emit.view("torch.aten.reshape", [view, self.before], info)

    def after(self, earlier: Step) -> Step | None:
        """Return one reshape for two."""
        return Reshape(earlier.before, self.sizes) if isinstance(earlier, Reshape) else None


@dataclass(frozen=True)
class Permute(Step):
    """Dimension `i` of the view is dimension `dims[i]` of the tensor."""

    dims: tuple[int, ...]
    total: ClassVar[bool] = True

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the permuted shape."""
        return tuple(shape[dim] for dim in self.dims)

    def layout(self, layout: Layout) -> Layout | None:
        """Return the permuted strides."""
        strides = tuple(layout.strides[dim] for dim in self.dims)
        return Layout(layout.offset, self.shape(layout.sizes), strides)

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.permute."""
        return emit.view("torch.aten.permute", [tensor, self.dims], self._info(tensor))

    def write(self, emit: Emitter, tensor: ir.Value | None, view: ir.Value) -> ir.Value:
        """Emit the inverse permutation."""
        inverse = sorted(range(len(self.dims)), key=self.dims.__getitem__)
        return Permute(tuple(inverse)).read(emit, view)

    def after(self, earlier: Step) -> Step | None:
        """Return one permutation for two."""
        if isinstance(earlier, Permute):
            return Permute(tuple(earlier.dims[dim] for dim in self.dims))
        return None


@dataclass(frozen=True)
class Slice(Step):
    """`x[start:stop:stride]` of one dimension, with 0 <= start <= stop <= its size."""

    dim: int
    start: int
    stop: int
    stride: int = 1

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape with the slice's size."""
        size = -(-(self.stop - self.start) // self.stride)
        return (*shape[: self.dim], size, *shape[self.dim + 1 :])

    def layout(self, layout: Layout) -> Layout | None:
        """Return the layout from `start` on, `stride` times as wide."""
        strides = list(layout.strides)
        offset = layout.offset + self.start * strides[self.dim]
        strides[self.dim] *= self.stride
        return Layout(offset, self.shape(layout.sizes), tuple(strides))

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.slice."""
        operands = [tensor, self.dim, self.start, self.stop, self.stride]
        return emit.view("torch.aten.slice.Tensor", operands, self._info(tensor))

    def write(self, emit: Emitter, tensor: ir.Value | None, view: ir.Value) -> ir.Value:
        """Emit aten.slice_scatter."""
        assert tensor is not None
        operands = [tensor, view, self.dim, self.start, self.stop, self.stride]
        return emit.tensor("torch.aten.slice_scatter", operands, known_info(tensor))

    def after(self, earlier: Step) -> Step | None:
        """Return one slice for two of one dimension."""
        if not isinstance(earlier, Slice) or earlier.dim != self.dim:
            return None
        start = min(earlier.start + self.start * earlier.stride, earlier.stop)
        stop = min(earlier.start + self.stop * earlier.stride, earlier.stop)
        return Slice(self.dim, start, stop, earlier.stride * self.stride)


@dataclass(frozen=True)
class Select(Step):
    """Entry `index` of one dimension, counted from the front; the dimension goes away."""

    dim: int
    index: int

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape without the dimension."""
        return shape[: self.dim] + shape[self.dim + 1 :]

    def layout(self, layout: Layout) -> Layout | None:
        """Return the layout of the entry."""
        offset = layout.offset + self.index * layout.strides[self.dim]
        return Layout(offset, self.shape(layout.sizes), self.shape(layout.strides))

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.select."""
        operands = [tensor, self.dim, self.index]
        return emit.view("torch.aten.select.int", operands, self._info(tensor))

    def write(self, emit: Emitter, tensor: ir.Value | None, view: ir.Value) -> ir.Value:
        """Emit aten.select_scatter."""
        assert tensor is not None
        operands = [tensor, view, self.dim, self.index]
        return emit.tensor("torch.aten.select_scatter", operands, known_info(tensor))


@dataclass(frozen=True)
class Expand(Step):
    """Dimensions of size 1, and new ones in front, repeated."""

    sizes: tuple[int, ...]
    repeats: ClassVar[bool] = True

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the new shape."""
        return self.sizes

    def layout(self, layout: Layout) -> Layout | None:
        """Return the layout with stride 0 where elements repeat."""
        lead = len(self.sizes) - len(layout.sizes)
        strides = [
            stride if size == wanted else 0
            for size, stride, wanted in zip(
                layout.sizes, layout.strides, self.sizes[lead:], strict=True
            )
        ]
        return Layout(layout.offset, self.sizes, (*[0] * lead, *strides))

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.expand."""
        return emit.expand(tensor, self.sizes)


@dataclass(frozen=True)
class Diagonal(Step):
    """The diagonal `offset` of two dimensions, as the last dimension."""

    offset: int
    dim1: int
    dim2: int

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the other dimensions and the diagonal's length."""
        rows, columns = shape[self.dim1], shape[self.dim2]
        length = min(rows + min(self.offset, 0), columns - max(self.offset, 0))
        return (*self._others(shape), max(length, 0))

    def layout(self, layout: Layout) -> Layout | None:
        """Return the layout with the two strides added up."""
        sizes = self.shape(layout.sizes)
        down, right = layout.strides[self.dim1], layout.strides[self.dim2]
        begin = self.offset * right if self.offset > 0 else -self.offset * down
        offset = layout.offset + (begin if sizes[-1] else 0)
        return Layout(offset, sizes, (*self._others(layout.strides), down + right))

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.diagonal."""
        operands = [tensor, self.offset, self.dim1, self.dim2]
        return emit.view("torch.aten.diagonal", operands, self._info(tensor))

    def write(self, emit: Emitter, tensor: ir.Value | None, view: ir.Value) -> ir.Value:
        """Emit aten.diagonal_scatter."""
        assert tensor is not None
        operands = [tensor, view, self.offset, self.dim1, self.dim2]
        return emit.tensor("torch.aten.diagonal_scatter", operands, known_info(tensor))

    def _others(self, items: Sequence[int]) -> tuple[int, ...]:
        axes = (self.dim1, self.dim2)
        return tuple(item for dim, item in enumerate(items) if dim not in axes)


@dataclass(frozen=True)
class Unfold(Step):
    """Windows of `size` elements, `stride` apart, of one dimension; the window comes last."""

    dim: int
    size: int
    stride: int
    repeats: ClassVar[bool] = True

    def shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the shape with the number of windows, and the window."""
        count = (shape[self.dim] - self.size) // self.stride + 1
        return (*shape[: self.dim], count, *shape[self.dim + 1 :], self.size)

    def layout(self, layout: Layout) -> Layout | None:
        """Return the layout in which windows may share elements."""
        strides = [*layout.strides, layout.strides[self.dim]]
        strides[self.dim] *= self.stride
        return Layout(layout.offset, self.shape(layout.sizes), tuple(strides))

    def read(self, emit: Emitter, tensor: ir.Value) -> ir.Value:
        """Emit aten.unfold."""
        operands = [tensor, self.dim, self.size, self.stride]
        return emit.view("torch.aten.unfold", operands, self._info(tensor))
