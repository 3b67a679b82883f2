"""Shape rules against eager PyTorch: views, permutations, expansion, joins, splits, shuffles."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from data_movement import DTYPES, Case, expect_equal, f
from torch.nn.utils.rnn import pad_sequence

aten, prims = torch.ops.aten, torch.ops.prims


def i(*shape: int) -> torch.Tensor:
    return torch.arange(torch.Size(shape).numel()).reshape(shape) - 2


VIEWS: dict[str, Case] = {
    "view": (lambda x: x.view(3, -1), f(2, 3, 4)),
    "view-0d": (lambda x: x.view(()), f(1, 1)),
    "view-from-0d": (lambda x: x.view(1, 1), f()),
    "view-empty": (lambda x: x.view(4, 0), f(0, 3)),
    "view_copy": (lambda x: torch.view_copy(x, (6,)), f(2, 3)),
    "unsafe-view": (lambda x: aten._unsafe_view(x, [6]), f(2, 3)),
    "reshape-alias": (lambda x: aten._reshape_alias(x, [6], [1]), f(2, 3)),
    "reshape-permuted": (lambda x: x.transpose(0, 1).reshape(-1), f(2, 3)),
    "reshape_as": (lambda x, y: x.reshape_as(y), f(2, 3), f(3, 2)),
    "view_as": (lambda x, y: x.view_as(y), f(2, 3), f(3, 2)),
    "flatten": (lambda x: x.flatten(1, -1), f(2, 3, 4)),
    "flatten-0d": (lambda x: x.flatten(), f()),
    "unflatten": (lambda x: x.unflatten(-1, (2, -1)), f(3, 4)),
    "ravel": (torch.ravel, f(2, 3)),
    "squeeze": (torch.squeeze, f(1, 3, 1)),
    "squeeze-to-0d": (torch.squeeze, f(1, 1)),
    "squeeze-dim": (lambda x: x.squeeze(-1), f(2, 1)),
    "squeeze-dim-not-1": (lambda x: x.squeeze(0), f(2, 1)),
    "squeeze-dims": (lambda x: x.squeeze((0, 2)), f(1, 3, 1)),
    "squeeze_copy": (lambda x: torch.squeeze_copy(x, 0), f(1, 3)),
    "unsqueeze": (lambda x: x.unsqueeze(-2), f(2, 3)),
    "unsqueeze-0d": (lambda x: x.unsqueeze(0), f()),
    "atleast_1d": (torch.atleast_1d, f()),
    "atleast_2d": (torch.atleast_2d, f(3)),
    "atleast_3d-1d": (torch.atleast_3d, f(3)),
    "atleast_3d-2d": (torch.atleast_3d, f(2, 3)),
    "atleast_3d-list": (lambda *xs: torch.atleast_3d(*xs), f(), f(2), f(2, 3), f(1, 2, 3)),
    "prims-squeeze": (lambda x: prims.squeeze(x, [0, 2]), f(1, 3, 1)),
    "prims-collapse": (lambda x: prims.collapse(x, 1, 2), f(2, 3, 4)),
    "prims-view_of": (prims.view_of, f(2, 3)),
    "prims-split_dim": (lambda x: prims.split_dim(x, 1, 2), f(3, 4)),
}

PERMUTATIONS: dict[str, Case] = {
    "permute": (lambda x: x.permute(2, 0, -2), f(2, 3, 4)),
    "permute-0d": (lambda x: x.permute(()), f()),
    "permute_copy": (lambda x: torch.permute_copy(x, (1, 0)), f(2, 3)),
    "t": (torch.t, f(2, 3)),
    "t-1d": (torch.t, f(3)),
    "transpose": (lambda x: x.transpose(0, -1), f(2, 3, 4)),
    "transpose-0d": (lambda x: x.transpose(0, -1), f()),
    "swapaxes": (lambda x: x.swapaxes(0, 1), f(2, 3)),
    "swapdims": (lambda x: x.swapdims(-1, 0), f(2, 3)),
    "numpy_T": (lambda x: x.T, f(2, 3)),
    "mT": (lambda x: x.mT, f(2, 3, 4)),
    "mH": (lambda x: x.mH, f(2, 3, 4)),
    "H": (lambda x: x.H, f(2, 3)),
    "adjoint": (lambda x: x.adjoint(), f(2, 3, 4)),
    "movedim": (lambda x: x.movedim(0, -1), f(2, 3, 4)),
    "movedim-list": (lambda x: x.movedim((0, 1), (-1, 0)), f(2, 3, 4)),
    "moveaxis": (lambda x: x.moveaxis(-1, 0), f(2, 3, 4)),
    "prims-transpose": (lambda x: prims.transpose(x, [1, 0]), f(2, 3)),
}

EXPANSIONS: dict[str, Case] = {
    "expand": (lambda x: x.expand(2, -1, 3), f(4, 1)),
    "expand-0d": (lambda x: x.expand(2, 3), f()),
    "expand-empty": (lambda x: x.expand(0, 3), f(1, 3)),
    "expand_as": (lambda x, y: x.expand_as(y), f(3), f(2, 3)),
    "broadcast_to": (lambda x: x.broadcast_to(2, 3), f(1, 3)),
    "broadcast_tensors": (lambda x, y: torch.broadcast_tensors(x, y), f(2, 1), f(3)),
    "broadcast_in_dim": (lambda x: prims.broadcast_in_dim(x, [2, 3, 4], [0, 2]), f(2, 1)),
    "repeat": (lambda x: x.repeat(2, 3, 1), f(2, 3)),
    "repeat-0d": (lambda x: x.repeat(2), f()),
    "repeat-0-times": (lambda x: x.repeat(0, 2), f(2, 3)),
    "tile-short": (lambda x: x.tile(2), f(2, 3)),
    "tile-long": (lambda x: x.tile(2, 1, 2), f(2, 3)),
    "repeat_interleave": (lambda x: x.repeat_interleave(2, -1), f(2, 3)),
    "repeat_interleave-flat": (lambda x: x.repeat_interleave(2), f(2, 3)),
    "repeat_interleave-0-times": (lambda x: x.repeat_interleave(0, 1), f(2, 3)),
    "repeat_interleave-0d": (lambda x: x.repeat_interleave(2), f()),
    "repeat_interleave-data": (
        lambda x, n: torch.repeat_interleave(x, n, 0, output_size=4),
        f(3, 2),
        torch.tensor([1, 0, 3]),
    ),
    "repeat_interleave-one-count": (
        lambda x, n: torch.repeat_interleave(x, n, 1, output_size=4),
        f(3, 2),
        torch.tensor([2]),
    ),
    "repeat_interleave-positions": (
        lambda n: torch.repeat_interleave(n, output_size=4),
        torch.tensor([1, 0, 3], dtype=torch.int32),
    ),
}

JOINS: dict[str, Case] = {
    "cat": (lambda *xs: torch.cat(xs), f(2, 3), f(1, 3), f(3, 3)),
    "cat-negative-dim": (lambda *xs: torch.cat(xs, -1), f(2, 3), f(2, 1)),
    "cat-one": (lambda x: torch.cat([x]), f(2, 3)),
    "cat-legacy-empty": (lambda *xs: torch.cat(xs, 1), f(0), f(2, 3)),
    "cat-empty-part": (lambda *xs: torch.cat(xs, 1), f(2, 0), f(2, 3)),
    "cat-all-empty": (lambda *xs: torch.cat(xs, 1), f(2, 0), f(2, 0)),
    "cat-promotes": (lambda *xs: torch.cat(xs), i(3), f(2)),
    "prims-cat": (lambda *xs: prims.cat(xs, 0), f(2), f(3)),
    "stack": (lambda *xs: torch.stack(xs, -1), f(2, 3), f(2, 3)),
    "stack-0d": (lambda *xs: torch.stack(xs), f(), f()),
    "pad_sequence": (lambda *xs: pad_sequence(xs, True, 7.0), f(3, 2), f(1, 2), f(0, 2)),
    "pad_sequence-left": (lambda *xs: pad_sequence(xs, padding_side="left"), f(1), f(3)),
    "hstack-0d": (lambda *xs: torch.hstack(xs), f(), f(1)),
    "hstack": (lambda *xs: torch.hstack(xs), f(2, 3), f(2, 1)),
    "vstack-1d": (lambda *xs: torch.vstack(xs), f(3), f(2, 3)),
    "dstack": (lambda *xs: torch.dstack(xs), f(2, 3), f(2, 3)),
    "dstack-1d": (lambda *xs: torch.dstack(xs), f(3), f(3)),
    "column_stack": (lambda *xs: torch.column_stack(xs), f(3), f(3, 2)),
    "block_diag": (lambda *xs: torch.block_diag(*xs), f(2, 3), f(), f(2), i(2, 1)),
    "block_diag-empty": (lambda *xs: torch.block_diag(*xs), f(0), f(2, 2), f(0, 3)),
    "meshgrid-ij": (lambda *xs: torch.meshgrid(*xs, indexing="ij"), f(2), f(3), f(4)),
    "meshgrid-xy": (lambda *xs: torch.meshgrid(*xs, indexing="xy"), f(2), f(), f(4)),
    "cartesian_prod": (lambda *xs: torch.cartesian_prod(*xs), f(2), f(3)),
    "cartesian_prod-one": (lambda x: torch.cartesian_prod(x), f(2)),
    "chunk_cat": (lambda *xs: aten._chunk_cat(xs, 0, 2), f(3, 2), f(4), f(1, 2, 2)),
}

SPLITS: dict[str, Case] = {
    "split": (lambda x: x.split(2, -1), f(2, 5)),
    "split-sizes": (lambda x: x.split([1, 0, 4], 1), f(2, 5)),
    "split-empty": (lambda x: x.split(0), f(0, 2)),
    "split_with_sizes_copy": (lambda x: torch.split_with_sizes_copy(x, [2, 3], 1), f(2, 5)),
    "unsafe_split": (lambda x: torch.unsafe_split(x, 2), f(5)),
    "chunk": (lambda x: x.chunk(3, 1), f(2, 7)),
    "chunk-fewer": (lambda x: x.chunk(4), f(5)),
    "chunk-empty": (lambda x: x.chunk(3), f(0, 2)),
    "tensor_split": (lambda x: x.tensor_split(3), f(7, 2)),
    "tensor_split-at": (lambda x: x.tensor_split((1, -2, 9), 1), f(2, 5)),
    "hsplit-1d": (lambda x: x.hsplit(2), f(4)),
    "hsplit": (lambda x: x.hsplit((1, 3)), f(2, 4)),
    "vsplit": (lambda x: x.vsplit(2), f(4, 3)),
    "dsplit": (lambda x: x.dsplit((1,)), f(2, 2, 3)),
    "unbind": (lambda x: x.unbind(-1), f(2, 3)),
    "unbind-1d": (lambda x: x.unbind(), f(3)),
    "one-of-list": (lambda x: x.chunk(2)[1], f(4, 2)),
}

SHUFFLES: dict[str, Case] = {
    "pixel_shuffle": (lambda x: torch.pixel_shuffle(x, 2), f(2, 8, 2, 3)),
    "pixel_shuffle-no-batch": (lambda x: torch.pixel_shuffle(x, 2), f(4, 2, 3)),
    "pixel_unshuffle": (lambda x: torch.pixel_unshuffle(x, 2), f(2, 3, 4, 6)),
    "channel_shuffle": (lambda x: torch.channel_shuffle(x, 3), f(2, 6, 4, 5)),
    "native_channel_shuffle": (lambda x: torch.native_channel_shuffle(x, 2), f(2, 4, 3, 3)),
}

CASES = {**VIEWS, **PERMUTATIONS, **EXPANSIONS, **JOINS, **SPLITS, **SHUFFLES}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_matches_eager(case: Case) -> None:
    function, *inputs = case
    expect_equal(function, *inputs)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_element_type_is_moved_exactly(dtype: torch.dtype) -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> Any:
        tiled = torch.block_diag(x.t().repeat(1, 2), y.repeat_interleave(2, 0))
        return tiled, torch.stack([x, y.expand(3, 2)]).flatten(1), x.split([1, 2])

    x = torch.tensor([[1, 0], [127, 2], [1, 77]]).to(dtype)
    expect_equal(function, x, torch.tensor([[3, 0]]).to(dtype))
