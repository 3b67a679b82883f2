// RUN: tt-opt %s --recognize-composites | filecheck %s

// CHECK-LABEL: func.func @gelu
// CHECK-NEXT: %[[R:.+]] = "ttir.gelu"(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %half = "ttir.full"() {fill_value = 0.5 : f32, shape = array<i32>} : () -> tensor<f32>
  %root = "ttir.full"() {fill_value = 1.41421354 : f32, shape = array<i32>} : () -> tensor<f32>
  %one = "ttir.full"() {fill_value = 1.0 : f32, shape = array<i32>} : () -> tensor<f32>
  %0 = "ttir.multiply"(%x, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "ttir.div"(%x, %root) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = "ttir.erf"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.add"(%2, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = "ttir.multiply"(%0, %3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @gelu_divided
// CHECK-NEXT: %[[R:.+]] = "ttir.gelu"(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @gelu_divided(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = "ttir.full"() {fill_value = 2.0 : f32, shape = array<i32>} : () -> tensor<f32>
  %root = "ttir.full"() {fill_value = 0.707106769 : f32, shape = array<i32>} : () -> tensor<f32>
  %one = "ttir.full"() {fill_value = 1.0 : f32, shape = array<i32>} : () -> tensor<f32>
  %0 = "ttir.multiply"(%root, %x) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.erf"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.add"(%one, %1) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.multiply"(%2, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = "ttir.div"(%3, %two) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// The tanh form is another function, and so is one with another constant.
// CHECK-LABEL: func.func @other_constant
// CHECK-NOT: gelu
func.func @other_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  %half = "ttir.full"() {fill_value = 0.5 : f32, shape = array<i32>} : () -> tensor<f32>
  %root = "ttir.full"() {fill_value = 1.4142 : f32, shape = array<i32>} : () -> tensor<f32>
  %one = "ttir.full"() {fill_value = 1.0 : f32, shape = array<i32>} : () -> tensor<f32>
  %0 = "ttir.multiply"(%x, %half) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = "ttir.div"(%x, %root) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = "ttir.erf"(%1) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "ttir.add"(%2, %one) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = "ttir.multiply"(%0, %3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @silu
// CHECK-NEXT: %[[R:.+]] = "ttir.silu"(%arg0)
// CHECK-NEXT: return %[[R]]
func.func @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "ttir.sigmoid"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "ttir.multiply"(%0, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
