"""The flags of `tt-opt`, as a table, and the parser of its command line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch_ttir.ir.diagnostics import CompileError, Diagnostic

TOOL = "tt-opt"


@dataclass(frozen=True)
class Flag:
    """A flag: `metavar` is empty for one without a value; `optional` says that it may be left out.

    `read` turns the text into the value, and raises `ValueError` saying what it should be.
    """

    name: str
    help: str
    metavar: str = ""
    optional: Any = None
    read: Callable[[str], Any] = str
    repeated: bool = False


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise ValueError("a number from 0 on")
    # The bindings take 64-bit integers; nothing that is printed has as many elements.
    return min(int(text), 2**31 - 1)


def _truth(text: str) -> bool:
    if text not in ("true", "false", "1", "0"):
        raise ValueError("true or false")
    return text in ("true", "1")


def _verify_each(text: str) -> str:
    modes = {"none": "none", "end": "end", "all": "all"}
    modes |= {"true": "all", "1": "all", "false": "none", "0": "none"}
    if text not in modes:
        raise ValueError("none, end or all")
    return modes[text]


def _verify_diagnostics(text: str) -> str:
    if text not in ("all", "only-expected"):
        raise ValueError("all or only-expected")
    return text


def _dimension(text: str) -> tuple[str, int]:
    name, _, size = text.partition("=")
    if not name or not size.isascii() or not size.isdigit() or len(size) > 18:
        raise ValueError("NAME=SIZE, as in batch=1")
    return name, int(size)


def _name_or_stdout(text: str) -> str:
    if not text:
        raise ValueError("the name of a file")
    return text


def _file_name(text: str) -> str:
    if text in ("", "-"):
        raise ValueError("the name of a file, since standard output is for the module")
    return text


def _plain(name: str, text: str) -> Flag:
    return Flag(name, text, optional=True, read=_truth)


FLAGS = {
    "what to run": (
        Flag("pipeline", "Run a named pipeline; `--list-pipelines` shows them", "NAME"),
        Flag("pass-pipeline", "Run `builtin.module(pass,func.func(pass),...)`", "TEXT"),
        _plain("dump-pass-pipeline", "Print on stderr what will run, as text for --pass-pipeline"),
        Flag("verify-each", "Check the IR after each pass, at the end, or never", "none|end|all",
             optional="all", read=_verify_each),
    ),
    "input": (
        _plain("allow-unregistered-dialect", "Take ops of dialects that are not known"),
        Flag("split-input-file", "Run each part between lines `// -----` by itself", "MARKER",
             optional="// -----"),
        Flag("parameters", "Read the weights of an MLIR module, keyed by `ttir.name`",
             "FILE.safetensors", read=_file_name),
        Flag("dim", "Set a symbolic dimension of an ONNX model", "NAME=SIZE", read=_dimension,
             repeated=True),
    ),
    "output": (
        Flag("o", "Write to FILE, by way of a temporary file; without it, to stdout", "FILE",
             read=_name_or_stdout),
        _plain("emit-bytecode", "Write MLIR bytecode, not text"),
        Flag("save-parameters", "Write the weights, keyed by `ttir.name`", "FILE.safetensors",
             read=_file_name),
        Flag("output-split-marker", "Write MARKER between the parts of a split input", "MARKER"),
        _plain("mlir-print-debuginfo", "Print locations"),
        _plain("mlir-print-op-generic", "Print the generic form of ops"),
        Flag("mlir-elide-elementsattrs-if-larger", "Print `...` for constants of more elements",
             "N", read=_number),
        Flag("mlir-elide-resource-strings-if-larger", "Leave out blobs of more characters", "N",
             read=_number),
    ),
    "looking at passes": (
        _plain("mlir-print-ir-before-all", "Print the IR before each pass, on stderr"),
        _plain("mlir-print-ir-after-all", "Print the IR after each pass"),
        _plain("mlir-print-ir-after-failure", "Print the IR after a pass that fails, only"),
        Flag("mlir-print-ir-before", "Print the IR before these passes", "PASS,...",
             repeated=True),
        Flag("mlir-print-ir-after", "Print the IR after these passes", "PASS,...", repeated=True),
        _plain("mlir-timing", "Print how long each pass took"),
        Flag("mlir-pass-pipeline-crash-reproducer",
             "When a pass fails, leave the IR before it in FILE, and say how to run it", "FILE",
             read=_file_name),
        Flag("verify-diagnostics", "Check the errors against `expected-error {{...}}` in the input",
             "all|only-expected", optional="all", read=_verify_diagnostics),
        _plain("traceback", "On a defect of a pass, print Python's traceback"),
    ),
    "help": (
        _plain("help", "Print this"),
        _plain("version", "Print the versions of torch-ttir and torch-mlir"),
        Flag("list-passes", "Describe the passes, or one of them in full", "PASS", optional=""),
        Flag("list-pipelines", "Describe the named pipelines, or one of them", "NAME", optional=""),
        _plain("show-dialects", "List the dialects that the input can be in"),
    ),
}  # fmt: skip
"""Every flag but those of passes, by what it is for."""

_BY_NAME = {flag.name: flag for group in FLAGS.values() for flag in group}
_SHORT = {"h": "help"}
# Not starting with `-`: three dashes are a slip, as are names that pipeline text would take apart.
_PASS_NAME = re.compile(r"[A-Za-z0-9_][\w.-]*", re.ASCII)


@dataclass
class CommandLine:
    """What the user asked for: values by flag name, and passes in the order of their flags."""

    inputs: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    runs: list[tuple[str, str]] = field(default_factory=list)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a flag, or `default` if it was not given."""
        return self.values.get(name, default)


