"""Running steps: verification, errors that name their pass, and IR printing."""

import io
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.ir.diagnostics import CompileError, error_at
from torch_ttir.passes.base import Pass
from torch_ttir.pipelines import IRPrinting, RunOptions, run, run_steps
from torch_ttir.pipelines.run import InternalError
from torch_ttir.pipelines.steps import NativeStep, PassStep, Step

TEXT = """
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "ttir.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
"""
CSE = NativeStep("cse", "func.func(cse)")
DEAD_SYMBOLS = NativeStep("symbol-dce", "symbol-dce")


@dataclass(frozen=True)
class Count(Pass):
    """Notes how often this very object ran, in what `log` holds."""

    name: ClassVar[str] = "count"
    log: Any = None
    runs: list[int] = field(default_factory=list)

    def run(self, module: ir.Operation) -> None:
        """Append to the object's own state, and the state to the log."""
        self.runs.append(1)
        self.log.append(len(self.runs))


@dataclass(frozen=True)
class Break(Pass):
    """Does what a faulty program or pass does."""

    name: ClassVar[str] = "break"
    how: str = ""

    def run(self, module: ir.Operation) -> None:
        """Raise, or leave IR that does not verify."""
        function = module.regions[0].blocks[0].operations[0].operation
        if self.how == "reject":
            raise error_at(function, "is not wanted")
        if self.how == "raise":
            raise KeyError("missing")
        if self.how == "interrupt":
            raise KeyboardInterrupt
        relu = function.regions[0].blocks[0].operations[0].operation
        relu.attributes["slope"] = ir.StringAttr.get("x")


@pytest.fixture
def module() -> ir.Module:
    context = make_context()
    with context:
        return ir.Module.parse(TEXT)


def ops(module: ir.Module) -> list[str]:
    return [op.operation.name for op in module.body.operations[0].regions[0].blocks[0]]


def test_native_and_named(module: ir.Module) -> None:
    run(module, "builtin.module(func.func(cse),hoist-consteval)")
    assert ops(module) == ["ttir.relu", "ttir.add", "func.return"]


def test_each_use_of_a_pass_starts_fresh(module: ir.Module) -> None:
    log: list[int] = []
    steps = [PassStep(Count, {"log": log}), CSE, PassStep(Count, {"log": log})]
    run_steps(module, steps)
    run_steps(module, steps)
    assert log == [1, 1, 1, 1]


def test_an_error_names_its_pass_and_the_one_before(module: ir.Module) -> None:
    with pytest.raises(CompileError) as caught:
        run_steps(module, [CSE, PassStep(Break, {"how": "reject"})])
    assert str(caught.value).splitlines() == [
        "-:2:1: error: 'func.func': is not wanted",
        "note: in pass 'break', after 'cse'",
    ]


def test_a_native_pass_that_fails_is_named(module: ir.Module) -> None:
    step = NativeStep("torch-finalizing-backend-type-conversion", "symbol-dce")
    nested = NativeStep("symbol-dce", "func.func(symbol-dce)")
    with pytest.raises(CompileError) as caught:
        run_steps(module, [step, nested])
    lines = str(caught.value).splitlines()
    assert "was scheduled to run under SymbolDCE, but does not define a symbol table" in lines[0]
    assert lines[-1] == f"note: in pass 'symbol-dce', after '{step.name}'"


def test_a_defect_of_a_pass_is_no_error_of_the_user(module: ir.Module) -> None:
    with pytest.raises(InternalError, match=r"^in pass 'break', after 'cse': KeyError: 'missing'$"):
        run_steps(module, [CSE, PassStep(Break, {"how": "raise"})])


def test_an_interrupt_stays_one(module: ir.Module) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_steps(module, [PassStep(Break, {"how": "interrupt"})])


@pytest.mark.parametrize(
    ("mode", "notes"),
    [
        ("all", ["note: the pass made IR that does not verify", "note: in pass 'break'"]),
        ("end", ["note: the passes made IR that does not verify"]),
        ("none", None),
    ],
)
def test_verify_each(module: ir.Module, mode: Any, notes: list[str] | None) -> None:
    steps: list[Step] = [PassStep(Break), DEAD_SYMBOLS]
    if notes is None:
        run_steps(module, steps, RunOptions(verify_each=mode))
        return
    with pytest.raises(CompileError) as caught:
        run_steps(module, steps, RunOptions(verify_each=mode))
    assert str(caught.value).splitlines() == [
        "-:3:8: error: 'ttir.relu': has no attribute `slope`; its attributes are: none",
        *notes,
    ]


@pytest.mark.parametrize(
    ("printing", "titles"),
    [
        ({"before_all": True}, ["Before cse: func.func(cse)", "Before symbol-dce: symbol-dce"]),
        ({"after_all": True}, ["After cse: func.func(cse)", "After symbol-dce: symbol-dce"]),
        ({"after": frozenset(["cse"])}, ["After cse: func.func(cse)"]),
        ({"before": frozenset(["symbol-dce"])}, ["Before symbol-dce: symbol-dce"]),
        ({"after_failure": True}, []),
    ],
)
def test_printing(module: ir.Module, printing: dict[str, Any], titles: list[str]) -> None:
    stream = io.StringIO()
    run_steps(
        module, [CSE, DEAD_SYMBOLS], RunOptions(printing=IRPrinting(**printing, stream=stream))
    )
    headers = [line for line in stream.getvalue().splitlines() if line.startswith("// -----//")]
    assert headers == [f"// -----// IR Dump {title} //----- //" for title in titles]


def test_printing_after_a_failure_shows_ir_that_does_not_verify(module: ir.Module) -> None:
    stream = io.StringIO()
    printing = IRPrinting(after_failure=True, stream=stream)
    with pytest.raises(CompileError):
        run_steps(module, [CSE, PassStep(Break)], RunOptions(printing=printing))
    text = stream.getvalue()
    assert text.count("IR Dump") == 1
    assert text.startswith("// -----// IR Dump After break Failed: break //----- //\n")
    assert '"ttir.relu"(%arg0) {slope = "x"}' in text


def test_on_step_sees_each_step_before_it_runs(module: ir.Module) -> None:
    seen: list[tuple[str, int]] = []

    def note(step: Step, _operation: ir.Operation) -> None:
        seen.append((step.name, len(ops(module))))

    run_steps(module, [CSE, DEAD_SYMBOLS], RunOptions(on_step=note))
    assert seen == [("cse", 4), ("symbol-dce", 3)]
