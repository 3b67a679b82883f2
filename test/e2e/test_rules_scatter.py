"""Rules that write at indices against eager PyTorch: scatter, index_put, masks, bins, segments."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from data_movement import Case, i

from torch_ttir.testing import run_through_ttir

aten = torch.ops.aten
T = torch.tensor
NAN, INF = float("nan"), float("inf")


def f(*shape: int) -> torch.Tensor:
    """Small multiples of 1/8 of both signs, whose sums and products are exact in any order."""
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randint(-24, 24, shape, generator=generator) / 8


J = T([[0, 2, 0], [1, 1, 2]])
SCATTERS: dict[str, Case] = {
    "src": (lambda x, y: x.scatter(0, T([[2, 0, 1]]), y), f(3, 4), f(2, 3)),
    "value": (lambda x: x.scatter(1, T([[3], [0]]), 1.5), f(2, 4)),
    "value-int": (lambda x: x.scatter(-1, T([[3], [0]]), 7), i(2, 4)),
    "0d": (lambda x, y: x.scatter(0, T(0), y), f(), f()),
    "0d-index": (lambda x: x.scatter(0, T(2), 1.0), f(3)),
    "empty-index": (lambda x, y: x.scatter(0, i(0, 2), y), f(3, 2), f(3, 2)),
    "add": (lambda x, j, y: x.scatter_add(0, j, y), f(3, 4), J, f(2, 3)),
    "add-bool": (lambda x, j, y: x.scatter_add(0, j, y), f(3, 4) > 0, J, f(2, 3) > 0),
    "reduce-add": (lambda x, j, y: x.scatter(0, j, y, reduce="add"), f(3, 3), J, f(2, 3)),
    "reduce-multiply": (lambda x, j: x.scatter(0, j, 2.0, reduce="multiply"), f(3, 3), J),
    **{
        f"reduce-{name}-{included}-{kind}": (
            lambda x, j, y, name=name, included=included: x.scatter_reduce(
                0, j, y, name, include_self=included
            ),
            x,
            J,
            y,
        )
        for name in ("sum", "prod", "mean", "amax", "amin")
        for included in (True, False)
        for kind, x, y in (
            ("float", f(3, 3), f(2, 3)),
            ("nan", f(3, 3), T([[NAN, 1.0, INF], [-INF, 2.0, 1.0]])),
            ("int", i(3, 3) - 4, -3 * i(2, 3)),
        )
    },
    "reduce-amax-int8": (
        lambda x, j, y: x.scatter_reduce(1, j, y, "amax", include_self=False),
        T([[-128, 127, 0]] * 2, dtype=torch.int8),
        J,
        T([[-128, 1, -127], [5, 4, 3]], dtype=torch.int8),
    ),
    "reduce-amin-bool": (
        lambda x, j, y: x.scatter_reduce(0, j, y, "amin", include_self=False),
        f(3, 3) > 0,
        J,
        f(2, 3) > 0,
    ),
}

K = T([0, 2, 0])
ROWS: dict[str, Case] = {
    "index_add": (lambda x, y: x.index_add(1, K, y, alpha=2), f(2, 3), f(2, 3)),
    "index_add-0d": (lambda x, y: x.index_add(0, T([0]), y), f(), f()),
    "index_add-bool": (lambda x, y: x.index_add(0, K, y), f(3) > 0, f(3) > 0),
    "index_add-bool-alpha": (
        lambda x, y: x.index_add(0, K, y, alpha=False),
        f(3) > 0,
        f(3) > 0,
    ),
    "index_copy": (lambda x, y: x.index_copy(0, T([2, 0]), y), f(3, 4), f(2, 4)),
    "index_copy-0d": (lambda x, y: x.index_copy(0, T(1), y), f(3), f()),
    "index_fill": (lambda x: x.index_fill(1, T([0, -1]), 9.5), f(2, 3)),
    "index_fill-tensor": (lambda x, v: x.index_fill(0, T([1]), v), i(2, 3), T(7)),
    "index_fill-0d": (lambda x: x.index_fill(0, T([0]), 1.0), f()),
    **{
        f"index_reduce-{name}-{included}": (
            lambda x, y, name=name, included=included: x.index_reduce(
                0, K, y, name, include_self=included
            ),
            f(3, 2),
            f(3, 2),
        )
        for name in ("prod", "mean", "amax", "amin")
        for included in (True, False)
    },
    "put": (lambda x, y: x.put(T([[1, -1], [0, 4]]), y), f(2, 3), f(2, 2)),
    "put-accumulate": (lambda x, y: x.put(T([1, 1, -5]), y, True), f(2, 3), f(3)),
    "index_select_backward": (
        lambda y: aten.index_select_backward(y, [3, 4], 0, K),
        f(3, 4),
    ),
    "unfold_backward": (lambda y: aten.unfold_backward(y, [2, 7], 1, 3, 2), f(2, 3, 3)),
}

M = T([[True, False, True], [False, True, False]])
PUTS: dict[str, Case] = {
    "one": (lambda x, v: x.index_put((K[:2],), v), f(3, 2), f(2, 2)),
    "broadcast-values": (lambda x, v: x.index_put((K[:2],), v), f(3, 2), f(2)),
    "0d-value": (lambda x, v: x.index_put((T([-1]),), v), f(3, 2), f()),
    "second": (lambda x, v: aten.index_put(x, [None, K[:2]], v), f(2, 3), f(2, 2)),
    "runtime-and-constant": (
        lambda u, j: aten.index_put(torch.zeros(3, 4), [j, T([2])], u),
        T([10.0, 11.0]),
        T([0, 2]),
    ),
    "adjacent": (
        lambda x, v: aten.index_put(x, [None, K, T([[1], [0]])], v),
        f(2, 3, 2),
        f(2, 2, 3)[:, :, :1],
    ),
    "grid": (
        lambda x: x.index_put((i(2).unsqueeze(1), T([[0, 2], [3, 3]])), T(1.0)),
        torch.zeros(2, 4),
    ),
    "separated": (
        lambda x, v: aten.index_put(x, [T([1, 0]), None, T([2, 0])], v),
        f(2, 2, 3),
        f(2, 2),
    ),
    "separated-by-integer": (lambda x, v: _assign(x, v), i(3, 1, 4) * 0, i(3, 4)),
    "accumulate": (lambda x: x.index_put((T([1, 1, 2]),), T([1.0, 2.0, 3.0]), True), f(4)),
    "accumulate-two": (
        lambda x: x.index_put((T([0]), T([2])), T([[1.0, 2.0]]), True),
        torch.zeros(1, 3, 2),
    ),
    "accumulate-bool": (
        lambda x, v: x.index_put((K,), v, True),
        T([False, True, False]),
        T([False, True, False]),
    ),
    "impl": (lambda x, v: aten._index_put_impl(x, [K[:2]], v, False, True), f(3, 2), f(2, 2)),
    "unsafe": (lambda x, v: aten._unsafe_index_put(x, [K], v, True), f(3, 2), f(3, 2)),
    "nothing": (lambda x, v: x.index_put((i(0),), v), f(3, 2), f(0, 2)),
    "mask-scalar": (lambda x, m, v: x.index_put((m,), v), f(2, 3), M, T(5.0)),
    "mask-one-value": (lambda x, m, v: x.index_put((m,), v), f(2, 3), M, T([5.0])),
    "mask-values": (lambda x, m, v: x.index_put((m,), v), f(2, 3), M, T([1.0, 2.0, 3.0])),
    "mask-rows": (lambda x, m, v: x.index_put((m,), v), f(2, 3, 4), M, f(3, 4)),
    "mask-same-row": (lambda x, m, v: x.index_put((m,), v), f(2, 3, 4), M, f(4)),
    "mask-second-dim": (
        lambda x, m, v: aten.index_put(x, [None, m], v),
        f(3, 4),
        T([True, False, False, True]),
        f(3, 2),
    ),
    "mask-accumulate": (lambda x, m, v: x.index_put((m,), v, True), f(2, 3), M, f(3)),
    "mask-accumulate-bool": (
        lambda x, m, v: x.index_put((m,), v, True),
        f(2, 3) > 0,
        M,
        T(True),
    ),
    "unsafe-masked-accumulate": (
        lambda x, m, v: aten._unsafe_masked_index_put_accumulate(x, m, [T([2, 9, -7])], v),
        f(3),
        T([True, False, True]),
        f(3),
    ),
}

MASKS: dict[str, Case] = {
    "masked_fill": (lambda x, m: x.masked_fill(m, -INF), f(2, 3), M),
    "masked_fill-broadcast": (lambda x, m: x.masked_fill(m, 3), f(2, 3), M[:1]),
    "masked_fill-0d": (lambda x, m: x.masked_fill(m, 3), f(), T(True)),
    "masked_fill-tensor": (lambda x, m, v: x.masked_fill(m, v), i(2, 3), M, T(9)),
    "masked_fill-bool": (lambda x, m: x.masked_fill(m, True), f(2, 3) > 0, M),
    "masked_scatter": (lambda x, m, s: x.masked_scatter(m, s), f(2, 3), M, f(2, 2)),
    "masked_scatter-broadcast": (lambda x, m, s: x.masked_scatter(m, s), f(2, 3), M[0], f(4)),
    "masked_scatter-nothing": (lambda x, m, s: x.masked_scatter(m, s), f(2, 3), M & False, f(0)),
    "masked_scatter_backward": (
        lambda g, m: aten.masked_scatter_backward(g, m, [2, 3]),
        f(2, 3),
        M,
    ),
    "nonzero_static": (lambda x: torch.nonzero_static(x, size=4), f(2, 3) * M),
    "nonzero_static-cut": (lambda x: torch.nonzero_static(x, size=2, fill_value=7), M),
    "nonzero_static-0d": (lambda x: torch.nonzero_static(x, size=2), T(3)),
    "nonzero_static-empty": (lambda x: torch.nonzero_static(x, size=2), f(0, 2)),
}

BINS: dict[str, Case] = {
    "histc": (lambda x: torch.histc(x, 4, -1, 3), f(20)),
    "histc-data-bounds": (lambda x: torch.histc(x, 5), f(20)),
    "histc-one-value": (lambda x: torch.histc(x, 3), torch.ones(4)),
    "histc-outside": (lambda x: torch.histc(x, 2, 0, 1), T([NAN, INF, -1.0, 1.0, 0.5])),
    **{
        f"segment_reduce-{name}-{initial}": (
            lambda x, n, name=name, initial=initial: torch.segment_reduce(
                x, name, lengths=n, initial=initial, unsafe=True
            ),
            f(5, 2),
            T([2, 0, 3]),
        )
        for name in ("sum", "mean", "max", "min", "prod")
        for initial in (None, 2.0)
    },
    "segment_reduce-offsets": (
        lambda x, o: torch.segment_reduce(x, "max", offsets=o, axis=1, unsafe=True),
        f(2, 5),
        T([[0, 2, 2, 5], [0, 1, 4, 5]]),
    ),
}

CASES = {**SCATTERS, **ROWS, **PUTS, **MASKS, **BINS}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_matches_eager(case: Case) -> None:
    function, *inputs = case
    found, wanted = run_through_ttir(function, *inputs), function(*inputs)
    torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)


@pytest.mark.parametrize(
    "dtype",
    [torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.int8, torch.uint8],
    ids=str,
)
def test_every_element_type_is_written_exactly(dtype: torch.dtype) -> None:
    def function(x: torch.Tensor, y: torch.Tensor) -> Any:
        written = x.scatter(0, J, y), x.index_copy(0, K[:2], y), x.masked_scatter(M[:1], y)
        return *written, x.index_put((K[:2],), y), x.scatter_add(0, J, y), x.index_add(0, K[:2], y)

    x = T([[1, 0, 5], [127, 2, 0], [1, 77, 3]]).to(dtype)
    y = T([[9, 8, 7], [6, 5, 4]]).to(dtype)
    torch.testing.assert_close(run_through_ttir(function, x, y), function(x, y), rtol=0, atol=0)


def _assign(x: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x[:, 0, torch.arange(4)] = values
    return x
