"""The README is true: its tables are current, and its commands print what it says."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.passes.base import Pass
from torch_ttir.pipelines import run_steps
from torch_ttir.pipelines.steps import NativeStep, PassStep
from torch_ttir.tools.readme import with_tables

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def test_tables_are_current() -> None:
    text = README.read_text()
    assert with_tables(text) == text, "`make tables` writes them"


def test_the_session(tmp_path: Path) -> None:
    """Run every `$` line of the README, in order, and compare what it prints."""
    environment = _environment(tmp_path)
    blocks = re.findall(r"```console\n(.*?)```", README.read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            result = subprocess.run(
                command,
                shell=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                cwd=tmp_path,
                env=environment,
                timeout=300,
                check=False,
            )
            # The user's files are named in full; the README leaves the folder out.
            printed = result.stdout.replace(f"{tmp_path}/", "")
            assert _lines(printed) == _lines(expected), command


def test_the_python_example(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=_environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert '"ttir.relu"' in result.stdout
    assert {path.name for path in tmp_path.glob("model.*")} >= {"model.mlir", "model.safetensors"}


def test_the_pass_of_the_guide() -> None:
    """Run the pass that CONTRIBUTING shows."""
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    names: dict[str, Any] = {"dataclass": dataclass, "ClassVar": ClassVar, "Pass": Pass, "ir": ir}
    exec(code, names)
    context = make_context()
    with context:
        module = ir.Module.parse(
            """func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
              %0 = torch.aten.detach %x : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
              return %0 : !torch.vtensor<[2],f32>
            }"""
        )
        run_steps(module, [PassStep(names["DropDetach"]), NativeStep("cse", "cse")])
    assert "detach" not in str(module)
    assert names["DropDetach"].summary() == "Replace `torch.aten.detach` by its operand."


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / name).read_text())
    missing = [link for link in links if "://" not in link and not (ROOT / link).exists()]
    assert links
    assert not missing


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def _environment(folder: Path) -> dict[str, str]:
    """Return an environment in which `tt-opt` and `tt-run` are those of this checkout."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    commands = folder / "bin"
    commands.mkdir()
    for name in ("tt-opt", "tt-run"):
        script = commands / name
        module = f"torch_ttir.tools.{name.replace('-', '_')}"
        script.write_text(f'#!/bin/sh\nexec {sys.executable} -m {module} "$@"\n')
        script.chmod(0o755)
    path = os.pathsep.join((str(commands), os.environ["PATH"]))
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100"}
