"""The page about ATen ops says what the code does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_is_what_the_code_makes(tmp_path: Path) -> None:
    # In a process of its own: parts of PyTorch that other tests load add ops of theirs to its list.
    made = tmp_path / "ops.md"
    subprocess.run([sys.executable, ROOT / "test/ops/docs.py", made], check=True)
    assert (ROOT / "docs/ops.md").read_text() == made.read_text(), "run `make tables`"
