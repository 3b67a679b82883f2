"""Pipeline text: what it is parsed to, and what each fault of it says."""

import dataclasses
from typing import ClassVar, Literal

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.passes import registry
from torch_ttir.passes.base import Pass
from torch_ttir.pipelines import steps as steps_module
from torch_ttir.pipelines.named import PIPELINES
from torch_ttir.pipelines.options import OptionError, parse_options, render_options
from torch_ttir.pipelines.steps import (
    NativeStep,
    PassStep,
    steps_of_flag,
    steps_of_name,
    steps_of_text,
    steps_text,
)
from torch_ttir.pipelines.text import parse_pipeline


@pytest.fixture(scope="module")
def context() -> ir.Context:
    return make_context()


@dataclasses.dataclass(frozen=True)
class Everything(Pass):
    """A pass with an option of each type."""

    name: ClassVar[str] = "everything"
    flag: bool = False
    max_size: int = 3
    ratio: float = 0.5
    label: str = ""
    ops: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    limit: int | None = None
    mode: Literal["fast", "slow"] = "fast"

    def run(self, module: ir.Operation) -> None:
        """Do nothing."""


@pytest.fixture
def _everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.PASSES, "everything", Everything)


@pytest.mark.parametrize(
    "text",
    [
        "builtin.module(cse)",
        "builtin.module(a,b{x=1 y={z=(2)}},func.func(c,d),e)",
        "builtin.module()",
        'builtin.module(a{label=",){"})',
        "builtin.module(func.func(any(cse)))",
    ],
)
def test_text_of_the_parsed_pipeline(text: str) -> None:
    assert f"builtin.module({','.join(map(str, parse_pipeline(text)))})" == text


def test_spaces_and_lines_are_free() -> None:
    text = " builtin.module (\n  a ,\n  func.func( b{ x=1 } )\n) "
    assert ",".join(map(str, parse_pipeline(text))) == "a,func.func(b{x=1})"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "pass-pipeline:1:1: error: a pass pipeline has the form `builtin.module(pass,pass"),
        ("cse", "pass-pipeline:1:1: error: a pass pipeline has the form"),
        ("builtin.module", "pass-pipeline:1:1: error: a pass pipeline has the form"),
        ("func.func(cse)", "pass-pipeline:1:1: error: a pass pipeline has the form"),
        ("builtin.module(cse),cse", "pass-pipeline:1:1: error: a pass pipeline has the form"),
        ("builtin.module(", "pass-pipeline:1:16: error: the `(` of `builtin.module` is not closed"),
        ("builtin.module(cse", "pass-pipeline:1:19: error: the `(` of `builtin.module` is not"),
        ("builtin.module(cse))", "pass-pipeline:1:20: error: `)` is one too many here"),
        ("builtin.module(,cse)", "pass-pipeline:1:16: error: a pass name is missing here"),
        ("builtin.module(cse,)", "pass-pipeline:1:20: error: a pass name is missing here"),
        ("builtin.module(cse cse)", "pass-pipeline:1:20: error: `,` or `)` is missing after `cse`"),
        ("builtin.module(a{x=1)", "pass-pipeline:1:21: error: `)` does not close what is open"),
        ("builtin.module(a{x=1", "pass-pipeline:1:17: error: the `{` is not closed"),
        ("builtin.module(a{x=')})", "pass-pipeline:1:17: error: the `{` is not closed"),
        ("a(" * 200, "pass-pipeline:1:67: error: passes are nested more than 32 deep"),
    ],
)
def test_malformed_text(text: str, error: str) -> None:
    with pytest.raises(CompileError) as caught:
        parse_pipeline(text)
    assert error in str(caught.value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {}),
        ("flag", {"flag": True}),
        ("flag=0 flag=true", {"flag": True}),
        ("max-size=-7 ratio=1e-3", {"max_size": -7, "ratio": 1e-3}),
        ("label='two words' ops=a.b,c", {"label": "two words", "ops": ("a.b", "c")}),
        ('label="x=1"', {"label": "x=1"}),
        ("ops={a,b} sizes=1,-2 limit=4", {"ops": ("a", "b"), "sizes": (1, -2), "limit": 4}),
        ("ops=", {"ops": ()}),
        ("mode=slow", {"mode": "slow"}),
    ],
)
def test_options_become_typed_fields(text: str, values: dict[str, object]) -> None:
    assert parse_options(Everything, text) == values
    assert parse_options(Everything, render_options(Everything, values)) == {
        key: value for key, value in values.items() if value != getattr(Everything(), key)
    }


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("max-size=x", "option `max-size` of pass `everything` takes an integer, not `x`"),
        ("max-size", "option `max-size` of pass `everything` takes an integer, not nothing"),
        ("max-size=" + "9" * 5000, "takes an integer, not"),
        ("flag=yes", "option `flag` of pass `everything` takes true or false, not `yes`"),
        ("sizes=1,a", "option `sizes` of pass `everything` takes a list of integers, not `1,a`"),
        ("mode=medium", "option `mode` of pass `everything` takes one of fast, slow, not `medium`"),
        ("max_size=1", "pass `everything` has no option `max_size`; its options are `flag`, `max-"),
    ],
)
def test_wrong_options(text: str, error: str) -> None:
    with pytest.raises(OptionError, match="option") as caught:
        parse_options(Everything, text)
    assert error in str(caught.value)


