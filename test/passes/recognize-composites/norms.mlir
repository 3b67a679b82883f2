// RUN: tt-opt %s --recognize-composites | filecheck %s

// As Llama spells it: the weight is folded too, whatever stands first.
// CHECK-LABEL: func.func @rms_norm
// CHECK-NEXT: %[[R:.+]] = "ttir.rms_norm"(%arg0, %arg1) {epsilon = 9.99999997E-7 : f32, normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 0>}
// CHECK-NEXT: return %[[R]]
func.func @rms_norm(%x: tensor<2x4x8xf32>, %w: tensor<8xf32>) -> tensor<2x4x8xf32> {
  %0 = "ttir.square"(%x) : (tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %1 = "ttir.mean"(%0) {dim_arg = [-1 : i32], keep_dim = true} : (tensor<2x4x8xf32>) -> tensor<2x4x1xf32>
  %e = "ttir.full"() {fill_value = 9.99999997E-7 : f32, shape = array<i32>} : () -> tensor<f32>
  %2 = "ttir.add"(%1, %e) : (tensor<2x4x1xf32>, tensor<f32>) -> tensor<2x4x1xf32>
  %3 = "ttir.rsqrt"(%2) : (tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %4 = "ttir.multiply"(%x, %3) : (tensor<2x4x8xf32>, tensor<2x4x1xf32>) -> tensor<2x4x8xf32>
  %5 = "ttir.multiply"(%w, %4) : (tensor<8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %5 : tensor<2x4x8xf32>
}

// As ONNX exporters spell it, with a sum, a division and a square root.
// CHECK-LABEL: func.func @layer_norm
// CHECK-NEXT: %[[R:.+]] = "ttir.layer_norm"(%arg0, %arg1, %arg2) {epsilon = 5.000000e-01 : f32, normalized_shape = array<i64: 4, 8>, operandSegmentSizes = array<i32: 1, 1, 1>}
// CHECK-NEXT: return %[[R]]
func.func @layer_norm(%x: tensor<2x4x8xf32>, %w: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<2x4x8xf32> {
  %0 = "ttir.mean"(%x) {dim_arg = [1 : i32, 2 : i32], keep_dim = true} : (tensor<2x4x8xf32>) -> tensor<2x1x1xf32>
  %1 = "ttir.subtract"(%x, %0) : (tensor<2x4x8xf32>, tensor<2x1x1xf32>) -> tensor<2x4x8xf32>
  %2 = "ttir.multiply"(%1, %1) : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  %3 = "ttir.sum"(%2) {dim_arg = [1 : i32, 2 : i32], keep_dim = true} : (tensor<2x4x8xf32>) -> tensor<2x1x1xf32>
  %n = "ttir.full"() {fill_value = 32.0 : f32, shape = array<i32>} : () -> tensor<f32>
  %4 = "ttir.div"(%3, %n) : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %e = "ttir.constant"() {value = dense<0.5> : tensor<1xf32>} : () -> tensor<1xf32>
  %5 = "ttir.add"(%e, %4) : (tensor<1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %6 = "ttir.sqrt"(%5) : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %7 = "ttir.div"(%1, %6) : (tensor<2x4x8xf32>, tensor<2x1x1xf32>) -> tensor<2x4x8xf32>
  %8 = "ttir.multiply"(%7, %w) : (tensor<2x4x8xf32>, tensor<4x8xf32>) -> tensor<2x4x8xf32>
  %9 = "ttir.add"(%b, %8) : (tensor<4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4x8xf32>
  return %9 : tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK-NEXT: %[[R:.+]] = "ttir.softmax"(%arg0) {dimension = 0 : si32, numericStable = true}
// CHECK-NEXT: return %[[R]]
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.max"(%x) {dim_arg = [0 : i32], keep_dim = true} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %1 = "ttir.subtract"(%x, %0) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %2 = "ttir.exp"(%1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = "ttir.sum"(%2) {dim_arg = [0 : i32], keep_dim = true} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %4 = "ttir.div"(%2, %3) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// A value that something else needs stays, and the op is there besides.
// CHECK-LABEL: func.func @kept
// CHECK: %[[D:.+]] = "ttir.rsqrt"
// CHECK-NEXT: %[[R:.+]] = "ttir.rms_norm"(%arg0)
// CHECK-NEXT: return %[[R]], %[[D]]
func.func @kept(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  %0 = "ttir.square"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "ttir.mean"(%0) {dim_arg = [1 : i32], keep_dim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %e = "ttir.full"() {fill_value = 0.5 : f32, shape = array<i32>} : () -> tensor<f32>
  %2 = "ttir.add"(%1, %e) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %3 = "ttir.rsqrt"(%2) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %4 = "ttir.multiply"(%x, %3) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %4, %3 : tensor<4x8xf32>, tensor<4x1xf32>
}

// Not over the last dimensions.
// CHECK-LABEL: func.func @other_dimension
// CHECK-NOT: rms_norm
func.func @other_dimension(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.square"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "ttir.mean"(%0) {dim_arg = [0 : i32], keep_dim = true} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %e = "ttir.full"() {fill_value = 0.5 : f32, shape = array<i32>} : () -> tensor<f32>
  %2 = "ttir.add"(%1, %e) : (tensor<1x8xf32>, tensor<f32>) -> tensor<1x8xf32>
  %3 = "ttir.rsqrt"(%2) : (tensor<1x8xf32>) -> tensor<1x8xf32>
  %4 = "ttir.multiply"(%x, %3) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// The mean square of one value, another one divided by it.
// CHECK-LABEL: func.func @other_value
// CHECK-NOT: rms_norm
func.func @other_value(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "ttir.square"(%y) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "ttir.mean"(%0) {dim_arg = [1 : i32], keep_dim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %e = "ttir.full"() {fill_value = 0.5 : f32, shape = array<i32>} : () -> tensor<f32>
  %2 = "ttir.add"(%1, %e) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %3 = "ttir.rsqrt"(%2) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %4 = "ttir.multiply"(%x, %3) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}
