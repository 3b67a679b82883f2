"""The cost of functionalize-inplace-ops per op, on programs of 1,000, 10,000 and 100,000 ops.

    python benchmarks/functionalize.py [--sizes 1000 10000] [--only views]

Each program writes in another way; the time per op should not grow with the number of ops.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator
from itertools import count

from rich.console import Console
from rich.table import Table
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.passes.functionalize import FunctionalizeInplaceOps

SIZES = (1_000, 10_000, 100_000)

_CONSTANTS = """
  %false = torch.constant.bool false
  %none = torch.constant.none
  %i0 = torch.constant.int 0
  %i1 = torch.constant.int 1
  %i2 = torch.constant.int 2
  %i4 = torch.constant.int 4
  %i16 = torch.constant.int 16
  %l16 = torch.prim.ListConstruct %i16 : (!torch.int) -> !torch.list<int>
  %l44 = torch.prim.ListConstruct %i4, %i4 : (!torch.int, !torch.int) -> !torch.list<int>"""
_TYPES = {"x": "!torch.vtensor<[4,4],f32>", "row": "!torch.vtensor<[4],f32>"}
_FLAT = "!torch.vtensor<[16],f32>"

Lines = Iterator[str]


def values() -> Lines:
    """Write one tensor again and again."""
    while True:
        yield write("%x", _TYPES["x"])


def rows() -> Lines:
    """Write a row of the input, and read the whole after each write."""
    for n in count():
        yield select(f"%row{n}", n % 4)
        yield write(f"%row{n}", _TYPES["row"])
        yield f"%read{n} = torch.aten.tanh %x : {_TYPES['x']} -> {_TYPES['x']}"


def views_of_views() -> Lines:
    """Take a view of the last view before each write, and read the base at times."""
    last, type_ = "%x", _TYPES["x"]
    for n in count():
        if n % 3 == 0:
            yield f"%v{n} = torch.aten.t {last} : {type_} -> {type_}"
        elif n % 3 == 1:
            yield f"%w{n} = torch.aten.reshape {last}, %l16 : {type_}, !torch.list<int> -> {_FLAT}"
            yield f"%v{n} = torch.aten.reshape %w{n}, %l44 : {_FLAT}, !torch.list<int> -> {type_}"
        else:
            slice_ = f"torch.aten.slice.Tensor {last}, %i0, %i0, %i4, %i1"
            ints = ", ".join(["!torch.int"] * 4)
            yield f"%v{n} = {slice_} : {type_}, {ints} -> {type_}"
        last = f"%v{n}"
        yield write(last, type_)
        if n % 10 == 0:
            yield f"%read{n} = torch.aten.tanh %x : {type_} -> {type_}"


def many_views() -> Lines:
    """Keep all views of one tensor alive, write one, and read another."""
    for n in count():
        yield select(f"%row{n}", n % 4)
        yield write(f"%row{n}", _TYPES["row"])
        old = f"%row{n // 2}"
        yield f"%read{n} = torch.aten.tanh {old} : {_TYPES['row']} -> {_TYPES['row']}"


def unknown_layouts() -> Lines:
    """Make tensors that may or may not share storage, and write new ones."""
    yield f'%b = torch.operator "torch.aten.geqrf"(%x) : ({_TYPES["x"]}) -> {_TYPES["x"]}'
    for n in count():
        yield f"%f{n} = torch.aten.reshape %b, %l16 : {_TYPES['x']}, !torch.list<int> -> {_FLAT}"
        yield f"%r{n} = torch.aten.tanh %f{n} : {_FLAT} -> {_FLAT}"
        yield write(f"%r{n}", _FLAT)


def parts(size: int) -> str:
    """Return a program that splits a tensor into as many parts as it writes."""
    part = "!torch.vtensor<[1,2],f32>"
    pieces = size // 2
    whole = f"!torch.vtensor<[{pieces},2],f32>"
    unpacked = ", ".join([part] * pieces)
    head = [
        f"%l = torch.aten.split.Tensor %x, %i1, %i0 : {whole}, !torch.int, !torch.int -> "
        "!torch.list<vtensor>",
        f"%p:{pieces} = torch.prim.ListUnpack %l : !torch.list<vtensor> -> {unpacked}",
    ]
    body = [write(f"%p#{piece}", part, f"%q{piece}") for piece in range(pieces)]
    return function(whole, [*head, *body])


def select(name: str, index: int) -> str:
    """Return the op that takes a row of `%x`."""
    ints = "!torch.int, !torch.int"
    index_name = ("%i0", "%i1", "%i2", "%i0")[index]
    return (
        f"{name} = torch.aten.select.int %x, %i0, {index_name} : {_TYPES['x']}, {ints} -> "
        f"{_TYPES['row']}"
    )


_written = count()


def write(name: str, type_: str, result: str | None = None) -> str:
    """Return an in-place op."""
    result = result or f"%done{next(_written)}"
    return (
        f'{result} = torch.operator "torch.aten.add_.Scalar"({name}, %i1, %i1) : '
        f"({type_}, !torch.int, !torch.int) -> {type_}"
    )


def function(type_: str, lines: list[str]) -> str:
    """Return a function of one argument `%x`."""
    body = "\n  ".join(lines)
    return f"func.func @main(%x: {type_}) {{{_CONSTANTS}\n  {body}\n  return\n}}"


def endless(make: Callable[[], Lines]) -> Callable[[int], str]:
    """Return what makes a program of a given number of the ops that `make` yields."""

    def program(size: int) -> str:
        ops = make()
        return function(_TYPES["x"], [next(ops) for _ in range(size)])

    return program


PROGRAMS: dict[str, Callable[[int], str]] = {
    "one tensor": endless(values),
    "rows, read as a whole": endless(rows),
    "views of views": endless(views_of_views),
    "many views": endless(many_views),
    "parts of a split": parts,
    "unknown layouts": endless(unknown_layouts),
}


def measure(text: str) -> tuple[float, int]:
    """Return the processor time of the pass in seconds, and how many ops it leaves."""
    context = make_context()
    with context:
        module = ir.Module.parse(text)
        gc.collect()
        start = time.process_time()
        FunctionalizeInplaceOps().run(module.operation)
        seconds = time.process_time() - start
        module.operation.verify()
        block = next(iter(module.body)).regions[0].blocks[0]
        return seconds, sum(1 for _ in block)


def main() -> None:
    """Measure all programs at all sizes, and print the time per op."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--only", default="", help="only programs with this in their name")
    options = parser.parse_args()
    measure(PROGRAMS["one tensor"](10))  # loads the bindings' classes
    table = Table("program", *[f"{size:,} ops" for size in options.sizes], "per op, last to first")
    for name, program in PROGRAMS.items():
        if options.only not in name:
            continue
        cells, per_op = [], []
        for size in options.sizes:
            seconds, left = measure(program(size))
            per_op.append(seconds / size)
            cells.append(f"{seconds:.3f} s ({per_op[-1] * 1e6:.1f} us an op, {left:,} ops left)")
        table.add_row(name, *cells, f"{per_op[-1] / per_op[0]:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
