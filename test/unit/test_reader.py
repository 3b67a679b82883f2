"""Reading modules: what is read, and every way in which a file can be wrong, with its place."""

from __future__ import annotations

import io
import mmap
import tempfile

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.reader import parse_module
from torch_ttir.ir.diagnostics import CompileError

CONST_EVAL = """func.func private @f_const_eval_0(%a: tensor<4x8xf32>) -> tensor<8x4xf32> attributes {tt.function_type = "const_eval"} {
  %t = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %t : tensor<8x4xf32>
}
func.func private @f_const_eval_1() -> tensor<1xf32> attributes {tt.function_type = "const_eval"} {
  %h = "ttir.full"() <{fill_value = 5.0e-01 : f32, shape = array<i32: 1>}> : () -> tensor<1xf32>
  return %h : tensor<1xf32>
}
func.func @f(%x: tensor<2x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"},
             %w: tensor<4x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"}) -> tensor<2x4xf32> {
  %t = ttcore.load_cached(@f_const_eval_0, [%w]) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %h = ttcore.load_cached(@f_const_eval_1, []) : () -> tensor<1xf32>
  %m = "ttir.matmul"(%x, %t) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %r = "ttir.multiply"(%m, %h) : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
"""  # noqa: E501


def read(data: str | bytes, unregistered: bool = False) -> ir.Module:
    return parse_module(data, make_context(), "x.mlir", unregistered)


def refused(data: str | bytes) -> str:
    with pytest.raises(CompileError) as caught:
        read(data)
    return str(caught.value)


def ops(module: ir.Module) -> list[ir.Operation]:
    """Return the ops of the module's functions."""
    blocks = [block for function in module.body for block in function.operation.regions[0]]
    return [op for block in blocks for op in block]


def test_reads_const_eval_functions_and_back() -> None:
    module = read(CONST_EVAL)
    again = read(str(module))
    assert str(again) == str(module)
    assert '"ttcore.load_cached"(%arg1) {callee = @f_const_eval_0}' in str(module)


@pytest.mark.parametrize("wrap", [str, str.encode, bytearray])
def test_takes_text_and_bytes(wrap: type) -> None:
    text = "func.func @f() {\n  return\n}"
    data = wrap(text.encode()) if wrap is bytearray else wrap(text)
    assert "func.func @f()" in str(read(data))


def test_takes_a_mapped_file_of_text_or_bytecode() -> None:
    module = read(CONST_EVAL)
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    for data in (CONST_EVAL.encode(), buffer.getvalue()):
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            assert str(parse_module(mapped, make_context(), "x")) == str(module)


@pytest.mark.parametrize("text", ["", "\n\n", "// nothing\n", "module {}"])
def test_text_without_ops_is_an_empty_module(text: str) -> None:
    assert list(read(text).body) == []


@pytest.mark.parametrize(
    "text",
    [
        "module {\n  func.func @f() {\n    return\n  }\n}",
        "\nfunc.func @f() {\n    return\n}",
        "func.func private @g()\nfunc.func @f() {\n    return\n}",
        "#m = 1\nfunc.func private @g() attributes {x.a = #m}\n#b = 2\n"
        "func.func @f() attributes {x.a = #b} {\n    return\n}\n",
    ],
)
def test_locations_name_the_file_and_its_lines(text: str) -> None:
    module = read(text)
    returned = [str(op.location) for op in ops(module)]
    line = text[: text.index("return")].count("\n") + 1
    assert returned == [f'loc("x.mlir":{line}:5)']


RESOURCES = '{-#\n dialect_resources: { builtin: { w: "0x040000000000803F" } }\n#-}'


def test_resources_are_kept_beside_the_context() -> None:
    context = make_context()
    text = (
        'func.func @f() {\n  %0 = "ttir.constant"() {value = dense_resource<w> : tensor<1xf32>} '
        ": () -> tensor<1xf32>\n  return\n}\nfunc.func private @g()\n" + RESOURCES
    )
    module = parse_module(text, context, "x.mlir")
    assert list(context.resources) == ["w"]
    assert "dense_resource<w>" in str(module)
    with pytest.raises(CompileError) as caught:
        parse_module(text, context, "y.mlir")
    assert str(caught.value) == (
        "y.mlir: error: has resources of another file's names: `w`\n"
        "note: read it in a context of its own"
    )


