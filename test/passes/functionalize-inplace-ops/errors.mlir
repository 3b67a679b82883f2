// RUN: not tt-opt %s --functionalize-inplace-ops 2>&1 | filecheck %s
// RUN: not tt-opt %s --functionalize-inplace-ops -o %t.mlir
// RUN: not ls %t.mlir

// All writes that cannot be made values are in one report.
// CHECK: errors.mlir:17:8: error: 'torch.aten.add_.Tensor': more than one element of the written-to tensor refers to a single memory location
// CHECK-NEXT: note: write to a `.clone()` of the expanded or overlapping view
func.func @expanded(%x: !torch.vtensor<[3],f32>) {
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %int2, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.expand %x, %0, %false : !torch.vtensor<[3],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2,3],f32>
  // One row of it is no trouble.
  %2 = torch.aten.select.int %1, %int1, %int1 : !torch.vtensor<[2,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
  %3 = torch.operator "torch.aten.add_.Tensor"(%1, %1, %int1) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.int) -> !torch.vtensor<[2,3],f32>
  return
}

// CHECK-NEXT: errors.mlir:28:8: error: 'torch.aten.add_.Tensor': some elements of the input tensor and the written-to tensor refer to a single memory location
// CHECK-NEXT: note: read from a `.clone()` of the tensor
// CHECK-NEXT: errors.mlir:29:8: error: 'torch.aten.addmm_': some elements of the input tensor and the written-to tensor refer to a single memory location
// CHECK-NEXT: note: read from a `.clone()` of the tensor
func.func @reads_what_it_writes(%x: !torch.vtensor<[2,2],f32>) {
  %int1 = torch.constant.int 1
  %0 = torch.aten.t %x : !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %1 = torch.operator "torch.aten.add_.Tensor"(%x, %0, %int1) : (!torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.int) -> !torch.vtensor<[2,2],f32>
  %2 = torch.operator "torch.aten.addmm_"(%x, %x, %x, %int1, %int1) : (!torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,2],f32>
  %3 = torch.operator "torch.aten.add_.Tensor"(%x, %x, %int1) : (!torch.vtensor<[2,2],f32>, !torch.vtensor<[2,2],f32>, !torch.int) -> !torch.vtensor<[2,2],f32>
  return
}

// CHECK-NEXT: errors.mlir:48:8: error: 'torch.aten.rrelu_with_noise_': it draws random numbers, which TTIR cannot repeat as PyTorch does
// CHECK-NEXT: errors.mlir:49:8: error: 'torch.aten.resize_': it changes which storage the tensor has, or its size, which a value cannot say
// CHECK-NEXT: errors.mlir:50:8: error: 'torch.aten.set_.source_Tensor': it changes which storage the tensor has, or its size, which a value cannot say
// CHECK-NEXT: errors.mlir:51:8: error: 'torch.aten.add_.Scalar': result type Float can't be cast to the desired output type Long
// CHECK-NEXT: errors.mlir:52:8: error: 'torch.aten.add_.Tensor': output with shape [2] doesn't match the broadcast shape of an operand of shape [2, 2]
// CHECK-NEXT: errors.mlir:53:8: error: 'torch.mine.scale_': the op that returns what it writes is not known
// CHECK-NEXT: errors.mlir:54:3: error: 'torch.aten._foreach_mul_.Scalar': it writes a list of tensors
func.func @refused(%x: !torch.vtensor<[2],f32>, %y: !torch.vtensor<[2,2],f32>, %i: !torch.vtensor<[2],si64>) {
  %int1 = torch.constant.int 1
  %half = torch.constant.float 5.000000e-01
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %list = torch.prim.ListConstruct %x, %y : (!torch.vtensor<[2],f32>, !torch.vtensor<[2,2],f32>) -> !torch.list<vtensor>
  %1 = torch.operator "torch.aten.rrelu_with_noise_"(%x, %x, %half, %half, %true, %none) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.float, !torch.float, !torch.bool, !torch.none) -> !torch.vtensor<[2],f32>
  %2 = torch.operator "torch.aten.resize_"(%x, %0, %none) : (!torch.vtensor<[2],f32>, !torch.list<int>, !torch.none) -> !torch.vtensor<[1],f32>
  %3 = torch.operator "torch.aten.set_.source_Tensor"(%x, %y) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],f32>
  %4 = torch.operator "torch.aten.add_.Scalar"(%i, %half, %int1) : (!torch.vtensor<[2],si64>, !torch.float, !torch.int) -> !torch.vtensor<[2],si64>
  %5 = torch.operator "torch.aten.add_.Tensor"(%x, %y, %int1) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2,2],f32>, !torch.int) -> !torch.vtensor<[2],f32>
  %6 = torch.operator "torch.mine.scale_"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  torch.operator "torch.aten._foreach_mul_.Scalar"(%list, %half) : (!torch.list<vtensor>, !torch.float) -> ()
  return
}

// CHECK-NEXT: errors.mlir:66:8: error: 'torch.aten.relu_': whether this write reaches another tensor depends on strides that the IR does not say: an op between them returns a view or a copy
// CHECK-NEXT: note: see {{.*}}errors.mlir:65:8: `torch.aten.reshape`
func.func @unknown(%x: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2,2],f32> {
  %int4 = torch.constant.int 4
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  %1:2 = torch.operator "torch.aten.linalg_inv_ex"(%x, %false) : (!torch.vtensor<[2,2],f32>, !torch.bool) -> (!torch.vtensor<[2,2],f32>, !torch.vtensor<[],si32>)
  %2 = torch.aten.reshape %1#0, %0 : !torch.vtensor<[2,2],f32>, !torch.list<int> -> !torch.vtensor<[4],f32>
  %3 = torch.operator "torch.aten.relu_"(%2) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %1#0 : !torch.vtensor<[2,2],f32>
}

// CHECK-NEXT: errors.mlir:75:8: error: 'torch.aten.mul_.Scalar': this write reaches another tensor through an op whose views cannot be written back
// CHECK-NEXT: note: see {{.*}}errors.mlir:74:8: `torch.aten.view_as_real`
func.func @real(%z: !torch.vtensor<[2],complex<f32>>) -> !torch.vtensor<[2,2],f32> {
  %two = torch.constant.int 2
  %0 = torch.aten.view_as_real %z : !torch.vtensor<[2],complex<f32>> -> !torch.vtensor<[2,2],f32>
  %1 = torch.operator "torch.aten.mul_.Scalar"(%0, %two) : (!torch.vtensor<[2,2],f32>, !torch.int) -> !torch.vtensor<[2,2],f32>
  return %1 : !torch.vtensor<[2,2],f32>
}

// CHECK-NEXT: errors.mlir:81:1: error: 'func.func': `called` writes its arguments and is called: inline it first
// CHECK-NEXT: note: in pass 'functionalize-inplace-ops'
func.func @called(%x: !torch.vtensor<[2],f32>) {
  %0 = torch.operator "torch.aten.relu_"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return
}
func.func @caller(%x: !torch.vtensor<[2],f32>) {
  func.call @called(%x) : (!torch.vtensor<[2],f32>) -> ()
  return
}
