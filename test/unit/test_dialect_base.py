"""Creating, decoding and remembering TTIR ops."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.ttir import OPS, VerifyError, create, decode
from torch_ttir.dialects.ttir.base import split_operands
from torch_ttir.ir.types import TensorInfo, tensor_type

ROUNDTRIPS = Path(__file__).parents[1] / "tools" / "dialect"


@pytest.fixture
def module() -> Iterator[ir.Module]:
    with make_context(), ir.Location.unknown():
        yield ir.Module.create()


def made(
    module: ir.Module, name: str, operands: list[Any], result: TensorInfo, **attributes: Any
) -> ir.Operation:
    """Create an op at the end of a module, on values of the given types."""
    flat = [info for item in operands for info in (item if isinstance(item, list) else [item])]
    types = [tensor_type(*info) for info in flat if info is not None]
    with ir.InsertionPoint(module.body):
        source = ir.Operation.create("test.source", types)
    values = iter(source.results)

    def value(item: Any) -> Any:
        return [next(values) for _ in item] if isinstance(item, list) else item and next(values)

    return create(
        OPS[f"ttir.{name}"],
        [value(item) for item in operands],
        [tensor_type(*result)],
        attributes,
        ir.Location.unknown(),
        ir.InsertionPoint(module.body),
    )


def shape(*sizes: int) -> TensorInfo:
    return TensorInfo(sizes, "f32")


@pytest.mark.parametrize(
    ("op", "text"),
    [
        (
            lambda module: made(
                module, "softmax", [shape(2)], shape(2), dimension=-1, numericStable=True
            ),
            "{dimension = -1 : si32, numericStable = true}",
        ),
        (
            lambda module: made(module, "sum", [shape(2)], shape(), keep_dim=False, dim_arg=(0,)),
            "{dim_arg = [0 : i32], keep_dim = false}",
        ),
        (
            lambda module: made(module, "full", [], shape(2), shape=[2], fill_value=float("inf")),
            "{fill_value = 0x7F800000 : f32, shape = array<i32: 2>}",
        ),
        (
            lambda module: made(
                module, "full", [], TensorInfo((), "i1"), shape=(), fill_value=True
            ),
            "{fill_value = 1 : i32, shape = array<i32>}",
        ),
        (
            lambda module: made(module, "clamp_scalar", [shape(2)], shape(2), min=-0.0, max=1.0),
            "{max = 1.000000e+00 : f32, min = -0.000000e+00 : f32}",
        ),
        (
            lambda module: made(
                module, "layer_norm", [shape(2), None, shape(2)], shape(2), normalized_shape=[2]
            ),
            "{normalized_shape = array<i64: 2>, operandSegmentSizes = array<i32: 1, 0, 1>}",
        ),
        (
            lambda module: made(
                module, "linear", [shape(1, 2), shape(2, 3), None], shape(1, 3), transpose_b=None
            ),
            '"ttir.linear"(%0#0, %0#1) : (',
        ),
        (
            lambda module: made(module, "concat", [[shape(2), shape(3)]], shape(5), dim=0),
            '"ttir.concat"(%0#0, %0#1) {dim = 0 : si32}',
        ),
        (
            lambda module: made(
                module,
                "scatter",
                [shape(2), TensorInfo((1,), "i32"), shape(1)],
                shape(2),
                dim=0,
                scatter_reduce_type="sum",
            ),
            "{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}",
        ),
    ],
)
def test_attributes_are_created_of_their_kinds(module: ir.Module, op: Any, text: str) -> None:
    operation = op(module)
    assert operation.verify()
    assert text in str(operation.parent)


def test_values_that_are_equal_in_python_make_different_attributes(module: ir.Module) -> None:
    attributes = [
        made(module, "full", [], shape(), shape=(), fill_value=value).attributes["fill_value"]
        for value in (1, 1.0, 0.0, -0.0, True)
    ]
    assert [str(attribute) for attribute in attributes] == [
        "1 : i32",
        "1.000000e+00 : f32",
        "0.000000e+00 : f32",
        "-0.000000e+00 : f32",
        "1 : i32",
    ]


@pytest.mark.parametrize(
    ("op", "message"),
    [
        (
            lambda module: made(module, "full", [], shape(), shape=(), fill_value=2**31),
            "attribute `fill_value`: 2147483648 does not fit in i32",
        ),
        (
            lambda module: made(module, "full", [], shape(), shape=(), fill_value=1e300),
            r"attribute `fill_value`: 1e\+300 does not fit in f32",
        ),
        (
            lambda module: made(module, "rand", [], shape(), size=(), seed=-1),
            "attribute `seed`: -1 does not fit in ui32",
        ),
        (
            lambda module: made(module, "permute", [shape(2)], shape(2), permutation=[2**63]),
            "attribute `permutation`: 9223372036854775808 does not fit in i64",
        ),
        (
            lambda module: made(module, "reshape", [shape(2)], shape(2), shape=[-(2**31) - 1]),
            "attribute `shape`: -2147483649 does not fit in i32",
        ),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_not_cut(
    module: ir.Module, op: Any, message: str
) -> None:
    with pytest.raises(VerifyError, match=f"^{message}$"):
        op(module)


def test_decode_names_operands_and_fills_in_defaults(module: ir.Module) -> None:
    operands = [shape(1, 1, 1, 4), None, shape(4), None]
    op = made(module, "group_norm", operands, shape(1, 1, 1, 4), num_groups=2)
    decoded = decode(OPS["ttir.group_norm"], op)
    assert decoded.name == "ttir.group_norm"
    assert decoded.operands == {
        "input": shape(1, 1, 1, 4),
        "input_mask": None,
        "weight": shape(4),
        "bias": None,
    }
    assert decoded.results == {"result": shape(1, 1, 1, 4)}
    # The default as a float32 holds it, as an attribute in the text would give it.
    assert decoded.attrs == {"num_groups": 2, "epsilon": 9.999999960041972e-13, "channel_dim": 3}


def test_split_operands_gives_values_by_name(module: ir.Module) -> None:
    op = made(module, "concat", [[shape(2), shape(3)]], shape(5), dim=0)
    assert split_operands(OPS["ttir.concat"], op) == {"inputs": tuple(op.operands)}


def test_decoding_is_done_once_for_ops_of_the_same_types_and_attributes(module: ir.Module) -> None:
    first, second = (made(module, "softmax", [shape(2)], shape(2), dimension=0) for _ in range(2))
    other = made(module, "softmax", [shape(2)], shape(2), dimension=-1)
    softmax = OPS["ttir.softmax"]
    assert decode(softmax, first) is decode(softmax, second)
    assert decode(softmax, first) is not decode(softmax, other)


def test_an_op_that_was_right_once_is_looked_at_again_when_it_changes(module: ir.Module) -> None:
    op = made(module, "softmax", [shape(2)], shape(2), dimension=0)
    assert op.verify()
    op.attributes["dimension"] = ir.IntegerAttr.get(ir.IntegerType.get_signed(32), 1)
    with pytest.raises(ir.MLIRError, match=r"`dimension` must be in \[-1, 1\), not 1"):
        op.verify()


def test_verifying_needs_no_entered_context() -> None:
    with make_context(), ir.Location.unknown():
        module = ir.Module.create()
        good = made(module, "abs", [shape(2)], shape(2))
        wrong = made(module, "abs", [shape(2)], shape(3))
    assert good.verify()
    with pytest.raises(ir.MLIRError, match="must be the broadcast shape"):
        wrong.verify()


@pytest.mark.parametrize("name", ["empty", "dropout", "dot_general", "get_dimension_size"])
def test_impure_ops_stay(name: str) -> None:
    assert f"ttir.{name}" not in pure_ops()


def test_all_other_ops_with_results_are_pure() -> None:
    impure = {"empty", "dropout", "dot_general", "get_dimension_size", "update_cache", "fill_cache"}
    assert pure_ops() == OPS.keys() - {f"ttir.{name}" for name in impure}


def pure_ops() -> set[str]:
    from torch_mlir.dialects.ext import Pure

    return {name for name, op in OPS.items() if Pure in op._traits}


def test_the_round_trip_tests_have_every_op() -> None:
    texts = "".join(path.read_text() for path in ROUNDTRIPS.glob("roundtrip-*.mlir"))
    assert [name for name in OPS if f'CHECK: "{name}"(' not in texts] == []
