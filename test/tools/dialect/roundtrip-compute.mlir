// TTIR's ops that compute over dimensions, all of them, in tt-mlir's spelling.
// What is printed is what ttmlir-opt takes: the generic form, each attribute of its kind. It reads
// back as the same, as text and as bytecode.

// RUN: tt-opt %s -o %t.mlir
// RUN: filecheck %s --input-file %t.mlir
// RUN: tt-opt %t.mlir -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir
// RUN: tt-opt %t.mlir --emit-bytecode -o %t.mlirbc
// RUN: tt-opt %t.mlirbc -o %t.again.mlir
// RUN: cmp %t.mlir %t.again.mlir

// CHECK: "ttir.argmax"(%arg0) {dim_arg = [1 : i32], keep_dim = false} : (tensor<4x8xf32>) -> tensor<4xi32>
func.func @argmax(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.argmax"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xi32>
  return
}

// CHECK: "ttir.cumprod"(%arg0) {dim = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @cumprod(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.cumprod"(%arg0) <{dim = 1}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.cumsum"(%arg0) {dim = -2 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @cumsum(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.cumsum"(%arg0) <{dim = -2 : i64}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.max"(%arg0) {keep_dim = false} : (tensor<f32>) -> tensor<f32>
func.func @max(%arg0: tensor<f32>) {
  %0 = "ttir.max"(%arg0) <{keep_dim = false}> : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK: "ttir.mean"(%arg0) {dim_arg = [2 : i32, 0 : i32], keep_dim = false} : (tensor<4x8x2xf32>) -> tensor<8xf32>
func.func @mean(%arg0: tensor<4x8x2xf32>) {
  %0 = "ttir.mean"(%arg0) <{dim_arg = [2 : i32, 0 : i32], keep_dim = false}> : (tensor<4x8x2xf32>) -> tensor<8xf32>
  return
}

// CHECK: "ttir.min"(%arg0) {dim_arg = [1 : i32], keep_dim = false} : (tensor<4x8xf32>) -> tensor<4xf32>
func.func @min(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.min"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.prod"(%arg0) {dim_arg = [1 : i32], keep_dim = false} : (tensor<4x8xf32>) -> tensor<4xf32>
func.func @prod(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.prod"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.reduce_and"(%arg0) {dim_arg = [1 : i32], keep_dim = false} : (tensor<4x8xf32>) -> tensor<4xf32>
func.func @reduce_and(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.reduce_and"(%arg0) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.reduce_or"(%arg0) {keep_dim = false} : (tensor<4x8xi1>) -> tensor<i1>
func.func @reduce_or(%arg0: tensor<4x8xi1>) {
  %0 = "ttir.reduce_or"(%arg0) <{keep_dim = false}> : (tensor<4x8xi1>) -> tensor<i1>
  return
}

// CHECK: "ttir.sort"(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
func.func @sort(%arg0: tensor<4x8xf32>) {
  %0:2 = "ttir.sort"(%arg0) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
  return
}

// CHECK: "ttir.sort"(%arg0) {descending = true, dim = 0 : si32, stable = true} : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
func.func @sort_2(%arg0: tensor<4x8xf32>) {
  %0:2 = "ttir.sort"(%arg0) <{dim = 0 : si32, descending = true, stable = true}> : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xi64>)
  return
}

// CHECK: "ttir.sum"(%arg0) {dim_arg = [1 : i32], keep_dim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
func.func @sum(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.sum"(%arg0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}

// CHECK: "ttir.sum"(%arg0) {dim_arg = [-1 : i32], keep_dim = false} : (tensor<4x8xf32>) -> tensor<4xf32>
func.func @sum_2(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.sum"(%arg0) <{dim_arg = [-1 : i32], keep_dim = false}> : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// CHECK: "ttir.topk"(%arg0) {k = 2 : i32} : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
func.func @topk(%arg0: tensor<4x8xf32>) {
  %0:2 = "ttir.topk"(%arg0) <{k = 2 : i32}> : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return
}

// CHECK: "ttir.topk"(%arg0) {dim = 0 : i32, k = 2 : i32, largest = false, sorted = true} : (tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi64>)
func.func @topk_2(%arg0: tensor<4x8xf32>) {
  %0:2 = "ttir.topk"(%arg0) <{k = 2 : i32, dim = 0 : i32, largest = false, sorted = true}> : (tensor<4x8xf32>) -> (tensor<2x8xf32>, tensor<2x8xi64>)
  return
}

// CHECK: "ttir.dot_general"(%arg0, %arg1) {batch_dims_lhs = array<i64: 0>, batch_dims_rhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, contract_dims_rhs = array<i64: 2>} : (tensor<5x2x3xf32>, tensor<5x4x3xf32>) -> tensor<5x2x4xf32>
func.func @dot_general(%arg0: tensor<5x2x3xf32>, %arg1: tensor<5x4x3xf32>) {
  %0 = "ttir.dot_general"(%arg0, %arg1) <{batch_dims_lhs = array<i64: 0>, contract_dims_lhs = array<i64: 2>, batch_dims_rhs = array<i64: 0>, contract_dims_rhs = array<i64: 2>}> : (tensor<5x2x3xf32>, tensor<5x4x3xf32>) -> tensor<5x2x4xf32>
  return
}

// CHECK: "ttir.dot_general"(%arg0, %arg1) {batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64>, contract_dims_rhs = array<i64>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
func.func @dot_general_2(%arg0: tensor<2x3xf32>, %arg1: tensor<4xf32>) {
  %0 = "ttir.dot_general"(%arg0, %arg1) <{batch_dims_lhs = array<i64>, contract_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_rhs = array<i64>}> : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// CHECK: "ttir.linear"(%arg0, %arg1, %arg2) {transpose_b = true} : (tensor<2x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<2x4xf32>
func.func @linear(%arg0: tensor<2x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4xf32>) {
  %0 = "ttir.linear"(%arg0, %arg1, %arg2) <{transpose_b = true}> : (tensor<2x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK: "ttir.linear"(%arg0, %arg1) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
func.func @linear_2(%arg0: tensor<2x8xf32>, %arg1: tensor<8x4xf32>) {
  %0 = "ttir.linear"(%arg0, %arg1) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK: "ttir.matmul"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
func.func @matmul(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) {
  %0 = "ttir.matmul"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// CHECK: "ttir.matmul"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<1xf32>
func.func @matmul_2(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>) {
  %0 = "ttir.matmul"(%arg0, %arg1) : (tensor<3xf32>, tensor<3xf32>) -> tensor<1xf32>
  return
}

// CHECK: "ttir.conv1d"(%arg0, %arg1) {dilation = 1 : i32, groups = 1 : i32, padding = 0 : i32, stride = 1 : i32} : (tensor<1x8x3xf32>, tensor<4x3x3xf32>) -> tensor<1x6x4xf32>
func.func @conv1d(%arg0: tensor<1x8x3xf32>, %arg1: tensor<4x3x3xf32>) {
  %0 = "ttir.conv1d"(%arg0, %arg1) <{stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x8x3xf32>, tensor<4x3x3xf32>) -> tensor<1x6x4xf32>
  return
}

// CHECK: "ttir.conv1d"(%arg0, %arg1, %arg2) {dilation = array<i32: 1>, groups = 1 : i32, padding = array<i32: 1, 0>, stride = array<i32: 2>} : (tensor<1x8x3xf32>, tensor<4x3x3xf32>, tensor<1x1x4xf32>) -> tensor<1x4x4xf32>
func.func @conv1d_2(%arg0: tensor<1x8x3xf32>, %arg1: tensor<4x3x3xf32>, %arg2: tensor<1x1x4xf32>) {
  %0 = "ttir.conv1d"(%arg0, %arg1, %arg2) <{stride = array<i32: 2>, padding = array<i32: 1, 0>, dilation = array<i32: 1>, groups = 1 : i32}> : (tensor<1x8x3xf32>, tensor<4x3x3xf32>, tensor<1x1x4xf32>) -> tensor<1x4x4xf32>
  return
}

// CHECK: "ttir.conv2d"(%arg0, %arg1, %arg2) {batch_dim = 0 : i64, channel_dim = 1 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 2 : i64, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>, width_dim = 3 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
func.func @conv2d(%arg0: tensor<1x3x8x8xf32>, %arg1: tensor<4x3x3x3xf32>, %arg2: tensor<1x4x1x1xf32>) {
  %0 = "ttir.conv2d"(%arg0, %arg1, %arg2) <{stride = array<i32: 1, 1>, padding = array<i32: 1, 1>, dilation = array<i32: 1, 1>, groups = 1 : i32, batch_dim = 0 : i64, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64}> : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  return
}

// CHECK: "ttir.conv2d"(%arg0, %arg1) {dilation = 1 : i32, groups = 2 : i32, padding = array<i32: 1, 1, 0, 0>, stride = 2 : i32} : (tensor<1x8x8x4xf32>, tensor<8x2x3x3xf32>) -> tensor<1x4x4x8xf32>
func.func @conv2d_2(%arg0: tensor<1x8x8x4xf32>, %arg1: tensor<8x2x3x3xf32>) {
  %0 = "ttir.conv2d"(%arg0, %arg1) <{stride = 2 : i32, padding = array<i32: 1, 1, 0, 0>, dilation = 1 : i32, groups = 2 : i32}> : (tensor<1x8x8x4xf32>, tensor<8x2x3x3xf32>) -> tensor<1x4x4x8xf32>
  return
}

// CHECK: "ttir.conv3d"(%arg0, %arg1, %arg2) {groups = 1 : i32, padding = array<i32: 1, 1, 1>, padding_mode = "replicate", stride = 1 : i32} : (tensor<1x5x8x8x3xf32>, tensor<4x3x3x3x3xf32>, tensor<1x1x1x1x4xf32>) -> tensor<1x5x8x8x4xf32>
func.func @conv3d(%arg0: tensor<1x5x8x8x3xf32>, %arg1: tensor<4x3x3x3x3xf32>, %arg2: tensor<1x1x1x1x4xf32>) {
  %0 = "ttir.conv3d"(%arg0, %arg1, %arg2) <{stride = 1 : i32, padding = array<i32: 1, 1, 1>, groups = 1 : i32, padding_mode = "replicate"}> : (tensor<1x5x8x8x3xf32>, tensor<4x3x3x3x3xf32>, tensor<1x1x1x1x4xf32>) -> tensor<1x5x8x8x4xf32>
  return
}

// CHECK: "ttir.conv3d"(%arg0, %arg1) {groups = 1 : i32, padding = 0 : i32, stride = array<i32: 2, 2, 2>} : (tensor<1x5x8x8x3xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x2x3x3x4xf32>
func.func @conv3d_2(%arg0: tensor<1x5x8x8x3xf32>, %arg1: tensor<4x3x3x3x3xf32>) {
  %0 = "ttir.conv3d"(%arg0, %arg1) <{stride = array<i32: 2, 2, 2>, padding = 0 : i32, groups = 1 : i32}> : (tensor<1x5x8x8x3xf32>, tensor<4x3x3x3x3xf32>) -> tensor<1x2x3x3x4xf32>
  return
}

// CHECK: "ttir.conv_transpose2d"(%arg0, %arg1, %arg2) {dilation = 1 : i32, groups = 1 : i32, output_padding = 0 : i32, padding = 0 : i32, stride = 2 : i32} : (tensor<1x4x4x3xf32>, tensor<3x4x3x3xf32>, tensor<1x1x1x4xf32>) -> tensor<1x9x9x4xf32>
func.func @conv_transpose2d(%arg0: tensor<1x4x4x3xf32>, %arg1: tensor<3x4x3x3xf32>, %arg2: tensor<1x1x1x4xf32>) {
  %0 = "ttir.conv_transpose2d"(%arg0, %arg1, %arg2) <{stride = 2 : i32, padding = 0 : i32, output_padding = 0 : i32, dilation = 1 : i32, groups = 1 : i32}> : (tensor<1x4x4x3xf32>, tensor<3x4x3x3xf32>, tensor<1x1x1x4xf32>) -> tensor<1x9x9x4xf32>
  return
}

// CHECK: "ttir.conv_transpose2d"(%arg0, %arg1) {channel_dim = 1 : i64, dilation = 1 : i32, groups = 1 : i32, height_dim = 2 : i64, output_padding = array<i32: 1, 1>, padding = array<i32: 0, 1>, stride = 2 : i32, width_dim = 3 : i64} : (tensor<1x3x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x10x8xf32>
func.func @conv_transpose2d_2(%arg0: tensor<1x3x4x4xf32>, %arg1: tensor<3x2x3x3xf32>) {
  %0 = "ttir.conv_transpose2d"(%arg0, %arg1) <{stride = 2 : i32, padding = array<i32: 0, 1>, output_padding = array<i32: 1, 1>, dilation = 1 : i32, groups = 1 : i32, channel_dim = 1 : i64, height_dim = 2 : i64, width_dim = 3 : i64}> : (tensor<1x3x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x2x10x8xf32>
  return
}

// CHECK: "ttir.avg_pool2d"(%arg0) {ceil_mode = false, count_include_pad = false, dilation = 1 : i32, kernel = array<i32: 2, 2>, padding = 0 : i32, stride = 2 : i32} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
func.func @avg_pool2d(%arg0: tensor<1x8x8x4xf32>) {
  %0 = "ttir.avg_pool2d"(%arg0) <{kernel = array<i32: 2, 2>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false, count_include_pad = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// CHECK: "ttir.global_avg_pool2d"(%arg0) : (tensor<2x8x8x4xf32>) -> tensor<2x1x1x4xf32>
func.func @global_avg_pool2d(%arg0: tensor<2x8x8x4xf32>) {
  %0 = "ttir.global_avg_pool2d"(%arg0) : (tensor<2x8x8x4xf32>) -> tensor<2x1x1x4xf32>
  return
}

// CHECK: "ttir.max_pool2d"(%arg0) {ceil_mode = false, dilation = 1 : i32, kernel = array<i32: 2, 2>, padding = 0 : i32, stride = 2 : i32} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
func.func @max_pool2d(%arg0: tensor<1x8x8x4xf32>) {
  %0 = "ttir.max_pool2d"(%arg0) <{kernel = array<i32: 2, 2>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// CHECK: "ttir.max_pool2d"(%arg0) {ceil_mode = true, dilation = 1 : i32, kernel = 2 : i32, padding = 0 : i32, stride = 2 : i32} : (tensor<1x7x8x4xf32>) -> tensor<1x4x4x4xf32>
func.func @max_pool2d_2(%arg0: tensor<1x7x8x4xf32>) {
  %0 = "ttir.max_pool2d"(%arg0) <{kernel = 2 : i32, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = true}> : (tensor<1x7x8x4xf32>) -> tensor<1x4x4x4xf32>
  return
}

// CHECK: "ttir.max_pool2d_with_indices"(%arg0) {ceil_mode = false, dilation = 1 : i32, kernel = array<i32: 2, 2>, padding = 0 : i32, stride = 2 : i32} : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi32>)
func.func @max_pool2d_with_indices(%arg0: tensor<1x8x8x4xf32>) {
  %0:2 = "ttir.max_pool2d_with_indices"(%arg0) <{kernel = array<i32: 2, 2>, stride = 2 : i32, dilation = 1 : i32, padding = 0 : i32, ceil_mode = false}> : (tensor<1x8x8x4xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi32>)
  return
}

// CHECK: "ttir.upsample2d"(%arg0) {scale_factor = 2 : si32} : (tensor<1x4x4x3xf32>) -> tensor<1x8x8x3xf32>
func.func @upsample2d(%arg0: tensor<1x4x4x3xf32>) {
  %0 = "ttir.upsample2d"(%arg0) <{scale_factor = 2 : si32}> : (tensor<1x4x4x3xf32>) -> tensor<1x8x8x3xf32>
  return
}

// CHECK: "ttir.upsample2d"(%arg0) {mode = "bilinear", scale_factor = array<i32: 2, 3>} : (tensor<1x4x4x3xf32>) -> tensor<1x8x12x3xf32>
func.func @upsample2d_2(%arg0: tensor<1x4x4x3xf32>) {
  %0 = "ttir.upsample2d"(%arg0) <{scale_factor = array<i32: 2, 3>, mode = "bilinear"}> : (tensor<1x4x4x3xf32>) -> tensor<1x8x12x3xf32>
  return
}

// CHECK: "ttir.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {dimension = 1 : i32, epsilon = 9.99999974E-6 : f32} : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x8x8xf32>
func.func @batch_norm_inference(%arg0: tensor<2x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  %0 = "ttir.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.0e-05 : f32, dimension = 1 : i32}> : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x8x8xf32>
  return
}

// CHECK: "ttir.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) {dimension = 1 : i32, epsilon = 9.99999974E-6 : f32} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
func.func @batch_norm_inference_2(%arg0: tensor<2x4x8x8xf32>, %arg1: tensor<1x4x1x1xf32>, %arg2: tensor<1x4x1x1xf32>, %arg3: tensor<1x4x1x1xf32>, %arg4: tensor<1x4x1x1xf32>) {
  %0 = "ttir.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.0e-05 : f32, dimension = 1 : i32}> : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  return
}

// CHECK: "ttir.batch_norm_training"(%arg0, %arg1, %arg2, %arg3, %arg4) {dimension = 1 : i32, epsilon = 9.99999974E-6 : f32, momentum = 1.000000e-01 : f32} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
func.func @batch_norm_training(%arg0: tensor<2x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>) {
  %0:3 = "ttir.batch_norm_training"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.0e-05 : f32, dimension = 1 : i32, momentum = 0.1 : f32}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}

// CHECK: "ttir.group_norm"(%arg0, %arg1, %arg2) {channel_dim = 1 : i64, num_groups = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1>} : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x8x8xf32>
func.func @group_norm(%arg0: tensor<2x4x8x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) {
  %0 = "ttir.group_norm"(%arg0, %arg1, %arg2) <{num_groups = 2 : i64, channel_dim = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 1>}> : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x8x8xf32>
  return
}

// CHECK: "ttir.group_norm"(%arg0) {num_groups = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
func.func @group_norm_2(%arg0: tensor<2x8x8x4xf32>) {
  %0 = "ttir.group_norm"(%arg0) <{num_groups = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
  return
}

// CHECK: "ttir.layer_norm"(%arg0, %arg1, %arg2) {epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
func.func @layer_norm(%arg0: tensor<2x4x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) {
  %0 = "ttir.layer_norm"(%arg0, %arg1, %arg2) <{normalized_shape = array<i64: 8>, epsilon = 1.0e-05 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  return
}

// CHECK: "ttir.layer_norm"(%arg0, %arg1) {normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 0, 1>} : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
func.func @layer_norm_2(%arg0: tensor<2x4x8xf32>, %arg1: tensor<4x8xf32>) {
  %0 = "ttir.layer_norm"(%arg0, %arg1) <{normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  return
}

// CHECK: "ttir.rms_norm"(%arg0, %arg1, %arg2) {normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
func.func @rms_norm(%arg0: tensor<2x4x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) {
  %0 = "ttir.rms_norm"(%arg0, %arg1, %arg2) <{normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  return
}

// CHECK: "ttir.softmax"(%arg0) {dimension = -1 : si32, numericStable = true} : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @softmax(%arg0: tensor<4x8xf32>) {
  %0 = "ttir.softmax"(%arg0) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// CHECK: "ttir.concatenate_heads"(%arg0) : (tensor<2x4x5x8xf32>) -> tensor<2x5x32xf32>
func.func @concatenate_heads(%arg0: tensor<2x4x5x8xf32>) {
  %0 = "ttir.concatenate_heads"(%arg0) : (tensor<2x4x5x8xf32>) -> tensor<2x5x32xf32>
  return
}

// CHECK: "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>) -> tensor<1x8x16x32xf32>
func.func @scaled_dot_product_attention(%arg0: tensor<1x8x16x32xf32>, %arg1: tensor<1x2x16x32xf32>, %arg2: tensor<1x2x16x32xf32>) {
  %0 = "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>) -> tensor<1x8x16x32xf32>
  return
}

// CHECK: "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %arg3) {is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 5.000000e-01 : f32} : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x1x16x16xf32>) -> tensor<1x8x16x32xf32>
func.func @scaled_dot_product_attention_2(%arg0: tensor<1x8x16x32xf32>, %arg1: tensor<1x2x16x32xf32>, %arg2: tensor<1x2x16x32xf32>, %arg3: tensor<1x1x16x16xf32>) {
  %0 = "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %arg3) <{is_causal = false, scale = 0.5 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x1x16x16xf32>) -> tensor<1x8x16x32xf32>
  return
}

// CHECK: "ttir.scaled_dot_product_attention_decode"(%arg0, %arg1, %arg2, %arg3) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>} : (tensor<1x3x8x32xf32>, tensor<3x2x64x32xf32>, tensor<3x2x64x32xf32>, tensor<3xi32>) -> tensor<1x3x8x32xf32>
func.func @scaled_dot_product_attention_decode(%arg0: tensor<1x3x8x32xf32>, %arg1: tensor<3x2x64x32xf32>, %arg2: tensor<3x2x64x32xf32>, %arg3: tensor<3xi32>) {
  %0 = "ttir.scaled_dot_product_attention_decode"(%arg0, %arg1, %arg2, %arg3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}> : (tensor<1x3x8x32xf32>, tensor<3x2x64x32xf32>, tensor<3x2x64x32xf32>, tensor<3xi32>) -> tensor<1x3x8x32xf32>
  return
}

// CHECK: "ttir.scaled_dot_product_attention_decode"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) {is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>} : (tensor<1x3x8x32xf32>, tensor<3x2x64x32xf32>, tensor<3x2x64x32xf32>, tensor<1x1x8x64xf32>, tensor<3xi32>, tensor<8x32xf32>) -> tensor<1x3x8x32xf32>
func.func @scaled_dot_product_attention_decode_2(%arg0: tensor<1x3x8x32xf32>, %arg1: tensor<3x2x64x32xf32>, %arg2: tensor<3x2x64x32xf32>, %arg3: tensor<1x1x8x64xf32>, %arg4: tensor<3xi32>, %arg5: tensor<8x32xf32>) {
  %0 = "ttir.scaled_dot_product_attention_decode"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1>}> : (tensor<1x3x8x32xf32>, tensor<3x2x64x32xf32>, tensor<3x2x64x32xf32>, tensor<1x1x8x64xf32>, tensor<3xi32>, tensor<8x32xf32>) -> tensor<1x3x8x32xf32>
  return
}

// CHECK: "ttir.sdpa_bw"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) {mask_type = #ttcore.attention_mask_type<causal>} : (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x8x16x32xf32>) -> (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>)
func.func @sdpa_bw(%arg0: tensor<1x8x16x32xf32>, %arg1: tensor<1x8x16x32xf32>, %arg2: tensor<1x8x16x32xf32>, %arg3: tensor<1x2x16x32xf32>, %arg4: tensor<1x2x16x32xf32>, %arg5: tensor<1x8x16x32xf32>) {
  %0:3 = "ttir.sdpa_bw"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) <{mask_type = #ttcore.attention_mask_type<causal>}> : (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x8x16x32xf32>) -> (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>)
  return
}

// CHECK: "ttir.sdpa_bw"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x1x16x16xf32>) -> (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>)
func.func @sdpa_bw_2(%arg0: tensor<1x8x16x32xf32>, %arg1: tensor<1x8x16x32xf32>, %arg2: tensor<1x8x16x32xf32>, %arg3: tensor<1x2x16x32xf32>, %arg4: tensor<1x2x16x32xf32>, %arg5: tensor<1x8x16x32xf32>, %arg6: tensor<1x1x16x16xf32>) {
  %0:3 = "ttir.sdpa_bw"(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6) : (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x8x16x32xf32>, tensor<1x1x16x16xf32>) -> (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>)
  return
}

// CHECK: "ttir.sdpa_fw"(%arg0, %arg1, %arg2) {return_intermediates = true} : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>) -> (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>)
func.func @sdpa_fw(%arg0: tensor<1x8x16x32xf32>, %arg1: tensor<1x2x16x32xf32>, %arg2: tensor<1x2x16x32xf32>) {
  %0:2 = "ttir.sdpa_fw"(%arg0, %arg1, %arg2) <{return_intermediates = true}> : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>) -> (tensor<1x8x16x32xf32>, tensor<1x8x16x32xf32>)
  return
}

// CHECK: "ttir.sdpa_fw"(%arg0, %arg1, %arg2, %arg3) {mask_type = #ttcore.attention_mask_type<arbitrary>} : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x1x16x16xf32>) -> tensor<1x8x16x32xf32>
func.func @sdpa_fw_2(%arg0: tensor<1x8x16x32xf32>, %arg1: tensor<1x2x16x32xf32>, %arg2: tensor<1x2x16x32xf32>, %arg3: tensor<1x1x16x16xf32>) {
  %0 = "ttir.sdpa_fw"(%arg0, %arg1, %arg2, %arg3) <{mask_type = #ttcore.attention_mask_type<arbitrary>}> : (tensor<1x8x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x2x16x32xf32>, tensor<1x1x16x16xf32>) -> tensor<1x8x16x32xf32>
  return
}

// CHECK: "ttir.split_query_key_value_and_split_heads"(%arg0) {num_heads = 4 : ui32, transpose_key = true} : (tensor<2x5x96xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x4x8x5xf32>, tensor<2x4x5x8xf32>)
func.func @split_query_key_value_and_split_heads(%arg0: tensor<2x5x96xf32>) {
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%arg0) <{num_heads = 4 : ui32, transpose_key = true}> : (tensor<2x5x96xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x4x8x5xf32>, tensor<2x4x5x8xf32>)
  return
}

// CHECK: "ttir.split_query_key_value_and_split_heads"(%arg0, %arg1) {num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = false} : (tensor<2x5x32xf32>, tensor<2x5x32xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>)
func.func @split_query_key_value_and_split_heads_2(%arg0: tensor<2x5x32xf32>, %arg1: tensor<2x5x32xf32>) {
  %0:3 = "ttir.split_query_key_value_and_split_heads"(%arg0, %arg1) <{num_heads = 4 : ui32, num_kv_heads = 2 : ui32, transpose_key = false}> : (tensor<2x5x32xf32>, tensor<2x5x32xf32>) -> (tensor<2x4x5x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>)
  return
}

// CHECK: "ttir.dropout"(%arg0) {prob = 5.000000e-01 : f32, scale = 2.000000e+00 : f32, seed = 3 : ui32, use_per_device_seed = false} : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @dropout(%arg0: tensor<2x3xf32>) {
  %0 = "ttir.dropout"(%arg0) <{prob = 0.5 : f32, scale = 2.0 : f32, seed = 3 : ui32, use_per_device_seed = false}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.rand"() {low = -1.000000e+00 : f32, seed = 7 : ui32, size = [2 : i32, 3 : i32]} : () -> tensor<2x3xf32>
func.func @rand() {
  %0 = "ttir.rand"() <{size = [2 : i32, 3 : i32], low = -1.0 : f32, seed = 7 : ui32}> : () -> tensor<2x3xf32>
  return
}

// CHECK: "ttir.sampling"(%arg0, %arg1, %arg2, %arg3, %arg4) {seed = 1 : ui32} : (tensor<32x64xbf16>, tensor<32x64xi32>, tensor<32xui32>, tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xui32>
func.func @sampling(%arg0: tensor<32x64xbf16>, %arg1: tensor<32x64xi32>, %arg2: tensor<32xui32>, %arg3: tensor<32xbf16>, %arg4: tensor<32xbf16>) {
  %0 = "ttir.sampling"(%arg0, %arg1, %arg2, %arg3, %arg4) <{seed = 1 : ui32}> : (tensor<32x64xbf16>, tensor<32x64xi32>, tensor<32xui32>, tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xui32>
  return
}
