"""Quantized tensors, which PyTorch cannot trace, as the integers that they are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from torch_ttir.importers.tracing.call_mode import CallMode

_QUANTIZED = {
    torch.int8: torch.qint8,
    torch.uint8: torch.quint8,
    torch.int32: torch.qint32,
}
_INTEGERS = {quantized: integers for integers, quantized in _QUANTIZED.items()}
_PYTORCHS = ("torch", "torch._ops.aten")
"""Where functions are from: other libraries' operators may have the same names."""
_MOVES = frozenset(
    [
        "__getitem__",
        "chunk",
        "clone",
        "contiguous",
        "detach",
        "expand",
        "flatten",
        "index_select",
        "movedim",
        "narrow",
        "permute",
        "repeat",
        "reshape",
        "select",
        "split",
        "squeeze",
        "swapaxes",
        "t",
        "transpose",
        "unflatten",
        "unsqueeze",
        "view",
    ]
)
"""Functions that move numbers about, whatever they are."""
_ELEMENTWISE = frozenset({"clone", "contiguous", "detach"})
_LAYOUT = frozenset(
    [
        "__len__",
        "device",
        "dim",
        "grad_fn",
        "is_contiguous",
        "layout",
        "ndim",
        "numel",
        "requires_grad",
        "shape",
        "size",
        "stride",
    ]
)
"""Functions that ask only how a tensor lies in memory."""


class QuantizedTensor(torch.Tensor):
    """A quantized tensor while a program is traced: what is done with it is done on integers."""

    integers: torch.Tensor
    scale: Any
    zero_point: Any
    axis: int | None

    @staticmethod
    def __new__(
        cls, integers: torch.Tensor, scale: Any, zero_point: Any, axis: int | None = None
    ) -> QuantizedTensor:
        """Stand for `scale * (integers - zero_point)`, with one of each along `axis` if given."""
        made: QuantizedTensor = torch.Tensor._make_wrapper_subclass(
            cls, integers.shape, strides=integers.stride(), dtype=integers.dtype
        )
        made.integers, made.axis = integers, axis
        made.scale, made.zero_point = scale, zero_point
        return made

    def with_integers(self, integers: torch.Tensor) -> QuantizedTensor:
        """Return other integers of the same scale."""
        return QuantizedTensor(integers, self.scale, self.zero_point, self.axis)

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Do what `func` does to quantized tensors, or raise `NotImplementedError`."""
        name, kwargs = _name(func), kwargs or {}
        self = args[0] if args and isinstance(args[0], QuantizedTensor) else None
        if name in _LAYOUT:
            with torch._C.DisableTorchFunctionSubclass():
                return func(*args, **kwargs)
        if self is not None:
            if name in _MOVES and (self.axis is None or name in _ELEMENTWISE):
                moved = func(self.integers, *args[1:], **kwargs)
                return pytree.tree_map_only(torch.Tensor, self.with_integers, moved)
            if name in _OF_QUANTIZED:
                return _OF_QUANTIZED[name](self, *args[1:], **kwargs)
        raise NotImplementedError(
            f"`{name}` of quantized tensors is not supported: compute on what `dequantize` returns,"
            " and return that"
        )

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Refuse an operator that was called past `__torch_function__`."""
        raise NotImplementedError(f"`{func}` of quantized tensors is not supported")


