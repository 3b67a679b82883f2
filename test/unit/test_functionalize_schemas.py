"""What names say of mutation and views, against the alias annotations of PyTorch's schemas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from torch_ttir.passes.functionalize.batch_norm import BATCH_NORMS
from torch_ttir.passes.functionalize.layout_rules import LAYOUT_RULES
from torch_ttir.passes.functionalize.mutation_tables import (
    FACTORY_OUT,
    METADATA_ONLY,
    OTHER_WRITERS,
    REFUSED,
    REFUSED_OUT,
    VIEW_IN_PLACE,
)
from torch_ttir.passes.functionalize.mutations import mutation
from torch_ttir.passes.functionalize.views import LIST_VIEWS, OPAQUE_VIEWS, VIEWS

SAME_ARGUMENTS_OTHERWISE = {
    "aten.polygamma_": "the twin has the two arguments the other way round",
    "prims.copy_to": "the twin has non_blocking as well, and copies are not called",
}
NO_TWIN = {"aten.fill_diagonal_": "written as a fill of the diagonal view"}


def schemas() -> dict[str, Any]:
    """Return every dispatcher schema of aten and prims by the name that the Torch dialect gives."""
    found = {}
    for name in torch._C._dispatch_get_all_op_names():
        base, _, overload = name.partition(".")
        space, _, op = base.partition("::")
        if space in ("aten", "prims", "prim") and not op.startswith("_test"):
            mlir_name = f"{space}.{op}.{overload}" if overload else f"{space}.{op}"
            found[mlir_name] = torch._C._get_schema(base, overload)
    return found


SCHEMAS = schemas()


def written(schema: Any) -> list[Any]:
    return [a for a in schema.arguments if a.alias_info is not None and a.alias_info.is_write]


def names(name: str) -> tuple[str, str]:
    """Return a name without namespace, and without namespace and overload."""
    rest = name.partition(".")[2]
    return rest, rest.partition(".")[0]


def mutating() -> Iterator[tuple[str, Any]]:
    for name, schema in SCHEMAS.items():
        if written(schema):
            yield name, schema


def test_there_are_schemas() -> None:
    assert len(SCHEMAS) > 3000
    assert sum(1 for _ in mutating()) > 1000


def test_names_say_which_ops_write() -> None:
    wrong = []
    for name, schema in SCHEMAS.items():
        rest, base = names(name)
        known = (
            mutation(name) is not None
            or rest in VIEW_IN_PLACE
            or base in METADATA_ONLY
            or name in BATCH_NORMS
            or name == "prims.as_strided"  # annotated as a write; it is a view
        )
        if bool(written(schema)) != known and name not in BATCH_NORMS:
            wrong.append(str(schema))
    assert wrong == []


def test_in_place_ops_write_their_first_argument_and_nothing_else() -> None:
    wrong = []
    for name, schema in mutating():
        how = mutation(name)
        if how is not None and how.kind == "in-place" and not how.refusal:
            first = schema.arguments[0]
            if [a.name for a in written(schema)] != [first.name] or str(first.type) != "Tensor":
                wrong.append(str(schema))
    assert wrong == []


def test_in_place_ops_have_a_twin_of_the_same_arguments() -> None:
    wrong = []
    for name, schema in mutating():
        how = mutation(name)
        if how is None or how.kind != "in-place" or how.refusal or name in NO_TWIN:
            continue
        twin = SCHEMAS.get(how.functional)
        if twin is None or written(twin):
            wrong.append(f"{schema} has no twin `{how.functional}`")
        elif name not in SAME_ARGUMENTS_OTHERWISE and types(schema) != types(twin):
            wrong.append(f"{schema} # {twin}")
    assert wrong == []


def test_out_ops_write_their_last_arguments_one_for_each_result() -> None:
    wrong = []
    for name, schema in mutating():
        how = mutation(name)
        # An op without results is refused by that.
        if how is None or how.kind != "out" or how.refusal or not schema.returns:
            continue
        outs = schema.arguments[len(schema.arguments) - len(schema.returns) :]
        if [a.name for a in written(schema)] != [a.name for a in outs]:
            wrong.append(str(schema))
    assert wrong == []


def test_out_ops_have_a_twin_of_the_other_arguments() -> None:
    wrong = []
    options = ["dtype", "layout", "device", "pin_memory"]
    for name, schema in mutating():
        how = mutation(name)
        if how is None or how.kind != "out" or how.refusal or not schema.returns:
            continue
        twin = SCHEMAS.get(how.functional)
        if twin is None or written(twin) or len(twin.returns) != len(schema.returns):
            wrong.append(f"{schema} has no twin `{how.functional}`")
            continue
        given = types(schema)[: len(schema.arguments) - len(schema.returns)]
        if names(name)[0] in FACTORY_OUT:
            rest = [argument.name for argument in twin.arguments[len(given) :]]
            fits = types(twin)[: len(given)] == given and rest == options
        else:
            fits = types(twin) == given
        if not fits:
            wrong.append(f"{schema} # {twin}")
    assert wrong == []


def test_views_are_known() -> None:
    known = {*VIEWS, *LIST_VIEWS, *OPAQUE_VIEWS, *LAYOUT_RULES, "aten.as_strided"}
    annotated = {
        name
        for name, schema in SCHEMAS.items()
        if any(result.alias_info is not None for result in schema.returns) and not written(schema)
    }
    assert annotated - known == set()


@pytest.mark.parametrize("table", [VIEWS, LIST_VIEWS, LAYOUT_RULES, OPAQUE_VIEWS], ids=len)
def test_tables_of_views_name_ops_of_pytorch(table: Any) -> None:
    scripted = {"aten.to.prim_Device", "aten.to.prim_dtype"}  # of TorchScript, not the dispatcher
    assert set(table) - set(SCHEMAS) - scripted == set()


def test_tables_of_refusals_name_ops_of_pytorch() -> None:
    bases = {names(name)[1] for name in SCHEMAS}
    for table in (REFUSED, REFUSED_OUT, OTHER_WRITERS, METADATA_ONLY):
        assert set(table) - bases == set()
    assert {f"aten.{name}" for name in VIEW_IN_PLACE} - set(SCHEMAS) == set()
    assert {f"aten.{name}" for name in FACTORY_OUT} - set(SCHEMAS) == set()


def types(schema: Any) -> list[str]:
    return [str(argument.type) for argument in schema.arguments]
