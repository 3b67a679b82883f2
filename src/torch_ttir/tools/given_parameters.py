"""The weights of an MLIR module, from a file beside it."""

from __future__ import annotations

from torch_mlir import ir
from torch_mlir.dialects import func

from torch_ttir.ir.constants import NUMPY_DTYPES
from torch_ttir.ir.context import Context
from torch_ttir.ir.diagnostics import CompileError, Diagnostic
from torch_ttir.ir.parameter_files import read_parameters
from torch_ttir.ir.types import TensorInfo, signless, tensor_info, torch_tensor_info
from torch_ttir.passes.weights import argument_names

_SPELLED = {dtype: signless(spelled) for spelled, dtype in NUMPY_DTYPES.items()}


def give_parameters(path: str, module: ir.Module, context: Context) -> None:
    """Let the weights and state of a module have the values in a `.safetensors` file, uncopied.

    Raises `CompileError` for a file that is not one, and where it has a weight of another type
    than the program. Weights that it lacks have no values, as without a file.
    """
    arrays = read_parameters(path)
    faults: list[Diagnostic] = []
    for function in module.body.operations:
        if not isinstance(function, func.FuncOp) or function.is_external:
            continue
        # State too, which is no weight: the file has what it is before the first call.
        for name, type_ in zip(argument_names(function), function.type.inputs, strict=True):
            if name not in arrays:
                continue
            wanted = tensor_info(type_) or torch_tensor_info(type_)
            found = TensorInfo(arrays[name].shape, _SPELLED[arrays[name].dtype])
            if wanted is None or found != TensorInfo(wanted.shape, signless(wanted.dtype)):
                message = f"`{name}` is {found} here and {wanted or type_} in the program"
                faults.append(Diagnostic(message, path))
            else:
                context.parameters[name] = arrays[name]
    if faults:
        raise CompileError(faults)
