"""`tt-run`, in this process: what it prints, its exit status, and every bad input."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import torch_ttir
from torch_ttir.tools import tt_run

MODEL = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.table = torch.nn.Embedding(10, 4)

    def forward(self, x, ids, mask):
        return {"y": self.linear(x).relu(), "e": self.table(ids) * mask[:, None]}

def model():
    torch.manual_seed(0)
    return Model(), (torch.randn(2, 4), torch.tensor([1, 2])), {"mask": torch.tensor([1, 0])}

def unseeded():
    return Model(), (torch.randn(2, 4), torch.tensor([1, 2])), {"mask": torch.tensor([1, 0])}

def failing():
    raise ValueError("no model today")

def counter():
    class Counter(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.full((2,), 5.0))

        def forward(self, x):
            self.count.add_(x)
            x.mul_(2)
            return self.count * 3

    return Counter(), (torch.ones(2),)
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with model.py, model.pt2, and model.mlir beside its parameters."""
    path: Path = tmp_path_factory.mktemp("run")
    (path / "model.py").write_text(MODEL)
    scope: dict[str, Any] = {}
    exec(MODEL, scope)
    for name in ("model", "counter"):
        model, args, *kwargs = scope[name]()
        program = torch.export.export(model, args, kwargs[0] if kwargs else None)
        torch.export.save(program, path / f"{name}.pt2")
        torch_ttir.compile(program).save(path / name)
    return path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line in the folder; gives the exit status, stdout and stderr."""
    monkeypatch.chdir(folder)

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = tt_run.run(arguments)
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return status, out, err

    return call


ROW = r"{name} +{shape} +{dtype} +{pcc} +{absolute} +{relative} +{close} +{verdict}"


def row(name: str, shape: str, dtype: str, verdict: str = "agrees") -> str:
    if verdict == "agrees":
        return ROW.format(
            name=name,
            shape=shape,
            dtype=dtype,
            pcc=r"1\.000000",
            absolute=r"[0-9.e-]+",
            relative=r"[0-9.e-]+",
            close="yes",
            verdict=verdict,
        )
    return ROW.format(
        name=name,
        shape=shape,
        dtype=dtype,
        pcc=r"\S+",
        absolute=r"\S+",
        relative=r"\S+",
        close=r"\S+",
        verdict=verdict,
    )


@pytest.mark.parametrize("program", ["model.mlir", "model.pt2", "model.py:model"])
@pytest.mark.parametrize("golden", ["model.pt2", "model.py:model"])
@pytest.mark.parametrize("inputs", [(), ("--random-inputs", "--seed", "3")])
def test_agreement_with_a_model(
    run: Run, program: str, golden: str, inputs: tuple[str, ...]
) -> None:
    status, out, err = run(program, *inputs, "--compare-with", golden)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    head = r"name +shape +dtype +PCC +largest error +relative +allclose"
    assert re.match(head, lines[0])
    assert re.match(row("result_0", "2x3", "f32"), lines[2])
    assert re.match(row("result_1", "2x4", "f32"), lines[3])
    assert lines[4] == "all 2 results agree"


def test_results_are_shown_without_a_comparison(run: Run) -> None:
    status, out, _ = run("model.mlir", "--random-inputs")
    assert status == 0
    assert re.match(r"name +shape +dtype +smallest +largest +mean +NaNs", out)
    assert re.search(r"result_0 +2x3 +f32 +\S+ +\S+ +\S+ +0", out)


@pytest.mark.parametrize("suffix", ["npz", "safetensors"])
def test_results_are_written_and_compared(run: Run, folder: Path, suffix: str) -> None:
    assert run("model.mlir", "--random-inputs", "--outputs", f"out.{suffix}")[0] == 0
    assert run("model.mlir", "--random-inputs", "--compare", f"out.{suffix}")[0] == 0
    status, out, _ = run(
        "model.mlir", "--random-inputs", "--seed", "1", "--compare", f"out.{suffix}"
    )
    assert status == 1
    assert re.search(row("result_0", "2x3", "f32", "DISAGREES"), out)
    assert re.search(r"^[12] of 2 results disagree$", out, re.MULTILINE)
    loose = ("--rtol", "100", "--atol", "100")
    assert run("model.mlir", "--random-inputs", "--compare", f"out.{suffix}", *loose)[0] == 0
    assert not [path for path in folder.iterdir() if "tmp" in path.name]


def test_inputs_by_name_and_by_position(run: Run, folder: Path) -> None:
    x = np.ones((2, 4), np.float32)
    ids, mask = np.array([3, 4]), np.array([1, 1])
    np.savez(folder / "named.npz", x=x, ids=ids, mask=mask)
    np.savez(folder / "unnamed.npz", x, ids, mask)
    assert run("model.mlir", "--inputs", "named.npz", "--outputs", "named_out.npz")[0] == 0
    assert run("model.mlir", "--inputs", "unnamed.npz", "--compare", "named_out.npz")[0] == 0
    found = np.load(folder / "named_out.npz")
    program = torch_ttir.load(folder / "model")
    expected = program(*map(torch.from_numpy, (x, ids)), mask=torch.from_numpy(mask))
    assert np.array_equal(found["result_1"], expected["e"].numpy())


def test_state_and_written_inputs_are_compared_too(run: Run, folder: Path) -> None:
    for program in ("counter.mlir", "counter.pt2"):
        status, out, _ = run(program, "--compare-with", "counter.pt2", "--outputs", "c.npz")
        assert status == 0
        for name in ("result_0", "count", "x"):
            assert re.search(row(name, "2", "f32"), out)
        found = np.load(folder / "c.npz")
        assert found["count"].tolist() == [6, 6]
        assert found["x"].tolist() == [2, 2]


def test_weights_that_are_not_the_models_are_named(run: Run) -> None:
    status, _, err = run("model.mlir", "--random-inputs", "--compare-with", "model.py:unseeded")
    assert status == 1
    assert "note: 3 parameters are not those of model.py:unseeded: `linear.weight`" in err


def test_results_of_other_types_are_told(run: Run, folder: Path) -> None:
    other = {"result_0": np.zeros((2, 3), np.float64), "result_1": np.zeros((4, 2), np.float32)}
    np.savez(folder / "other.npz", **other)
    status, out, _ = run("model.mlir", "--random-inputs", "--compare", "other.npz")
    assert status == 1
    assert "result_0: tensor<2x3xf32>, expected tensor<2x3xf64>" in out
    assert "result_1: tensor<2x4xf32>, expected tensor<4x2xf32>" in out


def test_bf16_goes_into_safetensors_only(run: Run, folder: Path) -> None:
    text = """func.func @main(%x: tensor<3xbf16>) -> tensor<3xbf16> {
      %0 = "ttir.neg"(%x) : (tensor<3xbf16>) -> tensor<3xbf16>
      return %0 : tensor<3xbf16>
    }"""
    (folder / "bf16.mlir").write_text(text)
    status, _, err = run("bf16.mlir", "--random-inputs", "--outputs", "b.npz")
    assert (status, "write a .safetensors file" in err) == (1, True)
    assert not (folder / "b.npz").exists()
    assert run("bf16.mlir", "--random-inputs", "--outputs", "b.safetensors")[0] == 0
    assert run("bf16.mlir", "--random-inputs", "--compare", "b.safetensors")[0] == 0
    import ml_dtypes

    np.savez(folder / "in.npz", arg0=np.ones(3, ml_dtypes.bfloat16))
    assert run("bf16.mlir", "--inputs", "in.npz")[0] == 0


def test_the_only_public_function_is_the_one_to_run(run: Run, folder: Path) -> None:
    text = """func.func @forward(%x: tensor<2xi32>) -> tensor<2xi32> {
      %0 = "ttir.neg"(%x) : (tensor<2xi32>) -> tensor<2xi32>
      return %0 : tensor<2xi32>
    }"""
    (folder / "named.mlir").write_text(text)
    assert run("named.mlir", "--random-inputs")[0] == 0
    (folder / "two.mlir").write_text(text + text.replace("forward", "backward"))
    status, _, err = run("two.mlir", "--random-inputs")
    assert status == 1
    assert "the module has no function `main`; it has `forward`, `backward`" in err
    assert run("two.mlir", "--random-inputs", "--function", "backward")[0] == 0


def test_help_and_version(run: Run) -> None:
    status, out, _ = run("--help")
    assert status == 0
    assert "tt-run model.mlir --random-inputs --seed 1 --compare-with model.pt2" in out
    status, out, _ = run("--version")
    assert (status, "torch" in out) == (0, True)


RANDOM = "--random-inputs"
BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "no-input": ((), "tt-run: error: there is no input; `tt-run --help` shows how to name one"),
    "missing": (("gone.mlir",), "gone.mlir: error: cannot read: no such file or directory"),
    "folder": ((".",), ".: error: cannot read: it is a directory"),
    "not-mlir": (
        ("model.safetensors",),
        "model.safetensors: error: neither MLIR text nor MLIR bytecode: it holds bytes of another "
        "format",
    ),
    "unknown-flag": (
        ("model.mlir", "--bogus"),
        "tt-run: error: unrecognized arguments: --bogus; `tt-run --help` shows the flags",
    ),
    "both-inputs": (
        ("model.mlir", RANDOM, "--inputs", "x.npz"),
        "tt-run: error: --inputs and --random-inputs exclude each other",
    ),
    "both-goldens": (
        ("model.mlir", RANDOM, "--compare", "x.npz", "--compare-with", "model.pt2"),
        "tt-run: error: --compare and --compare-with exclude each other",
    ),
    "lone-seed": (("model.mlir", "--seed", "1"), "tt-run: error: --seed goes with --random-inputs"),
    "lone-tolerance": (
        ("model.mlir", RANDOM, "--rtol", "1"),
        "tt-run: error: --rtol goes with --compare or --compare-with",
    ),
    "seed": (
        ("model.mlir", RANDOM, "--seed", "-1"),
        "tt-run: error: argument --seed: '-1' is not a number from 0 on; `tt-run --help` shows the "
        "flags",
    ),
    "range": (
        ("model.mlir", RANDOM, "--int-range", "7:3"),
        "tt-run: error: argument --int-range: '7:3' is not LOW:HIGH, as in 0:10; `tt-run --help` "
        "shows the flags",
    ),
    "tolerance": (
        ("model.mlir", RANDOM, "--compare", "x.npz", "--atol", "nan"),
        "tt-run: error: argument --atol: 'nan' is not a number from 0 on; `tt-run --help` shows "
        "the flags",
    ),
    "no-inputs-given": (
        ("model.mlir",),
        "model.mlir: error: `main` needs inputs: give `--inputs FILE` or `--random-inputs`\n"
        "note: needed: input `x`: tensor<2x4xf32>\n"
        "note: needed: input `ids`: tensor<2xi64>\n"
        "note: needed: input `mask`: tensor<2xi64>",
    ),
    "no-weights": (
        ("alone.mlir", RANDOM),
        "alone.mlir: error: `main` needs weights: give `--parameters FILE`\n"
        "note: needed: parameter `linear.weight`: tensor<3x4xf32>\n"
        "note: needed: parameter `linear.bias`: tensor<3xf32>\n"
        "note: needed: parameter `table.weight`: tensor<10x4xf32>",
    ),
    "inputs-missing": (
        ("model.mlir", "--inputs", "gone.npz"),
        "gone.npz: error: cannot read: no such file or directory",
    ),
    "inputs-suffix": (
        ("model.mlir", "--inputs", "model.py"),
        "model.py: error: the name must end in .npz or .safetensors",
    ),
    "inputs-empty": (
        ("model.mlir", "--inputs", "empty.npz"),
        "empty.npz: error: not a complete .npz file: No data left in file",
    ),
    "inputs-garbage": (
        ("model.mlir", "--inputs", "garbage.npz"),
        "garbage.npz: error: not a .npz file, or one with Python objects instead of arrays",
    ),
    "inputs-truncated": (
        ("model.mlir", "--inputs", "truncated.npz"),
        "truncated.npz: error: not a complete .npz file: File is not a zip file",
    ),
    "inputs-objects": (
        ("model.mlir", "--inputs", "objects.npz"),
        "objects.npz: error: not a .npz file, or one with Python objects instead of arrays",
    ),
    "inputs-text": (
        ("model.mlir", "--inputs", "text.npz"),
        "text.npz: error: `x` is of numpy dtype `<U1`, not numbers",
    ),
    "inputs-wrong": (
        ("model.mlir", "--inputs", "wrong.npz"),
        "wrong.npz: error: `y` is no input of the program\n"
        "wrong.npz: error: needed: input `x`: tensor<2x4xf32>; found tensor<2x4xf64>\n"
        "wrong.npz: error: needed: input `ids`: tensor<2xi64>; found tensor<3xi64>\n"
        "wrong.npz: error: missing: input `mask`: tensor<2xi64>",
    ),
    "parameters-truncated": (
        ("model.mlir", RANDOM, "--parameters", "truncated.safetensors"),
        "truncated.safetensors: error: not a complete safetensors file: ",
    ),
    "index-out-of-range": (
        ("model.mlir", RANDOM, "--int-range", "100:200"),
        "error: 'ttir.embedding': index out of range in self",
    ),
    "outputs-folder": (
        ("model.mlir", RANDOM, "--outputs", "gone/x.npz"),
        "gone/x.npz: error: cannot write: no such file or directory",
    ),
    "outputs-empty": (
        ("model.mlir", RANDOM, "--outputs", ""),
        "tt-run: error: the value of `outputs` is empty",
    ),
    "outputs-suffix": (
        ("model.mlir", RANDOM, "--outputs", "x.txt"),
        "x.txt: error: the name must end in .npz or .safetensors",
    ),
    "outputs-input": (
        ("model.mlir", RANDOM, "--outputs", "model.mlir"),
        "model.mlir: error: cannot write: it is an input too",
    ),
    "outputs-weights-beside-the-input": (
        ("model.mlir", RANDOM, "--outputs", "model.safetensors"),
        "model.safetensors: error: cannot write: it is an input too",
    ),
    "outputs-source-of-the-model": (
        ("model.mlir", RANDOM, "--compare-with", "model.py:model", "--outputs", "model.py"),
        "model.py: error: cannot write: it is an input too",
    ),
    "function": (
        ("model.mlir", RANDOM, "--function", "other"),
        "error: the module has no function `other`; it has `main`",
    ),
    "golden-names": (
        ("model.mlir", RANDOM, "--compare", "wrong.npz"),
        "wrong.npz: error: missing: `result_0`, a result of the program\n"
        "wrong.npz: error: missing: `result_1`, a result of the program\n"
        "wrong.npz: error: `x` is no result of the program",
    ),
    "golden-model": (
        ("model.mlir", RANDOM, "--compare-with", "model.mlir"),
        "model.mlir: error: a model is `model.pt2` or `file.py:function`",
    ),
    "golden-raises": (
        ("model.mlir", RANDOM, "--compare-with", "model.py:failing"),
        "no model today",
    ),
    "golden-takes-others": (
        ("counter.mlir", RANDOM, "--compare-with", "model.py:model"),
        "error: the model takes inputs that the program does not have\n"
        "note: missing: `ids`\nnote: missing: `mask`",
    ),
}


@pytest.fixture(scope="module")
def bad_files(folder: Path) -> Path:
    (folder / "alone.mlir").write_text((folder / "model.mlir").read_text())
    (folder / "empty.npz").touch()
    (folder / "garbage.npz").write_text("garbage")
    ids = np.array([1, 2, 3])
    np.savez(folder / "wrong.npz", x=np.zeros((2, 4)), ids=ids, y=np.zeros(2))
    np.savez(folder / "objects.npz", x=np.array([None]))
    np.savez(folder / "text.npz", x=np.array(["a"]), ids=ids, mask=ids)
    (folder / "truncated.npz").write_bytes((folder / "wrong.npz").read_bytes()[:100])
    whole = (folder / "model.safetensors").read_bytes()
    (folder / "truncated.safetensors").write_bytes(whole[:-8])
    return folder


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_clear_error(case: str, run: Run, bad_files: Path) -> None:
    arguments, message = BAD[case]
    before = sorted(bad_files.iterdir())
    status, out, err = run(*arguments)
    assert (status, out) == (1, "")
    assert message in err
    assert sorted(bad_files.iterdir()) == before
