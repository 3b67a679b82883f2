# mypy: disable-error-code="call-arg,name-defined"
"""The base of every TTIR op: how it is declared, created, decoded and verified."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from torch_mlir import ir
from torch_mlir.dialects import ext
from torch_mlir.dialects.irdl import Variadicity

from torch_ttir.dialects.attributes import Attr
from torch_ttir.ir.context import current
from torch_ttir.ir.diagnostics import op_name
from torch_ttir.ir.types import TensorInfo, tensor_info


class TTIR(ext.Dialect, name="ttir"):
    """Tenstorrent's tensor dialect, as value ops without destination operands."""


class VerifyError(Exception):
    """What a TTIR op's verifier rejects: the message, without location and op name."""


class Decoded(NamedTuple):
    """An op as plain data: what verifiers check and interpreters run.

    `operands` and `results` map each declared name to the tensor's info: None for an optional one
    that is absent, a tuple for a variadic one. `attrs` has every declared attribute, defaults
    filled in.
    """

    name: str
    operands: dict[str, Any]
    results: dict[str, Any]
    attrs: dict[str, Any]


class TTIROp(TTIR.Operation):
    """Base of the op classes.

    A subclass declares operands and results as annotated fields, attributes in `attrs`, and checks
    shapes in `check`, which raises `VerifyError`.
    """

    # Not annotated: `ext` takes every annotation of an op class for a field.
    attrs = dict[str, Attr]()

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Raise `VerifyError` if the op's operands, attributes and results do not fit together."""

    @classmethod
    def verify_invariants(cls, op: ir.OpView) -> bool:
        """Run the checks of this op; MLIR's verifier calls it, and reports at the op's location."""
        try:
            cls.check(decode(cls, op.operation))
        except VerifyError as fault:
            op.operation.location.emit_error(f"'{op.operation.name}' op {fault}")
            return False
        return True


def split_operands(cls: type[TTIROp], op: ir.Operation) -> dict[str, Any]:
    """Return the op's operand values by name: None for an absent one, a tuple for a variadic one.

    Raises `VerifyError` where their number and `operandSegmentSizes` do not fit the declaration.
    """
    return _split(_declared(cls, "operands"), list(op.operands), op, "operandSegmentSizes")


def decode(cls: type[TTIROp], op: ir.Operation) -> Decoded:
    """Return the op as plain data; raises `VerifyError` for what is malformed in itself."""
    operands = {
        name: _info_of(value, f"operand `{name}`")
        for name, value in split_operands(cls, op).items()
    }
    results = {
        name: _info_of(value, f"result `{name}`")
        for name, value in _split(
            _declared(cls, "results"), list(op.results), op, "resultSegmentSizes"
        ).items()
    }
    return Decoded(op.name, operands, results, decode_attributes(cls, op))


def decode_attributes(cls: type[TTIROp], op: ir.Operation) -> dict[str, Any]:
    """Return the values of all declared attributes; raises `VerifyError` for a wrong one."""
    attributes = op.attributes
    values: dict[str, Any] = {}
    for name, spec in cls.attrs.items():
        if name in attributes:
            value = spec.kind.read(attributes[name])
            if value is None:
                raise VerifyError(
                    f"attribute `{name}` must be {spec.kind.spelling}, not {attributes[name]}"
                )
            values[name] = value
        elif spec.required:
            raise VerifyError(f"requires attribute `{name}` ({spec.kind.spelling})")
        else:
            values[name] = spec.default
    if len(attributes) > len(values) or any(name not in values for name in attributes):
        for name in attributes:
            known = name in cls.attrs or name.endswith("SegmentSizes") or "." in name
            if not known:
                names = ", ".join(f"`{known}`" for known in cls.attrs) or "none"
                raise VerifyError(f"has no attribute `{name}`; its attributes are: {names}")
    return values


def create(
    cls: type[TTIROp],
    operands: Sequence[Any],
    result_types: Sequence[ir.Type],
    attrs: dict[str, Any],
    loc: ir.Location,
    ip: ir.InsertionPoint,
) -> ir.Operation:
    """Create an op from values in the declared order: None for an absent operand.

    `attrs` holds Python values, turned into attributes of the declared kinds; None leaves an
    optional one out. `operandSegmentSizes` is written where tt-mlir has it, and only there.
    """
    flat: list[ir.Value] = []
    sizes: list[int] = []
    for operand in operands:
        before = len(flat)
        if isinstance(operand, (tuple, list)):
            flat.extend(operand)
        elif operand is not None:
            flat.append(operand)
        sizes.append(len(flat) - before)
    attributes = {
        name: _attribute(cls.attrs[name], value)
        for name, value in attrs.items()
        if value is not None
    }
    if sum(kind != Variadicity.single for _, kind in _declared(cls, "operands")) > 1:
        attributes["operandSegmentSizes"] = ir.DenseI32ArrayAttr.get(sizes)
    return ir.Operation.create(cls.OPERATION_NAME, result_types, flat, attributes, None, 0, loc, ip)


def _attribute(spec: Attr, value: Any) -> ir.Attribute:
    if isinstance(value, ir.Attribute):
        return value
    # repr tells 1 from 1.0 and True, and 0.0 from -0.0, which are equal as keys.
    key = (spec.kind.spelling, repr(value))
    cache = current().cache
    found = cache.get(key)
    if found is None:
        found = cache[key] = spec.kind.build(value)
    return found


def _declared(cls: type[TTIROp], which: str) -> list[tuple[str, Variadicity]]:
    cached: list[tuple[str, Variadicity]] | None = cls.__dict__.get(f"_declared_{which}")
    if cached is None:
        wanted = ext.OperandDef if which == "operands" else ext.ResultDef
        cached = [(f.name, f.variadicity) for f in cls._fields if isinstance(f, wanted)]
        setattr(cls, f"_declared_{which}", cached)
    return cached


def _split(
    declared: list[tuple[str, Variadicity]], values: list[Any], op: ir.Operation, segments: str
) -> dict[str, Any]:
    loose = sum(kind != Variadicity.single for _, kind in declared)
    if loose > 1:
        if segments not in op.attributes:
            raise VerifyError(f"requires attribute `{segments}`")
        sizes = list(ir.DenseI32ArrayAttr(op.attributes[segments]))
    else:
        spare = len(values) - len(declared) + loose
        sizes = [1 if kind == Variadicity.single else spare for _, kind in declared]
    if len(sizes) != len(declared) or sum(sizes) != len(values) or min(sizes, default=0) < 0:
        raise VerifyError(f"`{segments}` {sizes} does not fit {len(values)} values")
    found: dict[str, Any] = {}
    start = 0
    for (name, kind), size in zip(declared, sizes, strict=True):
        part = values[start : start + size]
        start += size
        if kind == Variadicity.variadic:
            found[name] = tuple(part)
        elif size > 1 or (size == 0 and kind == Variadicity.single):
            raise VerifyError(f"`{name}` takes one value, not {size}")
        else:
            found[name] = part[0] if part else None
    return found


def _info_of(value: Any, what: str) -> Any:
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(_info_of(item, what) for item in value)
    info: TensorInfo | None = tensor_info(value.type)
    if info is None:
        raise VerifyError(f"{what} must be a tensor of static shape, not {value.type}")
    return info


__all__ = [
    "TTIR",
    "Decoded",
    "TTIROp",
    "VerifyError",
    "create",
    "decode",
    "decode_attributes",
    "op_name",
    "split_operands",
]
