"""Running many small jobs in worker processes, so that a crash or a hang of one is an outcome."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Literal

Status = Literal["done", "crash", "timeout"]


@dataclass(frozen=True)
class Outcome:
    """How a job ended: `value` is what it returned, or how its process died."""

    job: Any
    status: Status
    value: Any
    seconds: float


def run_jobs(
    function: str, jobs: Sequence[Any], *, workers: int = 2, timeout: float = 60.0
) -> Iterator[Outcome]:
    """Yield the outcome of each job, as they end.

    `function` is `package.module:name`; it is called with a job in a worker process, and both the
    job and what it returns are pickled. A job that takes longer than `timeout` seconds, or that
    ends its process, costs that process only: a new one takes the next job. An exception that
    `function` lets through is a defect of it and ends the run.
    """
    pending = list(jobs)[::-1]
    pool = [_Worker(function) for _ in range(max(1, min(workers, len(pending))))]
    try:
        for worker in pool:
            if pending:
                worker.start(pending.pop())
        while any(worker.busy for worker in pool):
            yield from _finished(pool, pending, timeout)
    finally:
        for worker in pool:
            worker.stop()


class _Worker:
    """A process that does one job at a time."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.busy = False
        self._spawn()

    def _spawn(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, child = context.Pipe()
        self.process = context.Process(target=_serve, args=(self.function, child), daemon=True)
        self.process.start()
        child.close()

    def start(self, job: Any) -> None:
        self.job, self.busy, self.begun = job, True, time.monotonic()
        with contextlib.suppress(OSError):
            self.pipe.send(job)

    def finish(self, status: Status, value: Any) -> Outcome:
        self.busy = False
        return Outcome(self.job, status, value, time.monotonic() - self.begun)

    def restart(self) -> None:
        self.stop()
        self._spawn()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _finished(pool: list[_Worker], pending: list[Any], timeout: float) -> Iterator[Outcome]:
    """Wait for a worker, yield what ended, and give out the next jobs."""
    busy: dict[Any, _Worker] = {worker.pipe: worker for worker in pool if worker.busy}
    now = time.monotonic()
    first = min(worker.begun for worker in busy.values()) + timeout
    ready = wait(list(busy), timeout=max(0.0, first - now))
    for pipe, worker in busy.items():
        if pipe in ready:
            try:
                kind, value = worker.pipe.recv()
            except (EOFError, OSError):
                worker.process.join()
                outcome = worker.finish("crash", _death(worker.process.exitcode))
                worker.restart()
            else:
                if kind == "raised":
                    raise RuntimeError(f"{worker.function}({worker.job!r}) raised {value}")
                outcome = worker.finish("done", value)
        elif time.monotonic() - worker.begun >= timeout:
            outcome = worker.finish("timeout", f"no result in {timeout:g} s")
            worker.restart()
        else:
            continue
        if pending:
            worker.start(pending.pop())
        yield outcome


def _death(code: int | None) -> str:
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit status {code}"


def _serve(function: str, pipe: Connection) -> None:
    """Do the jobs that come through the pipe; runs in the worker."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    module, _, name = function.partition(":")
    call: Callable[[Any], Any] = getattr(importlib.import_module(module), name)
    while True:
        try:
            job = pipe.recv()
        except EOFError:
            return
        try:
            answer = ("done", call(job))
        except Exception as reason:
            answer = ("raised", f"{type(reason).__name__}: {reason}")
        pipe.send(answer)
