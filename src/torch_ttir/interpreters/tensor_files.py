"""Named tensors as files: `.npz` and `.safetensors`."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np
import torch

from torch_ttir.interpreters.dtypes import MLIR_DTYPES, to_numpy, to_torch
from torch_ttir.ir.diagnostics import error
from torch_ttir.ir.parameter_files import read_parameters, write_parameters

SUFFIXES = (".npz", ".safetensors")


def read_tensors(path: str) -> dict[str, torch.Tensor]:
    """Return the tensors of a file by name, in the file's order; raises `CompileError`."""
    _check_suffix(path)
    arrays = _read_npz(path) if path.endswith(".npz") else read_parameters(path, private=True)
    return {name: _tensor(path, name, array) for name, array in arrays.items()}


def write_tensors(tensors: Mapping[str, torch.Tensor], path: str, file: BinaryIO) -> None:
    """Write tensors to an open file, in the format of `path`'s suffix; raises `CompileError`."""
    _check_suffix(path)
    if path.endswith(".safetensors"):
        write_parameters({name: to_numpy(tensor) for name, tensor in tensors.items()}, file)
        return
    for name, tensor in tensors.items():
        if to_numpy(tensor).dtype.type.__module__.startswith("ml_dtypes"):
            raise error(
                f"`{name}` is of {MLIR_DTYPES[tensor.dtype]}, which .npz has no type for: write "
                f"a .safetensors file",
                path,
            )
    arrays: dict[str, Any] = {name: to_numpy(tensor) for name, tensor in tensors.items()}
    np.savez(file, **arrays)


def _check_suffix(path: str) -> None:
    if not path.endswith(SUFFIXES):
        raise error("the name must end in .npz or .safetensors", path)


def _read_npz(path: str) -> dict[str, np.ndarray[Any, Any]]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except OSError as reason:
        raise error(f"cannot read: {(reason.strerror or str(reason)).lower()}", path) from None
    except ValueError:
        raise error("not a .npz file, or one with Python objects instead of arrays", path) from None
    except (EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as reason:
        raise error(f"not a complete .npz file: {reason}", path) from None


def _tensor(path: str, name: str, array: np.ndarray[Any, Any]) -> torch.Tensor:
    if array.dtype.kind == "V" and array.dtype.itemsize == 2 and array.dtype.names is None:
        # numpy writes bf16 as bytes without a type.
        array = array.view(ml_dtypes.bfloat16)
    try:
        return to_torch(array.astype(array.dtype.newbyteorder("="), copy=False))
    except TypeError:
        raise error(f"`{name}` is of numpy dtype `{array.dtype}`, not numbers", path) from None
