"""The arrays of a program's weights, kept outside the IR and never copied."""

from __future__ import annotations

from typing import Any


class ParameterStore(dict[str, Any]):
    """Arrays by `ttir.name`: `numpy.ndarray`s (`ml_dtypes` for bf16) or `torch.Tensor`s.

    A value is the very object that the model or the file holds: readers that need another form
    convert a view of it when they use it.
    """
