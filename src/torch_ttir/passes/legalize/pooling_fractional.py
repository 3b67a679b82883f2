"""Rules for fractional max pooling, whose windows begin where a random number says.

Source: generate_intervals in aten/src/ATen/native/FractionalMaxPooling.h.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.convolution_window import spread
from torch_ttir.passes.legalize.indexing_rows import gather_along
from torch_ttir.passes.legalize.lowering import Lowering
from torch_ttir.passes.legalize.pooling_max import pool_max_with_indices
from torch_ttir.passes.legalize.pooling_window import pool_window, ravel
from torch_ttir.passes.legalize.rules import RuleTable

RULES = RuleTable()


def _fractional_max_pool(
    spatial: int,
    low: Lowering,
    x: Tensor,
    kernel: Sequence[int],
    output_size: Sequence[int],
    samples: Tensor,
) -> list[Tensor]:
    """fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, samples).

    All elements of all windows are gathered, and then pooled.
    """
    kernel, out = spread(kernel, spatial), spread(output_size, spatial)
    sizes = x.shape[x.rank - spatial :]
    planes, area, cells = (math.prod(part) for part in (x.shape[: x.rank - spatial], sizes, out))
    window = math.prod(kernel)
    samples = low.reshape(samples, (planes, spatial))
    places = []
    for axis in range(spatial):
        # In two dimensions the first sample is that of the last dimension.
        column = 1 - axis if spatial == 2 else axis
        sample = low.slice(samples, 1, column, column + 1)
        starts = _starts(low, sample, sizes[axis], out[axis], kernel[axis])
        shape = [planes, *[1] * (2 * spatial)]
        shape[1 + axis] = out[axis]
        steps = [1] * (2 * spatial + 1)
        steps[1 + spatial + axis] = kernel[axis]
        offsets = low.arange(steps, 1 + spatial + axis, "i64")
        places.append(low.add(low.reshape(starts, shape), offsets))
    index = low.reshape(ravel(low, places, sizes), (planes, cells * window))
    taken = gather_along(low, low.reshape(x, (planes, area)), 1, index)
    moves = pool_window(2, [1, window], [], [0], [1], False)
    rows = low.reshape(taken, (planes, cells, window, 1))
    values, choice = pool_max_with_indices(low, rows, moves, "i64")
    picked = gather_along(low, index, 1, low.reshape(choice, (planes, cells)))
    to = low.results
    return [
        low.reshape(values, to[0].shape),
        low.cast(low.reshape(picked, to[1].shape), to[1].dtype),
    ]


def _starts(low: Lowering, sample: Tensor, size: int, out: int, kernel: int) -> Tensor:
    """Return where the windows of one dimension begin, [planes, out]; the last one at the end."""
    last = low.full((sample.shape[0], 1), size - kernel, "i64")
    if out == 1:
        return last
    alpha = low.div(low.full((), size - kernel, sample.dtype), out - 1)
    steps = low.arange((1, out - 1), 1, sample.dtype)
    moved = low.cast(low.mul(low.add(steps, sample), alpha), "i64")
    first = low.cast(low.mul(sample, alpha), "i64")
    return low.concat([low.sub(moved, first), last], 1)


for _spatial in (2, 3):
    RULES.add(f"aten.fractional_max_pool{_spatial}d", partial(_fractional_max_pool, _spatial))
