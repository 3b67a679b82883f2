"""Where models come from: files, functions of Python files, modules; and errors of each."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import torch

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.source import import_any
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.program import Program

X = torch.arange(8.0).reshape(2, 4)


def failure(source: Any, **options: Any) -> str:
    with pytest.raises(CompileError) as caught:
        import_any(source, make_context(), **options)
    return str(caught.value)


@pytest.fixture
def pt2(tmp_path: Path) -> Path:
    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(torch.nn.Linear(4, 4), (X,)), path)
    return path


def test_a_pt2_file(pt2: Path) -> None:
    context = make_context()
    program = import_any(pt2, context)
    assert [a.name for a in program.signature.arguments] == ["weight", "bias", "input"]
    model = torch.nn.Linear(4, 4)
    model.load_state_dict(torch.export.load(pt2).state_dict)
    found = Program(program.module, program.signature, context.parameters)(X)
    torch.testing.assert_close(found, model(X))


def test_files_that_hold_no_program(tmp_path: Path, pt2: Path, capfd: Any) -> None:
    def named(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    whole = pt2.read_bytes()
    wanted = {
        named("text.pt2", b"hello"): "not a `.pt2` file, or a truncated one",
        named("cut.pt2", whole[: len(whole) // 2]): "not a `.pt2` file, or a truncated one",
        named("empty.pt2", b""): "the file is empty",
        tmp_path / "none.pt2": "no such file or directory",
        tmp_path: "neither a `.pt2` file nor `file.py:function`",
        named("model.txt", b"x"): "neither a `.pt2` file nor `file.py:function`",
    }
    (tmp_path / "folder.pt2").mkdir()
    wanted[tmp_path / "folder.pt2"] = "is a directory"
    state = tmp_path / "state.pt2"
    torch.save({"weight": X}, state)
    wanted[state] = "not a program that `torch.export.save` wrote"
    damaged = tmp_path / "damaged.pt2"
    with zipfile.ZipFile(pt2) as old, zipfile.ZipFile(damaged, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data[: len(data) // 2] if name.endswith(".json") else data)
    wanted[damaged] = "not a program that `torch.export.save` wrote"
    for path, message in wanted.items():
        found = failure(path)
        assert found.startswith(f"{path}: error: ")
        assert message in found
        assert len(found.splitlines()) <= 2
    # PyTorch's own warnings and tracebacks do not come through.
    assert capfd.readouterr() == ("", "")


def test_a_pt2_file_with_an_output_class_of_transformers(tmp_path: Path) -> None:
    from torch.utils import _pytree as pytree
    from transformers.models.vit.modeling_vit import BaseModelOutputWithPooling

    class Model(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return BaseModelOutputWithPooling(last_hidden_state=x * 2)

    path = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(Model(), (X,)), path)
    program = import_any(path, make_context())
    assert program.signature.out_spec.type in pytree.SUPPORTED_NODES


USER_FILE = """
import torch
import {neighbour}
print("printed by the user")

