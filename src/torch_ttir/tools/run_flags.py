"""The command line of `tt-run`."""

from __future__ import annotations

import argparse
import math
import textwrap
from collections.abc import Sequence
from typing import NoReturn

from torch_ttir.ir.diagnostics import error

TOOL = "tt-run"
_EXAMPLES = """\
INPUT is what `tt-opt` reads: model.mlir or .mlirbc (TTIR, or the Torch dialect at any stage),
model.pt2, or file.py:function. Arguments and results go by name: an argument's is its `ttir.name`,
a result's is result_0, result_1, ..., and a new value of an argument has the argument's.

examples:
  Run a program on random inputs, and compare with the PyTorch model that it came from:
    tt-opt model.pt2 --pipeline=torch-to-ttir -o model.mlir --save-parameters=model.safetensors
    tt-run model.mlir --random-inputs --seed 1 --compare-with model.pt2
  Run it on given inputs (np.savez("in.npz", x=..., mask=...)), and keep the results:
    tt-run model.mlir --inputs in.npz --outputs out.npz
  Compare with results that were kept earlier:
    tt-run model.mlir --inputs in.npz --compare out.npz

The exit status is 0 if the program ran and all results agree, else 1. Results agree if dtype and
shape are the same, all elements are close (torch.testing's tolerances for the dtype), and Pearson's
correlation is at least 0.99.
"""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise error(f"{message}; `{TOOL} --help` shows the flags", TOOL)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the command line as an object with a field a flag; raises `CompileError`."""
    options = _parser().parse_args(arguments)
    if options.help or options.version:
        return options
    if options.input is None:
        raise error(f"there is no input; `{TOOL} --help` shows how to name one", TOOL)
    for name, value in vars(options).items():
        if value == "":
            raise error(f"the value of `{name.replace('_', '-')}` is empty", TOOL)
    if options.inputs is not None and options.random_inputs:
        raise error("--inputs and --random-inputs exclude each other", TOOL)
    if options.compare is not None and options.compare_with is not None:
        raise error("--compare and --compare-with exclude each other", TOOL)
    for flag in ("seed", "int_range"):
        if getattr(options, flag) is not None and not options.random_inputs:
            raise error(f"--{flag.replace('_', '-')} goes with --random-inputs", TOOL)
    for flag in ("rtol", "atol"):
        if getattr(options, flag) is not None and not (options.compare or options.compare_with):
            raise error(f"--{flag} goes with --compare or --compare-with", TOOL)
    return options


def help_text() -> str:
    """Return what `--help` prints."""
    return _parser().format_help() + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        TOOL,
        usage=f"{TOOL} INPUT [flags]",
        description="Run a program on the reference interpreter, and compare its results.",
        epilog=textwrap.dedent(_EXAMPLES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("input", nargs="?", metavar="INPUT", help="the program")
    add("--function", metavar="NAME", help="the function to run (main, or the only public one)")
    add(
        "--parameters",
        metavar="FILE",
        help="the weights, .safetensors or .npz (model.safetensors beside model.mlir; else those "
        "of the model of --compare-with)",
    )
    add("--inputs", metavar="FILE", help="the inputs by name, .npz or .safetensors")
    add("--random-inputs", action="store_true", help="draw the inputs at random")
    add("--seed", type=_natural, metavar="N", help="of --random-inputs (0)")
    add(
        "--int-range",
        type=_range,
        metavar="LOW:HIGH",
        help="of random integers, HIGH excluded (0:10); masks are ones and zeros",
    )
    add("--outputs", metavar="FILE", help="write the results, .npz or .safetensors")
    add("--compare", metavar="FILE", help="compare with the results in a file")
    add(
        "--compare-with",
        metavar="MODEL",
        help="compare with a PyTorch model, model.pt2 or file.py:function; without --inputs and "
        "--random-inputs on its example inputs",
    )
    add("--rtol", type=_tolerance, metavar="X", help="relative tolerance of the comparison")
    add("--atol", type=_tolerance, metavar="X", help="absolute tolerance of the comparison")
    add("--traceback", action="store_true", help="show where a defect of this tool is")
    add("--version", action="store_true", help="print the version")
    add("-h", "--help", action="store_true", help="print this text")
    return parser


def _natural(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


def _tolerance(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return value


def _range(text: str) -> tuple[int, int]:
    low, colon, high = text.partition(":")
    try:
        bounds = int(low), int(high)
    except ValueError:
        bounds = 0, 0
    if not colon or bounds[0] >= bounds[1] or max(map(abs, bounds)) >= 2**62:
        raise argparse.ArgumentTypeError(f"{text!r} is not LOW:HIGH, as in 0:10")
    return bounds
