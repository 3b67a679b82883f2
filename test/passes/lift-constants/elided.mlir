// RUN: not tt-opt %s --lift-constants=min-bytes=8 2>&1 | filecheck %s

// CHECK: elided.mlir:5:8: error: 'torch.vtensor.literal': the bytes of `dense_resource<w> : tensor<2xf32>` are not in the file
func.func @main() -> !torch.vtensor<[2],f32> {
  %0 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
