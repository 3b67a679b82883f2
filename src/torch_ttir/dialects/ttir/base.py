# mypy: disable-error-code="call-arg,name-defined"
"""The base of every TTIR op: how it is declared, created, decoded and verified.

`create` makes an op from Python values, `decode` gives it back as plain data, and MLIR's verifier
calls `TTIROp.verify_invariants`. Programs repeat their layers, so what has been decoded or found
right once is remembered in the context, by the op's class, types and attributes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from torch_mlir import ir
from torch_mlir.dialects import ext
from torch_mlir.dialects.irdl import Variadicity

from torch_ttir.dialects.attributes import Attr
from torch_ttir.ir.diagnostics import diagnostic_at
from torch_ttir.ir.types import TensorInfo, tensor_info


class TTIR(ext.Dialect, name="ttir"):
    """Tenstorrent's tensor dialect, as value ops without destination operands."""


class VerifyError(Exception):
    """What a TTIR op's verifier rejects: the message, without location and op name."""


class Decoded(NamedTuple):
    """An op as plain data: what verifiers check and interpreters run.

    `operands` and `results` map each declared name to the tensor's info: None for an optional one
    that is absent, a tuple for a variadic one. `attrs` has every declared attribute, defaults
    filled in. Ops of the same types and attributes share one `Decoded`: do not change its parts.
    """

    name: str
    operands: Mapping[str, Any]
    results: Mapping[str, Any]
    attrs: Mapping[str, Any]


class Signature(NamedTuple):
    """The operands or the results that an op class declares."""

    what: str
    names: tuple[str, ...]
    kinds: tuple[Variadicity, ...]
    plain: bool
    """Whether each name has exactly one value."""
    segments: str
    """The attribute that says how many values each name has; empty where it is not needed."""


class TTIROp(TTIR.Operation):
    """Base of the op classes.

    A subclass declares operands and results as annotated fields, attributes in `attrs`, and checks
    shapes in `check`, which raises `VerifyError`.
    """

    # Not annotated: `ext` takes every annotation of an op class for a field.
    attrs = dict[str, Attr]()

    def __init_subclass__(cls, **options: Any) -> None:
        """Declare the op to `ext`, and keep what it has read from the fields."""
        super().__init_subclass__(**options)
        cls.operand_signature = _signature(cls, "operand", ext.OperandDef)
        cls.result_signature = _signature(cls, "result", ext.ResultDef)

    @classmethod
    def check(cls, op: Decoded) -> None:
        """Raise `VerifyError` if the op's operands, attributes and results do not fit together."""

    @classmethod
    def verify_invariants(cls, op: ir.OpView) -> bool:
        """Run the checks of this op; MLIR's verifier calls it, and reports at the op's location."""
        operation = op.operation
        context = operation.context
        try:
            key = ("verified", *_key(cls, operation))
        except TypeError as fault:
            # The bindings have no class for it: `array<si32: 1>`.
            message = "has an attribute of a kind that no TTIR op takes"
            return _rejected(operation, f"{message}: {fault}")
        if key in context.cache:
            return True
        try:
            with context:
                cls.check(decode(cls, operation))
        except VerifyError as fault:
            return _rejected(operation, str(fault))
        context.cache[key] = True
        return True


def _rejected(op: ir.Operation, message: str) -> bool:
    """Report what is wrong with an op; returns what the verifier is to answer."""
    faults = op.context.op_faults
    if faults is None:
        op.location.emit_error(f"'{op.name}' op {message}")
        return False
    # MLIR's verifier stops at the first op that is refused, and all are to be reported.
    faults.append(diagnostic_at(op, message))
    return True


def create(
    cls: type[TTIROp],
    operands: Sequence[Any],
    result_types: Sequence[ir.Type],
    attrs: Mapping[str, Any],
    loc: ir.Location,
    ip: ir.InsertionPoint,
) -> ir.Operation:
    """Create an op from values in the declared order: None for an absent operand.

    `attrs` holds Python values, turned into attributes of the declared kinds; None leaves an
    optional one out. `operandSegmentSizes` is written where tt-mlir has it, and only there.
    Raises `VerifyError` for a value that its attribute cannot hold.
    """
    cache = loc.context.cache
    attributes = {
        name: _attribute(cls, name, value, cache)
        for name, value in attrs.items()
        if value is not None
    }
    signature = cls.operand_signature
    if signature.segments:
        sizes = tuple([_count(operand) for operand in operands])
        attributes[signature.segments] = _segment_sizes(sizes, cache)
    flat = operands if signature.plain else _flat(operands)
    return ir.Operation.create(cls.OPERATION_NAME, result_types, flat, attributes, None, 0, loc, ip)


def decode(cls: type[TTIROp], op: ir.Operation) -> Decoded:
    """Return the op as plain data; raises `VerifyError` for what is malformed in itself."""
    cache = op.context.cache
    key = ("decoded", *_key(cls, op))
    found = cache.get(key)
    if found is None:
        operands = split_operands(cls, op)
        results = _split(cls.result_signature, list(op.results), op.attributes)
        found = cache[key] = Decoded(
            op.name,
            {name: _info_of(value, f"operand `{name}`") for name, value in operands.items()},
            {name: _info_of(value, f"result `{name}`") for name, value in results.items()},
            decode_attributes(cls, op),
        )
    return found  # type: ignore[no-any-return]


def split_operands(cls: type[TTIROp], op: ir.Operation) -> dict[str, Any]:
    """Return the op's operand values by name: None for an absent one, a tuple for a variadic one.

    Raises `VerifyError` where their number and `operandSegmentSizes` do not fit the declaration.
    """
    return _split(cls.operand_signature, list(op.operands), op.attributes)


