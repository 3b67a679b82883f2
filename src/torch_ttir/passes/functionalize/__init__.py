"""Functionalization: PyTorch's aliasing semantics in values.

`FunctionalizeInplaceOps` is the pass. `walk` visits the ops of a function; `aliases` knows which
values share storage and what they are now; `steps`, `strided` and `views` say how a view is read
and written back, `layouts` and `layout_rules` where its elements lie; `mutations` says what an op
writes, and `writes`, `view_ops`, `batch_norm` and `value_semantics` what becomes of it.
"""

from torch_ttir.passes.functionalize.functionalize_inplace_ops import FunctionalizeInplaceOps

__all__ = ["FunctionalizeInplaceOps"]
