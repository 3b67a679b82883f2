"""One float32 sample of each of PyTorch's own operators: all agree, or are rejected as expected."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SUITE = Path(__file__).parents[1] / "ops" / "suite.py"


@pytest.fixture(scope="module")
def suite() -> ModuleType:
    """Return the suite, which is a program of its own."""
    spec = importlib.util.spec_from_file_location("ops_suite", SUITE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_first_samples(suite: ModuleType) -> None:
    jobs = list(suite.find_jobs(["float32"], "", limit=1))
    # Every op and variant that PyTorch tests in float32.
    assert len(jobs) > 600
    results = suite.run(jobs, workers=2, timeout=120)
    assert suite.unexpected(results, whole=False) == []


def test_expectations_are_of_ops_there_are(suite: ModuleType) -> None:
    known = {job.name for job in suite.find_jobs(["float32"], "", limit=1)}
    for table in (suite.EXPECTED, suite.RANDOM, suite.UNINITIALIZED, suite.TOLERANCES):
        assert set(table) - known == set()
    integers = {job.name for job in suite.find_jobs(["int64"], "", limit=1)}
    assert set(suite.INTEGERS) - (integers - known) == set()


def test_expectations_are_honest(suite: ModuleType) -> None:
    result = suite.Result(
        suite.Job("nonzero", "", "float32", None), {"wrong": 1}, {"wrong": "1 != 2"}
    )
    # A wrong number has no excuse, a rejection one with a reason.
    assert suite.unexpected([result], whole=True) == ["FAIL nonzero (float32): 1 wrong: 1 != 2"]
    rejected = result._replace(counts={"rejected": 1}, reasons={"rejected": "no"})
    assert suite.unexpected([rejected], whole=True) == []
    passing = result._replace(counts={"pass": 1}, reasons={"pass": ""})
    (fault,) = suite.unexpected([passing], whole=True)
    assert fault.startswith("XPASS nonzero")
    assert suite.unexpected([passing], whole=False) == []
