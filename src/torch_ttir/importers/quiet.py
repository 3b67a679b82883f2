"""PyTorch's own warnings and log records, kept off the screen."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator


@contextlib.contextmanager
def quiet_torch() -> Iterator[list[BaseException]]:
    """Drop PyTorch's warnings and log records; gives the errors that the records report."""
    found: list[BaseException] = []

    def drop(record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] is not None:
            found.append(record.exc_info[1])
        return False

    handlers = _torch_handlers()
    for handler in handlers:
        handler.addFilter(drop)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=r"torch\b")
            yield found
    finally:
        for handler in handlers:
            handler.removeFilter(drop)


def _torch_handlers() -> set[logging.Handler]:
    """Return the handlers of PyTorch's loggers, each of which may have its own."""
    loggers = [
        logger
        for name, logger in logging.root.manager.loggerDict.items()
        if name.split(".")[0] == "torch" and isinstance(logger, logging.Logger)
    ]
    return {handler for logger in loggers for handler in logger.handlers}
