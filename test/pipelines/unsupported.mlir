// Every op without a rule is in one report, with the line of the model, how often, and the pass.

// RUN: not tt-opt %s --pipeline=torch-to-ttir -o %t.mlir 2>&1 | filecheck %s
// RUN: not %python -c "open(r'%t.mlir')"

// CHECK: model.py:7:4: error: 'torch.aten.linalg_cholesky': no rule lowers it to TTIR (2 uses)
// CHECK-NEXT: note: also at model.py:9:4
// CHECK-NEXT: model.py:8:4: error: 'torch.aten.linalg_eigvalsh': no rule lowers it to TTIR (1 use)
// CHECK-NEXT: note: in pass 'legalize-to-ttir', after 'recompose-batch-norm'
// CHECK-NOT: {{.}}
func.func @main(%x: !torch.vtensor<[2,2],f32>) -> (!torch.vtensor<[2,2],f32>, !torch.vtensor<[2],f32>) {
  %u = torch.constant.bool false
  %s = torch.constant.str "L"
  %0 = torch.operator "torch.aten.linalg_cholesky"(%x, %u) : (!torch.vtensor<[2,2],f32>, !torch.bool) -> !torch.vtensor<[2,2],f32> loc("model.py":7:4)
  %1 = torch.operator "torch.aten.linalg_eigvalsh"(%0, %s) : (!torch.vtensor<[2,2],f32>, !torch.str) -> !torch.vtensor<[2],f32> loc("model.py":8:4)
  %2 = torch.operator "torch.aten.linalg_cholesky"(%0, %u) : (!torch.vtensor<[2,2],f32>, !torch.bool) -> !torch.vtensor<[2,2],f32> loc("model.py":9:4)
  return %2, %1 : !torch.vtensor<[2,2],f32>, !torch.vtensor<[2],f32>
}
