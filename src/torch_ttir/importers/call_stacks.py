"""Whole call stacks of the user's code on the nodes that `torch.export` makes."""

from __future__ import annotations

import contextlib
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch.fx.experimental import proxy_tensor

_TORCH = str(Path(torch.__file__).parent)
_LAYERS = (f"{_TORCH}/nn/functional.py", f"{_TORCH}/nn/modules/")
_EXPORT = f"{_TORCH}/export/"
_TRACING = f"{Path(__file__).parent}/"
_LIBRARY = sysconfig.get_paths()["stdlib"]
_CALLS = f"{_TORCH}/nn/modules/module.py"


@contextlib.contextmanager
def whole_stacks() -> Iterator[None]:
    """Let tracing keep every frame of the model's code while the block runs.

    PyTorch 2.13 keeps only frames of functions that are called `forward`, so that the line of a
    helper is lost. The method that filters them is there to be overridden, but the tracer is not
    ours to choose.
    """
    tracer: Any = proxy_tensor._ModuleStackTracer
    had = "_filter_traceback_frames" in vars(tracer)
    before = tracer._filter_traceback_frames
    tracer._filter_traceback_frames = _model_frames
    try:
        yield
    finally:
        if had:
            tracer._filter_traceback_frames = before
        else:
            del tracer._filter_traceback_frames


def _model_frames(_: Any, stack: traceback.StackSummary) -> traceback.StackSummary:
    """Return the frames of the model's code and of PyTorch's layers, outermost first."""
    files = [frame.filename for frame in stack]
    # Who calls `torch.export` is no part of the model.
    start = next((i for i, file in enumerate(files) if file.startswith(_EXPORT)), 0)
    return traceback.StackSummary.from_list(
        [frame for frame in stack[start:] if is_models(frame.filename)]
    )


def is_models(file: str) -> bool:
    """Say whether a file holds code of models: the user's, another package's, PyTorch's layers."""
    if file.startswith(_LAYERS):
        return file != _CALLS
    library = file.startswith(_LIBRARY) and "site-packages" not in file
    return not library and not file.startswith((_TORCH, _TRACING, "<"))
