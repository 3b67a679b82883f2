"""ONNX's own backend tests on TTIR, in workers: what is right, rejected with a reason, or wrong.

python test/onnx/suite.py [--kind node] [--only SUBSTRING] [--workers 2] [--list] [--docs FILE]
"""

from __future__ import annotations

import argparse
import collections
import glob
import os
import pickle
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import numpy_helper
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

KINDS = ("node", "simple", "pytorch-converted", "pytorch-operator")
_PLAIN = {
    getattr(onnx.TensorProto, name)
    for name in (
        *("FLOAT", "DOUBLE", "FLOAT16", "BFLOAT16", "BOOL"),
        *("INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"),
    )
}


_ROUNDING = {
    "_bf16": (2**-6, "one rounding to bfloat16 more or less: sums are in another order"),
    "_fp16": (2**-9, "one rounding to float16 more or less: sums are in another order"),
    "test_dft_inverse": (None, "zeros that are rounding errors of float32, beside values of 54"),
}
"""Relative tolerances by a part of the name of a case, or None for one relative to the largest
value; each with its reason. ONNX's own are for values computed in double precision."""


class Result(NamedTuple):
    """How one case went: `right`, `wrong`, `rejected`, `crash` or `timeout`; and why."""

    case: str
    kind: str
    plain: bool
    status: str
    reason: str


