"""A PyTorch model run eagerly on inputs by name, as what a program is compared with."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, OutputKind
from torch.utils import _pytree as pytree

from torch_ttir.interpreters.binding import as_tensor
from torch_ttir.ir.diagnostics import error


class EagerModel:
    """The model behind an exported program; its inputs go by the names that imports give them."""

    def __init__(self, program: ExportedProgram, model: torch.nn.Module | None = None) -> None:
        """Run `model`, or where that is not at hand the program's own module."""
        self._program = program
        self._model = model
        self._specs = [
            spec.arg
            for spec in program.graph_signature.input_specs
            if spec.kind.name == "USER_INPUT"
        ]

        self._outputs = [
            spec.arg
            for spec in program.graph_signature.output_specs
            if spec.kind in (OutputKind.USER_OUTPUT, OutputKind.LOSS_OUTPUT)
        ]

    @property
    def parameters(self) -> dict[str, torch.Tensor]:
        """The model's parameters, buffers and constants by name."""
        values = {**self._program.state_dict, **self._program.constants}
        return {name: v for name, v in values.items() if isinstance(v, torch.Tensor)}

    def example_inputs(self) -> dict[str, torch.Tensor]:
        """Return the inputs that the program was exported with, by name; none if it has none."""
        if self._program.example_inputs is None:
            return {}
        args, kwargs = self._program.example_inputs
        leaves = self._spec().flatten_up_to((tuple(args), kwargs))
        return {
            spec.name: leaf
            for spec, leaf in zip(self._specs, leaves, strict=True)
            if isinstance(leaf, torch.Tensor)
        }

    def __call__(
        self, inputs: Mapping[str, torch.Tensor]
    ) -> tuple[list[torch.Tensor], dict[str, torch.Tensor]]:
        """Return the tensors that the model returns, and those that it may write, by name.

        As in a program, a computed number is a tensor, and complex numbers are pairs. `inputs` are
        not changed; the model's buffers are, as by any call of it. Raises `CompileError` for a
        missing input, and where the model itself fails.
        """
        missing = [
            f"missing: `{spec.name}`"
            for spec in self._specs
            if not isinstance(spec, ConstantArgument) and spec.name not in inputs
        ]
        if missing:
            raise error("the model takes inputs that the program does not have", notes=missing)
        taken = {spec.name for spec in self._specs}
        named = {name: tensor.clone() for name, tensor in inputs.items() if name in taken}
        leaves = [
            spec.value if isinstance(spec, ConstantArgument) else named[spec.name]
            for spec in self._specs
        ]
        args, kwargs = pytree.tree_unflatten(leaves, self._spec())
        model: torch.nn.Module = self._program.module() if self._model is None else self._model
        try:
            with torch.no_grad():
                returned = model(*args, **kwargs)
        except Exception as reason:
            # The model is the user's, and raises whatever it does.
            raise error(f"the model fails: {type(reason).__name__}: {reason}") from reason
        results = [
            as_tensor(leaf)
            for leaf, spec in zip(pytree.tree_leaves(returned), self._outputs, strict=True)
            if isinstance(leaf, torch.Tensor) or not isinstance(spec, ConstantArgument)
        ]
        after = {**dict(model.named_buffers()), **named}
        return (
            [_as_real(result.detach()) for result in results],
            {name: _as_real(tensor) for name, tensor in after.items()},
        )

    def _spec(self) -> pytree.TreeSpec:
        spec: pytree.TreeSpec = self._program.call_spec.in_spec
        return spec


def _as_real(tensor: torch.Tensor) -> torch.Tensor:
    """Return complex numbers as pairs of real ones, as a program has them; others as they are."""
    return torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
