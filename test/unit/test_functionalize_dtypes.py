"""The dtype in which a functional twin computes, against what PyTorch computes in."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch_mlir import ir

from torch_ttir.dialects.context import make_context
from torch_ttir.importers.torch_types import DTYPES
from torch_ttir.ir.types import TensorInfo
from torch_ttir.passes.functionalize.aliases import Refused
from torch_ttir.passes.functionalize.dtypes import computed_dtype, is_pointwise
from torch_ttir.passes.functionalize.emitter import torch_type, vtensor
from torch_ttir.passes.functionalize.mutations import mutation

PAIRS = [
    (torch.bfloat16, torch.float32),
    (torch.float16, torch.float16),
    (torch.float32, torch.int64),
    (torch.int32, torch.int64),
    (torch.int64, torch.bool),
    (torch.bool, torch.bool),
    (torch.uint8, torch.int8),
    (torch.int32, torch.float32),
    (torch.float64, torch.float32),
]
SPECIAL = {
    "aten.copy": "its source is cast beforehand",
    "aten.masked_fill.Tensor": "its value is one element",
    "aten.polygamma": "its number stands first",
}
DEFAULTS: dict[str, Any] = {"number": 2, "float": 0.5, "int": 1, "bool": False}


def twins() -> list[tuple[str, Any, Any]]:
    """Return the twins of in-place ops of tensors and numbers, as names, and both operators."""
    found = []
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        if not name.startswith("aten::"):
            continue
        how = mutation(name.replace("::", "."))
        if how is None or how.kind != "in-place" or how.refusal:
            continue
        if not is_pointwise(how.functional) or how.functional in SPECIAL:
            continue
        packet, _, overload = how.functional.removeprefix("aten.").partition(".")
        operator = getattr(getattr(torch.ops.aten, packet, None), overload or "default", None)
        if operator is not None and _arguments(operator, torch.float32, torch.float32) is not None:
            base, _, written = name.removeprefix("aten::").partition(".")
            in_place = getattr(getattr(torch.ops.aten, base), written or "default")
            found.append((how.functional, operator, in_place))
    return found


def _arguments(op: Any, first: torch.dtype, others: torch.dtype) -> list[Any] | None:
    arguments: list[Any] = []
    for argument in op._schema.arguments:
        kind = str(argument.type)
        if kind == "Tensor":
            dtype = others if arguments else first
            arguments.append(torch.ones(2, 2, dtype=dtype))
        elif argument.name == "min" and "Tensor" in kind:
            arguments.append(torch.ones(2, 2, dtype=others))
        elif argument.name == "min":
            arguments.append(1)
        elif argument.has_default_value():
            arguments.append(argument.default_value)
        elif kind in DEFAULTS:
            arguments.append(DEFAULTS[kind])
        else:
            return None
    return arguments


def call(op: Any, arguments: list[Any]) -> torch.Tensor:
    keywords = {
        argument.name: value
        for argument, value in zip(op._schema.arguments, arguments, strict=True)
        if argument.kwarg_only
    }
    return op(*arguments[: len(arguments) - len(keywords)], **keywords)  # type: ignore[no-any-return]


TWINS = twins()
_context = make_context()


def test_there_are_twins() -> None:
    assert len(TWINS) > 90


@pytest.mark.parametrize(("name", "op", "in_place"), TWINS, ids=[str(op) for _, _, op in TWINS])
def test_computed_dtype(name: str, op: Any, in_place: Any) -> None:
    compared = 0
    with _context, ir.Location.unknown():
        for first, others in PAIRS:
            arguments = _arguments(op, first, others)
            assert arguments is not None
            values = values_of(arguments)
            try:
                made = call(op, arguments)
                call(in_place, arguments)
            except (RuntimeError, NotImplementedError) as reason:
                if "can't be cast" in str(reason):
                    with pytest.raises(Refused, match="can't be cast to the desired output type"):
                        computed_dtype(name, values, DTYPES[first])
                continue
            compared += 1
            found = computed_dtype(name, values, DTYPES[first])
            # cumsum and cumprod get the destination's dtype as an argument.
            if name not in ("aten.cumsum", "aten.cumprod"):
                assert found == DTYPES[made.dtype], (first, others)
    assert compared


def values_of(arguments: list[Any]) -> list[ir.Value]:
    """Return IR values of the types of these arguments."""
    types = []
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            types.append(vtensor(TensorInfo(tuple(argument.shape), DTYPES[argument.dtype])))
        else:
            kind = "none" if argument is None else type(argument).__name__
            types.append(torch_type(kind))
    return list(ir.Operation.create("test.values", types).results)


def test_pointwise_ops_have_the_tag_of_pytorch() -> None:
    """What PyTorch tags as pointwise is known, for ops that read another tensor than they write."""
    missing = []
    for name in torch._C._dispatch_get_all_op_names():
        base, _, overload = name.partition(".")
        how = mutation(name.replace("::", "."))
        if not base.startswith("aten::") or how is None or how.kind != "in-place" or how.refusal:
            continue
        op = getattr(getattr(torch.ops.aten, base[6:]), overload or "default")
        tensors = [a for a in op._schema.arguments if "Tensor" in str(a.type)]
        tagged = torch.Tag.pointwise in op.tags
        if tagged and len(tensors) > 1 and not is_pointwise(how.functional):
            missing.append(name)
    assert missing == []