def main() -> int:
    """Run the cases and print the table; exit status 1 if a case is wrong or crashes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kind", choices=KINDS, action="append", help="only cases of this kind")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for one case")
    parser.add_argument("--list", action="store_true", help="print every case that is not right")
    parser.add_argument("--docs", type=Path, help="write the page about ONNX to this file")
    options = parser.parse_args()
    results = run(options.kind or KINDS, options.only, options.workers, options.timeout)
    report(results, options.list)
    if options.docs:
        from docs import write_page

        write_page(options.docs, results)
    return int(any(result.status in ("wrong", "crash", "timeout") for result in results))


def run(
    kinds: Any, only: str = "", workers: int = 2, timeout: float = 60.0, every: int = 1
) -> list[Result]:
    """Return the results of every n-th case of the kinds, by the order of their names."""
    from torch_ttir.isolation import run_jobs

    results = []
    console = Console(stderr=True)
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    with (
        tempfile.TemporaryDirectory() as folder,
        Progress(console=console, disable=not console.is_terminal) as progress,
    ):
        task = progress.add_task("making ONNX's backend tests", total=None)
        jobs = sorted(write_cases(Path(folder), kinds, only))[::every]
        progress.update(task, description="running them", total=len(jobs))
        for outcome in run_jobs("suite:run_case", jobs, workers=workers, timeout=timeout):
            path = Path(outcome.job)
            if outcome.status == "done":
                results.append(Result(path.name, path.parent.name, *outcome.value))
            else:
                value = str(outcome.value)
                results.append(Result(path.name, path.parent.name, True, outcome.status, value))
            progress.advance(task)
    return sorted(results)


def report(results: list[Result], listed: bool) -> None:
    """Print the table of results by kind, and the reasons of rejections by their number."""
    statuses = ("right", "rejected", "wrong", "crash", "timeout")
    table = Table("kind", "cases", "plain", "plain right", *statuses)
    for kind in (*KINDS, "all"):
        of_kind = [result for result in results if kind in (result.kind, "all")]
        plain = [result for result in of_kind if result.plain]
        counts = collections.Counter(result.status for result in of_kind)
        right = sum(result.status == "right" for result in plain)
        if of_kind:
            numbers = (len(of_kind), len(plain), right, *(counts[status] for status in statuses))
            table.add_row(kind, *map(str, numbers))
    console = Console()
    console.print(table)
    for result in results:
        if listed and result.status != "right":
            console.print(
                f"{result.status:<9}{result.case}: {result.reason}", soft_wrap=True, markup=False
            )


def write_cases(folder: Path, kinds: Any, only: str) -> list[str]:
    """Write each case to a file of its own, for workers to read; returns the files.

    ONNX makes the data of all cases whenever one is asked for, which takes some seconds.
    """
    paths = []
    with warnings.catch_warnings():
        # Some cases are about overflow and division by zero.
        warnings.simplefilter("ignore")
        from onnx.backend.test.loader import load_model_tests

        for kind in kinds:
            (folder / kind).mkdir()
            for case in load_model_tests(kind=kind):
                if only in case.name:
                    model, sets = load_case(case)
                    data = (model.SerializeToString(), sets, case.rtol, case.atol)
                    paths.append(folder / kind / case.name)
                    paths[-1].write_bytes(pickle.dumps(data))
    return [str(path) for path in paths]


def run_case(path: str) -> tuple[bool, str, str]:
    """Run one case in a worker: whether its types are plain, the status, and the reason."""
    from torch_ttir import onnx_backend
    from torch_ttir.ir.diagnostics import CompileError

    data, sets, rtol, atol = pickle.loads(Path(path).read_bytes())
    model = onnx.ModelProto.FromString(data)
    plain = is_plain(model)
    try:
        prepared = onnx_backend.prepare(model)
        for inputs, expected in sets:
            found = prepared.run(inputs)
            for output, wanted in zip(found, expected, strict=True):
                compare(output, wanted, *_tolerances(Path(path).name, wanted, rtol, atol))
    except CompileError as error:
        return plain, "rejected", str(error).splitlines()[0]
    except AssertionError as error:
        return plain, "wrong", " ".join(str(error).split())[:200]
    except Exception as error:
        return plain, "wrong", f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
    return plain, "right", ""


def _tolerances(case: str, wanted: Any, rtol: float, atol: float) -> tuple[float, float]:
    for part, (loose, _) in _ROUNDING.items():
        if part in case and np.asarray(wanted).dtype.kind in "fV":
            if loose is None:
                return rtol, float(np.abs(wanted).max()) * 1e-6
            return max(rtol, loose), max(atol, loose / 4)
    return rtol, atol


def load_case(case: Any) -> tuple[onnx.ModelProto, list[tuple[list[Any], list[Any]]]]:
    """Return a case's model and its sets of inputs and expected outputs."""
    if case.model is not None:
        sets = [
            tuple([_array(item) for item in side] for side in sides) for sides in case.data_sets
        ]
        return case.model, sets
    model = onnx.load(os.path.join(case.model_dir, "model.onnx"))
    sets = []
    for folder in sorted(glob.glob(os.path.join(case.model_dir, "test_data_set_*"))):
        sides = []
        for side, values in (("input", model.graph.input), ("output", model.graph.output)):
            count = len(glob.glob(os.path.join(folder, f"{side}_*.pb")))
            sides.append([_read(Path(folder, f"{side}_{i}.pb"), values[i]) for i in range(count)])
        sets.append((sides[0], sides[1]))
    return model, sets


def _array(value: Any) -> Any:
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def _read(path: Path, value: onnx.ValueInfoProto) -> Any:
    if value.type.WhichOneof("value") != "tensor_type":
        return None
    return numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes()))


def is_plain(model: onnx.ModelProto) -> bool:
    """Say whether all inputs and outputs are tensors of plain types."""
    return all(
        value.type.WhichOneof("value") == "tensor_type"
        and value.type.tensor_type.elem_type in _PLAIN
        for value in (*model.graph.input, *model.graph.output)
    )


def compare(found: Any, expected: Any, rtol: float, atol: float) -> None:
    """Raise `AssertionError` unless the arrays agree in dtype, shape and values, as in ONNX."""
    expected = np.asarray(expected)
    if found.dtype != expected.dtype or found.shape != expected.shape:
        raise AssertionError(
            f"found {found.dtype}{list(found.shape)}, "
            f"expected {expected.dtype}{list(expected.shape)}"
        )
    if expected.dtype.kind == "V" or expected.dtype.name == "bfloat16":
        found, expected = found.astype(np.float32), expected.astype(np.float32)
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=atol)


if __name__ == "__main__":
    sys.exit(main())
