"""A fixed half of ONNX's own backend tests, in workers; `make test-onnx` runs all of them."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("onnx", reason="ONNX models need onnx")

SUITE = Path(__file__).parents[1] / "onnx"
EVERY = 2
"""One case of so many, by the order of their names, is run here."""


def test_part_of_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SUITE))
    import suite

    results = suite.run(suite.KINDS, every=EVERY)
    faults = [result for result in results if result.status not in ("right", "rejected")]
    assert not faults
    counts = Counter(result.status for result in results if result.plain)
    assert counts.total() > 800
    assert counts["right"] >= 0.93 * counts.total()


def test_page_is_current() -> None:
    sys.path.insert(0, str(SUITE))
    try:
        import docs
    finally:
        sys.path.remove(str(SUITE))
    page = SUITE.parents[1] / "docs" / "onnx.md"
    assert docs.ops_of_page(page) == docs.ops(), "run `make test-onnx ARGS='--docs docs/onnx.md'`"
