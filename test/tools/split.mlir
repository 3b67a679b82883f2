// Each part between the markers runs by itself; line numbers are those of the file.

// RUN: tt-opt %s --split-input-file --verify-diagnostics --cse | filecheck %s
// RUN: not tt-opt %s --split-input-file --cse -o %t.none 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: not %python -c "open(r'%t.none')"
// ERROR: split.mlir:21:8: error: 'ttir.relu': result shape
// ERROR-NOT: error

// CHECK: func.func @first
// CHECK-COUNT-1: "ttir.relu"
// CHECK-NOT: "ttir.relu"
func.func @first(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "ttir.relu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.relu"(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.add"(%0, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}
// -----
func.func @wrong(%arg0: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{'ttir.relu': result shape}}
  %0 = "ttir.relu"(%arg0) : (tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// CHECK: // -----
// CHECK: func.func @third
func.func @third(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  return %arg0 : tensor<2xf32>
}
