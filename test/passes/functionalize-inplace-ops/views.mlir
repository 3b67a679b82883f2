// RUN: tt-opt %s --functionalize-inplace-ops | filecheck %s

// A write to a row reaches the base; a read before it has the old value, one after it the new.
// CHECK-LABEL: func.func @select(
// CHECK: %[[ROW:.+]] = torch.aten.select.int %arg0
// CHECK: %[[BEFORE:.+]] = torch.aten.tanh %arg0
// CHECK: %[[NEW:.+]] = torch.aten.relu %[[ROW]]
// CHECK: %[[BASE:.+]] = torch.aten.select_scatter %arg0, %[[NEW]]
// CHECK: %[[AFTER:.+]] = torch.aten.tanh %[[BASE]]
// CHECK: return %[[BEFORE]], %[[AFTER]], %[[BASE]]
func.func @select(%x: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) {
  %int0 = torch.constant.int 0
  %row = torch.aten.select.int %x, %int0, %int0 : !torch.vtensor<[2,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[3],f32>
  %before = torch.aten.tanh %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %new = torch.operator "torch.aten.relu_"(%row) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  %after = torch.aten.tanh %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  return %before, %after : !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
}

// Two writes to one view are written back once, at the location of the last.
// CHECK-LABEL: func.func @twice(
// CHECK: torch.aten.relu
// CHECK-NEXT: %[[NEW:.+]] = torch.aten.tanh
// CHECK: torch.aten.slice_scatter %arg0, %[[NEW]]
// CHECK-NOT: scatter
func.func @twice(%x: !torch.vtensor<[4],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int3 = torch.constant.int 3
  %v = torch.aten.slice.Tensor %x, %int0, %int1, %int3, %int1 : !torch.vtensor<[4],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
  %0 = torch.operator "torch.aten.relu_"(%v) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %1 = torch.operator "torch.aten.tanh_"(%v) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return
}

// Views of views go back step by step; a permutation of a permutation is one.
// CHECK-LABEL: func.func @chain(
// CHECK-DAG: %[[ROW:.+]] = torch.aten.select.int %arg0
// CHECK: %[[NEW:.+]] = torch.aten.relu %[[ROW]]
// CHECK: %[[BASE:.+]] = torch.aten.select_scatter %arg0, %[[NEW]]
// CHECK-NOT: permute
// CHECK: return %[[BASE]]
func.func @chain(%x: !torch.vtensor<[2,3],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.aten.t %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[3,2],f32>
  %1 = torch.aten.transpose.int %0, %int0, %int1 : !torch.vtensor<[3,2],f32>, !torch.int, !torch.int -> !torch.vtensor<[2,3],f32>
  %2 = torch.aten.select.int %1, %int0, %int1 : !torch.vtensor<[2,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[3],f32>
  %3 = torch.operator "torch.aten.relu_"(%2) : (!torch.vtensor<[3],f32>) -> !torch.vtensor<[3],f32>
  return
}

// CHECK-LABEL: func.func @diagonal(
// CHECK: torch.aten.diagonal_scatter %arg0
func.func @diagonal(%x: !torch.vtensor<[3,3],f32>) {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %0 = torch.aten.diagonal %x, %int1, %int0, %int1 : !torch.vtensor<[3,3],f32>, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
  %1 = torch.operator "torch.aten.relu_"(%0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return
}

// Parts of a split are slices: the cost of a write does not depend on how many parts there are.
// CHECK-LABEL: func.func @split(
// CHECK: torch.aten.split.Tensor %arg0
// CHECK: %[[FIRST:.+]]:2 = torch.prim.ListUnpack
// CHECK: %[[NEW:.+]] = torch.aten.relu %[[FIRST]]#0
// CHECK: %[[BASE:.+]] = torch.aten.slice_scatter %arg0, %[[NEW]]
// CHECK: %[[SECOND:.+]] = torch.aten.slice.Tensor %[[BASE]]
// CHECK: return %[[SECOND]], %[[BASE]]
func.func @split(%x: !torch.vtensor<[4],f32>) -> !torch.vtensor<[2],f32> {
  %int0 = torch.constant.int 0
  %int2 = torch.constant.int 2
  %0 = torch.aten.split.Tensor %x, %int2, %int0 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %1:2 = torch.prim.ListUnpack %0 : !torch.list<vtensor> -> !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>
  %2 = torch.operator "torch.aten.relu_"(%1#0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %1#1 : !torch.vtensor<[2],f32>
}

// A list holds tensors, and not what they were when it was made.
// CHECK-LABEL: func.func @list(
// CHECK: %[[NEW:.+]] = torch.aten.relu %arg0
// CHECK: %[[LIST:.+]] = torch.prim.ListConstruct %[[NEW]], %[[NEW]]
// CHECK: torch.aten.cat %[[LIST]]
func.func @list(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.prim.ListConstruct %x, %x : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor<[2],f32>>
  %1 = torch.operator "torch.aten.relu_"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %2 = torch.aten.cat %0, %int0 : !torch.list<vtensor<[2],f32>>, !torch.int -> !torch.vtensor<[4],f32>
  return %2 : !torch.vtensor<[4],f32>
}

// One number may be written to all of an expanded view; its base gets it once.
// CHECK-LABEL: func.func @fill(
// CHECK: %[[FULL:.+]] = torch.aten.full
// CHECK: %[[ONCE:.+]] = torch.aten.slice.Tensor %[[FULL]]
// CHECK: %[[BASE:.+]] = torch.aten.reshape %[[ONCE]]
// CHECK: return %[[BASE]]
func.func @fill(%x: !torch.vtensor<[3],f32>) {
  %int2 = torch.constant.int 2
  %int3 = torch.constant.int 3
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %int2, %int3 : (!torch.int, !torch.int) -> !torch.list<int>
  %1 = torch.aten.expand %x, %0, %false : !torch.vtensor<[3],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[2,3],f32>
  %2 = torch.operator "torch.aten.fill_.Scalar"(%1, %int2) : (!torch.vtensor<[2,3],f32>, !torch.int) -> !torch.vtensor<[2,3],f32>
  return
}

// A function that writes nothing stays as it is, unused views and all.
// CHECK-LABEL: func.func @pure(
// CHECK-NEXT: torch.aten.t %arg0
// CHECK-NEXT: return %arg0
func.func @pure(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %0 = torch.aten.t %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[3,2],f32>
  return %x : !torch.vtensor<[2,3],f32>
}
