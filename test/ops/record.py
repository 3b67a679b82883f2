"""What each ATen op becomes, recorded from PyTorch's own samples: writes `emitted.json`.

    python test/ops/record.py

`docs.py` makes the page about ops of it. An op's entry is the shortest list of TTIR ops that a
sample of it became, without the constants.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parent))

from suite import find_jobs, samples

EMITTED = Path(__file__).with_name("emitted.json")
_CONSTANTS = ("arange", "constant", "full", "ones", "zeros")


def main() -> int:
    """Record the first samples of each op."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    emitted = record()
    lines = [f"{json.dumps(name)}: {json.dumps(ops)}" for name, ops in sorted(emitted.items())]
    EMITTED.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return 0


def record() -> dict[str, list[str]]:
    """Return the TTIR ops of each ATen op that has a rule and occurs in a first sample."""
    from torch_ttir.ir.diagnostics import CompileError
    from torch_ttir.passes.legalize import all_rules
    from torch_ttir.passes.legalize.builder import Builder
    from torch_ttir.testing import ttir_ops

    made: list[str] = []
    emitted: dict[str, list[str]] = {}

    def noting(name: str, rule: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **attributes: Any) -> Any:
            made.clear()
            result = rule(*arguments, **attributes)
            ops = [op for op in made if op not in _CONSTANTS] or made[:1]
            if name not in emitted or len(ops) < len(emitted[name]):
                emitted[name] = list(ops)
            return result

        return run

    for method in ("op", "multi"):
        setattr(Builder, method, _naming(getattr(Builder, method), made))
    for name, rule in list(all_rules.RULES.items()):
        all_rules.RULES[name] = noting(name, rule)
    for job in find_jobs(["float32"], "", limit=1):
        for function, arguments, keywords in list(samples(job)):

            def call(*inputs: Any, function: Any = function, keywords: Any = keywords) -> Any:
                return function(*inputs, **keywords)

            try:
                ttir_ops(call, *arguments)
            except CompileError:
                continue
    return emitted


def _naming(make: Callable[..., Any], made: list[str]) -> Callable[..., Any]:
    """Return a method of the builder that adds the names of its ops to `made`."""

    def run(low: Any, name: str, *arguments: Any, **attributes: Any) -> Any:
        made.append(name)
        return make(low, name, *arguments, **attributes)

    return run


if __name__ == "__main__":
    sys.exit(main())
