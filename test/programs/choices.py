"""Hypothesis strategies for programs: views of views, writes through them, reads between."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from hypothesis import strategies as st
from program import Program, Var

aten = torch.ops.aten

Draw = Callable[[st.SearchStrategy[Any]], Any]

SHAPES = [(), (0,), (1,), (4,), (2, 3), (3, 3), (4, 1), (2, 0, 2), (2, 3, 2), (1, 4, 2)]
DTYPES = [torch.float32, torch.int64, torch.bool, torch.float16, torch.int32, torch.uint8]


@dataclass
class Choice:
    """One call to be: the tensor it is about, and random arguments that mostly fit it."""

    draw: Draw
    program: Program
    var: Var

    @property
    def shape(self) -> torch.Size:
        return self.program.tensor(self.var).shape

    def dim(self) -> int:
        rank = max(len(self.shape), 1)
        return self.integer(-rank, rank - 1)

    def size(self, dim: int) -> int:
        return self.shape[dim] if self.shape else 1

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, max(low, high))))

    def flag(self) -> bool:
        return bool(self.draw(st.booleans()))

    def other(self) -> Var:
        return some_variable(self.draw, self.program)

    def dtype(self) -> torch.dtype:
        return self.draw(st.sampled_from(DTYPES))  # type: ignore[no-any-return]

    def number(self) -> bool | int | float:
        numbers: list[bool | int | float] = [0, 1, -2, 3, True]
        if self.program.tensor(self.var).is_floating_point():
            numbers += [0.5, -1.5]
        return self.draw(st.sampled_from(numbers))  # type: ignore[no-any-return]

    def order(self) -> list[int]:
        orders = itertools.islice(itertools.permutations(range(len(self.shape))), 24)
        return list(self.draw(st.sampled_from(list(orders))))

    def new_shape(self) -> list[int]:
        """Return a shape of the same number of elements."""
        count = self.shape.numel()
        shapes = [[count], [-1], [1, count], [count, 1], list(reversed(self.shape))]
        shapes += [[part, count // part] for part in (2, 3) if count % part == 0]
        shapes += [[2, 2, count // 4]] if count % 4 == 0 else []
        return list(self.draw(st.sampled_from(shapes)))

    def expanded(self) -> list[int]:
        if self.flag():
            return [2, *self.shape]
        return [3 if size == 1 else size for size in self.shape]

    def index(self, dim: int) -> Var:
        """Add a constant index along `dim`."""
        at = self.integer(0, self.size(dim) - 1)
        count = 1 if self.size(dim) < 2 else self.integer(1, 2)
        self.program.add_call(aten.arange.start, at, at + count, torch.int64, None, None, None)
        return Var(len(self.program.values) - 1)


def some_variable(draw: Draw, program: Program) -> Var:
    """Draw a variable, by how long ago it was made: then calls between can be shrunk away."""
    return draw(st.sampled_from(program.variables()[::-1]))  # type: ignore[no-any-return]


Table = Sequence[Callable[[Choice], tuple[Any, ...]]]

VIEWS: Table = (
    lambda c: (aten.select.int, c.var, c.dim(), c.integer(-1, 2)),
    lambda c: (
        *(aten.slice.Tensor, c.var, c.dim(), c.integer(-2, 4)),
        *(c.integer(-1, 9), c.integer(1, 3)),
    ),
    lambda c: (aten.narrow.default, c.var, c.dim(), c.integer(-1, 2), c.integer(0, 2)),
    lambda c: (aten.view.default, c.var, c.new_shape()),
    lambda c: (aten.reshape.default, c.var, c.new_shape()),
    lambda c: (aten.flatten.using_ints, c.var, c.integer(0, 1), c.integer(-2, 1)),
    lambda c: (aten.transpose.int, c.var, c.dim(), c.dim()),
    lambda c: (aten.permute.default, c.var, c.order()),
    lambda c: (aten.movedim.int, c.var, c.dim(), c.dim()),
    lambda c: (aten.numpy_T.default, c.var),
    lambda c: (aten.t.default, c.var),
    lambda c: (aten.mT.default, c.var),
    lambda c: (aten.unsqueeze.default, c.var, c.dim()),
    lambda c: (aten.squeeze.default, c.var),
    lambda c: (aten.squeeze.dim, c.var, c.dim()),
    lambda c: (aten.expand.default, c.var, c.expanded()),
    lambda c: (aten.expand_as.default, c.var, c.other()),
    lambda c: (aten.diagonal.default, c.var, c.integer(-1, 1), c.dim(), c.dim()),
    lambda c: (aten.unfold.default, c.var, c.dim(), c.integer(0, 3), c.integer(1, 3)),
    lambda c: (aten.contiguous.default, c.var),
    lambda c: (aten.detach.default, c.var),
    lambda c: (aten.alias.default, c.var),
    lambda c: (aten.to.dtype, c.var, c.dtype()),
    lambda c: (aten.dropout.default, c.var, 0.5, False),
    lambda c: (aten.split.Tensor, c.var, c.integer(1, 3), c.dim()),
    lambda c: (aten.split_with_sizes.default, c.var, [1, c.size(0) - 1], 0),
    lambda c: (aten.chunk.default, c.var, c.integer(1, 3), c.dim()),
    lambda c: (aten.unbind.int, c.var, c.dim()),
    lambda c: (aten.tensor_split.sections, c.var, c.integer(1, 3), c.dim()),
    lambda c: (aten.tensor_split.indices, c.var, [1, 2], c.dim()),
    lambda c: (aten.unsqueeze_.default, c.var, c.dim()),
    lambda c: (aten.transpose_.default, c.var, c.dim(), c.dim()),
)

WRITES: Table = (
    lambda c: (aten.add_.Tensor, c.var, c.other(), c.integer(1, 2)),
    lambda c: (aten.sub_.Tensor, c.var, c.other(), 1),
    lambda c: (aten.mul_.Tensor, c.var, c.other()),
    lambda c: (aten.div_.Tensor, c.var, c.other()),
    lambda c: (aten.add_.Scalar, c.var, c.number(), 1),
    lambda c: (aten.mul_.Scalar, c.var, c.number()),
    lambda c: (aten.copy_.default, c.var, c.other(), False),
    lambda c: (aten.copy_.default, c.var, c.other(), False),
    lambda c: (aten.fill_.Scalar, c.var, c.number()),
    lambda c: (aten.fill_.Tensor, c.var, c.other()),
    lambda c: (aten.zero_.default, c.var),
    lambda c: (aten.relu_.default, c.var),
    lambda c: (aten.neg_.default, c.var),
    lambda c: (aten.clamp_.default, c.var, c.number(), None),
    lambda c: (aten.clamp_.Tensor, c.var, c.other(), None),
    lambda c: (aten.lt_.Scalar, c.var, c.number()),
    lambda c: (aten.eq_.Tensor, c.var, c.other()),
    lambda c: (aten.logical_not_.default, c.var),
    lambda c: (aten.bitwise_xor_.Tensor, c.var, c.other()),
    lambda c: (aten.addcmul_.default, c.var, c.other(), c.other(), 1),
    lambda c: (aten.masked_fill_.Scalar, c.var, c.other(), c.number()),
    lambda c: (aten.masked_fill_.Tensor, c.var, c.other(), c.other()),
    lambda c: (aten.cumsum_.default, c.var, c.dim()),
    lambda c: (aten.tril_.default, c.var, c.integer(-1, 1)),
    lambda c: (aten.fill_diagonal_.default, c.var, c.number(), c.flag()),
    lambda c: (aten.dropout_.default, c.var, 0.5, False),
    lambda c: (aten.detach_.default, c.var),
    lambda c: (aten.addmm_.default, c.var, c.other(), c.other(), 1, 1),
    lambda c: (aten.add.out, c.other(), c.other(), 1, c.var),
    lambda c: (aten.mul.out, c.other(), c.other(), c.var),
    lambda c: (aten.sum.IntList_out, c.other(), [0], False, None, c.var),
    lambda c: (aten.index_put_.default, c.var, [c.index(0)], c.other(), c.flag()),
    lambda c: (aten.index_fill_.int_Scalar, c.var, 0, c.index(0), 1),
    lambda c: (aten.index_add_.default, c.var, 0, c.index(0), c.other(), 1),
    lambda c: (aten.index_copy_.default, c.var, 0, c.index(0), c.other()),
    lambda c: (aten.scatter_.value, c.var, 0, c.index(0), 1),
)

PURE: Table = (
    lambda c: (aten.clone.default, c.var),
    lambda c: (aten.add.Tensor, c.var, c.other(), 1),
    lambda c: (aten.mul.Tensor, c.var, c.other()),
    lambda c: (aten.cat.default, [c.var, c.other(), c.var]),
    lambda c: (aten.stack.default, [c.var, c.other()]),
    lambda c: (aten.sum.dim_IntList, c.var, [0], False),
    lambda c: (aten.ge.Scalar, c.var, 0),
    lambda c: (aten.zeros.default, list(c.draw(st.sampled_from(SHAPES))), torch.float32),
)


@st.composite
def programs(draw: Draw) -> Program:
    """Return a program of which only the last write may depend on the order of elements."""
    program = Program()
    for index in range(draw(st.integers(1, 3))):
        program.add_input(_input(draw, index), draw(st.booleans()))
    for _ in range(draw(st.integers(1, 14))):
        choice = Choice(draw, program, some_variable(draw, program))
        table = draw(st.sampled_from([VIEWS, WRITES, PURE, VIEWS, WRITES, (_as_strided,)]))
        call = draw(st.sampled_from(table))(choice)
        if call and _leaves_inputs(program, call):
            program.add_call(*call)
        if not program.is_defined:
            break
    every = draw(st.booleans())
    program.results = [var for var in program.variables() if every or draw(st.booleans())]
    return program


def _input(draw: Draw, index: int) -> torch.Tensor:
    """Return small numbers of both signs, contiguous, transposed, or with holes between them."""
    shape = draw(st.sampled_from(SHAPES))
    dtype = draw(st.sampled_from(DTYPES[:4]))
    numbers = (torch.arange(torch.Size(shape).numel()) * 3 + index) % 7 - 3
    tensor = (numbers > 0 if dtype is torch.bool else numbers.to(dtype)).reshape(shape)
    kind = draw(st.integers(0, 5))
    if kind == 4 and len(shape) > 1:
        return tensor.transpose(0, 1).contiguous().transpose(0, 1)
    if kind == 5 and shape:
        wide = torch.zeros(*shape[:-1], 2 * shape[-1], dtype=dtype)
        wide[..., ::2] = tensor
        return wide[..., ::2]
    return tensor


def _as_strided(choice: Choice) -> tuple[Any, ...]:
    """Return as_strided of a view of an input that has all of its storage.

    A view loses its storage on import where nothing is written, so there must be a write before.
    """
    tensor = choice.program.tensor(choice.var)
    if not choice.program.writes or tensor.numel() == 0:
        return ()
    storage = tensor.untyped_storage()
    for value in choice.program.values[: len(choice.program.starts)]:
        if value.untyped_storage().data_ptr() == storage.data_ptr():
            break
    else:
        return ()
    count = storage.nbytes() // tensor.element_size()
    sizes = choice.draw(st.lists(st.integers(0, 3), max_size=3))
    strides = [choice.integer(0, 4) for _ in sizes]
    offset = choice.integer(0, 3)
    reach = offset + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))
    whole = value.is_contiguous() and value.numel() == count
    if not whole or (0 not in sizes and reach >= count):
        return ()
    return (aten.as_strided.default, choice.var, sizes, strides, offset)


def _leaves_inputs(program: Program, call: tuple[Any, ...]) -> bool:
    """Say whether a call does not give an input another shape, which its caller would see."""
    op, var = call[:2]
    if op not in (aten.unsqueeze_.default, aten.transpose_.default):
        return True
    tensor = program.tensor(var)
    return all(value is not tensor for value in program.values[: len(program.starts)])
