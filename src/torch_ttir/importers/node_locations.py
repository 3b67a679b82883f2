"""The source location of each FX node: the user's call stack, and the path of its module."""

from __future__ import annotations

import re
from typing import Any

import torch.fx
from torch_mlir import ir

from torch_ttir.importers.call_stacks import is_models
from torch_ttir.ir.context import Context
from torch_ttir.ir.locations import nearest_frame

# Frames as traceback.StackSummary.format writes them.
_FRAME = re.compile(r'File "([^"]+)", line (\d+)')
_ROOT_PATH = re.compile(r"^L\['self'\]\.?|^L__self___?")


def node_frame(node: torch.fx.Node) -> str:
    """Return `file:line` of the innermost frame of the user's that made a node, or ``."""
    frames = [(file, int(line), 0) for file, line in _FRAME.findall(_trace(node))]
    return nearest_frame(frames[::-1]) if frames else ""


def _frames(trace: str) -> list[tuple[str, str]]:
    """Return file and line of each frame, outermost first, without PyTorch's machinery."""
    frames = _FRAME.findall(trace)
    return [frame for frame in frames if is_models(frame[0])] or frames


def _trace(node: torch.fx.Node) -> str:
    return str(node.meta.get("stack_trace") or "")


class NodeLocations:
    """Locations by stack trace and module path; equal ones are built once."""

    def __init__(self, context: Context) -> None:
        """Build locations in `context`."""
        self._context = context
        self._built: dict[tuple[str, str], ir.Location] = {}
        self._files: dict[tuple[str, str], ir.Location] = {}
        self._stacks: dict[str, ir.Location | None] = {}

    def of(self, node: torch.fx.Node) -> ir.Location:
        """Return the location of a node; the node's own name where there is no stack trace.

        `"layers.0.mlp"(callsite("model.py":7:0 at callsite(...)))`: innermost frame first.
        """
        trace = _trace(node)
        path = module_path(node.meta.get("nn_module_stack"))
        key = (trace, path)
        found = self._built.get(key)
        if found is not None:
            return found
        stack = self._stack(trace)
        if stack is None:
            # Not cached: each node has its own name.
            return ir.Location.name(node.name, context=self._context)
        if path:
            stack = ir.Location.name(path, stack, context=self._context)
        self._built[key] = stack
        return stack

    def outermost(self, node: torch.fx.Node) -> ir.Location | None:
        """Return the outermost frame of a node's stack, which is the model's own call."""
        frames = _frames(_trace(node))
        return self._file(*frames[0]) if frames else None

    def _stack(self, trace: str) -> ir.Location | None:
        if trace in self._stacks:
            return self._stacks[trace]
        frames = [self._file(file, line) for file, line in _frames(trace)]
        found: ir.Location | None = None
        if len(frames) == 1:
            found = frames[0]
        elif frames:
            found = ir.Location.callsite(frames[-1], frames[-2::-1], context=self._context)
        self._stacks[trace] = found
        return found

    def _file(self, file: str, line: str) -> ir.Location:
        found = self._files.get((file, line))
        if found is None:
            found = ir.Location.file(file, int(line), col=0, context=self._context)
            self._files[file, line] = found
        return found


def module_path(stack: Any) -> str:
    """Return the path of the innermost module of an `nn_module_stack`: `layers.0.mlp`, or ``."""
    if not stack:
        return ""
    entry = next(reversed(stack.values()))
    path = entry[0] if isinstance(entry, tuple) else str(entry)
    return _ROOT_PATH.sub("", path)
