"""Reading damaged texts, as many as are asked for: `reader_mutations.py SEED COUNT`.

`test_reader_guards` runs it in a process of its own. The last text is in the file that the
environment variable `MUTATION` names, if it names one, to look at after a crash.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import sys
from pathlib import Path

from torch_ttir.dialects.context import make_context
from torch_ttir.dialects.reader import parse_module
from torch_ttir.ir.diagnostics import CompileError

TEXTS = [
    """#map = affine_map<(d0, d1) -> (d0 + 1, d1 * 2)>
#loc1 = loc("a.py":1:2)
module @m attributes {x.map = #map} {
  func.func private @g(%a: tensor<4x8xf32>) -> tensor<8x4xf32> {
    %t = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> {x.y = 1} : (tensor<4x8xf32>) -> tensor<8x4xf32> loc(#loc1)
    return %t : tensor<8x4xf32>
  }
  func.func @f(%x: tensor<2x8xf32> {ttir.name = "x"}, %w: tensor<4x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2x4xf32> {
    %t = ttcore.load_cached(@g, [%w]) : (tensor<4x8xf32>) -> tensor<8x4xf32> loc(callsite("b.py":3:4 at "c.py":5:6))
    %e = ttir.empty() : tensor<2x4xf32>
    %c = "ttir.constant"() <{value = dense<[[1.0, 0x7F800000]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
    %k = "ttir.concat"(%x, %e, %c) <{dim = 1 : si32}> : (tensor<2x8xf32>, tensor<2x4xf32>, tensor<1x2xf32>) -> tensor<2x14xf32>
    %m = "ttir.matmul"(%x, %t) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    return %m : tensor<2x4xf32>
  }
}
""",  # noqa: E501
    """func.func @main(%arg0: !torch.vtensor<[2,3],f32>, %l: !torch.list<int>, %o: !torch.optional<list<float>>) -> !torch.vtensor<[2,3],f32> {
  %int1 = torch.constant.int 1
  %0 = torch.aten.add.Tensor %arg0, %arg0, %int1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int -> !torch.vtensor<[2,3],f32>
  %1 = torch.operator "torch.aten.relu_"(%0) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
  %2 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2,3],f32>
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}
""",  # noqa: E501
]
PIECES = """tensor<  tensor<-1xf32>  tensor<99999999999999999999xf32>  i99999999  i0  tensor<?xf32>  <{  }>
9223372036854775808  -9223372036854775809  0xFFFFFFFFFFFFFFFFFFFF  1e99999  !torch.vtensor<[-5],f32>
!torch.list<  !torch.  #ttcore.  #ttir<a>  dense<>  dense<1> : tensor<99999999999x99999999999xi8>  dense_resource<x>
array<i65: 1>  array<si32: 1>  "\\xx"  affine_map<(d0) -> (d0 floordiv 0)>  {-#  #-}  loc(  ^bb0  %0#5  @""  ->  ({  })
ttcore.load_cached(  ttir.empty()  "ttir.concat"  ttcore.device_module  complex<complex<f32>>  operandSegmentSizes  //  "  \\  \x00"""  # noqa: E501
TOKEN = re.compile(r'-?\d+|tensor<[^>]*>|!torch\.\w+(?:<[^ ]*>)?|[A-Za-z_][\w.]*|%\w+|"[^"]*"|\S')


def mutate(source: random.Random, text: str) -> str:
    """Return `text` with a few pieces taken out, doubled, exchanged or put in."""
    for _ in range(source.choice([1, 1, 2, 3])):
        spans = [match.span() for match in TOKEN.finditer(text)] or [(0, 0)]
        (start, end), other = source.choice(spans), source.choice(spans)
        new = source.choice(["", text[other[0] : other[1]], source.choice(PIECES.split())])
        text = text[:start] + new + text[end if source.random() < 0.7 else start :]
        if source.random() < 0.1:
            text = text[: source.randrange(len(text) + 1)]
    return text


def main() -> None:
    """Read the mutations; every error but `CompileError` is let through."""
    source = random.Random(int(sys.argv[1]))
    kept = os.environ.get("MUTATION")
    context = make_context()
    for _ in range(int(sys.argv[2])):
        text = mutate(source, source.choice(TEXTS))
        if kept:
            Path(kept).write_text(text)
        with contextlib.suppress(CompileError):
            parse_module(text, context, "x.mlir")


if __name__ == "__main__":
    main()
