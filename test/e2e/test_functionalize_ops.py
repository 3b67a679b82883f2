"""In-place ops, `out=` variants and writes through every kind of view, against eager PyTorch.

Each row runs as TTIR and as the Torch dialect behind the pass; results and inputs are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

import torch_ttir
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.program import Program

T = torch.tensor
TORCH = "builtin.module(functionalize-inplace-ops)"


def numbers(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return small numbers of both signs, zero among them."""
    whole = (torch.arange(torch.Size(shape).numel()) * 5) % 11 - 4
    return (whole / 2 if dtype.is_floating_point else whole).to(dtype).reshape(shape)


X = numbers(3, 4)
Y = numbers(3, 4) + 1
INTS = numbers(3, 4, dtype=torch.int64)
ROW = numbers(4)
SQUARE = numbers(4, 4)
MASK = X > 0
INDEX = T([2, 0])

Row = tuple[Callable[..., Any], tuple[torch.Tensor, ...]]

WRITES: dict[str, Row] = {
    "add": (lambda x, y: x.add_(y, alpha=2), (X, Y)),
    "add-row": (lambda x, y: x.add_(y), (X, ROW)),
    "add-self": (lambda x: x.add_(x), (X,)),
    "iadd": (lambda x: x.__iadd__(2), (INTS,)),
    "sub": (lambda x: x.sub_(1.5), (X,)),
    "mul-int-by-bool": (lambda x, m: x.mul_(m), (INTS, MASK)),
    "div": (lambda x, y: x.div_(y), (X, Y)),
    "div-floor": (lambda x: x.div_(2, rounding_mode="floor"), (INTS,)),
    "floor-divide": (lambda x, y: x.floor_divide_(y), (X, Y.abs() + 1)),
    "remainder": (lambda x: x.remainder_(3), (INTS,)),
    "pow": (lambda x: x.pow_(2), (X,)),
    "pow-tensor": (lambda x, y: x.pow_(y), (X.abs(), Y)),
    "neg": (lambda x: x.neg_(), (X,)),
    "abs": (lambda x: x.abs_(), (INTS,)),
    "exp": (lambda x: x.exp_(), (X,)),
    "sigmoid": (lambda x: x.sigmoid_(), (X,)),
    "relu": (lambda x: x.relu_(), (X,)),
    "relu6": (lambda x: torch.nn.functional.relu6(x, inplace=True), (X * 4,)),
    "hardtanh": (lambda x: torch.nn.functional.hardtanh_(x), (X,)),
    "leaky-relu": (lambda x: torch.nn.functional.leaky_relu_(x), (X,)),
    "silu": (lambda x: torch.nn.functional.silu(x, inplace=True), (X,)),
    "clamp": (lambda x: x.clamp_(-1, 1), (X,)),
    "clamp-tensor": (lambda x, y: x.clamp_(min=y), (X, Y)),
    "clamp-min": (lambda x: x.clamp_min_(0.5), (X,)),
    "lerp": (lambda x, y: x.lerp_(y, 0.25), (X, Y)),
    "addcmul": (lambda x, y: x.addcmul_(y, y, value=0.5), (X, Y)),
    "addmm": (lambda x, y: x.addmm_(y, y), (SQUARE.clone(), SQUARE + 1)),
    "lt": (lambda x: x.lt_(0), (X,)),
    "eq": (lambda x, y: x.eq_(y), (INTS, INTS.clone())),
    "logical-and": (lambda x, m: x.logical_and_(m), (X, MASK)),
    "bitwise-or": (lambda x: x.__ior__(4), (INTS,)),
    "shift": (lambda x: x.__ilshift__(1), (INTS,)),
    "copy": (lambda x, y: x.copy_(y), (INTS, X)),
    "copy-broadcast": (lambda x, y: x.copy_(y), (X, T([[1], [2], [3]]))),
    "fill": (lambda x: x.fill_(2), (X,)),
    "fill-tensor": (lambda x, y: x.fill_(y[1, 1]), (X, INTS)),
    "fill-own-element": (lambda x: x.fill_(x[1, 1]), (X,)),
    "zero": (lambda x: x.zero_(), (MASK,)),
    "fill-diagonal": (lambda x: x.fill_diagonal_(7), (X,)),
    "fill-diagonal-wrap": (lambda x: x.fill_diagonal_(7, wrap=True), (numbers(7, 2),)),
    "fill-diagonal-3d": (lambda x: x.fill_diagonal_(7), (numbers(3, 3, 3),)),
    "masked-fill": (lambda x, m: x.masked_fill_(m, -1), (X, MASK)),
    "masked-fill-own-element": (lambda x, m: x.masked_fill_(m, x[0, 0]), (X, MASK)),
    "index-put": (lambda x, i, y: x.index_put_((i,), y), (X, INDEX, Y[:2].clone())),
    "index-put-accumulate": (
        lambda x, i, y: x.index_put_((i,), y, accumulate=True),
        (X, T([1, 1]), Y[:2].clone()),
    ),
    "index-copy": (lambda x, i, y: x.index_copy_(0, i, y), (X, INDEX, Y[:2].clone())),
    "index-add": (lambda x, i, y: x.index_add_(0, i, y), (X, INDEX, Y[:2].clone())),
    "index-fill": (lambda x, i: x.index_fill_(1, i, 3.0), (X, INDEX)),
    "scatter": (lambda x, i, y: x.scatter_(1, i, y), (X, T([[0, 2], [1, 3]]), Y)),
    "scatter-value": (lambda x, i: x.scatter_(0, i, 9.0), (X, T([[0, 2], [1, 1]]))),
    "scatter-add": (lambda x, i, y: x.scatter_add_(1, i, y), (X, T([[0, 0], [1, 3]]), Y)),
    "scatter-reduce": (
        lambda x, i, y: x.scatter_reduce_(1, i, y, "amax"),
        (X, T([[0, 2], [1, 3]]), Y),
    ),
    "tril": (lambda x: x.tril_(), (X,)),
    "triu": (lambda x: x.triu_(1), (X,)),
    "cumsum": (lambda x: x.cumsum_(1), (X,)),
    "cumsum-int32": (lambda x: x.cumsum_(0), (INTS.int(),)),
    "dropout-eval": (lambda x: torch.nn.functional.dropout(x, 0.5, False, True), (X,)),
    "set-item-step": (lambda x: x.__setitem__((slice(None), slice(0, None, 2)), 5.0), (X,)),
    "set-item-mask": (lambda x, m: x.__setitem__(m, 5.0), (X, MASK)),
    "nothing": (lambda x: x.add_(1), (torch.zeros(2, 0),)),
    "number": (lambda x: x.mul_(3), (T(2.0),)),
    "half-number": (lambda x: x.mul_(0.1), (T(3.0, dtype=torch.float16),)),
    "out-add": (lambda x, y: torch.add(x, 1, out=y), (X, Y)),
    "out-cast": (lambda x, y: torch.mul(x, 2, out=y), (INTS, Y)),
    "out-input": (lambda x: torch.exp(x, out=x), (X,)),
    "out-sum": (lambda x, y: torch.sum(x, 0, out=y), (X, ROW)),
    "out-cat": (lambda x, y: torch.cat([x, x], 1, out=y), (X, numbers(3, 8))),
    "out-row": (lambda x, y: torch.add(y, 1, out=x[1]), (X, ROW)),
    "out-max": (lambda x, v, i: torch.max(x, 0, out=(v, i)), (X, ROW, T([0, 0, 0, 0]))),
    "out-arange": (lambda x: torch.arange(4, out=x), (ROW,)),
    "out-empty": (lambda x: torch.add(x, x, out=torch.empty(0)), (X,)),
}

