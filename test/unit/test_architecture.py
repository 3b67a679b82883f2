"""The folders of the package: their links at the top level, and which may import which."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "torch_ttir"

# Each folder, and those of ours that its modules may import besides itself.
MAY_IMPORT = {
    "ir": set(),
    "dialects": {"ir"},
    "passes": {"dialects", "ir"},
    "pipelines": {"passes", "dialects", "ir"},
    "importers": {"dialects", "ir"},
    "interpreters": {"dialects", "ir"},
    "tools": {"pipelines", "passes", "importers", "interpreters", "dialects", "ir"},
}

# A pass may use PyTorch's meta kernels and decompositions where torch is installed: these imports
# stand inside of functions.
WITHIN_FUNCTIONS = {"passes": {"interpreters", "importers"}}


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_top_level_link(folder: str) -> None:
    link = ROOT / folder
    assert link.is_symlink()
    assert str(link.readlink()) == f"src/torch_ttir/{folder}"
    assert link.resolve() == (PACKAGE / folder).resolve()


def test_every_folder_is_in_the_table() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set(MAY_IMPORT)


def test_every_folder_with_modules_is_a_package() -> None:
    """A folder without `__init__.py` would be missing from an installed package."""
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert not [folder for folder in folders if not (folder / "__init__.py").exists()]


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_import_directions(folder: str) -> None:
    wrong = []
    for path in (PACKAGE / folder).rglob("*.py"):
        tree = ast.parse(path.read_text())
        top = set(ast.walk(ast.Module(tree.body, []))) - set(_inside_functions(tree))
        for node in ast.walk(tree):
            for name in _imported(node):
                parts = name.split(".")
                if parts[0] != "torch_ttir" or len(parts) == 1 or parts[1] == folder:
                    continue
                allowed = set(MAY_IMPORT[folder])
                if node not in top:
                    allowed |= WITHIN_FUNCTIONS.get(folder, set())
                if parts[1] not in allowed:
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} imports {name}")
    assert not wrong


@pytest.mark.parametrize("library", ["torch", "onnx"])
def test_what_starts_without_a_library(library: str) -> None:
    """Only importers and interpreters import torch and onnx where they are loaded themselves."""
    wrong = []
    for folder in ("ir", "dialects", "passes", "pipelines", "tools"):
        for path in (PACKAGE / folder).rglob("*.py"):
            tree = ast.parse(path.read_text())
            inside = set(_inside_functions(tree))
            for node in ast.walk(tree):
                if node not in inside and any(
                    name.split(".")[0] == library for name in _imported(node)
                ):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not wrong


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) else []


def _inside_functions(tree: ast.Module) -> list[ast.AST]:
    """Return the nodes within functions, and within `if TYPE_CHECKING:`, which never runs."""
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        is_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if is_function or is_typing:
            found += [child for statement in node.body for child in ast.walk(statement)]
    return found
