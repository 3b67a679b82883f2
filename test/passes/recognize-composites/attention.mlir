// RUN: tt-opt %s --recognize-composites | filecheck %s

// CHECK-LABEL: func.func @attention
// CHECK-NEXT: %[[M:.+]] = "ttir.reshape"(%arg3) {shape = [1 : i32, 1 : i32, 4 : i32, 5 : i32]}
// CHECK-NEXT: %[[R:.+]] = "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %[[M]]) {is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 2.500000e-01 : f32}
// CHECK-NEXT: return %[[R]]
func.func @attention(%q: tensor<2x3x4x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>, %m: tensor<4x5xf32>) -> tensor<2x3x4x8xf32> {
  %0 = "ttir.permute"(%k) {permutation = array<i64: 0, 1, 3, 2>} : (tensor<2x3x5x8xf32>) -> tensor<2x3x8x5xf32>
  %1 = "ttir.matmul"(%q, %0) : (tensor<2x3x4x8xf32>, tensor<2x3x8x5xf32>) -> tensor<2x3x4x5xf32>
  %c = "ttir.full"() {fill_value = 4.0 : f32, shape = array<i32>} : () -> tensor<f32>
  %2 = "ttir.div"(%1, %c) : (tensor<2x3x4x5xf32>, tensor<f32>) -> tensor<2x3x4x5xf32>
  %3 = "ttir.add"(%2, %m) : (tensor<2x3x4x5xf32>, tensor<4x5xf32>) -> tensor<2x3x4x5xf32>
  %4 = "ttir.softmax"(%3) {dimension = -1 : si32, numericStable = true} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %5 = "ttir.matmul"(%4, %v) : (tensor<2x3x4x5xf32>, tensor<2x3x5x8xf32>) -> tensor<2x3x4x8xf32>
  return %5 : tensor<2x3x4x8xf32>
}

// Without a scale the product is not divided; three dimensions become four.
// CHECK-LABEL: func.func @three_dimensions
// CHECK: "ttir.scaled_dot_product_attention"(%{{.+}}) {is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.000000e+00 : f32} : (tensor<1x3x4x8xf32>, tensor<1x3x5x8xf32>, tensor<1x3x5x8xf32>) -> tensor<1x3x4x8xf32>
func.func @three_dimensions(%q: tensor<3x4x8xf32>, %k: tensor<3x5x8xf32>, %v: tensor<3x5x8xf32>) -> tensor<3x4x8xf32> {
  %0 = "ttir.matmul"(%q, %k) {transpose_b = true} : (tensor<3x4x8xf32>, tensor<3x5x8xf32>) -> tensor<3x4x5xf32>
  %1 = "ttir.softmax"(%0) {dimension = 2 : si32} : (tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %2 = "ttir.matmul"(%1, %v) : (tensor<3x4x5xf32>, tensor<3x5x8xf32>) -> tensor<3x4x8xf32>
  return %2 : tensor<3x4x8xf32>
}

// The weights are a result: they have to be computed.
// CHECK-LABEL: func.func @weights_are_wanted
// CHECK-NOT: scaled_dot_product_attention
func.func @weights_are_wanted(%q: tensor<3x4x8xf32>, %k: tensor<3x5x8xf32>, %v: tensor<3x5x8xf32>) -> (tensor<3x4x8xf32>, tensor<3x4x5xf32>) {
  %0 = "ttir.matmul"(%q, %k) {transpose_b = true} : (tensor<3x4x8xf32>, tensor<3x5x8xf32>) -> tensor<3x4x5xf32>
  %1 = "ttir.softmax"(%0) {dimension = 2 : si32} : (tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %2 = "ttir.matmul"(%1, %v) : (tensor<3x4x5xf32>, tensor<3x5x8xf32>) -> tensor<3x4x8xf32>
  return %2, %1 : tensor<3x4x8xf32>, tensor<3x4x5xf32>
}

// The scale is applied to the mask too, which is another function.
// CHECK-LABEL: func.func @scale_after_mask
// CHECK-NOT: scaled_dot_product_attention
func.func @scale_after_mask(%q: tensor<3x4x8xf32>, %k: tensor<3x5x8xf32>, %v: tensor<3x5x8xf32>, %m: tensor<4x5xf32>) -> tensor<3x4x8xf32> {
  %0 = "ttir.matmul"(%q, %k) {transpose_b = true} : (tensor<3x4x8xf32>, tensor<3x5x8xf32>) -> tensor<3x4x5xf32>
  %1 = "ttir.add"(%0, %m) : (tensor<3x4x5xf32>, tensor<4x5xf32>) -> tensor<3x4x5xf32>
  %c = "ttir.full"() {fill_value = 0.5 : f32, shape = array<i32>} : () -> tensor<f32>
  %2 = "ttir.multiply"(%1, %c) : (tensor<3x4x5xf32>, tensor<f32>) -> tensor<3x4x5xf32>
  %3 = "ttir.softmax"(%2) {dimension = 2 : si32} : (tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %4 = "ttir.matmul"(%3, %v) : (tensor<3x4x5xf32>, tensor<3x5x8xf32>) -> tensor<3x4x8xf32>
  return %4 : tensor<3x4x8xf32>
}

// Keys and values repeated for the heads of a group: TTIR's op repeats them itself.
// CHECK-LABEL: func.func @grouped
// CHECK-NEXT: %[[R:.+]] = "ttir.scaled_dot_product_attention"(%arg0, %arg1, %arg2) {is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<2x6x4x8xf32>, tensor<2x3x4x8xf32>, tensor<2x3x4x8xf32>)
// CHECK-NEXT: return %[[R]]
func.func @grouped(%q: tensor<2x6x4x8xf32>, %k: tensor<2x3x4x8xf32>, %v: tensor<2x3x4x8xf32>) -> tensor<2x6x4x8xf32> {
  %0 = "ttir.reshape"(%k) {shape = [2 : i32, 3 : i32, 1 : i32, 4 : i32, 8 : i32]} : (tensor<2x3x4x8xf32>) -> tensor<2x3x1x4x8xf32>
  %1 = "ttir.broadcast"(%0) {broadcast_dimensions = array<i64: 1, 1, 2, 1, 1>} : (tensor<2x3x1x4x8xf32>) -> tensor<2x3x2x4x8xf32>
  %2 = "ttir.reshape"(%1) {shape = [2 : i32, 6 : i32, 4 : i32, 8 : i32]} : (tensor<2x3x2x4x8xf32>) -> tensor<2x6x4x8xf32>
  %3 = "ttir.repeat_interleave"(%v) {dim = 1 : si32, repeats = 2 : ui32} : (tensor<2x3x4x8xf32>) -> tensor<2x6x4x8xf32>
  %4 = "ttir.scaled_dot_product_attention"(%q, %2, %3) {is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>, tensor<2x6x4x8xf32>) -> tensor<2x6x4x8xf32>
  return %4 : tensor<2x6x4x8xf32>
}
