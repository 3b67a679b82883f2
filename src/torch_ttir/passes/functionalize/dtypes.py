"""The dtype that a functional twin returns, before the destination's wins: PyTorch's promotion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from torch_mlir import ir

from torch_ttir.ir.context import current
from torch_ttir.ir.types import is_float, signless, torch_tensor_info
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

_PROMOTING_NUMBERS = {"clamp": 3, "clip": 3, "logit": 1}
"""How many operands promote, where it is not two."""

_Operand = Tensor | float | bool
_NUMBERS: dict[str, float | bool] = {"!torch.int": 0, "!torch.float": 0.0, "!torch.bool": False}

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


def computed_dtype(name: str, operands: Sequence[ir.Value], destination: str) -> str:
    """Return the dtype in which `aten.<name>` returns what is written to a `destination` dtype.

    Raises `Refused` where PyTorch does not cast the one to the other. Dtypes are Torch's spelling.
    """
    base, _, overload = name.removeprefix("aten.").partition(".")
    if base in _COMPARISONS:
        return "i1"
    if base == "square" and destination == "i1":
        check_castable("si64", destination)
    if base not in _PROMOTING and base not in _TO_FLOAT:
        return destination
    known = current().cache
    key = ("computed-dtype", name, destination, *(operand.type for operand in operands))
    if key in known:
        return known[key]  # type: ignore[no-any-return]
    found = _operands(base, operands)
    common = torch_spelling(promoted_dtype([value for value, _ in found]))
    allowed = torch_spelling(promoted_dtype([own for _, own in found]))
    divides = base in ("div", "divide") and not overload.endswith("_mode")
    if base == "float_power":
        common = allowed = "f64"
    elif (base in _TO_FLOAT or divides) and not is_float(common):
        common = allowed = "f32"
    check_castable(allowed, destination)
    infos = [torch_tensor_info(operand.type) for operand in operands]
    if destination != "i1" and all(info is None or info.shape for info in infos):
        # Else it takes the op that made a number or a 0-d tensor to tell how that promotes.
        known[key] = common
    return common


@cache
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


def _operands(base: str, operands: Sequence[ir.Value]) -> list[tuple[_Operand, _Operand]]:
    """Return tensors and numbers as promotion takes them: as the IR has them, and as PyTorch has.

    They differ for a boolean in the place of a number: the Torch dialect makes an int of it.
    """
    found: list[tuple[_Operand, _Operand]] = []
    for operand in operands:
        info = torch_tensor_info(operand.type)
        number = operand if info is None else number_behind(operand)
        if info is not None and number is None:
            tensor = Tensor(operand, info.shape, signless(info.dtype))
            found.append((tensor, tensor))
        elif info is not None or len(found) < _PROMOTING_NUMBERS.get(base, 2):
            # Numbers after that are factors like `alpha`, which do not promote.
            kind = _NUMBERS.get(str(number.type))  # type: ignore[union-attr]
            found += [] if kind is None else [(kind, False if _is_boolean(number) else kind)]
    return found


def number_behind(value: ir.Value) -> ir.Value | None:
    """Return the number that a tensor was made of by `torch.prim.NumToTensor.Scalar`, if any."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "torch.prim.NumToTensor.Scalar":
        return None
    return owner.operands[0]


def _is_boolean(number: ir.Value) -> bool:
    owner = number.owner
    return not isinstance(owner, ir.Block) and owner.name == "torch.aten.Int.bool"


def _category(dtype: str) -> int:
    return 0 if dtype == "i1" else 2 if is_float(dtype) else 1