def decode_attributes(cls: type[TTIROp], op: ir.Operation) -> dict[str, Any]:
    """Return the values of all declared attributes; raises `VerifyError` for a wrong one."""
    attributes = dict(op.attributes.items())
    values: dict[str, Any] = {}
    for name, spec in cls.attrs.items():
        attribute = attributes.pop(name, None)
        if attribute is None:
            if spec.required:
                raise VerifyError(f"requires attribute `{name}` ({spec.kind.spelling})")
            values[name] = spec.default
            continue
        values[name] = spec.kind.read(attribute)
        if values[name] is None:
            raise VerifyError(f"attribute `{name}` must be {spec.kind.spelling}, not {attribute}")
    for name in attributes:
        # Names with a dot belong to other dialects, and tt-mlir tolerates stray segment sizes.
        if "." not in name and name not in ("operandSegmentSizes", "resultSegmentSizes"):
            names = ", ".join(f"`{known}`" for known in cls.attrs) or "none"
            raise VerifyError(f"has no attribute `{name}`; its attributes are: {names}")
    return values


def _key(cls: type[TTIROp], op: ir.Operation) -> tuple[Any, ...]:
    operand_types = tuple([operand.type for operand in op.operands])
    return (cls, operand_types, tuple(op.results.types), tuple(op.attributes.items()))


def _attribute(cls: type[TTIROp], name: str, value: Any, cache: dict[Any, Any]) -> ir.Attribute:
    if isinstance(value, ir.Attribute):
        return value
    # repr tells 1 from 1.0 and True, and 0.0 from -0.0, which are equal as keys.
    key = (cls, name, repr(value))
    found = cache.get(key)
    if found is None:
        try:
            found = cache[key] = cls.attrs[name].kind.build(value)
        except ValueError as fault:
            raise VerifyError(f"attribute `{name}`: {fault}") from fault
    return found


def _segment_sizes(sizes: tuple[int, ...], cache: dict[Any, Any]) -> ir.Attribute:
    found = cache.get(("segments", sizes))
    if found is None:
        found = cache["segments", sizes] = ir.DenseI32ArrayAttr.get(list(sizes))
    return found


def _count(operand: Any) -> int:
    if isinstance(operand, (tuple, list)):
        return len(operand)
    return 0 if operand is None else 1


def _flat(operands: Sequence[Any]) -> list[ir.Value]:
    flat: list[ir.Value] = []
    for operand in operands:
        if isinstance(operand, (tuple, list)):
            flat.extend(operand)
        elif operand is not None:
            flat.append(operand)
    return flat


def _signature(cls: type[TTIROp], what: str, wanted: type[ext.FieldDef]) -> Signature:
    fields = [field for field in cls._fields if isinstance(field, wanted)]
    kinds = tuple(field.variadicity for field in fields)
    loose = sum(kind != Variadicity.single for kind in kinds)
    segments = f"{what}SegmentSizes" if loose > 1 else ""
    return Signature(what, tuple(field.name for field in fields), kinds, loose == 0, segments)


def _split(
    signature: Signature, values: list[Any], attributes: ir.OpAttributeMap
) -> dict[str, Any]:
    sizes = _sizes(signature, len(values), attributes)
    found: dict[str, Any] = {}
    start = 0
    for name, kind, size in zip(signature.names, signature.kinds, sizes, strict=True):
        part = values[start : start + size]
        start += size
        if kind == Variadicity.variadic:
            found[name] = tuple(part)
        else:
            found[name] = part[0] if part else None
    return found


def _sizes(signature: Signature, count: int, attributes: ir.OpAttributeMap) -> list[int]:
    what, names, kinds, _, segments = signature
    least = sum(kind == Variadicity.single for kind in kinds)
    if not segments:
        spare = count - least
        most = count if Variadicity.variadic in kinds else len(kinds)
        if not least <= count <= most:
            wanted = str(least) if least == len(kinds) else f"{least} to {len(kinds)}"
            wanted = f"at least {least}" if Variadicity.variadic in kinds else wanted
            listed = f" ({', '.join(f'`{name}`' for name in names)})" if names else ""
            plural = "" if wanted == "1" else "s"
            raise VerifyError(f"takes {wanted} {what}{plural}{listed}, not {count}")
        return [1 if kind == Variadicity.single else spare for kind in kinds]
    if segments not in attributes:
        raise VerifyError(f"requires attribute `{segments}` (array<i32: ...>)")
    attribute = attributes[segments]
    if not isinstance(attribute, ir.DenseI32ArrayAttr):
        raise VerifyError(f"attribute `{segments}` must be array<i32: ...>, not {attribute}")
    sizes = list(attribute)
    fits = len(sizes) == len(kinds) and sum(sizes) == count
    if not fits or not all(map(_size_fits, kinds, sizes)):
        pairs = zip(names, kinds, strict=True)
        wanted = ", ".join(f"`{name}` {_RANGES[kind]}" for name, kind in pairs)
        raise VerifyError(f"`{segments}` is {sizes} for {count} {what}s; it has {wanted}")
    return sizes


_RANGES = {Variadicity.single: "1", Variadicity.optional: "0 or 1", Variadicity.variadic: "any"}


def _size_fits(kind: Variadicity, size: int) -> bool:
    if kind == Variadicity.variadic:
        return size >= 0
    return size in ((1,) if kind == Variadicity.single else (0, 1))


def _info_of(value: Any, what: str) -> Any:
    if value is None:
        return None
    if isinstance(value, tuple):
        return tuple(_info_of(item, what) for item in value)
    info: TensorInfo | None = tensor_info(value.type)
    if info is None:
        raise VerifyError(f"{what} must be a tensor of static shape, not {value.type}")
    return info
