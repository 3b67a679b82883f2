"""Programs with complex numbers, which TTIR does not have, as programs of real numbers.

A complex tensor of shape S is a real one of shape S + [2], as `torch.view_as_real` shows it. What
an op does to real and imaginary parts is PyTorch's own knowledge (`ComplexTensor`); Fourier
transforms, which it lacks, are products with matrices of sines and cosines.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
import torch.fx
from torch._guards import detect_fake_mode
from torch._ops import OpOverload
from torch.export import ExportedProgram
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

from torch_ttir.importers.checks import CHECKS
from torch_ttir.importers.fourier import c2c, c2r, r2c
from torch_ttir.importers.quiet import quiet_torch

aten = torch.ops.aten
# What PyTorch raises for ops that `ComplexTensor` does not know, and for arguments it does not.
_DOES_NOT_TAKE = (AssertionError, NotImplementedError, RuntimeError, TypeError, ValueError)
RealGraph = tuple[torch.fx.Graph, dict[torch.fx.Node, torch.fx.Node], list[Any]]


def has_complex_numbers(graph: torch.fx.Graph) -> bool:
    """Say whether any value of a graph is complex."""
    values = (node.meta.get("val") for node in graph.nodes)
    return any(
        isinstance(leaf, torch.Tensor) and leaf.is_complex()
        for value in values
        for leaf in pytree.tree_leaves(value)
    )


def as_real_graph(program: ExportedProgram) -> RealGraph | None:
    """Return a graph of real numbers that does what the program, which writes nothing, does.

    With it, its placeholder of each placeholder, and its results; those of complex ones have
    `complex` in their `meta`. None where PyTorch has no definition of an op in real numbers.
    """
    module = program.graph_module
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    inputs = [node for node in placeholders if isinstance(node.meta["val"], torch.Tensor)]
    others = {node: node.meta["val"] for node in placeholders if node not in inputs}
    mode = detect_fake_mode([node.meta["val"] for node in inputs])
    if mode is None:
        return None

    def run(*reals: torch.Tensor) -> list[Any]:
        values = dict(others)
        for node, real in zip(inputs, reals, strict=True):
            values[node] = _joined(real) if node.meta["val"].is_complex() else real
        with torch.fx.traceback.preserve_node_meta():
            results = _Checked(module).run(*(values[node] for node in placeholders))
        return [_interleaved(result) for result in results]

    def by_parts(*reals: torch.Tensor) -> list[Any]:
        with _ByParts():  # type: ignore[no-untyped-call]
            return run(*reals)

    with quiet_torch(), mode, torch.no_grad():
        fakes = [_real_like(node.meta["val"]) for node in inputs]
        try:
            graph = make_fx(by_parts)(*fakes).graph
        except _DOES_NOT_TAKE:
            return None
    graph.eliminate_dead_code()
    made = [node for node in graph.nodes if node.op == "placeholder"]
    results: Any = graph.output_node().args[0]
    originals: Any = module.graph.output_node().args[0]
    for old, new in zip(originals, results, strict=True):
        if isinstance(old, torch.fx.Node) and _is_complex(old.meta.get("val")):
            new.meta["complex"] = True
    return graph, dict(zip(inputs, made, strict=True)), results


class _Checked(torch.fx.Interpreter):
    """Runs a graph again, and raises `NotImplementedError` where a value is not as it was."""

    def run_node(self, node: torch.fx.Node) -> Any:
        """Run one node."""
        if node.target in CHECKS:
            # Of dtypes and layouts that the program does not have.
            return None
        found, traced = super().run_node(node), node.meta.get("val")
        if isinstance(traced, torch.Tensor):
            wanted = (tuple(traced.shape), traced.dtype)
            if (tuple(found.shape), found.dtype) != wanted:
                raise NotImplementedError(f"`{node.target}` of complex numbers")
        return found


class _ByParts(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Has ops on complex numbers done on real and imaginary parts, in a `ComplexTensor`."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Call an op, or its definition by real and imaginary parts."""
        kwargs = kwargs or {}
        leaves = pytree.tree_leaves((args, kwargs))
        if func in _DEFINITIONS:
            with self:
                found = _DEFINITIONS[func](*args, **kwargs)
            if found is not NotImplemented:
                return found
        if not any(map(_is_complex, leaves)):
            made = func(*args, **kwargs)
            if not any(map(_is_plain, pytree.tree_leaves(made))):
                return made
        # Of real numbers, it makes complex ones: of those with an imaginary part of zero.
        split = _lifted if any(map(_is_complex, leaves)) else _as_complex
        with self:
            args, kwargs = pytree.tree_map_only(torch.Tensor, split, (args, kwargs))
            return _definition(func, args, kwargs)(*args, **kwargs)


