"""The dtype that a functional twin returns, before the destination's wins: PyTorch's promotion."""

from __future__ import annotations

from collections.abc import Iterable

from torch_mlir import ir

from torch_ttir.ir.types import TensorInfo, is_float, signless, torch_tensor_info
from torch_ttir.passes.functionalize.aliases import Refused
from torch_ttir.passes.legalize.builder import Tensor
from torch_ttir.passes.legalize.lowering import promoted_dtype


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COMPARISONS = _names(
    """
    eq ge greater greater_equal gt le less less_equal logical_and logical_not logical_or
    logical_xor lt ne not_equal
    """
)
"""Ops that return booleans."""

_PROMOTING = _names(
    """
    __and__ __lshift__ __or__ __rshift__ __xor__ _add_relu add addcdiv addcmul arctan2 atan2
    bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor clamp clamp_max
    clamp_min clip copysign div divide float_power floor_divide fmod gcd heaviside hypot igamma
    igammac lcm ldexp mul multiply nextafter pow remainder sub subtract true_divide xlogy
    """
)
"""Ops that compute in the common dtype of their operands."""

_TO_FLOAT = _names(
    """
    acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh
    copysign cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 float_power i0 igamma igammac
    ldexp lgamma log log10 log1p log2 logit mvlgamma polygamma rad2deg reciprocal rsqrt sigmoid sin
    sinc sinh sqrt tan tanh true_divide xlogy
    """
)
"""Ops that return floats for integers; so does `div` without a rounding mode."""

_POINTWISE = _names(
    """
    fmax fmin lerp logaddexp logaddexp2 masked_fill max maximum min minimum logit_backward
    sigmoid_backward silu_backward tanh_backward copy
    abs bitwise_not ceil celu elu floor frac hardsigmoid hardtanh isneginf isposinf leaky_relu
    nan_to_num neg relu round selu sgn sign signbit silu square trunc
    """
)
"""More ops that compute each element from the operands' elements of the same position."""

_NAMES = {
    "bf16": "BFloat16",
    "f16": "Half",
    "f32": "Float",
    "f64": "Double",
    "i1": "Bool",
    "si16": "Short",
    "si32": "Int",
    "si64": "Long",
    "si8": "Char",
    "ui8": "Byte",
}


def computed_dtype(name: str, operands: Iterable[ir.Value], destination: str) -> str:
    """Return the dtype in which `aten.<name>` returns what is written to a `destination` dtype.

    Raises `Refused` where PyTorch does not cast the one to the other. Dtypes are Torch's spelling.
    """
    base, _, overload = name.removeprefix("aten.").partition(".")
    if base in _COMPARISONS:
        return "i1"
    if base not in _PROMOTING and base not in _TO_FLOAT:
        return destination
    common = torch_spelling(promoted_dtype(_operands(base, operands)))
    divides = base in ("div", "divide") and not overload.endswith("_mode")
    if base == "float_power":
        common = "f64"
    elif (base in _TO_FLOAT or divides) and not is_float(common):
        common = "f32"
    check_castable(common, destination)
    return common


def is_pointwise(name: str) -> bool:
    """Say whether each element of the result depends on the same element of the operands alone."""
    base = name.removeprefix("aten.").partition(".")[0]
    return base in _COMPARISONS or base in _PROMOTING or base in _TO_FLOAT or base in _POINTWISE


def check_castable(dtype: str, destination: str) -> None:
    """Refuse to write floats to integers or numbers to booleans, as PyTorch's arithmetic does."""
    if _category(dtype) > _category(destination):
        raise Refused(
            f"result type {_NAMES.get(dtype, dtype)} can't be cast to the desired output type "
            f"{_NAMES.get(destination, destination)}"
        )


def torch_spelling(dtype: str) -> str:
    """Return how Torch spells a TTIR element type: `i64` is `si64`; `i1` and all others stay."""
    return f"s{dtype}" if dtype.startswith("i") and dtype != "i1" else dtype


def _operands(base: str, operands: Iterable[ir.Value]) -> list[Tensor | float | bool]:
    """Return tensors, and numbers of the right kind, in the form that promotion is asked with."""
    found: list[Tensor | float | bool] = []
    tensors = 0
    for operand in operands:
        info = torch_tensor_info(operand.type)
        if info is not None:
            number = number_behind(operand)
            found.append(_tensor(operand, info) if number is None else _number(number))
            tensors += 1
        elif tensors < 2 and base not in ("addcdiv", "addcmul", "logit"):
            # Numbers after two tensors are factors like `alpha`, which do not promote.
            number = _number_type(operand)
            found += [] if number is None else [number]
    return found


def number_behind(value: ir.Value) -> ir.Value | None:
    """Return the number that a tensor was made of by `torch.prim.NumToTensor.Scalar`, if any."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "torch.prim.NumToTensor.Scalar":
        return None
    return owner.operands[0]


def _tensor(value: ir.Value, info: TensorInfo) -> Tensor:
    return Tensor(value, info.shape, signless(info.dtype))


def _number(value: ir.Value) -> float | bool:
    number = _number_type(value)
    return 0 if number is None else number


def _number_type(value: ir.Value) -> float | bool | None:
    return {"!torch.int": 0, "!torch.float": 0.0, "!torch.bool": False}.get(str(value.type))


def _category(dtype: str) -> int:
    return 0 if dtype == "i1" else 2 if is_float(dtype) else 1
