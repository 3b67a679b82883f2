"""The page about ATen ops says what the code does."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_code_makes() -> None:
    spec = importlib.util.spec_from_file_location("ops_docs", ROOT / "test/ops/docs.py")
    assert spec is not None
    assert spec.loader is not None
    docs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(docs)
    written = (ROOT / "docs/ops.md").read_text()
    assert written == docs.page(), "run `make tables`"
