// RUN: tt-opt %s --recognize-composites | filecheck %s

// CHECK-LABEL: func.func @vector
// CHECK-NEXT: %[[R:.+]] = "ttir.linear"(%arg0, %arg1, %arg2) {{.*}}transpose_b = true
// CHECK-NEXT: return %[[R]]
func.func @vector(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.matmul"(%x, %w) {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = "ttir.add"(%b, %0) : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// What is added has a row for each row: a residual, and no bias.
// CHECK-LABEL: func.func @residual
// CHECK-NOT: linear
func.func @residual(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = "ttir.matmul"(%x, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}

// The product is used elsewhere too.
// CHECK-LABEL: func.func @used_twice
// CHECK-NOT: linear
func.func @used_twice(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>, %b: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = "ttir.matmul"(%x, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "ttir.add"(%0, %b) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}
