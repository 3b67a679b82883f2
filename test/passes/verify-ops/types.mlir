// RUN: not tt-opt %s --verify-ops 2>&1 | filecheck %s

// The Torch dialect's own verifier accepts all of these.
// CHECK: types.mlir:10:8: error: 'torch.aten.mm': a and b must have same reduction dim, but got [2, 3] X [4, 5].
// CHECK: types.mlir:13:8: error: 'torch.aten.view': it makes `tensor<6xf32>` where the IR declares `!torch.vtensor<[6],bf16>`
// CHECK: types.mlir:14:8: error: 'torch.aten.add_.Tensor': {{.*}}broadcast
// CHECK-NEXT: note: in pass 'verify-ops'
func.func @wrong(%a: !torch.vtensor<[2,3],f32>, %b: !torch.vtensor<[4,5],f32>) -> (!torch.vtensor<[7,7],si64>, !torch.vtensor<[6],bf16>) {
  %one = torch.constant.int 1
  %0 = torch.aten.mm %a, %b : !torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32> -> !torch.vtensor<[7,7],si64>
  %six = torch.constant.int 6
  %size = torch.prim.ListConstruct %six : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.view %a, %size : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[6],bf16>
  %2 = torch.operator "torch.aten.add_.Tensor"(%a, %b, %one) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[4,5],f32>, !torch.int) -> !torch.vtensor<[2,3],f32>
  return %0, %1 : !torch.vtensor<[7,7],si64>, !torch.vtensor<[6],bf16>
}