class QuantizedTensors(CallMode):
    """Have PyTorch trace programs with quantized tensors."""

    def call(self, func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Call `func`, or make a `QuantizedTensor` in its stead."""
        make = _MAKERS.get(_name(func)) if getattr(func, "__module__", "") in _PYTORCHS else None
        return (func if make is None else make)(*args, **kwargs)


def _name(func: Any) -> str:
    """Return what a function, method, property or operator is called."""
    name: str = getattr(func, "__name__", "")
    if name in ("__get__", "__set__"):
        name = func.__self__.__name__
    return name.split(".")[0]


def _decomposed() -> Any:
    # Defines the operators; not everyone needs them, and the import takes its time.
    import torch.ao.quantization.fx._decomposed

    return torch.ops.quantized_decomposed


def _range(integers: torch.dtype) -> tuple[int, int, torch.dtype]:
    info = torch.iinfo(integers)
    return info.min, info.max, integers


def _of_tensor(integers: torch.Tensor, scale: float, zero_point: int) -> QuantizedTensor:
    return QuantizedTensor(integers, scale, zero_point)


def _of_channels(
    integers: torch.Tensor, scale: torch.Tensor, zero_point: torch.Tensor, axis: int
) -> QuantizedTensor:
    # The operators that stand for it subtract in the dtype that they get.
    return QuantizedTensor(integers, scale, zero_point.long(), axis)


def _quantize(
    input: torch.Tensor, scale: Any, zero_point: Any, dtype: torch.dtype
) -> QuantizedTensor:
    quantize = _decomposed().quantize_per_tensor
    called = quantize.tensor if isinstance(scale, torch.Tensor) else quantize.default
    integers = called(input, scale, zero_point, *_range(_integers(dtype)))
    return QuantizedTensor(integers, scale, zero_point)


def _quantize_channels(
    input: torch.Tensor,
    scales: torch.Tensor,
    zero_points: torch.Tensor,
    axis: int,
    dtype: torch.dtype,
) -> QuantizedTensor:
    call = _decomposed().quantize_per_channel.default
    integers = call(input, scales, zero_points, axis, *_range(_integers(dtype)))
    return QuantizedTensor(integers, scales, zero_points, axis)


def _integers(dtype: torch.dtype) -> torch.dtype:
    if dtype not in _INTEGERS:
        raise NotImplementedError(f"quantized tensors of {dtype} are not supported")
    return _INTEGERS[dtype]


def _dequantize(x: QuantizedTensor) -> torch.Tensor:
    bounds = _range(x.integers.dtype)
    if x.axis is not None:
        call = _decomposed().dequantize_per_channel.default
        made: torch.Tensor = call(x.integers, x.scale, x.zero_point, x.axis, *bounds)
        return made
    dequantize = _decomposed().dequantize_per_tensor
    call = dequantize.tensor if isinstance(x.scale, torch.Tensor) else dequantize.default
    made = call(x.integers, x.scale, x.zero_point, *bounds)
    return made


def _relu(x: QuantizedTensor, inplace: bool = False) -> QuantizedTensor:
    if x.axis is not None:
        raise NotImplementedError("`relu` of tensors quantized by channel is not supported")
    if inplace:
        x.integers.clamp_min_(x.zero_point)
        return x
    return x.with_integers(x.integers.clamp_min(x.zero_point))


def _sigmoid(x: QuantizedTensor) -> QuantizedTensor:
    least = torch.iinfo(x.integers.dtype).min
    return _quantize(torch.sigmoid(_dequantize(x)), 1 / 256, least, _QUANTIZED[x.integers.dtype])


def _tanh(x: QuantizedTensor) -> QuantizedTensor:
    middle = torch.iinfo(x.integers.dtype).min + 128
    return _quantize(torch.tanh(_dequantize(x)), 2 / 256, middle, _QUANTIZED[x.integers.dtype])


_MAKERS: dict[str, Callable[..., QuantizedTensor]] = {
    "_make_per_tensor_quantized_tensor": _of_tensor,
    "_make_per_channel_quantized_tensor": _of_channels,
    "quantize_per_tensor": _quantize,
    "quantize_per_channel": _quantize_channels,
}

_OF_QUANTIZED: dict[str, Callable[..., Any]] = {
    "dequantize": _dequantize,
    "dtype": lambda x: _QUANTIZED[x.integers.dtype],
    "int_repr": lambda x: x.integers,
    "is_quantized": lambda x: True,
    "q_per_channel_axis": lambda x: x.axis,
    "q_per_channel_scales": lambda x: x.scale,
    "q_per_channel_zero_points": lambda x: x.zero_point,
    "q_scale": lambda x: x.scale,
    "q_zero_point": lambda x: x.zero_point,
    "relu": _relu,
    "relu_": lambda x: _relu(x, inplace=True),
    "sigmoid": _sigmoid,
    "tanh": _tanh,
}
