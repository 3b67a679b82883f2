// TTIR's ops that make and move data, all of them, in tt-mlir's spelling.
// What is printed is what ttmlir-opt takes: the generic form, each attribute of its kind. It reads
// back as the same, as text and as bytecode.

// RUN: tt-opt %s -o %t.mlir
// RUN: filecheck %s --input-file %t.mlir
// RUN: tt-opt %t.mlir -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir
// RUN: tt-opt %t.mlir --emit-bytecode -o %t.mlirbc
// RUN: tt-opt %t.mlirbc -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir

// CHECK: "ttir.broadcast"(%arg0) {broadcast_dimensions = array<i64: 5, 1>} : (tensor<1x3xf32>) -> tensor<5x3xf32>
func.func @broadcast(%arg0: tensor<1x3xf32>) {
  %0 = "ttir.broadcast"(%arg0) <{broadcast_dimensions = array<i64: 5, 1>}> : (tensor<1x3xf32>) -> tensor<5x3xf32>
  return
}

// CHECK: "ttir.broadcast"(%arg0) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<1x3xf32>) -> tensor<0x3xf32>
func.func @broadcast_2(%arg0: tensor<1x3xf32>) {
  %0 = "ttir.broadcast"(%arg0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xf32>) -> tensor<0x3xf32>
  return
}

// CHECK: "ttir.concat"(%arg0, %arg1, %arg2) {dim = -1 : si32} : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x11xf32>
func.func @concat(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<2x4xf32>) {
  %0 = "ttir.concat"(%arg0, %arg1, %arg2) <{dim = -1 : si32}> : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x11xf32>
  return
}

// CHECK: "ttir.concat"(%arg0) {dim = 0 : si32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @concat_2(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.concat"(%arg0) <{dim = 0 : si32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.get_dimension_size"(%arg0) {dimension = 1 : i32} : (tensor<2x3xf32>) -> tensor<1xi32>
func.func @get_dimension_size(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.get_dimension_size"(%arg0) <{dimension = 1 : i32}> : (tensor<2x3xf32>) -> tensor<1xi32>
  return
}

// CHECK: "ttir.get_dimension_size"(%arg0) {dimension = 0 : i32} : (tensor<2x3xf32>) -> tensor<1xui32>
func.func @get_dimension_size_2(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.get_dimension_size"(%arg0) <{dimension = 0 : i32}> : (tensor<2x3xf32>) -> tensor<1xui32>
  return
}

