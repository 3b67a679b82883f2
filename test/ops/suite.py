"""PyTorch's own operator samples on TTIR, in workers; prints what agrees, and why not all.

    python test/ops/suite.py [--dtype float32 ...] [--only add] [--samples 1] [--workers 2] [--list]

An op that does not pass all of its samples stands in `expected.py` with the reason.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parent))

from expected import EXPECTED, REASONS

STATUSES = ("pass", "refused", "rejected", "wrong", "crash", "timeout", "error")


class Job(NamedTuple):
    """An op of PyTorch's database in one dtype; `limit` bounds the number of samples."""

    op: str
    variant: str
    dtype: str
    limit: int | None

    @property
    def name(self) -> str:
        """Return the op and its variant as one name."""
        return f"{self.op}.{self.variant}" if self.variant else self.op


class Result(NamedTuple):
    """How an op's samples went: how many of each status, and the first reason of each."""

    job: Job
    counts: dict[str, int]
    reasons: dict[str, str]

    @property
    def passes(self) -> bool:
        """Say whether every sample agrees with PyTorch, but for those that PyTorch refuses."""
        return set(self.counts) <= {"pass", "refused"}


def main() -> int:
    """Run the ops and print the tables; exit status 1 for a fault that is not expected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dtype", action="append", help="a torch dtype; float32 without it")
    parser.add_argument("--only", default="", help="only ops whose name contains this")
    parser.add_argument("--samples", type=int, help="at most so many samples of an op")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for an op")
    parser.add_argument("--list", action="store_true", help="print every op that does not pass")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    jobs = list(find_jobs(options.dtype or ["float32"], options.only, options.samples))
    results = run(jobs, options.workers, options.timeout)
    report(results, options.list)
    if options.json:
        options.json.write_text(json.dumps([[*r.job, r.counts, r.reasons] for r in results]))
    faults = unexpected(results, whole=options.samples is None)
    for fault in faults:
        print(fault)
    return int(bool(faults))


def find_jobs(dtypes: list[str], only: str, limit: int | None) -> Iterator[Job]:
    """Yield a job for each op and dtype that PyTorch has samples for."""
    from torch.testing._internal.common_methods_invocations import op_db

    for op in op_db:
        for dtype in dtypes:
            job = Job(op.name, op.variant_test_name, dtype, limit)
            if only in job.name and getattr(torch, dtype) in op.supported_dtypes("cpu"):
                yield job


def run(jobs: list[Job], workers: int, timeout: float) -> list[Result]:
    """Return the results of all jobs, by name."""
    from torch_ttir.isolation import run_jobs

    results = []
    console = Console(stderr=True)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("PyTorch's operator samples", total=len(jobs))
        for outcome in run_jobs("suite:run_op", jobs, workers=workers, timeout=timeout):
            if outcome.status == "done":
                results.append(Result(outcome.job, *outcome.value))
            else:
                reason = {outcome.status: str(outcome.value)}
                results.append(Result(outcome.job, {outcome.status: 1}, reason))
            progress.advance(task)
    return sorted(results)


def run_op(job: Job) -> tuple[dict[str, int], dict[str, str]]:
    """Run the samples of one op in a worker: how many have each status, the first reasons."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts: collections.Counter[str] = collections.Counter()
    reasons: dict[str, str] = {}
    for function, arguments, keywords in samples(job):
        status, reason = run_sample(function, arguments, keywords)
        counts[status] += 1
        reasons.setdefault(status, reason)
    return dict(counts), reasons


def samples(job: Job) -> Iterator[tuple[Any, tuple[Any, ...], dict[str, Any]]]:
    """Yield the op as a function, with the arguments of each of its samples."""
    from torch.testing._internal.common_methods_invocations import op_db

    op = next(o for o in op_db if (o.name, o.variant_test_name) == (job.op, job.variant))
    torch.manual_seed(0)
    for index, sample in enumerate(op.sample_inputs("cpu", getattr(torch, job.dtype))):
        if job.limit is not None and index >= job.limit:
            return
        yield op.op, (sample.input, *sample.args), sample.kwargs


def run_sample(function: Any, arguments: Any, keywords: Any) -> tuple[str, str]:
    """Return the status of one sample, and the reason for it."""
    from torch_ttir.ir.diagnostics import CompileError
    from torch_ttir.testing import run_through_ttir

    def call(*inputs: Any) -> Any:
        return function(*inputs, **keywords)

    try:
        expected = call(*_copies(arguments))
    except Exception as reason:
        return "refused", f"PyTorch itself: {_line(reason)}"
    try:
        found = run_through_ttir(call, *_copies(arguments))
    except CompileError as reason:
        return "rejected", _line(reason)
    except Exception as reason:
        return "error", f"{type(reason).__name__}: {_line(reason)}"
    try:
        torch.testing.assert_close(found, expected, equal_nan=True)
    except (AssertionError, TypeError, ValueError) as reason:
        return "wrong", " ".join(str(reason).split())[:200]
    return "pass", ""


def _copies(arguments: Any) -> Any:
    from torch.utils import _pytree as pytree

    return pytree.tree_map(
        lambda leaf: leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf, arguments
    )


def _line(reason: BaseException) -> str:
    text = str(reason).strip()
    return text.splitlines()[0][:200] if text else type(reason).__name__


def unexpected(results: list[Result], whole: bool) -> list[str]:
    """Return what contradicts `EXPECTED`: a fault without a reason, or a reason without a fault."""
    faults = []
    for result in results:
        reason = EXPECTED.get(result.job.name)
        if not result.passes and reason is None:
            listed = ", ".join(f"{n} {status}" for status, n in result.counts.items())
            first = next(
                text for status, text in result.reasons.items() if status not in ("pass", "refused")
            )
            faults.append(f"FAIL {result.job.name} ({result.job.dtype}): {listed}: {first}")
        elif result.passes and reason is not None and whole and result.job.dtype == "float32":
            faults.append(f"XPASS {result.job.name}: it passes, and is expected not to: {reason}")
    return faults


def report(results: list[Result], listed: bool) -> None:
    """Print how many ops pass all their samples, and why the others do not."""
    console = Console()
    table = Table("dtype", "ops", "pass", "sayable", "samples", *STATUSES[1:])
    for dtype in dict.fromkeys(result.job.dtype for result in results):
        of_dtype = [result for result in results if result.job.dtype == dtype]
        counts = collections.Counter[str]()
        for result in of_dtype:
            counts.update(result.counts)
        passing = sum(result.passes for result in of_dtype)
        sayable = sum(EXPECTED.get(r.job.name) not in REASONS for r in of_dtype)
        share = f"{passing / sayable:.1%}" if sayable else "-"
        numbers = (len(of_dtype), passing, f"{share} of {sayable}", sum(counts.values()))
        table.add_row(dtype, *map(str, numbers), *(str(counts[status]) for status in STATUSES[1:]))
    console.print(table)
    why = collections.Counter(
        EXPECTED[r.job.name] for r in results if not r.passes and r.job.name in EXPECTED
    )
    for reason, count in why.most_common():
        console.print(f"{count:>4} ops: {REASONS.get(reason, reason)}", markup=False)
    for result in results:
        if listed and not result.passes:
            console.print(
                f"{result.job.name} {result.job.dtype} {result.counts} {result.reasons}",
                soft_wrap=True,
                markup=False,
            )


if __name__ == "__main__":
    sys.exit(main())
