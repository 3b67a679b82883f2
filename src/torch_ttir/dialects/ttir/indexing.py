# mypy: disable-error-code="call-arg,name-defined"
"""TTIR's ops that read and write where a tensor says: gather, scatter, embedding, caches."""

from typing import Any

from torch_mlir.dialects.ext import Operand, Pure, Result

from torch_ttir.dialects.attributes import I32, REDUCE_TYPE, required
from torch_ttir.dialects.ttir.base import TTIROp


class GatherOp(TTIROp, name="gather", traits=[Pure]):
    """`out[i..] = input[.., index[i..] at dim, ..]`, as `torch.gather`."""

    attrs = {"dim": required(I32)}
    input: Operand[Any]
    index: Operand[Any]
    result: Result[Any]


class ScatterOp(TTIROp, name="scatter", traits=[Pure]):
    """The input with `source` written or reduced into where `index` says along `dim`."""

    attrs = {"dim": required(I32), "scatter_reduce_type": required(REDUCE_TYPE)}
    input: Operand[Any]
    index: Operand[Any]
    source: Operand[Any]
    result: Result[Any]


class EmbeddingOp(TTIROp, name="embedding", traits=[Pure]):
    """The rows of `weight` at the indices `input`."""

    input: Operand[Any]
    weight: Operand[Any]
    result: Result[Any]


class EmbeddingBackwardOp(TTIROp, name="embedding_backward", traits=[Pure]):
    """The gradient of the embedding's weight: rows of `in_gradient` added up by index."""

    input: Operand[Any]
    weight: Operand[Any]
    in_gradient: Operand[Any]
    result: Result[Any]


# The caches are written in place: no result, and not pure.
class UpdateCacheOp(TTIROp, name="update_cache"):
    """Write one position of a KV cache [B, H, S, D]."""

    attrs = {"batch_offset": required(I32)}
    cache: Operand[Any]
    input: Operand[Any]
    update_index: Operand[Any]


class FillCacheOp(TTIROp, name="fill_cache"):
    """Write the first positions of a KV cache [B, H, S, D]."""

    attrs = {"batch_offset": required(I32)}
    cache: Operand[Any]
    input: Operand[Any]
