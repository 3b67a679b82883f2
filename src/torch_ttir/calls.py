"""How a call of a program becomes a call of its entry function, and its results the model's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from torch_ttir.importers.program import InputLeaf, OutputLeaf, Signature
from torch_ttir.interpreters.arguments import Argument, describe, fits
from torch_ttir.interpreters.const_eval import storages
from torch_ttir.ir.diagnostics import error


def flatten_inputs(
    signature: Signature,
    arguments: Mapping[int, Argument],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> list[Any]:
    """Return the leaves of a call; keyword arguments and dicts may come in any order.

    A positional input that is one tensor or value may also come by its name. `arguments` are the
    entry function's, by the leaf that they take. Raises one `CompileError` that lists every input
    that the program takes if the call does not fit.
    """
    try:
        leaves = signature.in_spec.flatten_up_to(_by_position(signature, args, kwargs))
    except ValueError:
        raise error(
            "the call has other inputs than the program was made for",
            notes=[*_needed(signature, arguments), *_found(args, kwargs)],
        ) from None
    faults = []
    for index, (leaf, value) in enumerate(zip(signature.inputs, leaves, strict=True)):
        argument = arguments.get(index)
        if leaf.is_complex and isinstance(value, torch.Tensor) and value.is_complex():
            leaves[index] = value = torch.view_as_real(value.resolve_conj())
        if not leaf.is_tensor:
            if not _same_constant(leaf.constant, value):
                faults.append(
                    f"input `{leaf.name}` was fixed to `{leaf.constant!r}` when the program was "
                    f"made; found `{value!r}`"
                )
        elif argument is None:
            if not isinstance(value, torch.Tensor):
                faults.append(f"input `{leaf.name}` must be a tensor; found {describe(value)}")
        elif not fits(argument, value):
            faults.append(f"{argument}; found {describe(value)}")
    if faults:
        raise error("the inputs do not fit the program", notes=faults)
    return leaves


_SHARED = "inputs that the program writes must have memory of their own"


def expect_apart(
    arguments: Sequence[Argument], inputs: Sequence[Any], written: frozenset[int]
) -> None:
    """Raise `CompileError` if what a program writes shares memory with another of its inputs.

    In a program every argument is a tensor of its own; in PyTorch, a write would show in both. Nor
    may several elements of what is written be one, as in an expanded tensor.
    """
    faults: list[str] = []
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for position, tensor in enumerate(inputs):
        if not isinstance(tensor, torch.Tensor) or not tensor.numel():
            continue
        start, end = _span(tensor)
        spans.setdefault(tensor.untyped_storage().data_ptr(), []).append((start, end, position))
        if position in written and _is_stretched(tensor):
            faults.append(f"{arguments[position]}: several of its elements are one in memory")
    for shared in spans.values():
        for start, end, position in shared if len(shared) > 1 else ():
            if position not in written:
                continue
            for other_start, other_end, other in shared:
                twice = other in written and other < position
                if other != position and not twice and start < other_end and other_start < end:
                    faults.append(f"{arguments[position]} and {arguments[other]}: memory shared")
    if faults:
        note = "the program writes the first of them: pass a `.clone()`"
        raise error(_SHARED, notes=[*faults, note])


def _span(tensor: torch.Tensor) -> tuple[int, int]:
    """Return the first byte of a tensor's memory, and the one after its last."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    last = sum((size - 1) * step for size, step in steps)
    start = tensor.data_ptr()
    return start, start + (last + 1) * tensor.element_size()


def _is_stretched(tensor: torch.Tensor) -> bool:
    steps = zip(tensor.stride(), tensor.shape, strict=True)
    return any(step == 0 and size > 1 for step, size in steps)


def restore_outputs(signature: Signature, results: Sequence[Any]) -> Any:
    """Return what the model returns, in its own structure, with its numbers and Nones put back."""
    leaves = [_restored(leaf, results) for leaf in signature.outputs]
    return pytree.tree_unflatten(leaves, signature.out_spec)


def _restored(leaf: OutputLeaf, results: Sequence[Any]) -> Any:
    if leaf.result is None:
        return leaf.constant
    result = results[leaf.result]
    if leaf.is_complex:
        return torch.view_as_complex(result.contiguous())
    return result.item() if leaf.number and isinstance(result, torch.Tensor) else result


def separate(results: Sequence[Any], foreign: set[int]) -> list[Any]:
    """Return results that share memory with nothing in `foreign`, nor with each other.

    Values of a program never alias, so that a caller may write to a result: one that is a view of
    an input, a weight or another result is copied.
    """
    taken = set(foreign)
    separated: list[Any] = []
    for result in results:
        if isinstance(result, torch.Tensor):
            result = result.detach()
            if _is_stretched(result) or not taken.isdisjoint(storages([result])):
                result = result.clone()
            taken |= storages([result])
        separated.append(result)
    return separated


def _by_position(
    signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return a call with the positional inputs that came by name in their places."""
    positional, keywords = signature.in_spec.children()
    kwargs = dict(kwargs)
    leaf = 0
    for position, spec in enumerate(positional.children()):
        name = signature.inputs[leaf].name if spec.is_leaf() else None
        if position == len(args) and name in kwargs and name not in (keywords.context or ()):
            args = (*args, kwargs.pop(name))
        leaf += spec.num_leaves
    return args, kwargs


def _needed(signature: Signature, arguments: Mapping[int, Argument]) -> list[str]:
    return [
        f"needed: {_described(leaf, arguments.get(i))}" for i, leaf in enumerate(signature.inputs)
    ]


def _described(leaf: InputLeaf, argument: Argument | None) -> str:
    if argument is not None:
        return str(argument)
    return f"input `{leaf.name}`: " + ("a tensor" if leaf.is_tensor else f"{leaf.constant!r}")


def _found(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    found = []
    for path, value in pytree.tree_leaves_with_path((args, kwargs)):
        kind, *rest = path
        place = "argument " if kind == pytree.SequenceKey(0) else "keyword "
        found.append(f"found: {place}{pytree.keystr(tuple(rest))}: {describe(value)}")
    return found or ["found: no inputs"]


def _same_constant(constant: Any, value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return False
    return bool(constant == value) or constant is value
