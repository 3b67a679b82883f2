"""One measurement in a process of its own: `python measure.py NAME` prints it as JSON.

Times are in seconds, the best of some runs in one process; memory is in bytes, by how much the
process's peak grew.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch_mlir import fx, ir
from torch_mlir.extras.fx_decomp_util import get_decomposition_table
from torch_mlir.passmanager import PassManager

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.exported import import_exported_program
from torch_ttir.passes.legalize.all_rules import KNOWN_OPS
from torch_ttir.pipelines import RunOptions, run

NATIVE = (
    "torchdynamo-export-to-torch-backend-pipeline",
    "torch-backend-to-stablehlo-backend-pipeline",
)


def bert() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """Return BERT-base, with 415 MiB of weights, and 1x128 tokens."""
    from transformers import BertConfig, BertModel

    return BertModel(BertConfig()).eval(), (torch.randint(0, 30000, (1, 128)),)


def resnet50() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """Return ResNet-50 and an image."""
    from transformers import ResNetConfig, ResNetModel

    return ResNetModel(ResNetConfig()).eval(), (torch.randn(1, 3, 224, 224),)


def mobilenet() -> tuple[torch.nn.Module, tuple[torch.Tensor, ...]]:
    """Return MobileNetV2 and an image."""
    sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
    from mobilenet_v2 import make

    model, args = make()
    return model.eval(), args


MODELS = {"bert": bert, "resnet50": resnet50, "mobilenet": mobilenet}


def exported(name: str) -> torch.export.ExportedProgram:
    """Return a model as an ExportedProgram."""
    torch.manual_seed(0)
    model, args = MODELS[name]()
    with torch.no_grad():
        return torch.export.export(model, args)


def best(function: Callable[[], Any], runs: int) -> float:
    """Return the shortest time of some runs, after one that does not count."""
    times = []
    for _ in range(runs + 1):
        gc.collect()
        begun = time.perf_counter()
        function()
        times.append(time.perf_counter() - begun)
    return min(times[1:]) if runs else times[0]


def peak() -> int:
    """Return the process's peak memory so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def ours(program: torch.export.ExportedProgram, lower: bool) -> ir.Module:
    """Import a program, and lower it to verified TTIR if asked."""
    context = make_context()
    module = import_exported_program(program, context, known_ops=KNOWN_OPS).module
    if lower:
        run(module, "torch-to-ttir", RunOptions(verify_each="end"))
    return module


def import_ours() -> dict[str, float]:
    """Measure our import of BERT-base, to the Torch dialect."""
    program, before = exported("bert"), peak()
    first = best(lambda: ours(program, lower=False), 0)
    grown = peak() - before
    return {"first": first, "seconds": best(lambda: ours(program, lower=False), 5), "bytes": grown}


def import_theirs() -> dict[str, float]:
    """Measure torch-mlir's import of BERT-base, to the Torch dialect."""
    program, before = exported("bert"), peak()
    begun = time.perf_counter()
    fx.export_and_import(program, decomposition_table={}, experimental_support_mutation=True)
    return {"seconds": time.perf_counter() - begun, "bytes": peak() - before}


def lower_ours() -> dict[str, float]:
    """Measure BERT-base from an ExportedProgram to verified TTIR."""
    program = exported("bert")
    first = best(lambda: ours(program, lower=True), 0)
    return {"first": first, "seconds": best(lambda: ours(program, lower=True), 5)}


def lower_theirs() -> dict[str, float]:
    """Measure BERT-base from an ExportedProgram to StableHLO, by torch-mlir's own route."""
    program = exported("bert")
    begun = time.perf_counter()
    fx.export_and_import(program, output_type="stablehlo", experimental_support_mutation=True)
    return {"seconds": time.perf_counter() - begun}


def files() -> dict[str, float]:
    """Measure BERT-base to TTIR text and safetensors on disk, against writing the bytes alone."""
    from torch_ttir.ir.parameter_files import write_parameters

    program = exported("bert")
    weights = [value.detach().numpy() for value in program.state_dict.values()]
    with tempfile.TemporaryDirectory() as folder:

        def raw() -> None:
            with open(Path(folder, "raw"), "wb") as file:
                for weight in weights:
                    file.write(memoryview(weight).cast("B"))

        def whole() -> None:
            module = ours(program, lower=True)
            Path(folder, "bert.mlir").write_text(str(module))
            with open(Path(folder, "bert.safetensors"), "wb") as file:
                write_parameters(module.context.parameters, file)

        return {"raw": best(raw, 3), "seconds": best(whole, 3)}


def passes(name: str) -> dict[str, float]:
    """Measure torch-to-ttir after import, and torch-mlir's native passes on the same module.

    The program is decomposed as torch-mlir's own import does it, since its passes take no other.
    """
    program = exported(name).run_decompositions(get_decomposition_table())
    mine, theirs = [], []
    for _ in range(8):
        module = import_exported_program(program, make_context()).module
        begun = time.perf_counter()
        run(module, "torch-to-ttir", RunOptions(verify_each="end"))
        mine.append(time.perf_counter() - begun)
        module = import_exported_program(program, make_context()).module
        begun = time.perf_counter()
        with module.context:
            for pipeline in NATIVE:
                PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        theirs.append(time.perf_counter() - begun)
    return {"seconds": min(mine[1:]), "native": min(theirs[1:])}


def linear(ops: int) -> dict[str, float]:
    """Measure torch-to-ttir on a chain of `ops` ops, a tenth of them in place."""
    type_ = "!torch.vtensor<[8,8],f32>"
    lines = ["%one = torch.constant.int 1"]
    for index in range(ops):
        last = f"%{index - 1}" if index else "%x"
        if index % 10 == 9:
            lines.append(
                f'%{index} = torch.operator "torch.aten.relu_"({last}) : ({type_}) -> {type_}'
            )
        else:
            lines.append(
                f"%{index} = torch.aten.add.Tensor {last}, %x, %one : "
                f"{type_}, {type_}, !torch.int -> {type_}"
            )
    text = "\n".join(lines)
    source = f"func.func @main(%x: {type_}) -> {type_} {{\n{text}\nreturn %{ops - 1} : {type_}\n}}"
    with make_context():
        module = ir.Module.parse(source)
    begun = time.perf_counter()
    run(module, "torch-to-ttir", RunOptions(verify_each="end"))
    return {"seconds": time.perf_counter() - begun}


def interpret(name: str, side: str) -> dict[str, float]:
    """Measure a model eagerly, or on the interpreter; time of a call, and how the peak grows."""
    import torch_ttir

    torch.manual_seed(0)
    model, args = MODELS[name]()
    with torch.no_grad():
        call: Callable[..., Any] = model if side == "eager" else torch_ttir.compile(model, args)
        before = peak()
        call(*args)
        return {"seconds": best(lambda: call(*args), 5), "bytes": peak() - before}


MEASUREMENTS: dict[str, Callable[[], dict[str, float]]] = {
    "import-ours": import_ours,
    "import-theirs": import_theirs,
    "lower-ours": lower_ours,
    "lower-theirs": lower_theirs,
    "files": files,
    "passes-bert": lambda: passes("bert"),
    "passes-mobilenet": lambda: passes("mobilenet"),
    **{f"linear-{n}": lambda n=n: linear(n) for n in (1_000, 10_000, 100_000)},
    **{
        f"interpret-{name}-{side}": lambda name=name, side=side: interpret(name, side)
        for name in ("bert", "resnet50")
        for side in ("eager", "ttir")
    },
}


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    print(json.dumps(MEASUREMENTS[sys.argv[1]]()))
