"""Gather, scatter, embedding and caches of the TTIR interpreter, against loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
import torch

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.testing import run_op

RNG = np.random.default_rng(0)
X = torch.from_numpy(RNG.normal(size=(3, 4, 2)).astype(np.float32))


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_gather(dim: int) -> None:
    shape = (2, 3, 2)
    index = RNG.integers(0, X.shape[dim], size=shape).astype(np.int32)
    expected = np.empty(shape, np.float32)
    for place in itertools.product(*map(range, shape)):
        source = list(place)
        source[dim] = index[place]
        expected[place] = X.numpy()[tuple(source)]
    got = run_op("gather", [X, torch.from_numpy(index)], (shape, "f32"), dim=dim)
    assert np.array_equal(got.numpy(), expected)


SCATTERS: dict[str, Callable[[float, float], float]] = {
    "invalid": lambda old, new: new,
    "sum": lambda old, new: old + new,
    "prod": lambda old, new: old * new,
    "min": min,
    "max": max,
}


@pytest.mark.parametrize("kind", SCATTERS)
def test_scatter_includes_what_is_there(kind: str) -> None:
    index = np.int64([[[0, 2], [2, 1]], [[1, 0], [1, 2]]])
    if kind == "invalid":
        # Which of two writes to one place wins is not defined.
        index = np.int64([[[0, 2], [2, 1]], [[1, 0], [0, 2]]])
    source = RNG.normal(size=index.shape).astype(np.float32)
    expected = X.numpy().copy()
    for place in itertools.product(*map(range, index.shape)):
        target = (place[0], index[place], place[2])
        expected[target] = SCATTERS[kind](expected[target], source[place])
    got = run_op(
        "scatter",
        [X, torch.from_numpy(index).to(torch.int32), torch.from_numpy(source)],
        (X.shape, "f32"),
        dim=1,
        scatter_reduce_type=kind,
    )
    torch.testing.assert_close(got, torch.from_numpy(expected))


def test_scatter_of_a_kind_without_meaning_is_rejected() -> None:
    index = torch.zeros(1, 1, 1, dtype=torch.int32)
    with pytest.raises(CompileError, match="`scatter_reduce_type` = std"):
        run_op(
            "scatter",
            [X, index, torch.zeros(1, 1, 1)],
            (X.shape, "f32"),
            dim=0,
            scatter_reduce_type="std",
        )


@pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0,)])
@pytest.mark.parametrize("dtype", [torch.int32, torch.int64, torch.uint8])
def test_embedding_takes_rows(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    weight = X.reshape(12, 2)
    indices = torch.from_numpy(RNG.integers(0, 12, size=shape)).to(dtype)
    got = run_op("embedding", [indices, weight], ((*shape, 2), "f32"))
    assert np.array_equal(got.numpy(), weight.numpy()[indices.numpy().astype(int)])


def test_embedding_out_of_range_is_an_error() -> None:
    with pytest.raises(CompileError, match=r"'ttir.embedding': .*out of range"):
        run_op("embedding", [torch.tensor([12]), X.reshape(12, 2)], ((1, 2), "f32"))


def test_embedding_backward_adds_rows_up() -> None:
    indices, grad = torch.tensor([[1, 3], [1, 1]]), torch.arange(8.0).reshape(2, 2, 2)
    expected = np.zeros((4, 2), np.float32)
    for row, index in zip(grad.reshape(-1, 2).numpy(), indices.flatten().tolist(), strict=True):
        expected[index] += row
    got = run_op("embedding_backward", [indices, torch.zeros(4, 2), grad], ((4, 2), "f32"))
    assert np.array_equal(got.numpy(), expected)


CACHES = """
func.func @main(%cache: tensor<3x2x4x2xf32>, %x: tensor<{x}xf32>, %at: tensor<2xi32>)
    -> (tensor<3x2x8xf32>, tensor<3x2x4x2xf32>) {{
  %before = "ttir.reshape"(%cache) {{shape = [3 : i32, 2 : i32, 8 : i32]}}
    : (tensor<3x2x4x2xf32>) -> tensor<3x2x8xf32>
  {op}
  return %before, %cache : tensor<3x2x8xf32>, tensor<3x2x4x2xf32>
}}
"""
UPDATE = """"ttir.update_cache"(%cache, %x, %at) {batch_offset = 1 : i32}
    : (tensor<3x2x4x2xf32>, tensor<1x2x2x2xf32>, tensor<2xi32>) -> ()"""
FILL = """"ttir.fill_cache"(%cache, %x) {batch_offset = 1 : i32}
    : (tensor<3x2x4x2xf32>, tensor<1x2x3x2xf32>) -> ()"""


@pytest.mark.parametrize(("op", "shape"), [(UPDATE, (1, 2, 2, 2)), (FILL, (1, 2, 3, 2))])
def test_caches_are_written_for_the_program_but_not_for_the_caller(
    op: str, shape: tuple[int, ...]
) -> None:
    from torch_mlir import ir

    from torch_ttir.dialects.context import make_context
    from torch_ttir.interpreters.runner import load_function

    text = CACHES.format(x="x".join(map(str, shape)), op=op)
    cache, x = torch.zeros(3, 2, 4, 2), torch.randn(shape)
    at = torch.tensor([3, 0], dtype=torch.int32)
    with make_context():
        executable = load_function(ir.Module.parse(text))
    (before, after), written = executable.run([cache, x, at])
    expected = np.zeros((3, 2, 4, 2), np.float32)
    if op is FILL:
        expected[1, :, :3] = x[0]
    else:
        expected[1, :, 3], expected[2, :, 0] = x[0, :, 0], x[0, :, 1]
    assert np.array_equal(after.numpy(), expected)
    assert np.array_equal(written[0].numpy(), expected)
    assert not before.any()
    assert not cache.any()
