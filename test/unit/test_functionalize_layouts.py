"""Strides, overlaps and strided views against PyTorch and against lists of all places."""

from __future__ import annotations

import math

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from torch_ttir.passes.functionalize.layouts import (
    Layout,
    contiguous_strides,
    is_contiguous,
    meet,
    overlaps_itself,
    stride_order,
    view_strides,
    without_holes,
)
from torch_ttir.passes.functionalize.steps import Expand, Permute, Reshape, Slice, Step
from torch_ttir.passes.functionalize.strided import Elements, strided_steps

SIZES = st.lists(st.integers(0, 4), max_size=4).map(tuple)
EXAMPLES = settings(max_examples=300, deadline=None, derandomize=True, database=None)


@st.composite
def layouts(draw: st.DrawFn, most: int = 6) -> Layout:
    sizes = draw(SIZES)
    strides = tuple(draw(st.integers(0, most)) for _ in sizes)
    return Layout(draw(st.integers(0, 5)), sizes, strides)


def places(layout: Layout) -> list[int]:
    """Return the place of every element, in order."""
    total = 1 + layout.offset + sum(4 * stride for stride in layout.strides)
    numbers = torch.arange(total).as_strided(layout.sizes, layout.strides, layout.offset)
    return list(map(int, numbers.reshape(-1)))


def tensor_of(layout: Layout) -> torch.Tensor:
    total = 1 + layout.offset + sum(4 * stride for stride in layout.strides)
    return torch.empty(total).as_strided(layout.sizes, layout.strides, layout.offset)


@EXAMPLES
@given(SIZES)
def test_contiguous_strides(sizes: tuple[int, ...]) -> None:
    assert contiguous_strides(sizes) == torch.empty(sizes).stride()


@EXAMPLES
@given(layouts())
def test_is_contiguous(layout: Layout) -> None:
    assert is_contiguous(layout) == tensor_of(layout).is_contiguous()


@EXAMPLES
@given(st.data(), st.sampled_from([(2, 3, 4), (4, 3), (2, 2, 2), (1, 6), (6,), (), (2, 0), (1, 1)]))
def test_view_strides(data: st.DataObject, sizes: tuple[int, ...]) -> None:
    order = data.draw(st.permutations(range(len(sizes))))
    tensor = torch.empty(sizes).permute(order)
    if sizes and data.draw(st.booleans()):
        tensor = tensor[..., ::2]
    count = tensor.numel()
    shapes = [tuple(tensor.shape), (count,), (1, count), (count, 1, 1)]
    shapes += [(part, count // part) for part in (2, 3, 4) if count % part == 0]
    shape = data.draw(st.sampled_from(shapes))
    try:
        wanted = tensor.view(shape).stride()
    except RuntimeError:
        wanted = None
    found = view_strides(tensor.shape, tensor.stride(), shape)
    assert (found is None) == (wanted is None)
    if found is not None and wanted is not None:
        # The stride of a dimension of one element means nothing.
        assert all(n == 1 or a == b for n, a, b in zip(shape, found, wanted, strict=True))


@EXAMPLES
@given(layouts())
def test_overlaps_itself(layout: Layout) -> None:
    assert overlaps_itself(layout) == (len(set(places(layout))) < len(places(layout)))


@EXAMPLES
@given(layouts(), layouts())
def test_meet(a: Layout, b: Layout) -> None:
    assert meet(a, b) == (not set(places(a)).isdisjoint(places(b)))


@EXAMPLES
@given(
    st.integers(0, 4), st.integers(0, 4), st.integers(1, 3), st.integers(0, 4), st.integers(0, 4)
)
def test_slices_of_one_tensor_meet_exactly(a: int, b: int, step: int, c: int, d: int) -> None:
    first, second = (
        torch.empty(5, 5)[a:, c::step],
        torch.empty(5, 5)[: 5 - b : step, : 5 - d],
    )
    one, other = (
        Layout(t.storage_offset(), tuple(t.shape), tuple(t.stride())) for t in (first, second)
    )
    assert meet(one, other) == (not set(places(one)).isdisjoint(places(other)))


def test_huge_layouts_are_settled_without_listing_elements() -> None:
    rows = Layout(0, (1 << 20, 1 << 10), (1 << 11, 1))
    assert not meet(rows, Layout(1 << 10, rows.sizes, rows.strides))
    assert meet(rows, Layout((1 << 10) - 1, rows.sizes, rows.strides))
    assert not overlaps_itself(rows)


@EXAMPLES
@given(SIZES, st.data())
def test_without_holes(sizes: tuple[int, ...], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(sizes))))
    tensor = torch.empty([2 * size for size in sizes]).permute(order)[
        (slice(None, None, 2),) * len(sizes)
    ]
    layout = Layout(0, tuple(tensor.shape), tuple(tensor.stride()))
    dense = without_holes(layout)
    if 0 not in sizes:
        assert sorted(places(dense)) == list(range(math.prod(sizes)))
        assert is_contiguous(
            Layout(
                0,
                tuple(dense.sizes[dim] for dim in stride_order(dense)),
                tuple(dense.strides[dim] for dim in stride_order(dense)),
            )
        )


@EXAMPLES
@given(layouts(most=12), st.integers(0, 6))
def test_strided_steps_are_as_strided(layout: Layout, spare: int) -> None:
    length = 1 + spare + max([*places(layout), 0])
    found = torch.arange(length)
    for step in strided_steps(length, layout):
        found = apply(step, found)
    assert torch.equal(found, torch.arange(length).as_strided(*layout[1:], layout.offset))


def test_rows_and_columns_are_slices_and_permutations() -> None:
    steps = strided_steps(24, Layout(1, (3, 2), (2, 12)))
    assert not any(isinstance(step, Elements) for step in steps)
    steps = strided_steps(8, Layout(0, (3, 4), (2, 1)))
    assert [type(step) for step in steps] == [Elements]


def apply(step: Step, tensor: torch.Tensor) -> torch.Tensor:
    if isinstance(step, Reshape):
        assert tensor.shape == step.before
        return tensor.reshape(step.sizes)
    if isinstance(step, Permute):
        return tensor.permute(step.dims)
    if isinstance(step, Slice):
        index = (slice(None),) * step.dim
        return tensor[(*index, slice(step.start, step.stop, step.stride))]
    if isinstance(step, Expand):
        return tensor.expand(step.sizes)
    assert isinstance(step, Elements)
    return tensor.as_strided(step.places.sizes, step.places.strides, step.places.offset)
