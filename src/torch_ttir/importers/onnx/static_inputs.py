"""Which inputs of a model an op needs as constants: shapes, axes, scales, lengths."""

from __future__ import annotations

import onnx

POSITIONS: dict[str, tuple[int, ...]] = {
    "AffineGrid": (1,),
    "Attention": (6,),
    "BlackmanWindow": (0,),
    "CenterCropPad": (1,),
    "Col2Im": (1, 2),
    "Compress": (1,),
    "ConstantOfShape": (0,),
    "CumProd": (1,),
    "CumSum": (1,),
    "DFT": (1, 2),
    "Dropout": (1, 2),
    "Expand": (1,),
    "GRU": (4,),
    "HammingWindow": (0,),
    "HannWindow": (0,),
    "LSTM": (4,),
    "Loop": (0, 1),
    "MaxUnpool": (2,),
    "MelWeightMatrix": (0, 1, 2, 3, 4),
    "OneHot": (1,),
    "Pad": (1, 3),
    "RNN": (4,),
    "Range": (0, 1, 2),
    "ReduceL1": (1,),
    "ReduceL2": (1,),
    "ReduceLogSum": (1,),
    "ReduceLogSumExp": (1,),
    "ReduceMax": (1,),
    "ReduceMean": (1,),
    "ReduceMin": (1,),
    "ReduceProd": (1,),
    "ReduceSum": (1,),
    "ReduceSumSquare": (1,),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "STFT": (1, 3),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "SplitToSequence": (1,),
    "Squeeze": (1,),
    "Tile": (1, 2),
    "TopK": (1,),
    "Trilu": (1,),
    "Unsqueeze": (1,),
    "Upsample": (1,),
}
"""The operands by op that TTIR, or the shape of the result, needs as constants."""

_STATIC = ("Shape", "Size")
"""Ops whose results depend on the shapes of their operands only."""


def static_inputs(proto: onnx.ModelProto) -> set[str]:
    """Return the names of the graph inputs whose values reach an operand of `POSITIONS`."""
    needed: set[str] = set()
    _collect(proto.graph, needed)
    return {value.name for value in proto.graph.input} & needed


def _collect(graph: onnx.GraphProto, needed: set[str]) -> None:
    for node in reversed(graph.node):
        for attribute in node.attribute:
            for inner in (*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])):
                if not needed.isdisjoint(node.output):
                    needed.update(value.name for value in inner.output)
                _collect(inner, needed)
        if node.op_type in _STATIC:
            continue
        if not needed.isdisjoint(node.output):
            needed.update(name for name in node.input if name)
            continue
        for place in POSITIONS.get(node.op_type, ()):
            if place < len(node.input) and node.input[place]:
                needed.add(node.input[place])
