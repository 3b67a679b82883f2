"""Resources of text and bytecode: every byte, name and alignment comes through, whatever runs."""

import io
import random

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.reader import parse_module
from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.ir.printing import PrintFormat
from torch_ttir.ir.resources import HexBlob, attach, detach, read_resources, resource_key
from torch_ttir.pipelines import run

# By their spelling in MLIR: the name, and the alignment of the bytes.
NAMES = {
    "w": ("w", 4),
    "w.elided": ("w.elided", 4096),
    "layer1.0.weight": ("layer1.0.weight", 64),
    "a b": ("a b", 8),
    r"quo\22te": ('quo"te', 16),
    r"back\\slash": ("back\\slash", 1),
    "größe": ("größe", 32),
    r"\C3\A9": ("é", 2),
}
BYTES = {name: random.Random(name).randbytes(28) for name, _ in NAMES.values()}
ROUTES = [(a, b, c) for a in ("text", "code") for b in ("text", "code") for c in ("text", "code")]


def program(names: dict[str, tuple[str, int]]) -> str:
    literals = [
        f'%{index} = "ttir.constant"() {{value = dense_resource<"{spelling}"> : tensor<7xf32>}} : '
        "() -> tensor<7xf32>"
        for index, spelling in enumerate(names)
    ]
    types = ", ".join(["tensor<7xf32>"] * len(names))
    values = ", ".join(f"%{index}" for index in range(len(names)))
    blobs = [
        f'"{spelling}": "0x{(alignment.to_bytes(4, "little") + BYTES[name]).hex()}"'
        for spelling, (name, alignment) in names.items()
    ]
    return (
        f"func.func @main() -> ({types}) {{\n"
        + "\n".join(literals)
        + f"\nreturn {values} : {types}\n}}\n"
        + "{-# dialect_resources: { builtin: {\n"
        + ",\n".join(blobs)
        + "\n} } #-}\n"
    )


def written(module: ir.Module, form: str) -> bytes:
    if form == "text":
        return PrintFormat().print(module.operation).encode()
    file = io.BytesIO()
    module.operation.write_bytecode(file)
    return file.getvalue()


def blobs(data: bytes) -> dict[str, bytes]:
    return {
        name: blob.decode() if isinstance(blob, HexBlob) else bytes(blob)
        for name, blob in read_resources(data).items()
    }


@pytest.mark.parametrize("route", ROUTES, ids="-".join)
@pytest.mark.parametrize("passes", ["", "cse", "cse,canonicalize,hoist-consteval"])
def test_every_byte_comes_through(route: tuple[str, ...], passes: str) -> None:
    data = program(NAMES).encode()
    for form in route:
        context = make_context()
        module = parse_module(data, context, "x.mlir")
        with context:
            if passes:
                run(module, f"builtin.module({passes})")
            # Printing without the bytes on the way, as `--mlir-print-ir-after-all` does.
            assert "0x" not in PrintFormat(resources_limit=0).print(module.operation)
        data = written(module, form)
        assert blobs(data) == BYTES
    if route[-1] == "text":
        for name, alignment in NAMES.values():
            digits = (alignment.to_bytes(4, "little") + BYTES[name]).hex().upper()
            assert f'"0x{digits}"' in data.decode()


@pytest.mark.parametrize("alignment", [32, 64, 1024])
@pytest.mark.parametrize("size", [1, 60, 4_000, 20_000, 70_000])
def test_aligned_bytecode_of_any_size_is_read(size: int, alignment: int) -> None:
    """MLIR wants the memory that it reads aligned as widely as the blobs are."""
    data = bytes(range(256)) * (size // 256 + 1)
    digits = (alignment.to_bytes(4, "little") + data[:size]).hex()
    text = (
        f"func.func @main() -> tensor<{size}xui8> {{\n"
        f'%0 = "ttir.constant"() {{value = dense_resource<w> : tensor<{size}xui8>}} : '
        f"() -> tensor<{size}xui8>\nreturn %0 : tensor<{size}xui8>\n}}\n"
        f'{{-# dialect_resources: {{ builtin: {{ w: "0x{digits}" }} }} #-}}\n'
    )
    code = written(parse_module(text, make_context(), "x.mlir"), "code")
    again = written(parse_module(code, make_context(), "x.mlirbc"), "code")
    assert blobs(again) == {"w": data[:size]}


def test_faults_of_aligned_bytecode_name_the_file() -> None:
    code = bytearray(written(parse_module(program(NAMES), make_context(), "x.mlir"), "code"))
    code[4] = 199  # The version, 99.
    with pytest.raises(CompileError) as caught:
        parse_module(bytes(code), make_context(), "x.mlirbc")
    assert str(caught.value).startswith("x.mlirbc: error: ")
    assert "torch-ttir-bytecode" not in str(caught.value)


@pytest.mark.parametrize("name", ["__elided__", "w.elided", "w"])
def test_elided_resources_are_refused_by_name(name: str) -> None:
    text = program({"v": ("w", 4)}).replace('<"v">', f'<"{name}">')
    with pytest.raises(CompileError) as caught:
        parse_module(text, make_context(), "x.mlir")
    expected = (
        f"x.mlir:2:6: error: 'ttir.constant': the bytes of `dense_resource<{name}> : "
        "tensor<7xf32>` are not in the file"
    )
    assert str(caught.value).splitlines() == [expected]


def test_the_key_of_a_detached_resource_is_its_own() -> None:
    context = make_context()
    module = parse_module(program(NAMES), context, "x.mlir")
    with context:
        literals = [op.operation for op in module.body.operations[0].entry_block][:-1]
        keys = [resource_key(op.attributes["value"]) for op in literals]
        assert keys == list(BYTES)
        detach(module.operation)
        assert [resource_key(op.attributes["value"]) for op in literals] == keys
        attach(module.operation)
        assert [resource_key(op.attributes["value"]) for op in literals] == keys


def test_an_elided_constant_of_onnx_is_refused() -> None:
    text = (
        "func.func @main() -> !torch.vtensor<[7],f32> {\n"
        '%0 = torch.operator "onnx.Constant"() {torch.onnx.value = dense_resource<__elided__> : '
        "tensor<7xf32>} : () -> !torch.vtensor<[7],f32>\n"
        "return %0 : !torch.vtensor<[7],f32>\n}\n"
    )
    with pytest.raises(CompileError) as caught:
        parse_module(text, make_context(), "x.mlir")
    assert str(caught.value) == (
        "x.mlir:2:6: error: 'onnx.Constant': the bytes of `dense_resource<__elided__> : "
        "tensor<7xf32>` are not in the file"
    )