@pytest.mark.parametrize("resources", ["", RESOURCES], ids=["plain", "with-resources"])
def test_modules_in_modules_stay(resources: str) -> None:
    text = "module attributes {x.a = 1} {\n  module @inner {\n  }\n}\n" + resources
    module = read(text)
    assert "x.a" in module.operation.attributes
    (inner,) = module.body
    assert (inner.operation.name, list(inner.body)) == ("builtin.module", [])


def test_unknown_dialects_are_taken_where_they_are_allowed() -> None:
    text = '"other.op"() : () -> ()'
    assert '"other.op"()' in str(read(text, unregistered=True))
    assert refused(text) == (
        "x.mlir:1:1: error: 'other.op': unknown op (1 use)\nnote: there is no dialect `other`"
    )


F = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {{\n  {}\n  return %a : tensor<2xf32>\n}}"
CALL = '%0 = "ttcore.load_cached"(%a) {{callee = @{}}} : (tensor<2xf32>) -> tensor<{}xf32>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            F.format('"ttir.ad"(%a) : (tensor<2xf32>) -> ()'),
            "x.mlir:2:3: error: 'ttir.ad': unknown op\nnote: did you mean `ttir.pad`?",
        ),
        (
            F.format('"ttri.add"(%a) : (tensor<2xf32>) -> ()'),
            "x.mlir:2:3: error: 'ttri.add': unknown op (1 use)\nnote: did you mean `ttir.add`?",
        ),
        (
            F.format('"trch.aten.relu"() : () -> ()\n  "trch.aten.relu"() : () -> ()'),
            "x.mlir:2:3: error: 'trch.aten.relu': unknown op (2 uses)\n"
            "note: did you mean `torch.aten.relu`?",
        ),
        (
            F.format('"torch.aten.rleu"() : () -> ()'),
            "x.mlir:2:3: error: 'torch.aten.rleu': unknown op\n"
            "note: did you mean `torch.aten.relu`?",
        ),
        (
            F.format("%0 = ttri.relu %a : tensor<2xf32>"),
            "x.mlir:2:8: error: 'ttri.relu': unknown op\nnote: did you mean `ttir.relu`?",
        ),
        (
            F.format("%0 = ttir.relu %a : tensor<2xf32>"),
            "x.mlir:2:8: error: 'ttir.relu': only its generic form can be read\n"
            'note: write `"ttir.relu"(...) {...} : (...) -> ...`',
        ),
        (
            F.format('"ttcore.load_cache"() : () -> ()'),
            "x.mlir:2:3: error: 'ttcore.load_cache': unknown op (1 use)\n"
            "note: did you mean `ttcore.load_cached`?",
        ),
        (
            F.format("%0 = ttcore.load_cached(@f)"),
            "x.mlir:2:8: error: 'ttcore.load_cached': unknown op\n"
            'note: only its generic form can be read: `"ttcore.load_cached"(...) {...} : '
            "(...) -> ...`",
        ),
        (
            F.format('%0 = "ttir.relu"(%a) <{}> : (tensor<2xf32>) -> tensor<3xf32>'),
            "x.mlir:2:8: error: 'ttir.relu': result shape [3] must be the broadcast shape of the "
            "operands, [2]",
        ),
        (
            F.format('%0 = "ttir.relu"(%b) : (tensor<2xf32>) -> tensor<2xf32>'),
            "x.mlir:2:20: error: use of undeclared SSA value name",
        ),
        (
            F.format(
                '%0 = "ttir.relu"(%a) {p = array<si32: 1>} : (tensor<2xf32>) -> tensor<2xf32>'
            ),
            "x.mlir:2:8: error: 'ttir.relu': has an attribute of a kind that no TTIR op takes: "
            "Can't cast unknown element type DenseArrayAttr (Attribute(array<si32: 1>))",
        ),
        (
            F.format('%0 = "ttir.relu"(%a) {p = #ttir<flat a = 1>} : (tensor<2xf32>) -> f32'),
            "x.mlir:2:35: error: expected dynamic attribute\n"
            "note: `#ttir<...>` cannot be read; tt-mlir's later passes write it, so take IR from "
            "before",
        ),
        (
            F.format(
                '%0 = "ttir.constant"() {value = dense_resource<__elided__> : tensor<1xf32>} '
                ": () -> tensor<1xf32>"
            ),
            "x.mlir:2:8: error: 'ttir.constant': the bytes of `dense_resource<__elided__> : "
            "tensor<1xf32>` are not in the file",
        ),
        (
            F.format(CALL.format("g", 2)),
            "x.mlir:2:8: error: 'ttcore.load_cached': there is no function `@g`",
        ),
        (
            F.format(CALL.format("f", 3)),
            "x.mlir:2:8: error: 'ttcore.load_cached': result types must be `@f`'s, "
            "(tensor<2xf32>), not (tensor<3xf32>)",
        ),
        (
            F.format('%0 = "ttcore.load_cached"() {callee = @f} : () -> tensor<2xf32>'),
            "x.mlir:2:8: error: 'ttcore.load_cached': operand types must be `@f`'s, "
            "(tensor<2xf32>), not ()",
        ),
        (
            F.format('%0 = "ttcore.load_cached"(%a) {callee = "f"} : (tensor<2xf32>) -> f32'),
            "x.mlir:2:8: error: 'ttcore.load_cached': requires attribute `callee`, a function's "
            "symbol",
        ),
        ("module {", "x.mlir:1:7: error: expected operation name in quotes"),
        (b"caf\xe9", "x.mlir: error: not MLIR text: byte 3 is not UTF-8"),
        (b"ML\xefR\x00\x00", "x.mlir: error: damaged or truncated: the bytecode ends early"),
    ],
)
def test_what_is_wrong_has_its_place(text: str | bytes, message: str) -> None:
    assert refused(text) == message


