"""Models from Python files: `file.py:function`, which makes a model and its example inputs."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import torch

from torch_ttir.importers.untraceable import one_line
from torch_ttir.ir.diagnostics import CompileError, error

TARGET = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)")
"""The spelling `file.py:function`."""

_USER_MODULE = "torch_ttir_input"


class Model(NamedTuple):
    """A model with the example inputs that say its shapes."""

    model: torch.nn.Module | Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@contextlib.contextmanager
def made_by(file: str, function: str) -> Iterator[Model]:
    """Run a function of a Python file and give the model that it returns.

    While the block runs, the file's folder is on `sys.path`, as it is for `python file.py`: the
    model's code may import its neighbours late. Raises `CompileError` at the user's line.
    """
    folder = str(Path(file).resolve().parent)
    sys.path.insert(0, folder)
    try:
        module = _run(file, lambda: _load(file))
        made = getattr(module, function, None)
        if not callable(made):
            raise error(f"there is no function `{function}`", file, notes=_functions(module))
        with contextlib.redirect_stdout(sys.stderr):
            returned = _run(file, made)
        yield _checked(returned, file, function)
    finally:
        sys.path.remove(folder)


def _load(file: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(_USER_MODULE, Path(file).resolve())
    if spec is None or spec.loader is None:
        raise error("not a Python file", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[_USER_MODULE] = module
    # Reading a model leaves no `__pycache__` beside it.
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        with contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


def _run(file: str, call: Callable[[], Any]) -> Any:
    """Return what `call` returns; an exception of the user's becomes an error at their line."""
    try:
        return call()
    except CompileError:
        raise
    except SyntaxError as reason:
        where = f"{reason.filename or file}:{reason.lineno}:{reason.offset}"
        raise error(f"{reason.msg}", where) from None
    except OSError as reason:
        if reason.filename and Path(reason.filename) == Path(file).resolve():
            message = f"cannot read: {(reason.strerror or str(reason)).lower()}"
            raise error(message, file) from None
        raise error(one_line(reason), _line(file, reason)) from None
    except (Exception, SystemExit) as reason:
        raise error(one_line(reason), _line(file, reason)) from None


def _line(file: str, reason: BaseException) -> str:
    """Return where in the user's file, or else in what it calls of their own, it happened."""
    path = str(Path(file).resolve())
    frames = [f for f in traceback.extract_tb(reason.__traceback__) if f.filename == path]
    return f"{file}:{frames[-1].lineno}" if frames else file


def _functions(module: ModuleType) -> list[str]:
    names = [
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == _USER_MODULE
    ]
    return [f"the file has {', '.join(f'`{name}`' for name in names)}"] if names else []


def _checked(made: Any, file: str, function: str) -> Model:
    if isinstance(made, tuple) and len(made) in (2, 3) and callable(made[0]):
        model, args, *rest = made
        kwargs = rest[0] if rest else {}
        if isinstance(args, torch.Tensor):
            args = (args,)
        if isinstance(args, (tuple, list)) and (kwargs is None or isinstance(kwargs, dict)):
            return Model(model, tuple(args), kwargs or {})
    raise error(
        f"`{function}` must return `(model, args)` or `(model, args, kwargs)`: an `nn.Module`, a "
        f"tuple and a dict; it returned {_shape(made)}",
        file,
    )


def _shape(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(type(item).__name__ for item in value)})"
    return f"a `{type(value).__name__}`"
