"""Progress on a terminal, and how long each stage took."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from torch_ttir.tools.supervise import Report

if TYPE_CHECKING:
    from rich.status import Status


class Progress:
    """Tells the supervisor, and with `shown` a terminal on stderr, what goes on."""

    def __init__(self, report: Report, *, shown: bool) -> None:
        """Show a line that changes, if `shown` and stderr is a terminal."""
        self.seconds: dict[str, float] = {}
        self._report = report
        self._status: Status | None = None
        self._running: tuple[str, float] | None = None
        if shown and sys.stderr is not None and sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("")

    def __enter__(self) -> Progress:
        """Begin to show."""
        if self._status:
            self._status.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _fault: object, _trace: TracebackType | None
    ) -> None:
        """Take the line away for good, so that what follows stands at its place."""
        self._close()
        if self._status:
            self._status.stop()
            self._status = None

    def stage(self, name: str, detail: str = "") -> None:
        """Say that the stage `name` goes on, at `detail`; it lasts until another begins."""
        if self._running is None or self._running[0] != name:
            self._close()
            self._running = (name, time.perf_counter())
        self._report.stage(detail or name)
        if self._status:
            self._status.update(detail or name)

    def _close(self) -> None:
        if self._running:
            name, begin = self._running
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - begin
            self._running = None