VIEWS: dict[str, Row] = {
    "select": (lambda x: x[1].add_(1), (X,)),
    "select-last": (lambda x: x[:, -1].mul_(2), (X,)),
    "slice": (lambda x: x[1:, ::2].neg_(), (X,)),
    "narrow": (lambda x: x.narrow(1, 1, 2).zero_(), (X,)),
    "split": (lambda x: [part.mul_(i) for i, part in enumerate(x.split(2, 1))], (X,)),
    "split-sizes": (lambda x: x.split([1, 3], 1)[1].mul_(2), (X,)),
    "chunk": (lambda x: x.chunk(2, 0)[1].add_(1), (X,)),
    "unbind": (lambda x: [row.add_(i) for i, row in enumerate(x.unbind(0))], (X,)),
    "tensor-split": (lambda x: x.tensor_split([1], 1)[0].zero_(), (X,)),
    "view": (lambda x: x.view(4, 3)[1].add_(1), (X,)),
    "view-of-transposed": (lambda x: x.t().t().view(-1)[::5].zero_(), (X,)),
    "reshape": (lambda x: x.reshape(2, 6)[1].neg_(), (X,)),
    "reshape-copies": (lambda x: x.t().reshape(12).neg_(), (X,)),
    "flatten": (lambda x: x.flatten()[3:5].zero_(), (X,)),
    "contiguous": (lambda x: x.contiguous().add_(1), (X,)),
    "contiguous-copies": (lambda x: x.t().contiguous().add_(1), (X,)),
    "to": (lambda x: x.to(torch.float32).add_(1), (X,)),
    "to-copies": (lambda x: x.to(torch.float16).add_(1), (X,)),
    "transpose": (lambda x: x.transpose(0, 1)[2].add_(1), (X,)),
    "permute": (lambda x: x.permute(2, 0, 1)[1].add_(1), (numbers(2, 3, 4),)),
    "mT": (lambda x: x.mT[0].add_(1), (X,)),
    "movedim": (lambda x: x.movedim(0, -1)[1].mul_(2), (numbers(2, 3, 4),)),
    "unsqueeze": (lambda x: x.unsqueeze(1).add_(1), (X,)),
    "squeeze": (lambda x: x[:, None].squeeze(1).add_(1), (X,)),
    "expand-one": (lambda x: x.expand(3, 4).add_(1), (X,)),
    "expand-then-row": (lambda x: x.expand(2, 4)[1].add_(1), (ROW,)),
    "expand-fill": (lambda x: x.expand(2, 4).fill_(3), (ROW,)),
    "diagonal": (lambda x: x.diagonal(1).add_(1), (X,)),
    "diagonal-3d": (lambda x: x.diagonal(0, 2, 0).neg_(), (numbers(2, 3, 4),)),
    "as-strided": (lambda x: x.as_strided((2, 2), (4, 3), 1).add_(1), (X,)),
    "as-strided-of-a-view": (lambda x: x[1].add_(1).as_strided((2, 2), (1, 4), 2).neg_(), (X,)),
    "as-strided-fill": (lambda x: x.as_strided((3, 3), (1, 1)).fill_(1), (X,)),
    "unfold-apart": (lambda x: x.unfold(1, 2, 2).add_(1), (X,)),
    "unfold-gaps": (lambda x: x.unfold(0, 2, 3).add_(1), (numbers(8),)),
    "unfold-fill": (lambda x: x.unfold(0, 3, 1).zero_(), (numbers(6),)),
    "unfold-window": (lambda x: x.unfold(0, 3, 1)[1].add_(1), (numbers(6),)),
    "detach": (lambda x: x.detach().add_(1), (X,)),
    "dropout-eval": (lambda x: torch.dropout(x, 0.5, False).add_(1), (X,)),
    "einsum": (lambda x: torch.einsum("ij->ji", x).add_(1), (X,)),
    "broadcast-tensors": (lambda x, y: torch.broadcast_tensors(x, y)[0].add_(1), (X, ROW)),
    "atleast": (lambda x: torch.atleast_2d(x).add_(1), (ROW,)),
    "halves": (lambda x: x[:, :2].mul_(x[:, 2:]), (X,)),
    "copy-of-halves": (lambda x: x[:, :2].copy_(x[:, 2:]), (X,)),
    "same-view-twice": (lambda x: x[0].mul_(x[0]), (X,)),
    "transposed-input": (lambda x: x.t().view(-1)[:3].add_(1), (numbers(4, 3).t(),)),
    "strided-input": (lambda x: x[1].add_(1), (numbers(3, 8)[:, ::2],)),
    "t-in-place": (lambda x: x.clone().t_().add_(1), (X,)),
    "squeeze-in-place": (lambda x: x[:, None].squeeze_(1).add_(1), (X,)),
    "unsqueeze-in-place": (lambda x: x[0].unsqueeze_(0).add_(1), (X,)),
    "channels-last": (
        lambda x: x.to(memory_format=torch.channels_last).permute(0, 2, 3, 1).reshape(-1).add_(1),
        (numbers(1, 2, 2, 3),),
    ),
    "chain": (
        lambda x: x.view(2, 6).t()[1:4].reshape(3, 2).unsqueeze(0)[0, :, 1].add_(10),
        (X,),
    ),
}

