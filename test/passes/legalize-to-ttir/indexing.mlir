// Reads and writes at indices keep the element type, and need no more than what is not known.

// RUN: tt-opt %s --legalize-to-ttir | filecheck %s

// Integers are gathered: a device's embedding would round them to bf16.
// CHECK-LABEL: func.func @integer_table
// CHECK: %[[ROWS:.*]] = "ttir.broadcast"({{.*}}) {broadcast_dimensions = array<i64: 1, 3>} : (tensor<2x1xi64>) -> tensor<2x3xi64>
// CHECK-NEXT: "ttir.gather"(%arg0, %[[ROWS]]) {dim = 0 : i32} : (tensor<8x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
func.func @integer_table(%table: !torch.vtensor<[8,3],si64>, %i: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],si64> {
  %minus = torch.constant.int -1
  %false = torch.constant.bool false
  %0 = torch.aten.embedding %table, %i, %minus, %false, %false : !torch.vtensor<[8,3],si64>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,3],si64>
  return %0 : !torch.vtensor<[2,3],si64>
}

// CHECK-LABEL: func.func @float_table
// CHECK: "ttir.embedding"(%arg1, %arg0) : (tensor<2xi64>, tensor<8x3xf32>) -> tensor<2x3xf32>
func.func @float_table(%table: !torch.vtensor<[8,3],f32>, %i: !torch.vtensor<[2],si64>) -> !torch.vtensor<[2,3],f32> {
  %minus = torch.constant.int -1
  %false = torch.constant.bool false
  %0 = torch.aten.embedding %table, %i, %minus, %false, %false : !torch.vtensor<[8,3],f32>, !torch.vtensor<[2],si64>, !torch.int, !torch.bool, !torch.bool -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @known_index_is_a_slice
// CHECK: "ttir.slice_static"(%arg0) {begins = [1 : i32, 0 : i32], ends = [4 : i32, 3 : i32], step = [2 : i32, 1 : i32]} : (tensor<5x3xf32>) -> tensor<2x3xf32>
// CHECK-NOT: ttir.gather
func.func @known_index_is_a_slice(%x: !torch.vtensor<[5,3],f32>) -> !torch.vtensor<[2,3],f32> {
  %i = torch.vtensor.literal(dense<[1, 3]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %l = torch.prim.ListConstruct %i : (!torch.vtensor<[2],si64>) -> !torch.list<vtensor>
  %0 = torch.aten.index.Tensor_hacked_twin %x, %l : !torch.vtensor<[5,3],f32>, !torch.list<vtensor> -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @masked_write_of_one_value
// CHECK: "ttir.where"(%arg1, {{.*}}, %arg0) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @masked_write_of_one_value(%x: !torch.vtensor<[2,3],f32>, %m: !torch.vtensor<[2,3],i1>, %v: !torch.vtensor<[],f32>) -> !torch.vtensor<[2,3],f32> {
  %false = torch.constant.bool false
  %l = torch.prim.ListConstruct %m : (!torch.vtensor<[2,3],i1>) -> !torch.list<vtensor>
  %0 = torch.aten.index_put.hacked_twin %x, %l, %v, %false : !torch.vtensor<[2,3],f32>, !torch.list<vtensor>, !torch.vtensor<[],f32>, !torch.bool -> !torch.vtensor<[2,3],f32>
  return %0 : !torch.vtensor<[2,3],f32>
}

// CHECK-LABEL: func.func @slice_past_the_end
// CHECK: "ttir.slice_static"(%arg0) {begins = [2 : i32], ends = [5 : i32], step = [1 : i32]} : (tensor<5xf32>) -> tensor<3xf32>
func.func @slice_past_the_end(%x: !torch.vtensor<[5],f32>) -> !torch.vtensor<[3],f32> {
  %dim = torch.constant.int 0
  %start = torch.constant.int -3
  %end = torch.constant.int 9223372036854775807
  %step = torch.constant.int 1
  %0 = torch.aten.slice.Tensor %x, %dim, %start, %end, %step : !torch.vtensor<[5],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[3],f32>
  return %0 : !torch.vtensor<[3],f32>
}
