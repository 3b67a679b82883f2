"""Jobs in worker processes: a crash, a hang or a wrong call is an outcome, not the end of a run."""

from __future__ import annotations

import pytest

from torch_ttir.isolation import run_jobs


def test_results_come_back() -> None:
    outcomes = run_jobs("math:sqrt", [1.0, 4.0, 9.0])
    assert {outcome.job: outcome.value for outcome in outcomes} == {1.0: 1.0, 4.0: 2.0, 9.0: 3.0}


def test_a_hang_costs_its_time_out() -> None:
    outcomes = {o.job: o.status for o in run_jobs("time:sleep", [60, 0.0], workers=1, timeout=3.0)}
    assert outcomes == {60: "timeout", 0.0: "done"}


def test_a_crash_costs_one_job() -> None:
    # os._exit(3) ends a worker; os._exit has no other effect on it than a crash would.
    outcomes = list(run_jobs("os:_exit", [3, 4, 5], workers=2, timeout=30.0))
    assert sorted(outcome.job for outcome in outcomes) == [3, 4, 5]
    assert {outcome.status for outcome in outcomes} == {"crash"}
    assert {outcome.value for outcome in outcomes} == {f"exit status {code}" for code in (3, 4, 5)}


def test_a_signal_is_named() -> None:
    (outcome,) = run_jobs("signal:raise_signal", [9], timeout=30.0)
    assert (outcome.status, outcome.value) == ("crash", "SIGKILL")


def test_an_exception_is_a_defect_of_the_function() -> None:
    with pytest.raises(RuntimeError, match=r"math domain error|expected a nonnegative"):
        list(run_jobs("math:sqrt", [-1.0]))
