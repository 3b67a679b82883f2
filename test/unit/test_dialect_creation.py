"""The verifiers of TTIR's creation ops: what is right, and every message."""

from __future__ import annotations

from collections.abc import Callable

import pytest

# The op, its types, its attributes, and what the verifier says.
CASES = [
    ("full", "-> 2x3xf32", "shape = array<i32: 2, 3>, fill_value = 0.5 : f32", ""),
    ("full", "-> i32", "shape = array<i32>, fill_value = 1 : i32", ""),
    (
        "full",
        "-> 2x3xf32",
        "shape = array<i32: 3, 2>, fill_value = 0.5 : f32",
        "shape of `result` must be [3, 2], not [2, 3]",
    ),
    (
        "full",
        "-> 2x3xf32",
        "shape = array<i32: 2, 3>",
        "requires attribute `fill_value` (f32 or i32)",
    ),
    (
        "full",
        "-> 2x3xf32",
        "shape = array<i32: 2, 3>, fill_value = 0.5 : f64",
        "attribute `fill_value` must be f32 or i32, not 5.000000e-01 : f64",
    ),
    (
        "full",
        "-> 2x3xf32",
        "shape = array<i64: 2, 3>, fill_value = 0.5 : f32",
        "attribute `shape` must be array<i32: ...>, not array<i64: 2, 3>",
    ),
    ("zeros", "-> 2x3xf32", "shape = array<i32: 2, 3>", ""),
    ("zeros", "-> f32", "shape = array<i32>", ""),
    ("zeros", "-> 2x3xf32", "shape = array<i32: 6>", "shape of `result` must be [6], not [2, 3]"),
    ("ones", "-> 2x3xbf16", "shape = array<i32: 2, 3>", ""),
    (
        "ones",
        "-> 2x3xf32",
        "shape = array<i32: 2, 4>",
        "shape of `result` must be [2, 4], not [2, 3]",
    ),
    (
        "ones",
        "-> 2x3xf32",
        "shape = [2 : i32, 3 : i32]",
        "attribute `shape` must be array<i32: ...>, not [2 : i32, 3 : i32]",
    ),
    ("constant", "-> 2xf32", "value = dense<[1.0, 2.0]> : tensor<2xf32>", ""),
    ("constant", "-> 2xi1", "value = dense<[true, false]> : tensor<2xi1>", ""),
    ("constant", "-> f32", "value = dense<1.0> : tensor<f32>", ""),
    ("constant", "-> 2xf32", "value = dense_resource<blob> : tensor<2xf32>", ""),
    (
        "constant",
        "-> 3xf32",
        "value = dense<[1.0, 2.0]> : tensor<2xf32>",
        "type of `result` must be `tensor<2xf32>`, not `tensor<3xf32>`",
    ),
    (
        "constant",
        "-> 2xi32",
        "value = dense<[1.0, 2.0]> : tensor<2xf32>",
        "type of `result` must be `tensor<2xf32>`, not `tensor<2xi32>`",
    ),
    (
        "constant",
        "-> 2xindex",
        "value = dense<1> : tensor<2xindex>",
        "`value` cannot hold elements of type index",
    ),
    (
        "constant",
        "-> 2xcomplex<f32>",
        "value = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>",
        "has an attribute of a kind that no TTIR op takes: Can't cast unknown element type"
        " DenseTypedElementsAttr (Attribute(dense<(1.000000e+00,2.000000e+00)> :"
        " tensor<2xcomplex<f32>>))",
    ),
    (
        "constant",
        "-> 2xf32",
        "value = dense<1.0> : vector<2xf32>",
        "`value` must be of a static tensor type, not vector<2xf32>",
    ),
    (
        "constant",
        "-> 4xf32",
        "value = sparse<[[0]], [1.0]> : tensor<4xf32>",
        "attribute `value` must be elements, not sparse<0, 1.000000e+00> : tensor<4xf32>",
    ),
    (
        "constant",
        "-> 2xf32",
        "value = 1.0 : f32",
        "attribute `value` must be elements, not 1.000000e+00 : f32",
    ),
    (
        "arange",
        "-> 2x3xi32",
        "start = 1 : si64, end = 13 : si64, step = 4 : si64, arange_dimension = 1 : i64",
        "",
    ),
    (
        "arange",
        "-> 3xf32",
        "start = 3 : si64, end = 0 : si64, step = -1 : si64, arange_dimension = 0 : i64",
        "",
    ),
    (
        "arange",
        "-> 3xi32",
        "start = 0 : si64, end = 5 : si64, step = 2 : si64, arange_dimension = 0 : i64",
        "`start` = 0, `end` = 5, `step` = 2 give 2 elements (a rest is dropped),"
        " but the result has 3 in dimension 0",
    ),
    (
        "arange",
        "-> 0xi32",
        "start = 0 : si64, end = 0 : si64, step = 1 : si64, arange_dimension = 0 : i64",
        "must have at least 1 element: `start` = 0, `end` = 0, `step` = 1",
    ),
    (
        "arange",
        "-> 3xi32",
        "start = 0 : si64, end = 3 : si64, step = -1 : si64, arange_dimension = 0 : i64",
        "must have at least 1 element: `start` = 0, `end` = 3, `step` = -1",
    ),
    (
        "arange",
        "-> 3xi32",
        "start = 0 : si64, end = 3 : si64, step = 0 : si64, arange_dimension = 0 : i64",
        "`step` must not be 0",
    ),
    (
        "arange",
        "-> 3xi32",
        "start = 0 : si64, end = 3 : si64, step = 1 : si64, arange_dimension = 1 : i64",
        "`arange_dimension` must be in [0, 1), not 1",
    ),
    (
        "arange",
        "-> 3xi32",
        "start = 0 : si64, end = 3 : si64, step = 1 : si64, arange_dimension = -1 : i64",
        "`arange_dimension` must be in [0, 1), not -1",
    ),
    (
        "arange",
        "-> 3xi32",
        "start = 0 : i64, end = 3 : si64, step = 1 : si64, arange_dimension = 0 : i64",
        "attribute `start` must be si64, not 0 : i64",
    ),
    ("empty", "-> 2x3xf32", "", ""),
    ("empty", "2xf32 -> 2x3xf32", "", "takes 0 operands, not 1"),
]


@pytest.mark.parametrize(
    ("op", "types", "attributes", "message"),
    CASES,
    ids=[f"{case[0]}-{number}" for number, case in enumerate(CASES)],
)
def test_the_verifier(
    verify_op: Callable[[str, str, str], str], op: str, types: str, attributes: str, message: str
) -> None:
    assert verify_op(op, types, attributes) == message
