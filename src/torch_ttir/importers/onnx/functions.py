"""Inlining ONNX functions: the model's own, and those of the standard that have no rule."""

from __future__ import annotations

from collections.abc import Collection

import onnx
import onnx.inliner

from torch_ttir.ir.diagnostics import error

_DEFAULT_DOMAINS = ("", "ai.onnx")


def inline_functions(
    proto: onnx.ModelProto, known_ops: Collection[str], source: str
) -> onnx.ModelProto:
    """Return the model with every function call replaced by its body, but for `known_ops`.

    `known_ops` are op types of the default domain (`Gelu`). An op that is no function, or whose
    body depends on a context that is not known, stays.
    """
    used = {node.op_type for node in proto.graph.node if node.domain in _DEFAULT_DOMAINS}
    names = [name for name in sorted(used - set(known_ops)) if _has_body(name)]
    try:
        if proto.functions:
            proto = onnx.inliner.inline_local_functions(proto)
        if names:
            # The bodies of some functions depend on the types of their inputs.
            proto = onnx.shape_inference.infer_shapes(proto, data_prop=True)
            listed = [(domain, name) for name in names for domain in _DEFAULT_DOMAINS]
            proto = onnx.inliner.inline_selected_functions(
                proto, listed, inline_schema_functions=True
            )
    except (RuntimeError, ValueError) as reason:
        line = str(reason).strip().splitlines()[0]
        raise error(f"a function cannot be inlined: {line}", source) from None
    return proto


def _has_body(name: str) -> bool:
    try:
        schema = onnx.defs.get_schema(name)
    except onnx.defs.SchemaError:
        return False
    return bool(schema.has_function or schema.has_context_dependent_function)