// CHECK: "ttir.pad"(%arg0) {padding = array<i32: 0, 0, 1, 2>, value = 0.000000e+00 : f32} : (tensor<2x3xf32>) -> tensor<2x6xf32>
func.func @pad(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.pad"(%arg0) <{padding = array<i32: 0, 0, 1, 2>, value = 0.0 : f32}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// CHECK: "ttir.pad"(%arg0) {padding = array<i32: 1, -1, -1, 0>, value = 1.000000e+00 : f32} : (tensor<2x3xi32>) -> tensor<2x2xi32>
func.func @pad_2(%arg0: tensor<2x3xi32>) {
  %0 = "ttir.pad"(%arg0) <{padding = array<i32: 1, -1, -1, 0>, value = 1.0 : f32}> : (tensor<2x3xi32>) -> tensor<2x2xi32>
  return
}

// CHECK: "ttir.permute"(%arg0) {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
func.func @permute(%arg0: tensor<2x3x4xf32>) {
  %0 = "ttir.permute"(%arg0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return
}

// CHECK: "ttir.permute"(%arg0) {permutation = array<i64>} : (tensor<f32>) -> tensor<f32>
func.func @permute_2(%arg0: tensor<f32>) {
  %0 = "ttir.permute"(%arg0) <{permutation = array<i64>}> : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK: "ttir.rearrange"(%arg0) {pattern = "b h w c -> b (h w) c"} : (tensor<2x3x4x5xf32>) -> tensor<2x12x5xf32>
func.func @rearrange(%arg0: tensor<2x3x4x5xf32>) {
  %0 = "ttir.rearrange"(%arg0) <{pattern = "b h w c -> b (h w) c"}> : (tensor<2x3x4x5xf32>) -> tensor<2x12x5xf32>
  return
}

// CHECK: "ttir.rearrange"(%arg0) {pattern = "a b c->c (b a)"} : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
func.func @rearrange_2(%arg0: tensor<2x3x4xf32>) {
  %0 = "ttir.rearrange"(%arg0) <{pattern = "a b c->c (b a)"}> : (tensor<2x3x4xf32>) -> tensor<4x6xf32>
  return
}

// CHECK: "ttir.repeat"(%arg0) {repeat_dimensions = array<i64: 2, 3>} : (tensor<2x3xf32>) -> tensor<4x9xf32>
func.func @repeat(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.repeat"(%arg0) <{repeat_dimensions = array<i64: 2, 3>}> : (tensor<2x3xf32>) -> tensor<4x9xf32>
  return
}

// CHECK: "ttir.repeat_interleave"(%arg0) {dim = 1 : si32, repeats = 2 : ui32} : (tensor<2x3xf32>) -> tensor<2x6xf32>
func.func @repeat_interleave(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.repeat_interleave"(%arg0) <{repeats = 2 : ui32, dim = 1 : si32}> : (tensor<2x3xf32>) -> tensor<2x6xf32>
  return
}

// CHECK: "ttir.reshape"(%arg0) {shape = [3 : i32, 4 : i32]} : (tensor<2x6xf32>) -> tensor<3x4xf32>
func.func @reshape(%arg0: tensor<2x6xf32>) {
  %0 = "ttir.reshape"(%arg0) <{shape = [3 : i32, 4 : i32]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// CHECK: "ttir.reshape"(%arg0) {shape = [-1 : i32, 4 : i32]} : (tensor<2x6xf32>) -> tensor<3x4xf32>
func.func @reshape_2(%arg0: tensor<2x6xf32>) {
  %0 = "ttir.reshape"(%arg0) <{shape = [-1 : i32, 4 : i32]}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// CHECK: "ttir.reverse"(%arg0) {dimensions = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @reverse(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.reverse"(%arg0) <{dimensions = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.squeeze"(%arg0) {dim = -2 : si32} : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
func.func @squeeze(%arg0: tensor<2x1x3xf32>) {
  %0 = "ttir.squeeze"(%arg0) <{dim = -2 : si32}> : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.transpose"(%arg0) {dim0 = -1 : si32, dim1 = -2 : si32} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
func.func @transpose(%arg0: tensor<2x3x4xf32>) {
  %0 = "ttir.transpose"(%arg0) <{dim0 = -1 : si32, dim1 = -2 : si32}> : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  return
}

// CHECK: "ttir.unsqueeze"(%arg0) {dim = -1 : si32} : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
func.func @unsqueeze(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.unsqueeze"(%arg0) <{dim = -1 : si32}> : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  return
}

// CHECK: "ttir.unsqueeze"(%arg0) {dim = 0 : si32} : (tensor<f32>) -> tensor<1xf32>
func.func @unsqueeze_2(%arg0: tensor<f32>) {
  %0 = "ttir.unsqueeze"(%arg0) <{dim = 0 : si32}> : (tensor<f32>) -> tensor<1xf32>
  return
}

// CHECK: "ttir.index"(%arg0) {begin = 0 : i32, dim = 1 : i32, end = 6 : i32, step = 2 : i32} : (tensor<2x6xf32>) -> tensor<2x3xf32>
func.func @index(%arg0: tensor<2x6xf32>) {
  %0 = "ttir.index"(%arg0) <{dim = 1 : i32, begin = 0 : i32, end = 6 : i32, step = 2 : i32}> : (tensor<2x6xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.index"(%arg0) {begin = -3 : i32, dim = 1 : i32, end = -1 : i32, step = 1 : i32} : (tensor<2x6xf32>) -> tensor<2x2xf32>
func.func @index_2(%arg0: tensor<2x6xf32>) {
  %0 = "ttir.index"(%arg0) <{dim = 1 : i32, begin = -3 : i32, end = -1 : i32, step = 1 : i32}> : (tensor<2x6xf32>) -> tensor<2x2xf32>
  return
}

// CHECK: "ttir.index_select"(%arg0) {begin = 0 : si32, dim = 0 : si32, length = 2 : si32, stride = 4 : si32} : (tensor<10x2xf32>) -> tensor<6x2xf32>
func.func @index_select(%arg0: tensor<10x2xf32>) {
  %0 = "ttir.index_select"(%arg0) <{dim = 0 : si32, begin = 0 : si32, length = 2 : si32, stride = 4 : si32}> : (tensor<10x2xf32>) -> tensor<6x2xf32>
  return
}

// CHECK: "ttir.index_select"(%arg0) {begin = 1 : si32, dim = -2 : si32, length = 3 : si32} : (tensor<10x2xf32>) -> tensor<3x2xf32>
func.func @index_select_2(%arg0: tensor<10x2xf32>) {
  %0 = "ttir.index_select"(%arg0) <{dim = -2 : si32, begin = 1 : si32, length = 3 : si32}> : (tensor<10x2xf32>) -> tensor<3x2xf32>
  return
}

// CHECK: "ttir.slice_dynamic"(%arg0, %arg1, %arg2) : (tensor<2x6xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
func.func @slice_dynamic(%arg0: tensor<2x6xf32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) {
  %0 = "ttir.slice_dynamic"(%arg0, %arg1, %arg2) : (tensor<2x6xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.slice_dynamic"(%arg0, %arg1, %arg2) {step = [1 : i32, 2 : i32]} : (tensor<2x6xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
func.func @slice_dynamic_2(%arg0: tensor<2x6xf32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) {
  %0 = "ttir.slice_dynamic"(%arg0, %arg1, %arg2) <{step = [1 : i32, 2 : i32]}> : (tensor<2x6xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.slice_static"(%arg0) {begins = [0 : i32, 1 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 2 : i32]} : (tensor<2x6xf32>) -> tensor<2x3xf32>
func.func @slice_static(%arg0: tensor<2x6xf32>) {
  %0 = "ttir.slice_static"(%arg0) <{begins = [0 : i32, 1 : i32], ends = [2 : i32, 6 : i32], step = [1 : i32, 2 : i32]}> : (tensor<2x6xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.slice_static"(%arg0) {begins = [-1 : i32, -3 : i32], ends = [2 : i32, -1 : i32], step = [1 : i32, 1 : i32]} : (tensor<2x6xf32>) -> tensor<1x2xf32>
func.func @slice_static_2(%arg0: tensor<2x6xf32>) {
  %0 = "ttir.slice_static"(%arg0) <{begins = [-1 : i32, -3 : i32], ends = [2 : i32, -1 : i32], step = [1 : i32, 1 : i32]}> : (tensor<2x6xf32>) -> tensor<1x2xf32>
  return
}

// CHECK: "ttir.embedding"(%arg0, %arg1) : (tensor<2x5xi32>, tensor<10x8xf32>) -> tensor<2x5x8xf32>
func.func @embedding(%arg0: tensor<2x5xi32>, %arg1: tensor<10x8xf32>) {
  %0 = "ttir.embedding"(%arg0, %arg1) : (tensor<2x5xi32>, tensor<10x8xf32>) -> tensor<2x5x8xf32>
  return
}

// CHECK: "ttir.embedding"(%arg0, %arg1) : (tensor<i32>, tensor<1x1x10x8xf32>) -> tensor<8xf32>
func.func @embedding_2(%arg0: tensor<i32>, %arg1: tensor<1x1x10x8xf32>) {
  %0 = "ttir.embedding"(%arg0, %arg1) : (tensor<i32>, tensor<1x1x10x8xf32>) -> tensor<8xf32>
  return
}

// CHECK: "ttir.embedding_backward"(%arg0, %arg1, %arg2) : (tensor<2x5xi32>, tensor<10x8xf32>, tensor<2x5x8xf32>) -> tensor<10x8xf32>
func.func @embedding_backward(%arg0: tensor<2x5xi32>, %arg1: tensor<10x8xf32>, %arg2: tensor<2x5x8xf32>) {
  %0 = "ttir.embedding_backward"(%arg0, %arg1, %arg2) : (tensor<2x5xi32>, tensor<10x8xf32>, tensor<2x5x8xf32>) -> tensor<10x8xf32>
  return
}

// CHECK: "ttir.embedding_backward"(%arg0, %arg1, %arg2) : (tensor<2x5xi32>, tensor<10x8xf32>, tensor<1x1x10x8xf32>) -> tensor<10x8xf32>
func.func @embedding_backward_2(%arg0: tensor<2x5xi32>, %arg1: tensor<10x8xf32>, %arg2: tensor<1x1x10x8xf32>) {
  %0 = "ttir.embedding_backward"(%arg0, %arg1, %arg2) : (tensor<2x5xi32>, tensor<10x8xf32>, tensor<1x1x10x8xf32>) -> tensor<10x8xf32>
  return
}

// CHECK: "ttir.fill_cache"(%arg0, %arg1) {batch_offset = 1 : i32} : (tensor<2x4x16x8xf32>, tensor<1x4x5x8xf32>) -> ()
func.func @fill_cache(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x5x8xf32>) {
  "ttir.fill_cache"(%arg0, %arg1) <{batch_offset = 1 : i32}> : (tensor<2x4x16x8xf32>, tensor<1x4x5x8xf32>) -> ()
  return
}

// CHECK: "ttir.gather"(%arg0, %arg1) {dim = 0 : i32} : (tensor<5x4xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
func.func @gather(%arg0: tensor<5x4xf32>, %arg1: tensor<2x4xi32>) {
  %0 = "ttir.gather"(%arg0, %arg1) <{dim = 0 : i32}> : (tensor<5x4xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  return
}

// CHECK: "ttir.gather"(%arg0, %arg1) {dim = -2 : i32} : (tensor<5x4xf32>, tensor<7x3xi64>) -> tensor<7x3xf32>
func.func @gather_2(%arg0: tensor<5x4xf32>, %arg1: tensor<7x3xi64>) {
  %0 = "ttir.gather"(%arg0, %arg1) <{dim = -2 : i32}> : (tensor<5x4xf32>, tensor<7x3xi64>) -> tensor<7x3xf32>
  return
}

// CHECK: "ttir.scatter"(%arg0, %arg1, %arg2) {dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>} : (tensor<10x4xf32>, tensor<6x4xi32>, tensor<6x4xf32>) -> tensor<10x4xf32>
func.func @scatter(%arg0: tensor<10x4xf32>, %arg1: tensor<6x4xi32>, %arg2: tensor<6x4xf32>) {
  %0 = "ttir.scatter"(%arg0, %arg1, %arg2) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<10x4xf32>, tensor<6x4xi32>, tensor<6x4xf32>) -> tensor<10x4xf32>
  return
}

// CHECK: "ttir.update_cache"(%arg0, %arg1, %arg2) {batch_offset = 0 : i32} : (tensor<2x4x16x8xf32>, tensor<1x4x2x8xf32>, tensor<1xi32>) -> ()
func.func @update_cache(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<1x4x2x8xf32>, %arg2: tensor<1xi32>) {
  "ttir.update_cache"(%arg0, %arg1, %arg2) <{batch_offset = 0 : i32}> : (tensor<2x4x16x8xf32>, tensor<1x4x2x8xf32>, tensor<1xi32>) -> ()
  return
}

// CHECK: "ttir.arange"() {arange_dimension = 1 : i64, end = 13 : si64, start = 1 : si64, step = 4 : si64} : () -> tensor<2x3xi32>
func.func @arange() {
  %0 = "ttir.arange"() <{start = 1 : si64, end = 13 : si64, step = 4 : si64, arange_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  return
}

// CHECK: "ttir.arange"() {arange_dimension = 0 : i64, end = 0 : si64, start = 3 : si64, step = -1 : si64} : () -> tensor<3xf32>
func.func @arange_2() {
  %0 = "ttir.arange"() <{start = 3 : si64, end = 0 : si64, step = -1 : si64, arange_dimension = 0 : i64}> : () -> tensor<3xf32>
  return
}

// CHECK: "ttir.constant"() {value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>} : () -> tensor<2xf32>
func.func @constant() {
  %0 = "ttir.constant"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
  return
}

// CHECK: "ttir.constant"() {value = dense<[true, false]> : tensor<2xi1>} : () -> tensor<2xi1>
func.func @constant_2() {
  %0 = "ttir.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
  return
}

// CHECK: "ttir.empty"() : () -> tensor<2x3xf32>
func.func @empty() {
  %0 = ttir.empty() : tensor<2x3xf32>
  return
}

// CHECK: "ttir.full"() {fill_value = 5.000000e-01 : f32, shape = array<i32: 2, 3>} : () -> tensor<2x3xf32>
func.func @full() {
  %0 = "ttir.full"() <{shape = array<i32: 2, 3>, fill_value = 0.5 : f32}> : () -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.full"() {fill_value = 1 : i32, shape = array<i32>} : () -> tensor<i32>
func.func @full_2() {
  %0 = "ttir.full"() <{shape = array<i32>, fill_value = 1 : i32}> : () -> tensor<i32>
  return
}

// CHECK: "ttir.ones"() {shape = array<i32: 2, 3>} : () -> tensor<2x3xbf16>
func.func @ones() {
  %0 = "ttir.ones"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xbf16>
  return
}

// CHECK: "ttir.zeros"() {shape = array<i32: 2, 3>} : () -> tensor<2x3xf32>
func.func @zeros() {
  %0 = "ttir.zeros"() <{shape = array<i32: 2, 3>}> : () -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.zeros"() {shape = array<i32>} : () -> tensor<f32>
func.func @zeros_2() {
  %0 = "ttir.zeros"() <{shape = array<i32>}> : () -> tensor<f32>
  return
}
