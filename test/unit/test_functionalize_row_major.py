"""Ops whose results are taken to be row-major, against the strides that PyTorch's samples have."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Generator
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from torch_ttir.passes.functionalize.dtypes import is_pointwise
from torch_ttir.passes.functionalize.row_major import ROW_MAJOR

SAMPLES = 6


class Watch(TorchDispatchMode):
    """Records, for the ops of the table, results that are not row-major where the operands are."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.wrong: set[str] = set()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        made = func(*args, **(kwargs or {}))
        name = func._schema.name.removeprefix("aten::")
        mutable = any(r.alias_info is not None for r in func._schema.returns)
        if mutable or not (name in ROW_MAJOR or is_pointwise(f"aten.{name}")):
            return made
        if all(_is_row_major(tensor) for tensor in _tensors((args, kwargs))):
            self.seen.add(name)
            if not all(tensor.is_contiguous() for tensor in _tensors(made)):
                self.wrong.add(str(func))
        return made


def _tensors(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(tree) if type(leaf) is torch.Tensor]


def _is_row_major(tensor: torch.Tensor) -> bool:
    return tensor.layout is torch.strided and tensor.is_contiguous()


def test_results_are_row_major_where_operands_are() -> None:
    watch = Watch()
    wanted = [op for op in op_db if _is_wanted(op) and torch.float32 in op.dtypes]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for op in wanted:
            samples = iter(op.sample_inputs("cpu", torch.float32))
            for sample in itertools.islice(samples, SAMPLES):
                with watch, torch.no_grad():
                    op(sample.input, *sample.args, **sample.kwargs)
            if isinstance(samples, Generator):
                # Left unfinished, it ends whenever it is collected: in the middle of a trace.
                samples.close()
    assert watch.wrong == set()
    assert len(watch.seen) > 100


def _is_wanted(op: Any) -> bool:
    name = (op.aten_name or op.name).removeprefix("_refs.")
    return name in ROW_MAJOR or is_pointwise(f"aten.{name}")
