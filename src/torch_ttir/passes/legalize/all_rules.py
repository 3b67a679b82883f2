"""Every rule there is: of PyTorch's ops and of ONNX's."""

from __future__ import annotations

from torch_ttir.passes.legalize import families
from torch_ttir.passes.legalize.onnx import families as onnx_families
from torch_ttir.passes.legalize.rules import unite

RULES = unite(families.RULES, onnx_families.RULES)
