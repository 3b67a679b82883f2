"""The sizes that the verifiers expect of convolutions and poolings, against PyTorch's own."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from torch_ttir.dialects.ttir.base import VerifyError
from torch_ttir.dialects.ttir.windows import paddings, window_count

SIZE = st.integers(1, 20)
SMALL = st.integers(1, 4)


@settings(max_examples=300, deadline=None)
@given(size=SIZE, kernel=SMALL, stride=SMALL, dilation=SMALL, padding=st.integers(0, 2))
def test_window_count_is_that_of_a_convolution(
    size: int, kernel: int, stride: int, dilation: int, padding: int
) -> None:
    x = torch.empty(1, 1, size, device="meta")
    weight = torch.empty(1, 1, kernel, device="meta")
    try:
        made = torch.nn.functional.conv1d(x, weight, None, stride, padding, dilation).shape[2]
    except RuntimeError:
        with pytest.raises(VerifyError, match="the kernel reaches over"):
            window_count(size, kernel, stride, dilation, (padding, padding))
        return
    assert window_count(size, kernel, stride, dilation, (padding, padding)) == made


@settings(max_examples=300, deadline=None)
@given(size=SIZE, kernel=SMALL, stride=SMALL, dilation=SMALL, padding=st.integers(0, 2), ceil=...)
def test_window_count_is_that_of_a_pooling(
    size: int, kernel: int, stride: int, dilation: int, padding: int, ceil: bool
) -> None:
    padding = min(padding, kernel // 2)
    x = torch.empty(1, 1, size, device="meta")
    try:
        made = torch.nn.functional.max_pool1d(x, kernel, stride, padding, dilation, ceil).shape[2]
    except RuntimeError:
        return
    if dilation * (kernel - 1) + 1 > size + 2 * padding:
        # With `ceil` PyTorch takes a kernel that is larger than the input; tt-mlir does not.
        with pytest.raises(VerifyError, match="the kernel reaches over"):
            window_count(size, kernel, stride, dilation, (padding, padding), ceil)
        return
    assert window_count(size, kernel, stride, dilation, (padding, padding), ceil) == made


@pytest.mark.parametrize(
    ("value", "count", "pairs"),
    [
        (1, 2, ((1, 1), (1, 1))),
        ((1, 2), 2, ((1, 1), (2, 2))),
        # Top, left, bottom, right.
        ((1, 2, 3, 4), 2, ((1, 3), (2, 4))),
        ((1,), 1, ((1, 1),)),
        ((1, 2), 1, ((1, 2),)),
        ((1, 2, 3), 3, ((1, 1), (2, 2), (3, 3))),
    ],
)
def test_paddings_are_low_and_high_by_dimension(
    value: int | tuple[int, ...], count: int, pairs: tuple[tuple[int, int], ...]
) -> None:
    assert paddings({"padding": value}, count) == pairs
