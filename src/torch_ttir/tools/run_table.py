"""The tables that `tt-run` prints: results, or how they compare."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from torch_ttir.interpreters.compare import Comparison

_PLAIN_WIDTH = 160
_PLAIN_BOX = box.Box("    \n    \n -- \n" + "    \n" * 5, ascii=True)


def print_comparisons(comparisons: Sequence[Comparison]) -> None:
    """Print a row a result, and below the table what differs in dtype or shape."""
    numbers = ("PCC", "largest error", "relative", "allclose", "")
    table = _table("name", "shape", "dtype", numbers=numbers)
    for found in comparisons:
        table.add_row(
            found.name,
            _shape(found.shape),
            found.dtype,
            f"{found.pcc:.6f}",
            _number(found.absolute, 3),
            _number(found.relative, 3),
            "yes" if found.close else "no",
            "agrees" if found.agrees else "DISAGREES",
        )
    console = _print(table)
    for found in comparisons:
        if found.problem:
            console.print(f"{found.name}: {found.problem}", highlight=False, markup=False)
    wrong = sum(not found.agrees for found in comparisons)
    count = len(comparisons)
    verdict = f"{wrong} of {count} results disagree" if wrong else f"all {count} results agree"
    console.print(verdict if count else "no results to compare", highlight=False)


def print_results(results: Mapping[str, Any]) -> None:
    """Print a row a result with the range of its values."""
    from torch_ttir.interpreters.dtypes import MLIR_DTYPES

    table = _table("name", "shape", "dtype", numbers=("smallest", "largest", "mean", "NaNs"))
    for name, tensor in results.items():
        wide = tensor.double()
        numbers = wide[~wide.isnan()]
        statistics = ["", "", ""]
        if numbers.numel():
            values = (numbers.min(), numbers.max(), numbers.mean())
            statistics = [_number(float(value), 6) for value in values]
        nans = str(wide.numel() - numbers.numel())
        table.add_row(name, _shape(tensor.shape), MLIR_DTYPES[tensor.dtype], *statistics, nans)
    _print(table)


def _table(*names: str, numbers: Sequence[str]) -> Table:
    # Where the output goes to a file, it may be read with any encoding.
    style = box.SIMPLE_HEAD if sys.stdout.isatty() else _PLAIN_BOX
    table = Table(box=style, show_edge=False, pad_edge=False)
    for name in names:
        table.add_column(name, no_wrap=True)
    for name in numbers:
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    return table


def _print(table: Table) -> Console:
    console = Console() if sys.stdout.isatty() else Console(width=_PLAIN_WIDTH, color_system=None)
    console.print(table)
    return console


def _shape(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "0-d"


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}g}"
