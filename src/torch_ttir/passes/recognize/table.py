"""The table of recognizers, by the last op of what they recognize."""

from __future__ import annotations

from torch_ttir.passes.recognize import activations, attention, norms

RECOGNIZERS = {
    "ttir.multiply": (norms.norm, norms.weight, activations.gelu, activations.silu),
    "ttir.div": (norms.norm, norms.softmax, activations.gelu),
    "ttir.add": (norms.bias,),
    "ttir.typecast": (norms.narrowed,),
    "ttir.matmul": (attention.attention,),
    "ttir.scaled_dot_product_attention": (attention.grouped,),
}