def parse_command_line(
    arguments: Sequence[str], is_pass: Callable[[str], bool], passes: Sequence[str]
) -> CommandLine:
    """Return what `arguments` ask for; raises `CompileError` with every fault of them.

    `is_pass` says whether a name is a pass or pipeline; `runs` gets those with their options, and
    `--pipeline` and `--pass-pipeline` under their own names. `passes` are for suggestions.
    """
    line = CommandLine()
    faults: list[str] = []
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            line.inputs += rest
            break
        if not word.startswith("-") or word == "-":
            line.inputs.append(word)
            continue
        name, equals, value = word.removeprefix("-").removeprefix("-").partition("=")
        flag = _BY_NAME.get(_SHORT.get(name, name))
        if flag is None:
            if _PASS_NAME.fullmatch(name) and is_pass(name):
                line.runs.append((name, value))
            else:
                faults.append(_unknown(word, name, passes))
            continue
        if not equals and flag.optional is None:
            if not rest:
                faults.append(f"`{word}` takes a value, {flag.metavar}")
                continue
            value = rest.pop(0)
        try:
            found = flag.read(value) if equals or flag.optional is None else flag.optional
        except ValueError as wanted:
            faults.append(f"`{word}`: the value is {wanted}")
            continue
        if name in ("pipeline", "pass-pipeline"):
            line.runs.append((name, found))
        if flag.repeated:
            line.values.setdefault(flag.name, []).append(found)
        else:
            line.values[flag.name] = found
    faults += _conflicts(line)
    for flag_name in ("mlir-print-ir-before", "mlir-print-ir-after"):
        for name in (name for value in line.get(flag_name, ()) for name in value.split(",")):
            if not (_PASS_NAME.fullmatch(name) and is_pass(name)):
                near = difflib.get_close_matches(name, passes, 1)
                hint = f"; did you mean `{near[0]}`?" if near else ""
                faults.append(f"`--{flag_name}`: there is no pass `{name}`{hint}")
    if faults:
        raise CompileError([Diagnostic(text, TOOL) for text in faults])
    return line


def _conflicts(line: CommandLine) -> list[str]:
    found = []
    if len(line.inputs) > 1:
        names = ", ".join(f"`{name}`" for name in line.inputs)
        found.append(f"there can be one input, not {len(line.inputs)}: {names}")
    if "" in line.inputs:
        found.append("the name of the input is empty")
    if "dim" in line.values and not all(name.endswith(".onnx") for name in line.inputs):
        found.append("`--dim` goes with an ONNX model, whose name ends in .onnx")
    if "pass-pipeline" in line.values and len(line.runs) > 1:
        found.append("`--pass-pipeline` cannot be used with `--pipeline` or flags of passes")
    return found


def _unknown(word: str, name: str, passes: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, [*_BY_NAME, *passes], 1)
    hint = f"did you mean `--{near[0]}`?" if near else "`--help` lists them"
    return f"there is no flag or pass `{word.partition('=')[0]}`; {hint}"
