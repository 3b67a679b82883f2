"""Which TTIR ops the interpreter runs."""

from __future__ import annotations

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.ttir import OPS
from torch_ttir.interpreters.runner import load_function
from torch_ttir.interpreters.ttir import MEANINGS
from torch_ttir.interpreters.ttir.table import MeaningTable, unite
from torch_ttir.ir.diagnostics import CompileError

# An optimizer's step and the drawing of tokens, which no import of a model gives.
NOT_RUN = {"ttir.adamw", "ttir.sampling"}


def test_every_op_but_two_has_a_meaning() -> None:
    assert OPS.keys() - MEANINGS.keys() == NOT_RUN
    assert MEANINGS.keys() <= OPS.keys()


def test_an_op_without_a_meaning_is_named_with_its_line() -> None:
    text = """
    func.func @main(%v: tensor<1x8xbf16>, %i: tensor<1x8xi32>, %k: tensor<1xi32>,
                    %p: tensor<1xbf16>) -> tensor<1xi32> {
      %0 = "ttir.sampling"(%v, %i, %k, %p, %p) : (tensor<1x8xbf16>, tensor<1x8xi32>,
          tensor<1xi32>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<1xi32> loc("model.py":3:7)
      return %0 : tensor<1xi32>
    }"""
    message = r"model.py:3:7: error: 'ttir.sampling': the reference interpreter does not run"
    with make_context(), pytest.raises(CompileError, match=message):
        load_function(ir.Module.parse(text))


def test_two_meanings_of_one_op_are_a_mistake() -> None:
    one, two = MeaningTable(), MeaningTable()
    one.add("ttir.abs", abs)
    two.add("ttir.abs", abs)
    with pytest.raises(ValueError, match=r"two meanings for ttir\.abs"):
        unite(one, two)
