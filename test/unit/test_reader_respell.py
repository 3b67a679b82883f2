"""Respelling what tt-mlir prints: what changes, what stays, and that no line moves."""

from __future__ import annotations

import pytest

from torch_ttir.dialects.respell import respell

CASES = {
    "properties": (
        '%0 = "ttir.sum"(%a) <{dim_arg = [1 : i32], keep_dim = true}> : (T) -> U',
        '%0 = "ttir.sum"(%a)  {dim_arg = [1 : i32], keep_dim = true}  : (T) -> U',
    ),
    "no-properties": ('"ttir.relu"(%a) <{}> : (T) -> T', '"ttir.relu"(%a)  {}  : (T) -> T'),
    "nested": (
        '"ttir.x"(%a) <{m = affine_map<(d0) -> (d0)>, d = {a = [{}]}, s = "}>"}> : (T) -> T',
        '"ttir.x"(%a)  {m = affine_map<(d0) -> (d0)>, d = {a = [{}]}, s = "}>"}  : (T) -> T',
    ),
    "merged": (
        '"ttir.x"(%a) <{a = 1}> {b.c = 2} : (T) -> T',
        '"ttir.x"(%a)  {a = 1,   b.c = 2} : (T) -> T',
    ),
    "properties-win": (
        '"ttir.x"(%a) <{a = 1, "q" = 3}> {a = 9, b.c = 2, q = 4} : (T) -> T',
        '"ttir.x"(%a)  {a = 1, "q" = 3,    b.c = 2} : (T) -> T',
    ),
    "nothing-left-to-merge": (
        '"ttir.x"(%a) <{a = 1}> {a = 9} : (T) -> T',
        '"ttir.x"(%a)  {a = 1    } : (T) -> T',
    ),
    "on-many-lines": (
        '"ttir.x"(%a,\n  %b) <{\n  a = 1\n}> {\n  a = 2, // not }\n  b.c = 3\n} : (T, T) -> T',
        '"ttir.x"(%a,\n  %b)  {\n  a = 1\n,    // not }\n  b.c = 3\n\n} : (T, T) -> T',
    ),
    "cached": (
        "%0 = ttcore.load_cached(@f, [%a, %b]) : (T, U) -> V",
        '%0 = "ttcore.load_cached"(%a, %b) {callee = @f} : (T, U) -> V',
    ),
    "cached-nothing": (
        '%0 = ttcore.load_cached(@"f g", []) : () -> V',
        '%0 = "ttcore.load_cached"() {callee = @"f g"} : () -> V',
    ),
    "cached-with-attributes": (
        "%0 = ttcore.load_cached(@f, [%a]) {x.y = 1} : (T) -> V",
        '%0 = "ttcore.load_cached"(%a)  {callee = @f, x.y = 1} : (T) -> V',
    ),
    "cached-on-many-lines": (
        "%0 = ttcore.load_cached(\n  @f,\n  [%a,\n   %b]) : (T, T) -> V",
        '%0 = "ttcore.load_cached"(%a,\n   %b)\n\n {callee = @f} : (T, T) -> V',
    ),
    "cached-generic": (
        '%0 = "ttcore.load_cached"(%a) <{callee = @f}> : (T) -> V',
        '%0 = "ttcore.load_cached"(%a)  {callee = @f}  : (T) -> V',
    ),
    "empty": ("%0 = ttir.empty() : T", '%0 = "ttir.empty"() : () -> T'),
    "empty-with-attributes": (
        "%0 = ttir.empty() {x.y = 1} : T",
        '%0 = "ttir.empty"() {x.y = 1} : () -> T',
    ),
    "concat-of-many-types": (
        '%0 = "ttir.concat"(%a, %b, %c) <{dim = 1 : si32}> : '
        "(tensor<2x1xf32>, tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x6xf32> loc(#loc1)",
        '%concat_part_5_0 = "ttir.concat"(%a, %b) {dim = 1 : si32} : '
        "(tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x3xf32> loc(#loc1) "
        '%0 = "ttir.concat"(%concat_part_5_0, %c) {dim = 1 : si32} : '
        "(tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32> loc(#loc1)",
    ),
}


@pytest.mark.parametrize(("text", "respelled"), CASES.values(), ids=CASES)
def test_respells(text: str, respelled: str) -> None:
    assert respell(text) == respelled
    assert respelled.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    [
        '// "ttir.x"(%a) <{a = 1}> ttir.empty() : T',
        '"other.x"(%a) <{a = 1}> : (T) -> T',
        '"func.func"() <{sym_name = "f"}> ({}) : () -> ()',
        '%0 = "test.x"() {s = "ttcore.load_cached(@f, [%a])", t = "\\"ttir.x\\"() <{a = 1}>"}',
        'func.func @"ttir.empty"() {x = "ttir.empty() : T"}',
        '"ttir.concat"(%a, %b, %b) {dim = 0 : si32} : (tensor<1xf32>, tensor<2xf32>, tensor<2xf32>)'
        " -> tensor<5xf32>",
        # What is not finished is left to MLIR's parser, which says where.
        '"ttir.x"(%a <{a = 1}>',
        '"ttir.x"(%a) <{a = 1',
        "%0 = ttcore.load_cached(@f, %a) : (T) -> T",
        "%0 = ttir.empty(%a) : T",
        '%0 = "ttir.concat"(%a, %b, %c) <{dim',
        '%0 = "ttir.concat"(%a, %b, %c) {dim = 0 : si32} :',
        '%0 = "ttir.concat"(%a, %b, %c) {dim = 0 : si32} : (tensor<1xf32>, tensor<2xf32>, '
        "tensor<3x3xf32>) -> tensor<6xf32>",
        '%0 = "ttir.concat"(%a, %b, %c) {dim = 1 : si32} : (tensor<1xf32>, tensor<2xf32>, '
        "tensor<3xf32>) -> tensor<6xf32>",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert respell(text) == text


def test_text_that_needs_nothing_is_the_same_object() -> None:
    text = '%0 = "ttir.relu"(%a) : (tensor<2xf32>) -> tensor<2xf32>\n' * 100
    assert respell(text) is text


def test_unwraps_the_module_of_a_device() -> None:
    text = """#loc = loc("a.py":1:1)
module @m attributes {a.b = 1} {
  ttcore.device_module {
    builtin.module attributes {a.c = 2} {
      ttcore.device @d = <workerGrid = #ttcore.grid<8x8, (d0, d1) -> (0, d0)>> loc(#loc)
      func.func @f() {
        return
      } loc(#loc)
    } loc(#loc)
  } loc(#loc)
} loc(#loc)
"""
    respelled = respell(text)
    assert respelled.count("\n") == text.count("\n")
    assert [line.strip() for line in respelled.splitlines() if line.strip()] == [
        '#loc = loc("a.py":1:1)',
        "builtin.module attributes {a.c = 2} {",
        "func.func @f() {",
        "return",
        "} loc(#loc)",
        "} loc(#loc)",
    ]
