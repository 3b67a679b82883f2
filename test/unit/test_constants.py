"""Dense attributes give back the values that they were made of, in every element type."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.ir.constants import NUMPY_DTYPES, elements_attribute, read_elements
from torch_ttir.ir.types import tensor_type

ARRAYS = {
    "some": np.array([[1.5, 2.0, 0.0], [0.25, 3.0, 1.0]]),
    "printed-as-hex": np.arange(300).reshape(3, 100) % 2 + 0.5,
    "splat": np.full((2, 3), 2.5),
    "no-elements": np.zeros((0, 3)),
    "0-d": np.array(0.1),
    "one-element": np.array([[7.0]]),
}


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
@pytest.mark.parametrize("dtype", ["f64", "f32", "f16", "bf16", "f8E5M2", "i1", "i64", "ui8"])
def test_values_come_back(dtype: str, array: np.ndarray) -> None:
    wanted = array.astype(NUMPY_DTYPES[dtype])
    with make_context():
        found = read_elements(elements_attribute(wanted, tensor_type(array.shape, dtype)))
    assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype)
    np.testing.assert_array_equal(found.astype(np.float64), wanted.astype(np.float64))


def test_bfloat16_without_a_decimal_spelling() -> None:
    wanted = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-40, 3.3e38], dtype=ml_dtypes.bfloat16)
    with make_context():
        found = read_elements(elements_attribute(wanted, tensor_type((6,), "bf16")))
    np.testing.assert_array_equal(found.astype(np.float64), wanted.astype(np.float64))
    assert np.signbit(found[3])


def test_a_resource_holds_no_values() -> None:
    with make_context():
        attr = ir.Attribute.parse("dense_resource<weights> : tensor<2xf32>")
        with pytest.raises(TypeError, match="holds no values"):
            read_elements(attr)
