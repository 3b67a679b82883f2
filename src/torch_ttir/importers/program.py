"""What an importer returns: the module, and how the user's call maps to its entry function."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from torch.utils import _pytree as pytree
from torch_mlir import ir

from torch_ttir.importers import pytrees

ArgumentKind = Literal["input", "parameter", "constant"]


@dataclass(frozen=True)
class Argument:
    """An argument of the entry function: its `ttir.name`, kind, shape, and Torch element type.

    `leaf` is the position of the user's flattened inputs that it takes; None for a tensor that the
    program owns (a weight, a constant, or a buffer, which is `input` if the program writes it).
    """

    name: str
    kind: ArgumentKind
    shape: tuple[int, ...]
    dtype: str
    leaf: int | None = None

    @property
    def is_state(self) -> bool:
        """Say whether the program owns it and writes it."""
        return self.kind == "input" and self.leaf is None


@dataclass(frozen=True)
class InputLeaf:
    """One leaf of the user's flattened `(args, kwargs)`: a tensor, or a value fixed at export.

    A tensor that `is_complex` goes to the function as `torch.view_as_real` shows it.
    """

    name: str
    is_tensor: bool
    constant: Any = None
    is_complex: bool = False


@dataclass(frozen=True)
class OutputLeaf:
    """One leaf of what the model returns: the function's result `result`, or a constant.

    With `number`, the model returns a Python int, float or bool, which the function of TTIR has as
    a tensor without dimensions. One that `is_complex` is there as `torch.view_as_real` shows it.
    """

    result: int | None
    constant: Any = None
    number: bool = False
    is_complex: bool = False


@dataclass(frozen=True)
class Signature:
    """How a call of the model becomes a call of the entry function, and its results the model's.

    `in_spec` flattens `(args, kwargs)` to `inputs`; `out_spec` builds what the model returns from
    `outputs`. The results that carry new values of arguments come after the user's; they are
    marked `ttir.updates` in the IR, which is the only place that says so.
    """

    arguments: tuple[Argument, ...]
    inputs: tuple[InputLeaf, ...]
    outputs: tuple[OutputLeaf, ...]
    in_spec: pytree.TreeSpec = field(repr=False)
    out_spec: pytree.TreeSpec = field(repr=False)

    def to_json(self) -> str:
        """Return the signature as JSON text.

        Raises `NotImplementedError` for a pytree class without a name and for a constant that is
        no number, text or None.
        """
        constants = [leaf.constant for leaf in self.inputs]
        constants += [leaf.constant for leaf in self.outputs]
        for constant in constants:
            if not isinstance(constant, (bool, int, float, str, type(None))):
                kind = type(constant).__name__
                raise NotImplementedError(f"`{constant!r}`, a constant of type `{kind}`")
        return json.dumps(
            {
                "arguments": [asdict(argument) for argument in self.arguments],
                "inputs": [asdict(leaf) for leaf in self.inputs],
                "outputs": [asdict(leaf) for leaf in self.outputs],
                "in_spec": pytree.treespec_dumps(self.in_spec),
                "out_spec": pytree.treespec_dumps(self.out_spec),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Signature:
        """Return the signature that `to_json` wrote."""
        data = json.loads(text)
        return cls(
            tuple(Argument(**{**a, "shape": tuple(a["shape"])}) for a in data["arguments"]),
            tuple(InputLeaf(**leaf) for leaf in data["inputs"]),
            tuple(OutputLeaf(**leaf) for leaf in data["outputs"]),
            pytrees.loads(data["in_spec"]),
            pytrees.loads(data["out_spec"]),
        )


@dataclass
class ImportedProgram:
    """A Torch-dialect module with the entry function `main`, and its signature."""

    module: ir.Module
    signature: Signature
