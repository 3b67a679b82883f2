"""Parameters as `.safetensors`: every element type, shapes at the edge, damaged files."""

import io
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from torch_ttir.ir.diagnostics import CompileError
from torch_ttir.ir.parameter_files import DTYPES, read_parameters, write_parameters

TENSORS = {
    "transposed": torch.arange(12.0).reshape(3, 4).t(),
    "bf16": torch.tensor([1.5, -0.0, torch.inf]).to(torch.bfloat16),
    "f16": torch.ones(2, 2, dtype=torch.float16),
    "f64": torch.tensor(2.5, dtype=torch.float64),
    "f8": torch.tensor([1.0, -2.0]).to(torch.float8_e4m3fn),
    "bool": torch.tensor(True),
    "empty": torch.empty(0, 3, dtype=torch.int64),
    "i8": torch.arange(-3, 3, dtype=torch.int8).reshape(2, 3),
    "u16": torch.tensor([65535], dtype=torch.uint16),
    "parameter": torch.nn.Parameter(torch.ones(2)),
}


def write(parameters: dict[str, Any], path: Path) -> None:
    with path.open("wb") as file:
        write_parameters(parameters, file)


def test_safetensors_reads_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    write(TENSORS, path)
    for name, tensor in load_file(path).items():
        expected = TENSORS[name].detach()
        assert tensor.dtype == expected.dtype
        assert torch.equal(tensor.contiguous(), expected.contiguous())
    assert set(load_file(path)) == set(TENSORS)


def test_what_safetensors_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    save_file({name: tensor.detach().contiguous() for name, tensor in TENSORS.items()}, path)
    arrays = read_parameters(path)
    assert set(arrays) == set(TENSORS)
    for name, tensor in TENSORS.items():
        assert arrays[name].shape == tuple(tensor.shape)
        np.testing.assert_array_equal(
            arrays[name].astype(np.float64), tensor.detach().to(torch.float64).numpy()
        )


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=list(DTYPES))
def test_every_element_type_comes_back(tmp_path: Path, dtype: np.dtype[Any]) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    write({"x": array}, tmp_path / "x")
    found = read_parameters(tmp_path / "x")["x"]
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, array)


def test_the_memory_of_the_arrays_is_written_as_it_is() -> None:
    class Sink(io.RawIOBase):
        def __init__(self) -> None:
            self.pieces: list[Any] = []

        def write(self, data: Any) -> int:
            self.pieces.append(data)
            return len(data)

    array = np.zeros(1000, dtype=ml_dtypes.bfloat16)
    sink = Sink()
    write_parameters({"x": array}, sink)
    assert np.shares_memory(np.frombuffer(sink.pieces[1], np.uint8), array.view(np.uint8))


def test_all_that_cannot_be_written_is_named() -> None:
    parameters = {
        "complex": torch.ones(2, dtype=torch.complex64),
        "fine": torch.ones(2),
        "meta": torch.empty(2, device="meta"),
    }
    with pytest.raises(CompileError) as caught:
        write_parameters(parameters, io.BytesIO())
    assert str(caught.value).splitlines() == [
        "error: parameter `complex` cannot be written: `complex64` is not in the format",
        "error: parameter `meta` cannot be written: its data is on device `meta`",
    ]


@pytest.mark.parametrize("size", [0, 4, 12, 200])
def test_a_damaged_file_is_one_error(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x.safetensors"
    write(TENSORS, path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(CompileError) as caught:
        read_parameters(path)
    assert str(caught.value).startswith(f"{path}: error: ")
    assert str(caught.value).count("\n") == 0
