"""The page about ATen ops: what becomes of each, and how many of PyTorch's samples agree.

python test/ops/docs.py docs/ops.md
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path

import torch
from torch._ops import OpOverload

sys.path.insert(0, str(Path(__file__).parent))

from expected import EXPECTED, INTEGERS, RANDOM, REASONS, UNINITIALIZED

EMITTED = Path(__file__).with_name("emitted.json")
RESULTS = Path(__file__).with_name("results.json")

_HEAD = """# ATen and prims ops

What becomes of each functional op; in-place ones become functional first, and `out=` variants do
not occur in exported programs. *Direct*: one TTIR op besides constants. *Composed*: several, those
of the shortest form that one of PyTorch's samples took. *Lowered*: by a rule that the first samples
do not reach. *Decomposed*: by PyTorch's own definition, if its parts, which stand here,
can be said. Ops of other
backends, of optimizers (`_foreach`), of quantized, nested and sparse tensors are left out.

This page is made by `make tables`, from the table of rules and from `test/ops/emitted.json` and
`test/ops/results.json`, which `test/ops/record.py` and `test/ops/suite.py --json` write.
"""


def main() -> int:
    """Write the page into the file that is named on the command line."""
    Path(sys.argv[1]).write_text(page())
    return 0


def page() -> str:
    """Return the whole page."""
    return f"{_HEAD}\n{totals()}\n## Ops\n\n{table()}"


def totals() -> str:
    """Return how many ops and samples agree, of each dtype, and why the others do not."""
    if not RESULTS.exists():
        return ""
    results: dict[str, dict[str, int]] = json.loads(RESULTS.read_text())
    lines = ["## PyTorch's operator samples", ""]
    by_dtype: dict[str, list[tuple[str, dict[str, int]]]] = {}
    for key, counts in results.items():
        dtype, _, op = key.partition(" ")
        by_dtype.setdefault(dtype, []).append((op, counts))
    for dtype, ops in by_dtype.items():
        whole = {"pass", "as exact", "random", "uninitialized", "refused"}
        passing = {op for op, counts in ops if set(counts) <= whole}
        sayable = sum(op in passing or EXPECTED.get(op) not in REASONS for op, _ in ops)
        samples = collections.Counter[str]()
        for _, counts in ops:
            samples.update(counts)
        listed = ", ".join(f"{count:,} {status}" for status, count in samples.most_common())
        lines += [
            f"`{dtype}`: of {len(ops)} ops and variants, {len(passing)} pass all their samples,",
            f"{len(passing) / max(1, sayable):.1%} of the {sayable} that TTIR can say.",
            f"Samples: {listed}.",
            "",
        ]
    lines += ["Ops with rejected samples, by reason:", ""]
    why = collections.Counter(EXPECTED.values())
    lines += [f"- {count}: {REASONS.get(reason, reason)}" for reason, count in why.most_common()]
    return "\n".join([*lines, ""])


def table() -> str:
    """Return the table of all ops."""
    emitted: dict[str, list[str]] = json.loads(EMITTED.read_text())
    lines = ["| Op | To TTIR |", "| --- | --- |"]
    lines += [f"| {name} | {_route(name, op, emitted)} |" for name, op in sorted(_ops().items())]
    return "\n".join([*lines, ""])


def _route(name: str, op: OpOverload, emitted: dict[str, list[str]]) -> str:
    from torch._decomp import decomposition_table

    from torch_ttir.importers.schemas import is_composite
    from torch_ttir.passes.legalize.families import RULES

    packet = name.split(".")[1]
    note = ""
    if packet in RANDOM:
        note = "; random"
    elif packet in UNINITIALIZED:
        note = "; zeros for what PyTorch leaves uninitialized"
    if name in RULES:
        if name not in emitted:
            return f"lowered{note}"
        ops = [f"`{op}`" for op in dict.fromkeys(emitted[name])]
        if not ops:
            return f"nothing to compute{note}"
        return ("direct: " if len(emitted[name]) == 1 else "composed: ") + ", ".join(ops) + note
    if name in RULES.rejected:
        return f"not expressible: {RULES.rejected[name]}"
    reason = _REASON_OF_PACKET.get(packet)
    if reason in REASONS:
        return f"not expressible: {REASONS[reason]}"
    if is_composite(op) or op in decomposition_table or hasattr(op, "impl_aten"):
        return "decomposed before"
    if packet.endswith(("_backward", "_jvp")):
        return "no rule: it computes a gradient"
    return "no rule"


_REASON_OF_PACKET = {op.replace(".", "_"): reason for op, reason in (EXPECTED | INTEGERS).items()}

_LEFT_OUT = (
    *("_foreach", "_fused", "_test", "_nested", "_sparse", "_cudnn", "_mkldnn", "_mps", "_scaled"),
    *("_thnn", "_to_sparse", "_cslt", "_philox", "_amp", "_dyn_quant", "_make", "_triton"),
    *("cudnn", "miopen", "mkldnn", "mps", "quantized", "sparse", "q_", "to_sparse", "to_mkldnn"),
)


def _ops() -> dict[str, OpOverload]:
    """Return the functional ops on tensors that PyTorch has and that are not another backend's."""
    from torch_ttir.importers.schemas import op_name
    from torch_ttir.passes.legalize.families import RULES

    found: dict[str, OpOverload] = {}
    for schema in torch._C._jit_get_all_schemas():
        namespace, _, packet = schema.name.partition("::")
        if namespace not in ("aten", "prims") or schema.is_mutable:
            continue
        if not torch._C._dispatch_has_kernel(schema.name + _dotted(schema.overload_name)):
            continue
        types = [str(a.type) for a in (*schema.arguments, *schema.returns)]
        if not any("Tensor" in kind for kind in types):
            continue
        overloads = getattr(getattr(torch.ops, namespace), packet)
        op = getattr(overloads, schema.overload_name or "default")
        name = op_name(op)
        private = packet.startswith("_") and not ({name} & (RULES.keys() | RULES.rejected.keys()))
        if not private and not packet.startswith(_LEFT_OUT):
            found[name] = op
    return found


def _dotted(overload: str) -> str:
    return f".{overload}" if overload else ""


if __name__ == "__main__":
    sys.exit(main())
