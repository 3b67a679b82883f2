"""The demo: MobileNetV2 to TTIR, run on the reference interpreter and compared with PyTorch.

`make demo` runs it. It uses the commands as a user would, and prints each of them.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import torch
from mobilenet_v2 import make
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.reader import parse_module

FOLDER = Path(".demo")


def main() -> int:
    """Run every step; returns the exit status."""
    FOLDER.mkdir(exist_ok=True)
    stem = FOLDER / "mobilenet_v2"
    program, ttir, parameters = (
        stem.with_suffix(suffix) for suffix in (".pt2", ".mlir", ".safetensors")
    )
    print("exporting MobileNetV2 with torch.export ...", flush=True)
    model, args = make()
    with torch.no_grad():
        torch.export.save(torch.export.export(model, args), program)
    run(
        "tt-opt", program, "--pipeline=torch-to-ttir", "-o", ttir, f"--save-parameters={parameters}"
    )
    run("tt-run", ttir, "--random-inputs", "--seed=0", f"--compare-with={program}")
    print(f"\nTTIR:       {ttir} ({ttir.stat().st_size / 1e3:.0f} kB)")
    print(f"parameters: {parameters} ({parameters.stat().st_size / 1e6:.1f} MB)")
    counts = count_ops(ttir)
    print(f"ops:        {sum(counts.values())}, of {len(counts)} kinds")
    for name, count in counts.most_common():
        print(f"  {count:4} {name}")
    return 0


def run(tool: str, *arguments: object) -> None:
    """Print a command and run it; a failing one ends the demo with its status."""
    words = [str(argument) for argument in arguments]
    print(f"\n$ {tool} {shlex.join(words)}", flush=True)
    status = subprocess.run([Path(sys.executable).with_name(tool), *words], check=False).returncode
    if status:
        sys.exit(status)


def count_ops(path: Path) -> Counter[str]:
    """Return how many TTIR ops of each name a module has."""
    counts: Counter[str] = Counter()

    def visit(op: ir.Operation) -> ir.WalkResult:
        if op.name.startswith("tt"):
            counts[op.name] += 1
        return ir.WalkResult.ADVANCE

    context = make_context()
    parse_module(path.read_text(), context, str(path)).operation.walk(visit)
    return counts


if __name__ == "__main__":
    sys.exit(main())
