"""PyTorch's own operator samples on TTIR, in workers; prints what agrees, and why not all.

    python test/ops/suite.py [--dtype float32 ...] [--only add] [--samples 1] [--workers 2] [--list]

An op that does not pass all of its samples stands in `expected.py` with the reason, and only
rejections have reasons: a wrong number, a crash, a time-out or another error is always a fault.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import json
import os
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import torch
from rich.console import Console
from rich.progress import Progress

sys.path.insert(0, str(Path(__file__).parent))

from expected import (
    EXPECTED,
    INTEGERS,
    OPEN_INDICES,
    RANDOM,
    REASONS,
    TOLERANCES,
    UNINITIALIZED,
)

STATUSES = (
    "pass",
    "as exact",
    "random",
    "uninitialized",
    "refused",
    "rejected",
    "wrong",
    "crash",
    "timeout",
    "error",
)
"""Of a sample; `random` and `uninitialized` ones have the right type, and `refused` ones are those
that PyTorch does not take itself. `as exact` ones are of narrow floats: they differ from PyTorch's
result, and are no further from that of a float64 run than it is."""

NARROW = ("float16", "bfloat16")

_IS_OURS = "this is a fault of torch-ttir"

FAULTS = frozenset(STATUSES) - {"pass", "as exact", "random", "uninitialized", "refused"}


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
        """Say whether every sample that has an answer agrees with PyTorch."""
        return not FAULTS & set(self.counts)

    @property
    def worst(self) -> str:
        """Return the worst status of the samples."""
        return max(self.counts, key=STATUSES.index, default="refused")


def main() -> int:
    """Run the ops and print the tables; exit status 1 for a fault that is not expected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--dtype", action="append", help="a torch dtype; float32 without it")
    parser.add_argument("--only", default="", help="only ops whose name contains this")
    parser.add_argument("--samples", type=int, help="at most so many samples of an op")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for an op")
    parser.add_argument("--list", action="store_true", help="print every op that does not pass")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    options = parser.parse_args()
    jobs = list(find_jobs(options.dtype or ["float32"], options.only, options.samples))
    results = run(jobs, options.workers, options.timeout)
    report(results, options.list)
    if options.json:
        options.json.write_text(as_json(results))
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
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    with (
        mock.patch.dict(os.environ, PYTHONPATH=path),
        Progress(console=console, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("PyTorch's operator samples", total=len(jobs))
        outcomes = run_jobs(
            "suite:run_op", [tuple(job) for job in jobs], workers=workers, timeout=timeout
        )
        for outcome in outcomes:
            job = Job(*outcome.job)
            if outcome.status == "done":
                results.append(Result(job, *outcome.value))
            else:
                reason = {outcome.status: str(outcome.value)}
                results.append(Result(job, {outcome.status: 1}, reason))
            progress.advance(task)
    return sorted(results)


def run_op(fields: tuple[str, str, str, int | None]) -> tuple[dict[str, int], dict[str, str]]:
    """Run the samples of one op in a worker: how many have each status, the first reasons.

    `fields` are a job's: here, this module has another name than where the jobs were made.
    """
    job = Job(*fields)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    counts: collections.Counter[str] = collections.Counter()
    reasons: dict[str, str] = {}
    for function, arguments, keywords in samples(job):
        status, reason = run_sample(job, function, arguments, keywords)
        counts[status] += 1
        reasons.setdefault(status, reason)
    return dict(counts), reasons


def samples(job: Job) -> Iterator[tuple[Any, tuple[Any, ...], dict[str, Any]]]:
    """Yield the op as a function, with the arguments of each of its samples."""
    from torch.testing._internal.common_methods_invocations import op_db

    op = next(o for o in op_db if (o.name, o.variant_test_name) == (job.op, job.variant))
    torch.manual_seed(0)
    made = iter(op.sample_inputs("cpu", getattr(torch, job.dtype)))
    for sample in itertools.islice(made, job.limit):
        yield op.op, (sample.input, *sample.args), sample.kwargs
    if isinstance(made, Generator):
        # One that is left unfinished ends whenever it is collected, in the middle of a trace.
        made.close()


def run_sample(job: Job, function: Any, arguments: Any, keywords: Any) -> tuple[str, str]:
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
        return "error" if _IS_OURS in str(reason) else "rejected", _line(reason)
    except Exception as reason:
        return "error", f"{type(reason).__name__}: {_line(reason)}"
    difference = _difference(job, found, expected)
    if not difference:
        return "pass", ""
    if job.name in UNINITIALIZED or (job.name in RANDOM and _is_random(job, call, arguments)):
        difference = _difference(job, _types(found), _types(expected))
        if not difference:
            return ("random" if job.name in RANDOM else "uninitialized"), ""
    if job.dtype in NARROW and _is_as_exact(function, arguments, keywords, found, expected):
        return "as exact", ""
    return "wrong", difference


def _is_random(job: Job, call: Callable[..., Any], arguments: Any) -> bool:
    """Say whether PyTorch's own answer depends on the seed; the database sets one in each call."""
    answers = []
    for seed in range(10):
        set_seed = partial(torch.random.manual_seed, seed)
        with mock.patch.object(torch, "manual_seed", lambda _, set_seed=set_seed: set_seed()):
            answers.append(call(*_copies(arguments)))
    return any(_difference(job, answer, answers[0]) for answer in answers[1:])


def _is_as_exact(
    function: Callable[..., Any], arguments: Any, keywords: Any, found: Any, expected: Any
) -> bool:
    """Say whether a result is no further from that of a float64 run than PyTorch's own is."""
    from torch.utils import _pytree as pytree

    def widen(leaf: Any) -> Any:
        narrow = isinstance(leaf, torch.Tensor) and leaf.is_floating_point()
        return leaf.detach().to(torch.float64) if narrow else leaf

    try:
        arguments, keywords = pytree.tree_map(widen, _copies((arguments, keywords)))
        exact = function(*arguments, **keywords)
    except Exception:
        # An op whose other arguments name its dtype has no such run.
        return False
    for mine, theirs, true in zip(
        *(pytree.tree_leaves(result) for result in (found, expected, exact)), strict=True
    ):
        if not isinstance(theirs, torch.Tensor) or not theirs.is_floating_point():
            if not _same(mine, theirs):
                return False
            continue
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape:
            return False
        errors = [
            (result.to(torch.float64) - true).abs().nan_to_num(0) for result in (mine, theirs)
        ]
        holes = [~result.isfinite() for result in (mine, theirs)]
        if not torch.equal(*holes) or errors[0].max() > errors[1].max():
            return False
    return True


def _same(found: Any, expected: Any) -> bool:
    if isinstance(expected, torch.Tensor):
        return isinstance(found, torch.Tensor) and torch.equal(found, expected)
    return bool(found == expected)


def _difference(job: Job, found: Any, expected: Any) -> str:
    """Return how two results differ, as a line; `` if they agree."""
    rtol, atol, _ = TOLERANCES.get(job.name, (None, None, ""))
    if job.dtype != "float32":
        rtol = atol = None
        if job.name in OPEN_INDICES:
            found, expected = ((values, _types(indices)) for values, indices in (found, expected))
    try:
        torch.testing.assert_close(found, expected, equal_nan=True, rtol=rtol, atol=atol)
    except (AssertionError, TypeError, ValueError) as reason:
        return " ".join(str(reason).split())[:200]
    return ""


def _types(result: Any) -> Any:
    """Return a result with zeros for its numbers."""
    from torch.utils import _pytree as pytree

    return pytree.tree_map(
        lambda leaf: torch.zeros_like(leaf) if isinstance(leaf, torch.Tensor) else leaf, result
    )


def _copies(arguments: Any) -> Any:
    from torch.utils import _pytree as pytree

    return pytree.tree_map(
        lambda leaf: leaf.detach().clone() if isinstance(leaf, torch.Tensor) else leaf, arguments
    )


def _line(reason: BaseException) -> str:
    text = str(reason).strip()
    return text.splitlines()[0][:200] if text else type(reason).__name__


def unexpected(results: list[Result], whole: bool) -> list[str]:
    """Return what contradicts `EXPECTED`: a fault without a reason, or a reason without a fault.

    `whole` says that all samples ran: only then, an expected fault must be there.
    """
    faults = []
    for result in results:
        name, dtype = result.job.name, result.job.dtype
        reason = _reason(name)
        if not result.passes and (reason is None or result.worst != "rejected"):
            listed = ", ".join(f"{n} {status}" for status, n in result.counts.items())
            faults.append(f"FAIL {name} ({dtype}): {listed}: {result.reasons[result.worst]}")
        elif result.passes and reason is not None and whole and dtype == "float32":
            faults.append(f"XPASS {name}: it passes, and is expected not to: {reason}")
    return faults


def _reason(name: str) -> str | None:
    """Return why samples of an op are rejected; None if all are to pass."""
    return EXPECTED.get(name, INTEGERS.get(name))


def report(results: list[Result], listed: bool) -> None:
    """Print how many ops pass all their samples, and why the others do not."""
    console = Console()
    for totals in totals_by_dtype(results):
        console.print(str(totals), markup=False, soft_wrap=True)
    rejected = [_reason(result.job.name) for result in results if not result.passes]
    why = collections.Counter(reason for reason in rejected if reason is not None)
    for reason, count in why.most_common():
        line = f"{count:>4} ops: {REASONS.get(reason, reason)}"
        console.print(line, markup=False, soft_wrap=True)
    for result in results:
        if listed and not result.passes:
            console.print(
                f"{result.job.name} {result.job.dtype} {result.counts} {result.reasons}",
                soft_wrap=True,
                markup=False,
            )


def totals_by_dtype(results: list[Result]) -> list[Totals]:
    """Count ops and samples of each dtype."""
    totals = []
    for dtype in dict.fromkeys(result.job.dtype for result in results):
        of_dtype = [result for result in results if result.job.dtype == dtype]
        samples = collections.Counter[str]()
        for result in of_dtype:
            samples.update(result.counts)
        totals.append(
            Totals(
                dtype,
                ops=len(of_dtype),
                passing=sum(result.passes for result in of_dtype),
                sayable=sum(r.passes or _reason(r.job.name) not in REASONS for r in of_dtype),
                samples={status: samples[status] for status in STATUSES if samples[status]},
            )
        )
    return totals


class Totals(NamedTuple):
    """Numbers of a dtype: an op counts as passing if every sample that has an answer agrees."""

    dtype: str
    ops: int
    passing: int
    sayable: int
    samples: dict[str, int]

    def __str__(self) -> str:
        """Return the numbers as a line."""
        samples = ", ".join(f"{count:,} {status}" for status, count in self.samples.items())
        share = self.passing / max(1, self.sayable)
        return (
            f"{self.dtype}: {self.ops} ops, {self.passing} pass all their samples: {share:.1%} of "
            f"the {self.sayable} that TTIR can say; {sum(self.samples.values()):,} samples: "
            f"{samples}"
        )


def as_json(results: list[Result]) -> str:
    """Return the results as JSON that is the same for the same results, one op a line."""
    lines = [
        f"{json.dumps(f'{r.job.dtype} {r.job.name}')}: {json.dumps(r.counts)}" for r in results
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main())
