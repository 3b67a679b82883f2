"""Output files: written under another name beside their place, and renamed when complete."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from torch_ttir.ir.diagnostics import CompileError, error
from torch_ttir.tools.inputs import file_of
from torch_ttir.tools.supervise import Report

_STDOUT = "<stdout>"


class Outputs:
    """Files that appear together when the `with` block ends, or not at all if it raises."""

    def __init__(self, report: Report) -> None:
        """Tell `report` of each unfinished file, for the case that this process dies."""
        self._report = report
        self._waiting: list[tuple[Path, Path]] = []

    def __enter__(self) -> Outputs:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _fault: object, _trace: TracebackType | None
    ) -> None:
        """Rename the files, or remove them if the block raised."""
        for temporary, target in self._waiting:
            if kind is None:
                os.replace(temporary, target)
            else:
                temporary.unlink(missing_ok=True)

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[BinaryIO]:
        """Give a file to write the contents of `name` to, `-` for stdout; raises `CompileError`."""
        if name == "-":
            with _stdout() as file:
                yield file
            return
        target = Path(os.path.realpath(name))
        with _named(name):
            if target.exists() and not target.is_file():
                # A device or a pipe cannot be renamed over.
                if target.is_dir():
                    raise error("cannot write: it is a directory", name)
                with target.open("wb") as file:
                    yield file
                return
            temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
            self._report.unfinished(str(temporary))
            self._waiting.append((temporary, target))
            with temporary.open("wb") as file:
                if target.exists():
                    os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
                yield file

    def refuse(self, sources: Iterable[str | None], *names: str | None) -> None:
        """Raise `CompileError` where an output is one of the `sources`, or two are one file.

        None stands for a file that was not asked for; `file.py:function` is its file.
        """
        files = [file_of(source) for source in sources if source not in (None, "-")]
        seen = {os.path.realpath(file): "an input" for file in files}
        for name in names:
            if name in (None, "-"):
                continue
            path = os.path.realpath(name)
            if path in seen:
                raise error(f"cannot write: it is {seen[path]} too", name)
            seen[path] = "another output"


@contextlib.contextmanager
def _stdout() -> Iterator[BinaryIO]:
    if sys.stdout is None:
        raise error("cannot write: standard output is closed", _STDOUT)
    sys.stdout.flush()
    try:
        # Not `sys.stdout.buffer`, which with PYTHONUNBUFFERED writes only as much as a pipe takes.
        with open(sys.stdout.fileno(), "wb", closefd=False) as file:
            yield file
    except BrokenPipeError:
        # Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise error("cannot write: the reader closed it before the end", _STDOUT) from None
    except OSError as reason:
        raise cannot_write(_STDOUT, reason) from None


@contextlib.contextmanager
def _named(name: str) -> Iterator[None]:
    """Turn what the operating system refuses into an error that names the file."""
    try:
        yield
    except OSError as reason:
        raise cannot_write(name, reason) from None


def cannot_write(name: str, reason: OSError) -> CompileError:
    """Return the error for a file that could not be written."""
    return error(f"cannot write: {(reason.strerror or str(reason)).lower()}", name)
