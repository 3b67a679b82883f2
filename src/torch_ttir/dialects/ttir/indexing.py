# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's ops that read and write where a tensor says: gather, scatter, embedding, caches."""

import math
from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import I32, REDUCE_TYPE, required
from torch_ttir.dialects.ttir.base import Decoded, TTIROp
from torch_ttir.dialects.ttir.shapes import (
    expect,
    expect_dtype,
    expect_integer,
    expect_rank,
    expect_shape,
    normalize_dim,
)
from torch_ttir.ir.types import TensorInfo


class GatherOp(TTIROp, name="gather", traits=[Pure]):
    """`out[i..] = input[.., index[i..] at dim, ..]`, as `torch.gather`."""

    attrs = {"dim": required(I32)}
    input: Operand[Any]
    index: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the indices, and that the result has their shape."""
        index = op.operands["index"]
        _check_index(op.operands["input"], index, op.attrs["dim"])
        expect_shape(op.results["result"], index.shape, "result")


class ScatterOp(TTIROp, name="scatter", traits=[Pure]):
    """The input with `source` written or reduced into where `index` says along `dim`."""

    attrs = {"dim": required(I32), "scatter_reduce_type": required(REDUCE_TYPE)}
    input: Operand[Any]
    index: Operand[Any]
    source: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check the indices, and that the shape is kept."""
        info, index = op.operands["input"], op.operands["index"]
        _check_index(info, index, op.attrs["dim"])
        expect_shape(op.operands["source"], index.shape, "source")
        expect_shape(op.results["result"], info.shape, "result")


class EmbeddingOp(TTIROp, name="embedding", traits=[Pure]):
    """The rows of `weight` at the indices `input`."""

    input: Operand[Any]
    weight: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the result has a row of the weight for each index."""
        indices, weight = op.operands["input"], op.operands["weight"]
        expect_rank(indices, 0, 2, "input")
        expect_rank(weight, 2, None, "weight")
        expect(
            math.prod(weight.shape[:-2]) == 1,
            f"`weight` must have size 1 in all but the last two dimensions: {list(weight.shape)}",
        )
        expect_shape(op.results["result"], (*indices.shape, weight.shape[-1]), "result")


class EmbeddingBackwardOp(TTIROp, name="embedding_backward", traits=[Pure]):
    """The gradient of the embedding's weight: rows of `in_gradient` added up by index."""

    input: Operand[Any]
    weight: Operand[Any]
    in_gradient: Operand[Any]
    result: Result[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the gradient has a row for each index; the result is the weight's."""
        indices, weight = op.operands["input"], op.operands["weight"]
        gradient = op.operands["in_gradient"]
        expect_rank(weight, 2, 2, "weight")
        count = math.prod(indices.shape)
        width = gradient.shape[-1] if gradient.shape else 0
        expect(
            math.prod(gradient.shape[:-1]) == count and width == weight.shape[1],
            f"`in_gradient` must have {count} rows of {weight.shape[1]}, not shape "
            f"{list(gradient.shape)}",
        )
        expect_shape(op.results["result"], weight.shape, "result")
        expect_dtype(op.results["result"], gradient.dtype, "result")


# The caches are written in place: no result, and not pure.
class UpdateCacheOp(TTIROp, name="update_cache"):
    """Write one position of a KV cache [B, H, S, D]."""

    attrs = {"batch_offset": required(I32)}
    cache: Operand[Any]
    input: Operand[Any]
    update_index: Operand[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the input fits the cache."""
        cache, info = op.operands["cache"], op.operands["input"]
        _check_cache(cache, info)
        expect(info.shape[0] == 1, f"`input` must have size 1 in dimension 0, not {info.shape[0]}")
        _check_batch(op, cache, info.shape[2])


class FillCacheOp(TTIROp, name="fill_cache"):
    """Write the first positions of a KV cache [B, H, S, D]."""

    attrs = {"batch_offset": required(I32)}
    cache: Operand[Any]
    input: Operand[Any]

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Check that the input fits the cache."""
        cache, info = op.operands["cache"], op.operands["input"]
        _check_cache(cache, info)
        expect(
            info.shape[2] <= cache.shape[2],
            f"`input` has {info.shape[2]} positions, the cache {cache.shape[2]}",
        )
        _check_batch(op, cache, info.shape[0])


def _check_index(info: TensorInfo, index: TensorInfo, dim: int) -> None:
    rank = len(info.shape)
    expect_rank(info, 1, None, "input")
    expect_rank(index, rank, rank, "index")
    expect_integer(index, "index")
    dim = normalize_dim(dim, rank)
    for axis, (size, most) in enumerate(zip(index.shape, info.shape, strict=True)):
        expect(
            axis == dim or size <= most,
            f"`index` has size {size} in dimension {axis}, more than the {most} of `input`",
        )


def _check_cache(cache: TensorInfo, info: TensorInfo) -> None:
    expect_rank(cache, 4, 4, "cache")
    expect_rank(info, 4, 4, "input")
    for dim in (1, 3):
        expect(
            info.shape[dim] == cache.shape[dim],
            f"`input` must have size {cache.shape[dim]} in dimension {dim}, as the cache, "
            f"not {info.shape[dim]}",
        )
    expect_dtype(info, cache.dtype, "input")


def _check_batch(op: Decoded, cache: TensorInfo, count: int) -> None:
    offset = op.attrs["batch_offset"]
    most = cache.shape[0] - count
    expect(
        0 <= offset <= most,
        f"batch entries [{offset}, {offset + count}) do not fit the {cache.shape[0]} of the cache",
    )
