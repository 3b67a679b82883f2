"""`tt-run`: runs a program on the reference interpreter, and compares its results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from torch_ttir.dialects.context import make_context
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, error
from torch_ttir.tools.help import version_text
from torch_ttir.tools.inputs import PYTHON, export_function, load_pt2, read_parts, require_torch
from torch_ttir.tools.output import Outputs
from torch_ttir.tools.progress import Progress
from torch_ttir.tools.run_flags import TOOL, help_text, parse
from torch_ttir.tools.run_table import print_comparisons, print_results
from torch_ttir.tools.supervise import Report, supervise

if TYPE_CHECKING:
    from torch import Tensor

    from torch_ttir.interpreters.arguments import Argument
    from torch_ttir.interpreters.compare import Comparison
    from torch_ttir.interpreters.eager import EagerModel
    from torch_ttir.interpreters.executable import Executable


def main() -> int:
    """Run the command line of this process; returns its exit status, 0 or 1."""
    return supervise(TOOL, partial(run, sys.argv[1:]))


def run(arguments: Sequence[str], report: Report | None = None) -> int:
    """Run a command line in this process; returns the exit status, and prints errors on stderr."""
    try:
        options = parse(arguments)
        if options.help or options.version:
            sys.stdout.write(help_text() if options.help else version_text())
            return 0
        require_torch(options.input)
        return _Run(options, report or Report()).run()
    except CompileError as fault:
        sys.stderr.write(f"{fault}\n")
        return 1


class _Run:
    """One run of the tool."""

    def __init__(self, options: argparse.Namespace, report: Report) -> None:
        self.options = options
        self.report = report

    def run(self) -> int:
        """Run the function, write and compare its results; returns the exit status."""
        from torch_ttir.interpreters.binding import bind, name_results, unbound
        from torch_ttir.interpreters.runner import entry_name, load_function

        options = self.options
        outputs = Outputs(self.report)
        if options.outputs:
            read = [
                options.input,
                options.inputs,
                options.compare,
                options.compare_with,
                self._parameters_file(),
            ]
            outputs.refuse(read, options.outputs)
        with Progress(self.report, shown=True) as progress:
            progress.stage(f"reading {options.input}")
            context = make_context()
            with context:
                (part,) = read_parts(options.input)
                module = part.load(context, False)
                executable = load_function(module, options.function or entry_name(module))
                model = self._model(progress)
                parameters = self._parameters(context, model)
                needed, weights = unbound(executable, parameters)
                if weights:
                    notes = [f"needed: {argument}" for argument in weights]
                    message = f"`{executable.name}` needs weights: give `--parameters FILE`"
                    raise error(message, options.input, notes=notes)
                given, source = self._inputs(executable, needed, model)
                tensors = bind(executable, parameters, given, source)
                progress.stage(f"running `{executable.name}`")
                results, written = executable.run(tensors)
            named = name_results(executable, results, written)
            if options.outputs:
                self._write(named, outputs)
            comparisons = self._compare(executable, tensors, named, model, progress)
        if comparisons is None:
            print_results(named)
            return 0
        print_comparisons(comparisons)
        if all(found.agrees for found in comparisons):
            return 0
        self._explain(executable, tensors, model)
        return 1

    def _model(self, progress: Progress) -> EagerModel | None:
        name = self.options.compare_with
        if name is None:
            return None
        from torch_ttir.interpreters.eager import EagerModel

        progress.stage(f"reading {name}")
        python = PYTHON.fullmatch(name)
        if python is not None:
            return EagerModel(*export_function(python))
        if not name.endswith(".pt2"):
            raise error("a model is `model.pt2` or `file.py:function`", name)
        return EagerModel(load_pt2(name))

    def _parameters(self, context: Context, model: EagerModel | None) -> Mapping[str, Tensor]:
        from torch_ttir.interpreters.dtypes import to_torch
        from torch_ttir.interpreters.tensor_files import read_tensors

        path = self._parameters_file()
        if path is not None:
            return read_tensors(path)
        if context.parameters:
            return {
                name: to_torch(value) if hasattr(value, "__array_interface__") else value
                for name, value in context.parameters.items()
            }
        return {} if model is None else model.parameters

    def _parameters_file(self) -> str | None:
        """Return the file of weights that is given, or stands beside the input, or None."""
        if self.options.parameters is not None:
            return str(self.options.parameters)
        beside = Path(self.options.input).with_suffix(".safetensors")
        return str(beside) if beside.is_file() else None

    def _inputs(
        self, executable: Executable, needed: Sequence[Argument], model: EagerModel | None
    ) -> tuple[Mapping[str, Tensor], str]:
        """Return the inputs that are given, by name, and where they come from."""
        from torch_ttir.interpreters.binding import by_position
        from torch_ttir.interpreters.random_inputs import DEFAULT_INTEGERS, random_inputs
        from torch_ttir.interpreters.tensor_files import read_tensors

        options = self.options
        if options.inputs is not None:
            names = [argument.name for argument in needed]
            return by_position(read_tensors(options.inputs), names), options.inputs
        if options.random_inputs:
            integers = options.int_range or DEFAULT_INTEGERS
            return random_inputs(needed, options.seed or 0, integers), TOOL
        if model is not None and (example := model.example_inputs()):
            return example, options.compare_with
        if needed:
            listed = [f"needed: {argument}" for argument in needed]
            flags = "give `--inputs FILE` or `--random-inputs`"
            raise error(f"`{executable.name}` needs inputs: {flags}", options.input, notes=listed)
        return {}, options.input

    def _write(self, named: Mapping[str, Tensor], outputs: Outputs) -> None:
        from torch_ttir.interpreters.tensor_files import write_tensors

        with outputs, outputs.open(self.options.outputs) as file:
            write_tensors(named, self.options.outputs, file)

    def _compare(
        self,
        executable: Executable,
        tensors: Sequence[Tensor],
        named: Mapping[str, Tensor],
        model: EagerModel | None,
        progress: Progress,
    ) -> list[Comparison] | None:
        """Compare the results with a file's or a model's; None if neither is asked for."""
        from torch_ttir.interpreters.binding import by_position, expect_names
        from torch_ttir.interpreters.compare import compare
        from torch_ttir.interpreters.tensor_files import read_tensors

        options = self.options
        if model is not None:
            progress.stage(f"running {options.compare_with}")
            inputs = dict(zip((a.name for a in executable.arguments), tensors, strict=True))
            returned, after = model(inputs)
            expected: Mapping[str, Tensor] = {
                **{f"result_{index}": tensor for index, tensor in enumerate(returned)},
                **{name: after[name] for name in named if name in after},
            }
            source = options.compare_with
        elif options.compare is not None:
            source = options.compare
            expected = by_position(read_tensors(source), list(named))
        else:
            return None
        expect_names(named, expected, source)
        return [
            compare(name, result, expected[name], options.rtol, options.atol)
            for name, result in named.items()
        ]

    def _explain(
        self, executable: Executable, tensors: Sequence[Tensor], model: EagerModel | None
    ) -> None:
        """Say which weights are not the model's, as when a model's random ones have no seed."""
        if model is None:
            return
        from torch_ttir.interpreters.compare import compare

        theirs = model.parameters
        other = [
            argument.name
            for argument, tensor in zip(executable.arguments, tensors, strict=True)
            if argument.kind != "input"
            and argument.name in theirs
            and not compare(argument.name, tensor, theirs[argument.name], 0.0, 0.0).close
        ]
        if other:
            names = ", ".join(f"`{name}`" for name in other[:3]) + ", ..." * (len(other) > 3)
            sys.stderr.write(
                f"{TOOL}: note: {len(other)} parameters are not those of "
                f"{self.options.compare_with}: {names}\n"
            )


if __name__ == "__main__":
    sys.exit(main())