@pytest.mark.usefixtures("_everything")
def test_text_mixes_our_passes_and_native_ones(context: ir.Context) -> None:
    text = "builtin.module(everything{max-size=4},func.func(canonicalize,cse),symbol-dce)"
    steps = steps_of_text(text, context)
    assert steps == [
        PassStep(Everything, {"max_size": 4}),
        NativeStep("canonicalize", "func.func(canonicalize)"),
        NativeStep("cse", "func.func(cse)"),
        NativeStep("symbol-dce", "symbol-dce"),
    ]
    assert steps_of_text(steps_text(steps), context) == steps


def test_all_unknown_names_in_one_error(context: ir.Context) -> None:
    with pytest.raises(CompileError) as caught:
        steps_of_text("builtin.module(canonicalise,func.func(csee),legalize-to-tir)", context)
    text = str(caught.value)
    assert "1:16: error: there is no pass or pipeline `canonicalise`; did you mean `canon" in text
    assert "1:39: error: there is no pass or pipeline `csee`; did you mean `cse`?" in text
    assert "1:45: error: there is no pass or pipeline `legalize-to-tir`; did you mean `leg" in text
    assert text.count("note: the passes are ") == 1


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "func.func(legalize-to-ttir)",
            "`legalize-to-ttir` runs on `builtin.module`, not under `func.func`",
        ),
        ("func.func(torch-to-ttir)", "`torch-to-ttir` runs on `builtin.module`, not under"),
        (
            # Adding it would abort the process.
            "func.func(torch-simplification-pipeline)",
            "`torch-simplification-pipeline` runs on `builtin.module`, not under `func.func`",
        ),
        (
            "torch-decompose-complex-ops",
            "MLIR does not take `torch-decompose-complex-ops`: Can't add pass "
            "'DecomposeComplexOps' restricted to 'func.func'",
        ),
        ("fun.func(cse)", "`fun.func` is not an op that passes can run on"),
        ("cse(cse)", "`cse` is not an op that passes can run on"),
        (
            "canonicalize{max-iterations=x}",
            "MLIR does not take `canonicalize{max-iterations=x}`: for the --max-iterations option: "
            "'x' value invalid",
        ),
        ("canonicalize{foo=1}", "no such option foo"),
        ("torch-to-ttir{a=b}", "pipeline `torch-to-ttir` has no options"),
        ("legalize-to-ttir{a=b}", "pass `legalize-to-ttir` has no option"),
    ],
)
def test_elements_that_cannot_run(context: ir.Context, text: str, error: str) -> None:
    with pytest.raises(CompileError) as caught:
        steps_of_text(f"builtin.module({text})", context)
    assert error in str(caught.value)


def test_unknown_pipeline(context: ir.Context) -> None:
    with pytest.raises(CompileError) as caught:
        steps_of_name("torch-to-tir", context)
    first, notes = str(caught.value).split("\n", 1)
    assert first == "error: there is no pipeline `torch-to-tir`; did you mean `torch-to-ttir`?"
    assert all(name in notes for name in PIPELINES)


def test_a_flag_puts_a_native_pass_under_its_op(context: ir.Context) -> None:
    steps = steps_of_flag("torch-decompose-complex-ops", "legal-ops=aten.softmax.int", context)
    assert steps_text(steps) == (
        "builtin.module(func.func(torch-decompose-complex-ops{legal-ops=aten.softmax.int}))"
    )


@pytest.mark.parametrize("name", PIPELINES)
def test_named_pipelines_parse(context: ir.Context, name: str) -> None:
    steps = steps_of_name(name, context)
    assert steps
    assert steps_of_text(steps_text(steps), context) == steps
    assert steps_module.steps_of_flag(name, "", context) == steps
