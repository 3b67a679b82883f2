"""What would end the process in MLIR's parser is refused, and nothing that a file holds ends it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.reader import parse_module
from torch_ttir.dialects.text_guards import check_text
from torch_ttir.ir.diagnostics import CompileError

DEEP = 600


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"a\n {'[' * DEEP}", "x.mlir:2:502: error: brackets nested more than 500 deep"),
        ("module {" * DEEP, "x.mlir:1:4008: error: brackets nested more than 500 deep"),
        ("!t<" * DEEP + ">" * DEEP, "x.mlir:1:1503: error: brackets nested more than 500 deep"),
        # Closing brackets in strings and comments close nothing.
        ('[")]}>", // ]\n' * DEEP, "x.mlir:501:1: error: brackets nested more than 500 deep"),
        ("[ -> " * DEEP, "x.mlir:1:2501: error: brackets nested more than 500 deep"),
        (f"({'- ' * DEEP})", "x.mlir:1:2: error: more than 500 signs in a row"),
        (
            "#a = 1\n" + "".join(f"#a{i} = [#a{i - 1 if i else ''}]\n" for i in range(2500)),
            "x.mlir:2001:1: error: aliases nested more than 2000 deep",
        ),
        ("a\n\0", "x.mlir:2:1: error: a NUL character, which MLIR text cannot hold"),
        ("a \ud800", "x.mlir:1:3: error: a character that UTF-8 cannot hold"),
        ("\n{-# x", "x.mlir:2:1: error: the resource section does not end: the file is truncated"),
        ('{-# w: "0x0400" #-}', "x.mlir:1:8: error: a resource needs 8 hex digits first"),
        (
            '{-# w: "0x00000000AA" #-}',
            "x.mlir:1:8: error: a resource's alignment must be a power of two, not 0",
        ),
        (
            '{-# w: "0x00000040AA" #-}',
            "x.mlir:1:8: error: a resource's alignment must be a power of two, not 1073741824",
        ),
    ],
)
def test_refuses(text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        check_text(text, "x.mlir")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text",
    [
        "module {" * 400 + "}" * 400,
        "[]" * 10000,
        "-> " * 10000,
        '"' + "[" * DEEP + '"',
        "// " + "-" * 10000,
        "".join(f"#loc{i} = loc(callsite(#loc{i % 7} at #loc{i % 7}))\n" for i in range(5000)),
        '{-# dialect_resources: { builtin: { w: "0x0400000001020304" } } #-}',
    ],
)
def test_takes(text: str) -> None:
    check_text(text, "x.mlir")


def test_the_limit_is_within_what_the_parser_takes() -> None:
    depth = 480
    parse_module("module {" * depth + "}" * depth, make_context(), "x.mlir")
    parse_module(
        f"module attributes {{x.a = {'[' * depth}{']' * depth}}} {{}}", make_context(), "x.mlir"
    )


def test_no_mutation_of_a_file_ends_the_process() -> None:
    """Read many damaged texts in another process: it has to live, with a clean error for each."""
    script = Path(__file__).with_name("reader_mutations.py")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, str(script), "0", "400"],
        capture_output=True,
        text=True,
        env=environment,
        timeout=240,
    )
    assert (done.returncode, done.stderr) == (0, "")