def _definition(op: Any, args: Any, kwargs: Any) -> Callable[..., Any]:
    from torch._subclasses.complex_tensor._ops.common import lookup_complex

    is_split = any(_is_complex(leaf) for leaf in pytree.tree_leaves((args, kwargs)))
    found = lookup_complex(op, *args, **kwargs) if is_split else None
    if found is None:
        raise NotImplementedError(f"`{op}` of complex numbers")
    return found


def _lifted(x: torch.Tensor) -> torch.Tensor:
    """Return a constant of the graph, which has no place in it yet, in parts."""
    if not _is_plain(x):
        return x
    with _disable_current_modes():
        real = torch.view_as_real(x.resolve_conj())
    return _joined(aten.lift_fresh_copy(real))


def _complex(real: torch.Tensor, imaginary: torch.Tensor) -> torch.Tensor:
    # Not everyone needs it, and the import takes its time.
    from torch._subclasses.complex_tensor import ComplexTensor

    return ComplexTensor(real, imaginary)


def _parts(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return (x.real, x.imag) if x.is_complex() else (x, torch.zeros_like(x))


def _joined(real: torch.Tensor) -> torch.Tensor:
    return _complex(real.select(-1, 0), real.select(-1, 1))


def _interleaved(value: Any) -> Any:
    return torch.stack(_parts(value), -1) if _is_complex(value) else value


def _as_complex(x: torch.Tensor) -> torch.Tensor:
    if x.is_complex():
        return x
    return _complex(*_parts(x if x.is_floating_point() else x.to(torch.get_default_dtype())))


def _is_complex(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_complex()


def _is_plain(value: Any) -> bool:
    """Say whether a value is a complex tensor that is not in parts."""
    return _is_complex(value) and not hasattr(value, "_re")


def _real_like(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.is_complex():
        return torch.view_as_real(torch.empty(tensor.shape, dtype=tensor.dtype))
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype)


def _norm(x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
    return aten.norm(x.abs(), *args, **kwargs) if x.is_complex() else NotImplemented


def _by_part(op: OpOverload) -> Callable[..., Any]:
    """Return the definition of an op that only moves numbers: it does so with both parts."""

    def made(*args: Any, **kwargs: Any) -> Any:
        if not any(map(_is_complex, args)):
            return NotImplemented
        split = [[_parts(x)[i] if _is_complex(x) else x for x in args] for i in (0, 1)]
        return _complex(*(op(*part, **kwargs) for part in split))

    return made


def _sigmoid(x: torch.Tensor) -> Any:
    return ((-x).exp() + 1).reciprocal() if x.is_complex() else NotImplemented


def _polar(size: torch.Tensor, angle: torch.Tensor) -> torch.Tensor:
    return _complex(size * angle.cos(), size * angle.sin())


def _sized(function: Callable[..., Any], value: Callable[..., Any]) -> Callable[..., Any]:
    """Return the definition of an op that fills a new tensor with one number."""

    def made(*args: Any, dtype: torch.dtype | None = None, **kwargs: Any) -> Any:
        number = value(args)
        if not (dtype.is_complex if dtype is not None else isinstance(number, complex)):
            return NotImplemented
        number, real = complex(number), (dtype or torch.complex64).to_real()
        size = args[0] if isinstance(args[0], (list, tuple)) else []
        return _complex(*(torch.full(size, x, dtype=real) for x in (number.real, number.imag)))

    return made


_DEFINITIONS: dict[OpOverload, Callable[..., Any]] = {
    aten.complex.default: _complex,
    aten.polar.default: _polar,
    aten.view_as_complex.default: _joined,
    aten.sigmoid.default: _sigmoid,
    **{op: _by_part(op) for op in (aten.scatter.src, aten.unfold.default)},
    aten.full.default: _sized(torch.full, operator.itemgetter(1)),
    aten.ones.default: _sized(torch.full, lambda args: 1),
    aten.scalar_tensor.default: _sized(torch.full, operator.itemgetter(0)),
    aten.zeros.default: _sized(torch.full, lambda args: 0),
    aten._fft_c2c.default: lambda x, *args: _complex(*c2c(*_parts(x), *args)),
    aten._fft_c2r.default: lambda x, *args: c2r(*_parts(x), *args),
    aten._fft_r2c.default: lambda x, *args: _complex(*r2c(x, *args)),
    aten.norm.Scalar: _norm,
    aten.norm.ScalarOpt_dim: _norm,
    aten.norm.ScalarOpt_dim_dtype: _norm,
    aten.norm.ScalarOpt_dtype: _norm,
}
