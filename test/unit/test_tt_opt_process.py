"""`tt-opt` as a process: what it imports, how it ends, and what it leaves behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.tools.output import Outputs
from torch_ttir.tools.supervise import Report

SOURCE = Path(__file__).parents[2] / "src"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE)}
TT_OPT = [sys.executable, "-m", "torch_ttir.tools.tt_opt"]
RELU = Path(__file__).parents[1] / "tools" / "Inputs" / "relu.mlir"


def tt_opt(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [*TT_OPT, *map(str, arguments)]
    defaults = {"capture_output": True, "text": True, "timeout": 120, "env": ENVIRONMENT}
    return subprocess.run(command, check=False, **{**defaults, **options})


def python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        env=ENVIRONMENT,
        check=False,
    )


@pytest.mark.parametrize("arguments", [[], ["--cse"], ["--pipeline=torch-to-ttir"]])
def test_mlir_needs_neither_torch_nor_onnx(arguments: list[str]) -> None:
    result = python(
        "import sys\n"
        "from torch_ttir.tools.tt_opt import run\n"
        f"status = run([{str(RELU)!r}, *{arguments!r}, '-o', '/dev/null'])\n"
        "print(status, sorted({'torch', 'onnx', 'rich', 'transformers'} & set(sys.modules)))\n"
    )
    assert (result.stdout, result.stderr) == ("0 []\n", "")


def test_standard_input_and_output() -> None:
    text = RELU.read_text()
    for arguments in (["-"], []):
        result = tt_opt(*arguments, input=text)
        assert result.returncode == 0
        assert result.stdout.startswith("module {\n")
        assert result.stderr == ""


def test_a_closed_pipe_is_one_line(tmp_path: Path) -> None:
    function = (
        "func.func @f{}(%x: tensor<2xf32>) -> tensor<2xf32> {{ return %x : tensor<2xf32> }}\n"
    )
    large = tmp_path / "large.mlir"
    large.write_text("".join(function.format(i) for i in range(5000)))
    process = subprocess.Popen(
        [*TT_OPT, str(large)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "module {\n"
    process.stdout.close()
    assert process.stderr.read() == (
        "<stdout>: error: cannot write: the reader closed it before the end\n"
    )
    assert process.wait() == 1


def test_a_closed_output_is_one_line() -> None:
    shell = subprocess.run(
        f"{sys.executable} -m torch_ttir.tools.tt_opt {RELU} >&-",
        shell=True,
        capture_output=True,
        text=True,
        timeout=120,
        env=ENVIRONMENT,
        check=False,
    )
    assert shell.returncode == 1
    assert shell.stderr == "<stdout>: error: cannot write: standard output is closed\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_one_line() -> None:
    result = tt_opt(RELU, "-o", "/dev/full")
    assert result.returncode == 1
    assert result.stderr == "/dev/full: error: cannot write: no space left on device\n"


def test_a_failure_leaves_the_old_output(tmp_path: Path) -> None:
    output = tmp_path / "out.mlir"
    output.write_text("old")
    broken = tmp_path / "in.mlir"
    broken.write_text("func.func @main(")
    result = tt_opt(broken, "-o", output, f"--save-parameters={tmp_path / 'out.safetensors'}")
    assert result.returncode == 1
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.mlir", "out.mlir"]


def test_an_output_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    target = tmp_path / "target.mlir"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.mlir"
    link.symlink_to(target)
    assert tt_opt(RELU, "-o", link).returncode == 0
    assert link.is_symlink()
    assert target.read_text().startswith("module {")
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_without_a_trace(tmp_path: Path, number: signal.Signals) -> None:
    started = tmp_path / "started"
    model = tmp_path / "slow.py"
    model.write_text(
        "import pathlib, time\n"
        "def make():\n"
        f"    pathlib.Path({str(started)!r}).touch()\n"
        "    time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [*TT_OPT, f"{model}:make", "-o", str(tmp_path / "out.mlir")],
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    deadline = time.monotonic() + 60
    while not started.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert errors == "tt-opt: error: interrupted\n"
    assert sorted(path.name for path in tmp_path.glob("*.*")) == ["slow.py"]


def test_a_crash_is_an_error_and_leaves_no_unfinished_file(tmp_path: Path) -> None:
    half = tmp_path / "half"
    result = python(
        "import os, pathlib, signal\n"
        "from torch_ttir.tools.supervise import supervise\n"
        "def work(report):\n"
        f"    path = pathlib.Path({str(half)!r})\n"
        "    report.unfinished(str(path))\n"
        "    path.touch()\n"
        "    report.stage(\"in pass 'cse'\")\n"
        "    report.hint('tt-opt again.mlir')\n"
        "    os.kill(os.getpid(), signal.SIGSEGV)\n"
        "print(supervise('tt-opt', work))\n"
    )
    assert result.stdout == "1\n"
    assert result.stderr == (
        "tt-opt: error: native code crashed with SIGSEGV\n"
        "note: in pass 'cse'\n"
        "note: to see it again: tt-opt again.mlir\n"
    )
    assert not half.exists()


def test_outputs_appear_together_or_not_at_all(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with pytest.raises(KeyboardInterrupt):
        _write_two_and_stop(str(first), str(second))
    assert list(tmp_path.iterdir()) == []
    with Outputs(Report()) as outputs:
        for path in (first, second):
            with outputs.open(str(path)) as file:
                file.write(b"x")
        assert not first.exists()
    assert (first.read_text(), second.read_text()) == ("x", "x")


def _write_two_and_stop(first: str, second: str) -> None:
    with Outputs(Report()) as outputs:
        with outputs.open(first) as file:
            file.write(b"1")
        with outputs.open(second) as file:
            file.write(b"2")
            raise KeyboardInterrupt


def test_an_output_in_no_folder(tmp_path: Path) -> None:
    name = str(tmp_path / "missing" / "x")
    with (
        pytest.raises(CompileError, match="cannot write: no such file or directory"),
        Outputs(Report()) as outputs,
        outputs.open(name),
    ):
        pass
