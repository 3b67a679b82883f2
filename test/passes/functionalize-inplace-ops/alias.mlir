// RUN: tt-opt %s --functionalize-inplace-ops | filecheck %s

// Whether reshape is a view is decided by strides: of a row-major argument it is one,
// CHECK-LABEL: func.func @view(
// CHECK: %[[NEW:.+]] = torch.aten.relu
// CHECK: %[[BASE:.+]] = torch.aten.reshape %[[NEW]]
// CHECK: return %[[BASE]]
func.func @view(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %int6 = torch.constant.int 6
  %0 = torch.prim.ListConstruct %int6 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.reshape %x, %0 : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[6],f32>
  %2 = torch.operator "torch.aten.relu_"(%1) : (!torch.vtensor<[6],f32>) -> !torch.vtensor<[6],f32>
  return %x : !torch.vtensor<[2,3],f32>
}

// of one that the caller has transposed it is a copy,
// CHECK-LABEL: func.func @copy(
// CHECK: return %arg0 :
func.func @copy(%x: !torch.vtensor<[2,3],f32> {ttir.strides = array<i64: 1, 2>}) -> !torch.vtensor<[2,3],f32> {
  %int6 = torch.constant.int 6
  %0 = torch.prim.ListConstruct %int6 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.reshape %x, %0 : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[6],f32>
  %2 = torch.operator "torch.aten.relu_"(%1) : (!torch.vtensor<[6],f32>) -> !torch.vtensor<[6],f32>
  return %x : !torch.vtensor<[2,3],f32>
}

// and the transposition of that one is a view again.
// CHECK-LABEL: func.func @transposed(
// CHECK-SAME: {ttir.updates = "arg0"}
func.func @transposed(%x: !torch.vtensor<[2,3],f32> {ttir.strides = array<i64: 1, 2>}) {
  %int6 = torch.constant.int 6
  %0 = torch.prim.ListConstruct %int6 : (!torch.int) -> !torch.list<int>
  %1 = torch.aten.t %x : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[3,2],f32>
  %2 = torch.aten.reshape %1, %0 : !torch.vtensor<[3,2],f32>, !torch.list<int> -> !torch.vtensor<[6],f32>
  %3 = torch.operator "torch.aten.relu_"(%2) : (!torch.vtensor<[6],f32>) -> !torch.vtensor<[6],f32>
  return
}

// The importer's word counts: here `contiguous` has copied.
// CHECK-LABEL: func.func @told(
// CHECK: return %arg0 :
func.func @told(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %int0 = torch.constant.int 0
  %0 = torch.aten.contiguous %x, %int0 {ttir.alias = false} : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  %1 = torch.operator "torch.aten.relu_"(%0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return %x : !torch.vtensor<[2],f32>
}

// `to` of the dtype that a tensor has returns the tensor, `clone` a new one.
// CHECK-LABEL: func.func @to(
// CHECK: %[[NEW:.+]] = torch.aten.relu %arg0
// CHECK: return %[[NEW]]
func.func @to(%x: !torch.vtensor<[2],f32>) {
  %int6 = torch.constant.int 6
  %false = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.to.dtype %x, %int6, %false, %false, %none : !torch.vtensor<[2],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>
  %1 = torch.operator "torch.aten.relu_"(%0) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %2 = torch.aten.clone %0, %none : !torch.vtensor<[2],f32>, !torch.none -> !torch.vtensor<[2],f32>
  %3 = torch.operator "torch.aten.tanh_"(%2) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  return
}

// Strides that nobody knows do not matter where the other tensor is not read again.
// CHECK-LABEL: func.func @unknown(
// CHECK: %[[INVERSE:.+]]:2 = torch.operator "torch.aten.linalg_inv_ex"
// CHECK: %[[FLAT:.+]] = torch.aten.reshape %[[INVERSE]]#0
// CHECK: %[[NEW:.+]] = torch.aten.relu %[[FLAT]]
// CHECK: return %[[NEW]]
func.func @unknown(%x: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[4],f32> {
  %int4 = torch.constant.int 4
  %false = torch.constant.bool false
  %0 = torch.prim.ListConstruct %int4 : (!torch.int) -> !torch.list<int>
  %1:2 = torch.operator "torch.aten.linalg_inv_ex"(%x, %false) : (!torch.vtensor<[2,2],f32>, !torch.bool) -> (!torch.vtensor<[2,2],f32>, !torch.vtensor<[],si32>)
  %2 = torch.aten.reshape %1#0, %0 : !torch.vtensor<[2,2],f32>, !torch.list<int> -> !torch.vtensor<[4],f32>
  %3 = torch.operator "torch.aten.relu_"(%2) : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32>
  return %3 : !torch.vtensor<[4],f32>
}

// as_strided looks at the storage of its operand, also where nothing is written.
// CHECK-LABEL: func.func @as_strided(
// CHECK-NOT: as_strided
// CHECK: torch.aten.slice.Tensor %{{.+}}, %{{.+}}, %int0, %int2
func.func @as_strided(%x: !torch.vtensor<[2,2],f32>) -> !torch.vtensor<[2],f32> {
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int2 = torch.constant.int 2
  %size = torch.prim.ListConstruct %int2 : (!torch.int) -> !torch.list<int>
  %stride = torch.prim.ListConstruct %int1 : (!torch.int) -> !torch.list<int>
  %row = torch.aten.select.int %x, %int0, %int1 : !torch.vtensor<[2,2],f32>, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
  %0 = torch.aten.as_strided %row, %size, %stride, %int0 : !torch.vtensor<[2],f32>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
