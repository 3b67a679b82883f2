"""Buffers that models write: batch statistics, KV caches, counters; calls go on from each other."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

import torch_ttir
from torch_ttir.dialects import ttcore

T = torch.tensor
PIPELINES = ["torch-to-ttir", "builtin.module(functionalize-inplace-ops)"]


@pytest.fixture(params=PIPELINES, ids=["ttir", "torch"])
def pipeline(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def check(pipeline: str, model: nn.Module, *calls: tuple[torch.Tensor, ...]) -> None:
    """Call a model and its compiled form in turn: the results and all buffers must agree."""
    eager = copy.deepcopy(model)
    program = torch_ttir.compile(model, calls[0], pipeline=pipeline)
    for args in calls:
        torch.testing.assert_close(program(*args), eager(*args))
    found, wanted = dict(model.named_buffers()), dict(eager.named_buffers())
    for name, buffer in wanted.items():
        torch.testing.assert_close(found[name], buffer)


class IndexPutCache(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("k", torch.zeros(1, 2, 8, 4))

    def forward(self, pos: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        self.k[:, :, pos] = v
        return self.k.sum(-1)


class IndexCopyCache(IndexPutCache):
    def forward(self, pos: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        self.k.index_copy_(2, pos, v)
        return self.k.sum(-1)


class SliceCache(IndexPutCache):
    def forward(self, pos: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        self.k[:, :, 2:4] = self.k[:, :, :2] + v
        self.k[:, :, :2].add_(pos.view(1, 1, 2, 1))
        return self.k.sum(-1)


@pytest.mark.parametrize("cache", [IndexPutCache, IndexCopyCache, SliceCache])
def test_kv_cache(pipeline: str, cache: type[nn.Module]) -> None:
    calls = [
        (T([0, 1]), torch.arange(1.0, 17).reshape(1, 2, 2, 4)),
        (T([2, 3]), torch.arange(17.0, 33).reshape(1, 2, 2, 4)),
    ]
    check(pipeline, cache(), *calls)


def test_kv_cache_rows_are_filled_and_the_cache_is_state() -> None:
    model = IndexPutCache()
    program = torch_ttir.compile(model, (T([0, 1]), torch.ones(1, 2, 2, 4)))
    program(T([0, 1]), torch.ones(1, 2, 2, 4))
    program(T([2, 3]), torch.full((1, 2, 2, 4), 2.0))
    rows = model.k.sum((0, 1, 3))
    torch.testing.assert_close(rows, T([8.0, 8, 16, 16, 0, 0, 0, 0]))
    entry = next(op for op in program.module.body if op.name.value == "main")
    with program.module.context:
        names = [ttcore.argument_name(entry, i) for i in range(len(entry.arguments))]
        kinds = ttcore.argument_kinds(entry)
    assert dict(zip(names, kinds, strict=True))["k"] == "input"


class CopyOfInput(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("b", torch.zeros(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.b.copy_(x)
        return x * 1.0


class Returned(CopyOfInput):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.b.add_(x)


class WrittenTwice(CopyOfInput):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.b.add_(x)
        before = self.b.clone()
        self.b.mul_(2)
        return before + self.b[:1]


class ReadOnly(CopyOfInput):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.clone().add_(self.b)


@pytest.mark.parametrize("model", [CopyOfInput, Returned, WrittenTwice, ReadOnly])
def test_buffer(pipeline: str, model: type[nn.Module]) -> None:
    check(pipeline, model(), (T([1.0, 2]),), (T([3.0, -4]),))


def test_batch_norm_in_training(pipeline: str) -> None:
    model = nn.BatchNorm1d(2, momentum=0.5).train()
    program = torch_ttir.compile(model, (torch.zeros(2, 2),), pipeline=pipeline)
    found = program(T([[0.0, 2], [2, 6]]))
    torch.testing.assert_close(found, T([[-1.0, -1], [1, 1]]), atol=1e-4, rtol=0)
    torch.testing.assert_close(model.running_mean, T([0.5, 2.0]))
    torch.testing.assert_close(model.running_var, T([1.5, 4.5]))
    assert model.num_batches_tracked is not None
    torch.testing.assert_close(model.num_batches_tracked, T(1))


NORMS = {
    "batch-1d": (nn.BatchNorm1d(3), (4, 3)),
    "batch-1d-sequence": (nn.BatchNorm1d(3, momentum=0.3), (4, 3, 5)),
    "batch-2d": (nn.BatchNorm2d(3), (2, 3, 4, 4)),
    "batch-2d-no-affine": (nn.BatchNorm2d(3, affine=False), (2, 3, 4, 4)),
    "batch-2d-no-statistics": (nn.BatchNorm2d(3, track_running_stats=False), (2, 3, 4, 4)),
    "batch-3d": (nn.BatchNorm3d(2), (2, 2, 2, 3, 2)),
    "instance-1d": (nn.InstanceNorm1d(3, track_running_stats=True), (2, 3, 5)),
    "instance-2d": (nn.InstanceNorm2d(3, affine=True, track_running_stats=True), (2, 3, 4, 4)),
}


@pytest.mark.parametrize("name", NORMS)
@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_norm(pipeline: str, name: str, training: bool) -> None:
    model, shape = NORMS[name]
    torch.manual_seed(0)
    check(pipeline, model.train(training), (torch.randn(shape),), (torch.randn(shape) * 2 + 1,))


def test_batch_norm_of_bfloat16_keeps_its_statistics_in_float32() -> None:
    torch.manual_seed(0)
    inputs = torch.randn(8, 3).bfloat16()
    model = nn.BatchNorm1d(3)
    eager = copy.deepcopy(model)
    program = torch_ttir.compile(model, (inputs,))
    wanted = eager(inputs)
    torch.testing.assert_close(program(inputs), wanted, rtol=2e-2, atol=2e-2)
    torch.testing.assert_close(model.running_mean, eager.running_mean, rtol=1e-3, atol=1e-4)
    torch.testing.assert_close(model.running_var, eager.running_var, rtol=1e-3, atol=1e-4)


def test_dropout_in_place_in_evaluation(pipeline: str) -> None:
    class Model(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            y = x.relu()
            nn.functional.dropout(y, 0.5, training=False, inplace=True)
            return y + 1

    check(pipeline, Model(), (T([-1.0, 2]),))


def test_inputs_of_one_model_are_written_back(pipeline: str) -> None:
    class Model(nn.Module):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            x[1:].sub_(y)
            y.zero_()
            return x.sum()

    program = torch_ttir.compile(Model(), (torch.ones(3), torch.ones(2)), pipeline=pipeline)
    x, y = torch.ones(3), T([1.0, 2])
    torch.testing.assert_close(program(x, y), T(1.0 + 0 - 1))
    torch.testing.assert_close((x, y), (T([1.0, 0, -1]), T([0.0, 0])))
