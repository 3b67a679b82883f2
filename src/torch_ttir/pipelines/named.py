"""The named pipelines, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pipeline:
    """A name for a list of elements of pipeline text."""

    name: str
    summary: str
    elements: tuple[str, ...]


PIPELINES = {
    pipeline.name: pipeline
    for pipeline in (
        Pipeline(
            "torch-to-ttir",
            "An imported PyTorch program to TTIR, with const-eval functions",
            (
                # First: what is wrong on arrival is no later pass's fault. PyTorch's meta kernels
                # are not asked here: an imported program has its types from them, and
                # legalization holds what each rule makes against the declared type.
                "verify-ops{meta=never}",
                # Before all that follows: no later pass knows what a write does to another name.
                "functionalize-inplace-ops",
                # While literals are Torch ops still: rules would write their bytes into the IR.
                "lift-constants",
                # Before legalization, which would translate each of the twenty ops.
                "recompose-batch-norm",
                "legalize-to-ttir",
                # Before hoisting, so that dead and doubled ops do not become const-eval functions.
                "func.func(cse)",
                # Before hoisting as well: parts of a composite may depend on weights alone.
                "recognize-composites",
                "hoist-consteval",
            ),
        ),
        Pipeline(
            "onnx-to-ttir",
            "An imported ONNX model to TTIR, with const-eval functions",
            (
                # As above. What ops need as attributes is below the pass's size and stays.
                "lift-constants",
                "legalize-to-ttir",
                "func.func(cse)",
                "recognize-composites",
                "hoist-consteval",
            ),
        ),
    )
}
"""By name. Each element stands where it does for the reason beside it, or for none."""