ROWS = {
    **{f"write-{name}": row for name, row in WRITES.items()},
    **{f"view-{name}": row for name, row in VIEWS.items()},
}


@pytest.mark.parametrize("pipeline", ["torch-to-ttir", TORCH], ids=["ttir", "torch"])
@pytest.mark.parametrize("name", ROWS)
def test_matches_eager(name: str, pipeline: str) -> None:
    function, inputs = ROWS[name]

    def reads_before_and_after(*given: torch.Tensor) -> Any:
        before = given[0].clone()
        view = given[0].unsqueeze(0)
        made = function(*given)
        return before, made, view.sum(0, dtype=torch.float32), given[0] == 1

    eager = copies(inputs)
    wanted = reads_before_and_after(*eager)
    program = compiled(reads_before_and_after, inputs, pipeline)
    given = copies(inputs)
    torch.testing.assert_close(program(*given), wanted)
    torch.testing.assert_close(given, eager)


def copies(inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
    """Return tensors of the same numbers and strides, with storage of their own."""
    return tuple(torch.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x) for x in inputs)


def compiled(
    function: Callable[..., Any], inputs: tuple[torch.Tensor, ...], pipeline: str
) -> Program:
    """Trace a function, in-place ops and all, and compile the graph."""
    with torch.no_grad():
        graph = make_fx(function, tracing_mode="fake", pre_dispatch=True, record_stack_traces=True)(
            *copies(inputs)
        )
    return torch_ttir.compile(graph, pipeline=pipeline)


