// What is expected and missing is an error, and so is what is produced and not expected.

// RUN: not tt-opt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s
// RUN: not tt-opt %s --split-input-file --verify-diagnostics=only-expected 2>&1 | filecheck %s --check-prefix=ONLY

// CHECK: verify-diagnostics.mlir:9:8: error: unexpected error: 'ttir.relu': result shape
// ONLY-NOT: unexpected
func.func @unexpected(%arg0: tensor<2xf32>) -> tensor<3xf32> {
  %0 = "ttir.relu"(%arg0) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// CHECK: verify-diagnostics.mlir:18: error: expected warning "too slow" was not produced
// ONLY: verify-diagnostics.mlir:18: error: expected warning "too slow" was not produced
func.func @missing(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  return %arg0 : tensor<2xf32> // expected-warning {{too slow}}
}

// -----

func.func @by_pattern(%arg0: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error-re@below {{'ttir.relu': {{.*}}2{{.*}}3}}
  %0 = "ttir.relu"(%arg0) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
