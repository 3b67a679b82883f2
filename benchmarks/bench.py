"""`make bench`: measures both sides of each claim in one run, and prints the ratios as a table.

Each measurement runs in a process of its own; `--write` puts the table into benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

FOLDER = Path(__file__).parent
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
WEIGHTS = 415 * 2**20

Numbers = dict[str, dict[str, float]]


class Row(NamedTuple):
    """A claim: what is measured, what to reach, and how the two sides and the ratio come out."""

    what: str
    target: str
    needs: tuple[str, ...]
    show: Callable[[Numbers], tuple[str, str, str]]


def seconds(value: float) -> str:
    """Return a time in the unit that suits it."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.1f} ms"


def ratio(
    ours: str, theirs: str, key: str = "seconds"
) -> Callable[[Numbers], tuple[str, str, str]]:
    """Return what shows two measurements and how many times faster ours is."""

    def show(found: Numbers) -> tuple[str, str, str]:
        mine, other = found[ours]["seconds"], found[theirs][key]
        return seconds(mine), seconds(other), f"1/{other / mine:.0f}"

    return show


def inside(name: str, mine: str, other: str) -> Callable[[Numbers], tuple[str, str, str]]:
    """Return what shows two sides of one measurement, and ours as a multiple of the other."""

    def show(found: Numbers) -> tuple[str, str, str]:
        left, right = found[name][mine], found[name][other]
        return seconds(left), seconds(right), f"{left / right:.2f}x"

    return show


def memory(found: Numbers) -> tuple[str, str, str]:
    """Show how much of the weights' size each import adds to the process's memory."""
    mine, other = (found[f"import-{side}"]["bytes"] / WEIGHTS for side in ("ours", "theirs"))
    return f"{mine:.1%}", f"{other:.1%}", "of the weights"


def eager(name: str) -> Callable[[Numbers], tuple[str, str, str]]:
    """Return what shows the interpreter against eager PyTorch."""

    def show(found: Numbers) -> tuple[str, str, str]:
        mine, other = (found[f"interpret-{name}-{side}"] for side in ("ttir", "eager"))
        times = mine["seconds"] / other["seconds"]
        grown = mine["bytes"] / max(other["bytes"], 1)
        return seconds(mine["seconds"]), seconds(other["seconds"]), f"{times:.2f}x ({grown:.2f}x)"

    return show


def growth(small: int, large: int) -> Callable[[Numbers], tuple[str, str, str]]:
    """Return what shows the time per op at two sizes."""

    def show(found: Numbers) -> tuple[str, str, str]:
        per_op = [found[f"linear-{n}"]["seconds"] / n for n in (large, small)]
        return (
            f"{per_op[0] * 1e6:.0f} us",
            f"{per_op[1] * 1e6:.0f} us",
            f"{per_op[0] / per_op[1]:.2f}x",
        )

    return show


_SIZES = ("linear-1000", "linear-10000", "linear-100000")
ROWS = (
    Row(
        "ExportedProgram to Torch dialect, BERT-base, against torch-mlir's import",
        "at most 1/100",
        ("import-ours", "import-theirs"),
        ratio("import-ours", "import-theirs"),
    ),
    Row(
        "memory that this takes, in weights",
        "under 5 %",
        ("import-ours", "import-theirs"),
        memory,
    ),
    Row(
        "ExportedProgram to verified TTIR, BERT-base, against torch-mlir to StableHLO",
        "at most 1/60",
        ("lower-ours", "lower-theirs"),
        ratio("lower-ours", "lower-theirs"),
    ),
    Row(
        "ExportedProgram to TTIR and safetensors on disk, BERT-base, against writing the bytes",
        "at most 1.5x",
        ("files",),
        inside("files", "seconds", "raw"),
    ),
    Row(
        "torch-to-ttir after import, against torch-mlir's native passes to StableHLO, on the same "
        "module of BERT-base",
        "at most 1x",
        ("passes-bert",),
        inside("passes-bert", "seconds", "native"),
    ),
    Row(
        "the same, MobileNetV2",
        "at most 1x",
        ("passes-mobilenet",),
        inside("passes-mobilenet", "seconds", "native"),
    ),
    Row("time per op at 100,000 ops, against 10,000", "1x", _SIZES, growth(10_000, 100_000)),
    Row(
        "a call on the interpreter, BERT-base, against eager (and its memory)",
        "at most 1.3x",
        ("interpret-bert-ttir", "interpret-bert-eager"),
        eager("bert"),
    ),
    Row(
        "a call on the interpreter, ResNet-50, against eager (and its memory)",
        "at most 1.3x",
        ("interpret-resnet50-ttir", "interpret-resnet50-eager"),
        eager("resnet50"),
    ),
)


def main() -> int:
    """Measure, print the table, and write it if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write benchmarks/README.md")
    parser.add_argument("--only", default="", help="only rows with this in their name")
    options = parser.parse_args()
    rows = [row for row in ROWS if options.only in row.what]
    console = Console(stderr=True)
    found: Numbers = {}
    for name in dict.fromkeys(name for row in rows for name in row.needs):
        with console.status(f"measuring {name}"):
            found[name] = measure(name)
    lines = ["| what | ours | the other side | ratio | to reach |", "|---|---|---|---|---|"]
    lines += [f"| {r.what} | {' | '.join(r.show(found))} | {r.target} |" for r in rows]
    table = "\n".join([machine(), "", *lines])
    print(table)
    if options.write:
        path = FOLDER / "README.md"
        before, _, rest = path.read_text().partition(BEGIN)
        after = rest.partition(END)[2]
        path.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}")
    return 0


def measure(name: str) -> dict[str, float]:
    """Run one measurement in a process of its own."""
    command = [sys.executable, str(FOLDER / "measure.py"), name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr.strip()[-2000:]}")
    numbers: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return numbers


def machine() -> str:
    """Return a line that names the machine and the versions."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            ln.split(":")[1].strip() for ln in info.read_text().splitlines() if "model name" in ln
        ]
        model = f"{len(names)} x {names[0]}" if names else model
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "torch-mlir"))
    return f"On {model}; Python {platform.python_version()}, {packages}."


if __name__ == "__main__":
    sys.exit(main())
