"""Random straight-line programs with views and writes: eager PyTorch against the functional form.

`FUNCTIONALIZE_PROGRAMS=50000 pytest test/e2e/test_functionalize_differential.py` runs more of them,
`FUNCTIONALIZE_SEED=7` others. Hypothesis shrinks a failing program and prints it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).parents[1] / "programs"))

from choices import programs
from compare import check_program
from program import Program

from torch_ttir.dialects.context import make_context

PROGRAMS = int(os.environ.get("FUNCTIONALIZE_PROGRAMS", "2000"))
SEED = int(os.environ.get("FUNCTIONALIZE_SEED", "0"))
_CALLS_PER_CONTEXT = 200

_contexts = [make_context()]
_calls = [0]


@seed(SEED)
@settings(
    max_examples=PROGRAMS,
    database=None,
    deadline=None,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_random_programs(program: Program) -> None:
    _calls[0] += 1
    if _calls[0] % _CALLS_PER_CONTEXT == 0:
        # Types and attributes live as long as their context.
        _contexts[0] = make_context()
    check_program(program, _contexts[0])
