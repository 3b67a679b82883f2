"""Running a tool's work in a child process, so that no crash of native code ends in an abort.

MLIR aborts on some misuse, and torch-mlir's passes crash on some programs. The child does the work;
the parent only waits for it, says in a line what happened, and removes unfinished files.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType

TRACEBACK = "--traceback"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_SECONDS_TO_CLEAN_UP = 5
_PR_SET_PDEATHSIG = 1


class Report:
    """What the child tells the parent, line by line: where it is, and its unfinished files."""

    def __init__(self, descriptor: int | None = None) -> None:
        """Write to a pipe; without one, tell nobody."""
        self._descriptor = descriptor

    def stage(self, text: str) -> None:
        """Say what begins now: `in pass 'cse'`, `reading model.mlir`."""
        self._tell("stage", text)

    def unfinished(self, path: str) -> None:
        """Say that `path` is a file to be removed if the work ends before it is renamed."""
        self._tell("file", path)

    def hint(self, command: str) -> None:
        """Say which command shows a crash again, if there is one."""
        self._tell("hint", command)

    def _tell(self, kind: str, text: str) -> None:
        if self._descriptor is not None:
            line = f"{kind} {text}".replace("\n", " ") + "\n"
            os.write(self._descriptor, line.encode(errors="surrogateescape"))


def supervise(tool: str, work: Callable[[Report], int]) -> int:
    """Return the exit status of `work`, which runs in a child process; 1 if that crashed."""
    _fill_standard_descriptors()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _run_child(tool, work, Report(writing))
    os.close(writing)
    forwarded = _forward_signals(child)
    told, files = {"stage": "starting", "hint": ""}, []
    with open(reading, encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            kind, _, text = line.rstrip("\n").partition(" ")
            if kind == "file":
                files.append(text)
            else:
                told[kind] = text
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return 0
    for path in files:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    if status < 0 and not forwarded:
        hint = ", perhaps for lack of memory" if -status == signal.SIGKILL else ""
        name = signal.Signals(-status).name
        if sys.stderr.isatty():
            # The child had no time to take its progress away and to show the cursor again.
            sys.stderr.write("\r\x1b[2K\x1b[?25h")
        sys.stderr.write(f"{tool}: error: native code crashed with {name}{hint}\n")
        sys.stderr.write(f"note: {told['stage']}\n")
        if told["hint"]:
            sys.stderr.write(f"note: to see it again: {told['hint']}\n")
    return 1


def _fill_standard_descriptors() -> None:
    """Open what of stdin, stdout and stderr is closed, lest a pipe or a file takes its number."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _run_child(tool: str, work: Callable[[Report], int], report: Report) -> None:
    """Run `work` and end the process with its status; nothing returns to the caller."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for number in _SIGNALS:
        signal.signal(number, _interrupt)
    status = 1
    try:
        status = work(report)
    except KeyboardInterrupt:
        sys.stderr.write(f"{tool}: error: interrupted\n")
    except Exception as fault:
        sys.stderr.write(f"{tool}: error: {type(fault).__name__}: {fault}\n")
        sys.stderr.write(f"note: this is a defect of {tool}; `{TRACEBACK}` shows where\n")
        if TRACEBACK in sys.argv:
            traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, AttributeError):
                stream.flush()
        # Not `sys.exit`: tearing MLIR's contexts down takes time and has no use.
        os._exit(status)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Raise in the main thread once; a second signal must not break the cleaning up."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _forward_signals(child: int) -> list[int]:
    """Pass signals on to the child, and end it if it does not end; returns those passed on."""
    forwarded: list[int] = []

    def forward(number: int, _frame: FrameType | None) -> None:
        forwarded.append(number)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, number)
        signal.alarm(_SECONDS_TO_CLEAN_UP)

    def kill(_number: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)

    for number in _SIGNALS:
        signal.signal(number, forward)
    signal.signal(signal.SIGALRM, kill)
    return forwarded
