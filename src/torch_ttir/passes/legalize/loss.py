"""Rules for losses that PyTorch's decompositions get wrong; all others are taken apart before."""

from __future__ import annotations

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.indexing_rows import gather_along
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.precision import widen
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()

_NONE, _MEAN, _SUM = range(3)


@RULES.lowers("aten.multilabel_margin_loss")
def multilabel_margin_loss(
    low: Lowering, x: Tensor, target: Tensor, reduction: int = _MEAN
) -> Tensor:
    """multilabel_margin_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor."""
    return _multilabel_margin(low, x, target, reduction)[0]


@RULES.lowers("aten.multilabel_margin_loss_forward")
def multilabel_margin_loss_forward(
    low: Lowering, x: Tensor, target: Tensor, reduction: int
) -> list[Tensor]:
    """multilabel_margin_loss_forward(...) -> (Tensor output, Tensor is_target)."""
    loss, is_target = _multilabel_margin(low, x, target, reduction)
    to = low.results[1]
    return [loss, low.cast(low.reshape(is_target, to.shape), to.dtype)]


def _multilabel_margin(
    low: Lowering, x: Tensor, target: Tensor, reduction: int
) -> tuple[Tensor, Tensor]:
    """Return the loss, and which classes are targets: those named before the first negative one.

    Of each row, the mean over the classes of the sum over its targets of `max(0, 1 - x[target] +
    x[class])`, for classes that are none of them. PyTorch's decomposition sums over the entries
    behind the first negative one as well.
    """
    result, (wide,) = low.result, widen(low, x)
    classes = x.shape[-1] if x.rank else 1
    rows = x.shape[0] if x.rank > 1 else 1
    wide, target = low.reshape(wide, (rows, classes)), low.reshape(target, (rows, classes))
    ended = low.op(
        "cumsum", [low.cast(low.compare("lt", target, 0), "i64")], target.shape, "i64", dim=1
    )
    named = low.reshape(low.compare("eq", ended, 0), (rows, classes, 1))
    column = low.reshape(target, (rows, classes, 1))
    numbers = low.arange((1, 1, classes), 2, target.dtype)
    hits = low.binary("logical_and", named, low.compare("eq", column, numbers))
    count = low.reduce("sum", low.cast(hits, "i64"), [1], keep=True)
    other = low.binary("logical_and", named, low.compare("eq", count, 0))
    chosen = gather_along(low, wide, 1, low.maximum(target, 0))
    margin = low.sub(1, low.reshape(chosen, (rows, classes, 1)))
    margin = low.maximum(low.add(margin, low.reshape(wide, (rows, 1, classes))), 0)
    loss = low.reduce("sum", low.where(other, margin, 0), [1, 2], keep=False)
    loss = low.div(loss, classes)
    if reduction != _NONE:
        loss = low.reduce("mean" if reduction == _MEAN else "sum", loss, [0], keep=False)
    is_target = low.compare("ne", low.reshape(count, (rows, classes)), 0)
    return low.cast(low.reshape(loss, result.shape), result.dtype), is_target