class Branch(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x

class Wrong(torch.nn.Module):
    def forward(self, x):
        return undefined + x

def make(): return torch.nn.Linear(4, 4), (torch.ones(2, 4),)
def with_keywords(): return {neighbour}.Scale(), (), {{"x": torch.ones(2, 4), "by": 3}}
def with_list(): return torch.nn.ReLU(), [torch.ones(2)]
def divides(): return 1 / 0
def leaves(): raise SystemExit(3)
def only_model(): return torch.nn.ReLU()
def branch(): return Branch(), (torch.ones(2),)
def wrong(): return Wrong(), (torch.ones(2),)
def misfit(): return torch.nn.Linear(4, 4), (torch.ones(3),)
value = 7
"""


@pytest.fixture
def user_file(tmp_path: Path) -> Path:
    neighbour = tmp_path / "neighbour_of_a_test.py"
    neighbour.write_text(
        "import torch\n"
        "class Scale(torch.nn.Module):\n"
        "    def forward(self, x, by=2):\n"
        "        import neighbour_of_a_test\n"
        "        return x * by\n"
    )
    path = tmp_path / "user.py"
    path.write_text(USER_FILE.format(neighbour="neighbour_of_a_test"))
    return path


@pytest.mark.parametrize("function", ["make", "with_keywords", "with_list"])
def test_a_function_of_a_python_file(user_file: Path, function: str, capfd: Any) -> None:
    path_before = list(sys.path)
    program = import_any(f"{user_file}:{function}", make_context())
    assert program.module.operation.verify()
    assert sys.path == path_before
    out, err = capfd.readouterr()
    assert (out, err) == ("", "printed by the user\n")


def test_the_lines_of_a_python_files_model(user_file: Path) -> None:
    program = import_any(f"{user_file}:with_keywords", make_context())
    text = program.module.operation.get_asm(enable_debug_info=True)
    assert 'neighbour_of_a_test.py":5:' in text


def line_of(path: Path, start: str) -> int:
    lines = path.read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.lstrip().startswith(start))


@pytest.mark.parametrize(
    ("function", "line", "message"),
    [
        ("divides", "def divides", "ZeroDivisionError: division by zero"),
        ("leaves", "def leaves", "SystemExit: 3"),
        ("branch", "if x.sum()", "a branch or a size depends on the data"),
        ("wrong", "return undefined", "NameError: name 'undefined' is not defined"),
        ("only_model", "", "`only_model` must return `(model, args)` or `(model, args, kwargs)`"),
        ("nothing", "", "there is no function `nothing`"),
        ("value", "", "there is no function `value`"),
        ("misfit", ":misfit", "`torch.export` cannot export the model: RuntimeError"),
    ],
)
def test_errors_of_a_python_file(
    user_file: Path, function: str, line: str, message: str, capfd: Any
) -> None:
    found = failure(f"{user_file}:{function}")
    where = line if line.startswith(":") else f":{line_of(user_file, line)}" if line else ""
    assert found.startswith(f"{user_file}{where}: error: ")
    assert message in found
    assert "Traceback" not in found
    assert "Traceback" not in capfd.readouterr().err


def test_files_that_python_cannot_read(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n    pass\n")
    assert failure(f"{broken}:f").startswith(f"{broken}:1:7: error: invalid syntax")
    missing = tmp_path / "missing.py"
    assert failure(f"{missing}:f") == f"{missing}: error: cannot read: no such file or directory"
    (tmp_path / "folder.py").mkdir()
    assert "cannot read: is a directory" in failure(f"{tmp_path / 'folder.py'}:f")
    binary = tmp_path / "binary.py"
    binary.write_bytes(b"\\x00\\xff")
    assert failure(f"{binary}:f").startswith(str(binary))
    assert "name the function that makes the model" in failure(str(broken))
    imports = tmp_path / "imports.py"
    imports.write_text("import torch\nimport no_such_module\n")
    assert failure(f"{imports}:f") == (
        f"{imports}:2: error: ModuleNotFoundError: No module named 'no_such_module'"
    )


def test_modules_functions_and_what_is_neither() -> None:
    model = torch.nn.Linear(4, 4)
    context = make_context()
    program = import_any(model, context, args=(X,))
    assert context.parameters["weight"] is model.weight
    program = import_any(lambda a, b: a + b, make_context(), args=(X,), kwargs={"b": X})
    assert [a.name for a in program.signature.arguments] == ["a", "b"]
    assert import_any(torch.relu, make_context(), args=(X,)).module.operation.verify()
    assert "a `Linear` needs example inputs" in failure(model)
    assert "not a `int`" in failure(7)


def test_a_module_in_training_is_imported_in_training() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5))
    texts = []
    for training in (True, False):
        program = import_any(model.train(training), make_context(), args=(X,))
        texts.append(str(program.module))
    assert "torch.constant.bool true" in texts[0]
    assert "torch.constant.bool true" not in texts[1]


def test_a_tensor_in_place_of_the_example_inputs() -> None:
    wanted = "error: the example inputs are a tuple, `(x,)` for one; found a tensor"
    assert wanted in failure(torch.nn.Linear(4, 4), args=X)
