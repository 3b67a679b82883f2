// RUN: tt-opt %s --functionalize-inplace-ops | filecheck %s

// The same in the form that torch-mlir's own op printers have. In-place ops on `!torch.tensor` are
// valid IR and are read as they stand; so is a comment that names `torch.aten.add_.Tensor %0`.
// CHECK-LABEL: func.func @values(
// CHECK: %[[SUM:.+]] = torch.aten.add.Scalar %arg0
// CHECK: return %[[SUM]], %[[SUM]]
func.func @values(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %one = torch.constant.int 1
  %number = torch.prim.NumToTensor.Scalar %one : !torch.int -> !torch.vtensor<[],si64>
  %0 = torch.aten.add_.Tensor %x, %number, %one {ttir.note} : !torch.vtensor<[2],f32>, !torch.vtensor<[],si64>, !torch.int -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @tensors(
// CHECK-SAME: %arg0: !torch.vtensor<[2],f32> {ttir.name = "arg0"}) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> {ttir.updates = "arg0"})
// CHECK: %[[RELU:.+]] = torch.aten.relu %arg0
// CHECK: return %[[RELU]], %[[RELU]]
func.func @tensors(%x: !torch.tensor<[2],f32>) -> !torch.tensor<[2],f32> {
  %0 = torch.aten.relu_ %x : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  return %0 : !torch.tensor<[2],f32>
}