REFUSED: dict[str, tuple[Callable[..., Any], tuple[torch.Tensor, ...], str]] = {
    "expand": (
        lambda x: x.expand(2, 4).mul_(2),
        (ROW,),
        "more than one element of the written-to tensor refers to a single memory location",
    ),
    "windows": (
        lambda x: x.unfold(0, 3, 1).mul_(2),
        (ROW,),
        "more than one element of the written-to tensor refers to a single memory location",
    ),
    "shifted": (
        lambda x: x[:, 1:].add_(x[:, :-1]),
        (X,),
        "some elements of the input tensor and the written-to tensor refer to a single memory",
    ),
    "shifted-copy": (
        lambda x: x[:, 1:].copy_(x[:, :-1]),
        (X,),
        "some elements of the input tensor and the written-to tensor refer to a single memory",
    ),
    "product-with-itself": (
        lambda x: x.addmm_(x, x),
        (SQUARE,),
        "some elements of the input tensor and the written-to tensor refer to a single memory",
    ),
    "resize": (lambda x: x.clone().resize_(2), (ROW,), "changes which storage the tensor has"),
    "input-transposed": (
        lambda x: x.t_().add_(1),
        (X,),
        "changes the shape of an argument, which the caller's tensor keeps",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    function, inputs, message = REFUSED[name]
    with pytest.raises(CompileError, match=message) as caught:
        torch_ttir.compile(function, copies(inputs), pipeline=TORCH)
    assert all(__file__ in fault.location for fault in caught.value.diagnostics)
