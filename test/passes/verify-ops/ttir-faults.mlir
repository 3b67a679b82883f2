// Every TTIR op that is wrong is reported when a file is read, not only the first.

// RUN: not tt-opt %s --verify-ops 2>&1 | filecheck %s

func.func @several(%x: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %0 = "ttir.sum"(%x) <{keep_dim = true}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %1 = "ttir.relu"(%0) : (tensor<2x1xf32>) -> tensor<2x2xf32>
  %2 = "ttir.clamp_scalar"(%x) <{min = 1.0 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x2xf32>
}
// CHECK: ttir-faults.mlir:6:8: error: 'ttir.sum': shape of `result` must be [1, 1], not [2, 1]
// CHECK-NEXT: ttir-faults.mlir:7:8: error: 'ttir.relu': {{.*}}[2, 1]
// CHECK-NEXT: ttir-faults.mlir:8:8: error: 'ttir.clamp_scalar': requires attribute `max` (f32 or i32)
// CHECK-NOT: {{.}}
