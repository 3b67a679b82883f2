"""`torch.export` of a user's model, and what it says when it cannot, in the user's words."""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.export import ExportedProgram
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from torch_ttir.importers.call_stacks import is_models, whole_stacks
from torch_ttir.importers.quiet import quiet_torch
from torch_ttir.importers.tracing.bias_sizes import BiasSizes
from torch_ttir.importers.tracing.distinct_inputs import distinct_inputs
from torch_ttir.importers.tracing.exact_floats import exact_floats
from torch_ttir.importers.tracing.known_numbers import KnownNumbers
from torch_ttir.importers.tracing.out_shapes import OutShapes
from torch_ttir.importers.tracing.quantized import QuantizedTensors
from torch_ttir.importers.tracing.quantized_layers import integer_layers
from torch_ttir.importers.tracing.real_dtypes import RealDtypes
from torch_ttir.importers.untraceable import untraceable
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.ir.locations import nearest_frame

_OURS = str(Path(__file__).parents[1])
_TORCH = str(Path(torch.__file__).parent)


def export_module(
    model: torch.nn.Module | Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
) -> ExportedProgram:
    """Export a module or a function on example inputs, with its in-place ops and no decomposition.

    Shapes are those of the examples. Raises `CompileError` with the reason and the user's line.
    """
    module = model if isinstance(model, torch.nn.Module) else _Function(model)
    try:
        with quiet_torch(), whole_stacks(), exact_floats():
            inputs = distinct_inputs(module, (tuple(args), dict(kwargs or {})))
            return _export(module, *inputs)
    except CompileError:
        raise
    except Exception as reason:
        # `torch.export` raises whatever the model's code and its own tracing do.
        where = _users_line(reason) or _source(module)
        raise untraceable(reason, "`torch.export` cannot export the model", where) from None


def _export(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> ExportedProgram:
    """Export a module, through its bytecode if it makes Python numbers of tensors.

    Python's `int(x)` wants the number itself; Dynamo, which reads the bytecode, has `x.item()`.
    """
    try:
        return _trace(module, args, kwargs)
    except Exception as reason:
        if not _needs_a_number(reason):
            raise
        # What fails again is said in terms of the first trace, or read by Dynamo.
        with contextlib.suppress(Exception), KnownNumbers():
            return _trace(module, args, kwargs)
        from torch_ttir.importers.tracing.number_operators import number_operators

        try:
            with _own_output(), number_operators():
                return torch.export.export(module, args, kwargs, strict=True)
        except Exception:
            # Nor so: what was found first is said in terms of the model's own code.
            raise reason from None


def _trace(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> ExportedProgram:
    with (
        _own_output(),
        BiasSizes(),
        OutShapes(),
        RealDtypes(),
        QuantizedTensors(),
        integer_layers(module) as traced,
    ):
        return torch.export.export(traced, args, kwargs)


@contextlib.contextmanager
def _own_output() -> Iterator[None]:
    """Print to stderr what the model prints: our output may be a module on stdout.

    Without the graph that PyTorch prints when it fails.
    """
    captured, graph = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(sys.stderr), contextlib.redirect_stderr(captured):
            yield
    except Exception as reason:
        graph = f"{getattr(reason, 'partial_fx_graph', '')}\n"
        raise
    finally:
        sys.stderr.write(captured.getvalue().replace(graph, "") if graph else captured.getvalue())


def _needs_a_number(reason: Exception) -> bool:
    """Say whether a trace failed since it met a number that depends on data."""
    if isinstance(reason, GuardOnDataDependentSymNode):
        return True
    return any(f"'{name}'" in str(reason) for name in ("SymInt", "SymFloat", "SymBool"))


def _users_line(reason: BaseException) -> str:
    """Return `file:line` of the model's code that an exception came out of, or ``."""
    frames = [
        (frame.filename, frame.lineno or 0, 0)
        for frame in reversed(traceback.extract_tb(reason.__traceback__))
        if is_models(frame.filename) and not frame.filename.startswith((_OURS, _TORCH))
    ]
    return nearest_frame(frames) if frames else ""


class _Function(torch.nn.Module):
    """A plain function as a module, which is what `torch.export` takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        # Not a method around it: inputs go by the names of the function's own parameters.
        self.forward = function if _has_signature(function) else partial(_call, function)


def _has_signature(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function)
    except ValueError:
        # PyTorch's own functions are built in.
        return False
    return True


def _call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


def _source(module: torch.nn.Module) -> str:
    """Return `file:line` of the model's `forward`, or of the function; `` for PyTorch's own."""
    written = module.forward
    try:
        file, line = inspect.getsourcefile(written) or "<", inspect.getsourcelines(written)[1]
    except (OSError, TypeError):
        return ""
    return "" if file.startswith((_OURS, _TORCH, "<")) else f"{file}:{line}"
