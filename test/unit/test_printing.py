"""Printing IR: the limits, and blobs that are left out without being serialized."""

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.reader import parse_module
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.ir.printing import PrintFormat

TEXT = """module {
  func.func @main() -> tensor<2xf32> {
    %0 = "ttir.constant"() {value = dense_resource<w> : tensor<2xf32>} : () -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}
"""


@pytest.fixture
def module() -> ir.Module:
    return parse_module(TEXT, make_context(), "x.mlir")


def test_blobs_are_printed_below_the_limit(module: ir.Module) -> None:
    for limit in (None, 16, 1000):
        text = PrintFormat(resources_limit=limit).print(module.operation)
        assert text == TEXT


def test_blobs_above_the_limit_are_left_out_and_come_back(module: ir.Module) -> None:
    text = PrintFormat(resources_limit=15).print(module.operation)
    assert text.startswith("// The bytes of constants are left out: this cannot be run.\nmodule {")
    assert "dense_resource<w.elided>" in text
    assert "dialect_resources" not in text
    assert PrintFormat().print(module.operation) == TEXT


def test_what_was_left_out_is_refused(module: ir.Module) -> None:
    text = PrintFormat(resources_limit=0).print(module.operation)
    with pytest.raises(CompileError) as caught:
        parse_module(text, make_context(), "x.mlir")
    assert str(caught.value) == (
        "x.mlir:4:10: error: 'ttir.constant': the bytes of `dense_resource<w.elided> : "
        "tensor<2xf32>` are not in the file"
    )


def test_large_constants_are_elided_by_elements() -> None:
    text = """func.func @main() -> tensor<3xi32> {
      %0 = "ttir.constant"() {value = dense<[1, 2, 3]> : tensor<3xi32>} : () -> tensor<3xi32>
      return %0 : tensor<3xi32>
    }"""
    module = parse_module(text, make_context(), "x.mlir")
    assert "dense<[1, 2, 3]>" in PrintFormat(elements_limit=3).print(module.operation)
    assert "__elided__" in PrintFormat(elements_limit=2).print(module.operation)
