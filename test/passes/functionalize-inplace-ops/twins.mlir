// RUN: tt-opt %s --functionalize-inplace-ops | filecheck %s

// The destination's dtype and shape win: arithmetic is done in the common dtype, and cast back.
// CHECK-LABEL: func.func @dtypes(
// CHECK: %[[SUM:.+]] = torch.aten.add.Tensor %arg0, %arg1, %{{.+}} : !torch.vtensor<[2],bf16>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
// CHECK: %[[CAST:.+]] = torch.prims.convert_element_type %[[SUM]]
// CHECK: %[[LESS:.+]] = torch.aten.lt.Tensor %[[CAST]], %arg1 : {{.*}} -> !torch.vtensor<[2],i1>
// CHECK: %[[BACK:.+]] = torch.prims.convert_element_type %[[LESS]]
// CHECK: return %[[BACK]]
func.func @dtypes(%x: !torch.vtensor<[2],bf16>, %y: !torch.vtensor<[2],f32>) {
  %one = torch.constant.int 1
  %0 = torch.operator "torch.aten.add_.Tensor"(%x, %y, %one) : (!torch.vtensor<[2],bf16>, !torch.vtensor<[2],f32>, !torch.int) -> !torch.vtensor<[2],bf16>
  %1 = torch.operator "torch.aten.lt_.Tensor"(%x, %y) : (!torch.vtensor<[2],bf16>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],bf16>
  return
}

// CHECK-LABEL: func.func @copy(
// CHECK: %[[CAST:.+]] = torch.prims.convert_element_type %arg1
// CHECK: %[[NEW:.+]] = torch.aten.expand %[[CAST]]
// CHECK: return %[[NEW]]
func.func @copy(%x: !torch.vtensor<[2,3],si32>, %y: !torch.vtensor<[3],f32>) {
  %false = torch.constant.bool false
  %0 = torch.operator "torch.aten.copy_"(%x, %y, %false) : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[3],f32>, !torch.bool) -> !torch.vtensor<[2,3],si32>
  return
}

// A number that stands as a 0-d tensor promotes as a number, where there is an overload for it.
// CHECK-LABEL: func.func @number(
// CHECK: torch.aten.mul.Scalar %arg0, %{{.+}} : !torch.vtensor<[],f16>, !torch.float -> !torch.vtensor<[],f16>
func.func @number(%x: !torch.vtensor<[],f16>) {
  %half = torch.constant.float 5.000000e-01
  %0 = torch.prim.NumToTensor.Scalar %half : !torch.float -> !torch.vtensor<[],f32>
  %1 = torch.operator "torch.aten.mul_.Tensor"(%x, %0) : (!torch.vtensor<[],f16>, !torch.vtensor<[],f32>) -> !torch.vtensor<[],f16>
  return
}

// An op that the Torch dialect does not have stays in `torch.operator`, without its underscore.
// CHECK-LABEL: func.func @unregistered(
// CHECK: torch.operator "torch.aten.index_copy"(%arg0, %{{.+}}, %arg1, %arg2)
func.func @unregistered(%x: !torch.vtensor<[4],f32>, %i: !torch.vtensor<[2],si64>, %y: !torch.vtensor<[2],f32>) {
  %int0 = torch.constant.int 0
  %0 = torch.operator "torch.aten.index_copy_"(%x, %int0, %i, %y) : (!torch.vtensor<[4],f32>, !torch.int, !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32>
  return
}

// `out=` is written, and an empty one takes the result's shape; `sum` adds up in its dtype.
// CHECK-LABEL: func.func @out(
// CHECK: %[[SUM:.+]] = torch.aten.sum.dim_IntList %arg0, %{{.+}}, %false, %int3 {{.*}}-> !torch.vtensor<[3],si32>
// CHECK: %[[ADD:.+]] = torch.aten.add.Tensor %arg0, %arg0
// CHECK: return %[[SUM]], %[[ADD]], %[[SUM]]
func.func @out(%x: !torch.vtensor<[2,3],si32>, %y: !torch.vtensor<[3],si32>, %z: !torch.vtensor<[0],si32>) -> (!torch.vtensor<[3],si32>, !torch.vtensor<[2,3],si32>) {
  %int0 = torch.constant.int 0
  %one = torch.constant.int 1
  %false = torch.constant.bool false
  %none = torch.constant.none
  %dims = torch.prim.ListConstruct %int0 : (!torch.int) -> !torch.list<int>
  %0 = torch.operator "torch.aten.sum.IntList_out"(%x, %dims, %false, %none, %y) : (!torch.vtensor<[2,3],si32>, !torch.list<int>, !torch.bool, !torch.none, !torch.vtensor<[3],si32>) -> !torch.vtensor<[3],si32>
  %1 = torch.aten.relu %z : !torch.vtensor<[0],si32> -> !torch.vtensor<[0],si32>
  %2 = torch.operator "torch.aten.add.out"(%x, %x, %one, %1) : (!torch.vtensor<[2,3],si32>, !torch.vtensor<[2,3],si32>, !torch.int, !torch.vtensor<[0],si32>) -> !torch.vtensor<[2,3],si32>
  return %0, %2 : !torch.vtensor<[3],si32>, !torch.vtensor<[2,3],si32>
}

// CHECK-LABEL: func.func @dropout(
// CHECK-NOT: dropout
// CHECK: return
func.func @dropout(%x: !torch.vtensor<[2],f32>) {
  %half = torch.constant.float 5.000000e-01
  %false = torch.constant.bool false
  %0 = torch.operator "torch.aten.dropout_"(%x, %half, %false) : (!torch.vtensor<[2],f32>, !torch.float, !torch.bool) -> !torch.vtensor<[2],f32>
  return
}