def argument(marks: str) -> str:
    return f'func.func private @f(tensor<2xf32> {{ttir.name = "x"}}, tensor<2xf32> {{{marks}}})'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            argument("ttcore.argument_typ = #ttcore.argument_type<input>"),
            "unknown attribute `ttcore.argument_typ`\nnote: did you mean `ttcore.argument_type`?",
        ),
        (
            argument("ttcore.argument_type = #ttcore.argument_type<weight>"),
            "`ttcore.argument_type` of argument 1 must be one of `#ttcore.argument_type<input>`, "
            "`#ttcore.argument_type<parameter>`, `#ttcore.argument_type<constant>`, "
            "`#ttcore.argument_type<default>`, not `#ttcore.argument_type<weight>`",
        ),
        (argument("ttir.name = 3"), "`ttir.name` of argument 1 must be a string, not `3 : i64`"),
        (argument('ttir.name = "x"'), 'two arguments have the `ttir.name` "x"'),
        (
            argument("") + ' -> (tensor<2xf32> {ttir.updates = "y"})',
            '`ttir.updates` of result 0 must be an argument\'s name, not "y"',
        ),
        (
            argument("") + ' -> (tensor<3xf32> {ttir.updates = "x"})',
            'result 0 updates argument "x", so its type must be `tensor<2xf32>`, not '
            "`tensor<3xf32>`",
        ),
        (
            argument('tt.functiontype = "const_eval"'),
            "unknown attribute `tt.functiontype`\nnote: did you mean `tt.function_type`?",
        ),
    ],
)
def test_wrong_marks_of_arguments_and_results(text: str, message: str) -> None:
    assert refused(text) == f"x.mlir:1:1: error: 'func.func': {message}"


def test_all_faults_are_told_at_once() -> None:
    text = (
        argument('ttir.name = "x"')
        + "\n"
        + '"trch.x"() : () -> ()\n"ttcore.load_cached"() : () -> ()'
    )
    assert [line.split("error: ")[1] for line in refused(text).splitlines() if "error" in line] == [
        "'trch.x': unknown op (1 use)",
        "'func.func': two arguments have the `ttir.name` \"x\"",
        "'ttcore.load_cached': requires attribute `callee`, a function's symbol",
    ]
