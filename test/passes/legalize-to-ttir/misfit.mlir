// An op with other operands than its schema's, which only a hand-written file has, is an error at it.

// RUN: not tt-opt %s --legalize-to-ttir 2>&1 | filecheck %s

// CHECK: model.py:4:4: error: 'torch.aten.hypot': its rule does not fit its operands: TypeError: hypot() missing 1 required positional argument: 'y'
// CHECK-NEXT: note: this is a fault of torch-ttir, or the IR is wrong: run `--verify-ops` on it
// CHECK-NEXT: note: in pass 'legalize-to-ttir'
func.func @main(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.operator "torch.aten.hypot"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> loc("model.py":4:4)
  return %0 : !torch.vtensor<[2],f32>
}
