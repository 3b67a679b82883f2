// RUN: tt-opt %s --lift-constants=min-bytes=8 | filecheck %s

// A resource keeps its name, and two literals of one resource are one argument; an inline literal
// gets a stable name; small, splat and 0-d literals stay; one without a use goes.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: !torch.vtensor<[2],f32>,
// CHECK-SAME: %[[W:[a-z0-9]+]]: !torch.vtensor<[2],f32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "w"},
// CHECK-SAME: %[[C:[a-z0-9]+]]: !torch.vtensor<[3],si64> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "constant_0"})
// CHECK-NEXT: %[[SPLAT:.+]] = torch.vtensor.literal(dense<1.000000e+00> : tensor<2xf32>)
// CHECK-NEXT: return %[[W]], %[[W]], %[[C]], %[[SPLAT]]
func.func @main(%x: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],f32>) {
  %0 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %1 = torch.vtensor.literal(dense_resource<w> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %2 = torch.vtensor.literal(dense<[1, 2, 3]> : tensor<3xsi64>) : !torch.vtensor<[3],si64>
  %3 = torch.vtensor.literal(dense<1.0> : tensor<2xf32>) : !torch.vtensor<[2],f32>
  %4 = torch.vtensor.literal(dense<[1.0, 3.0, 4.0]> : tensor<3xf32>) : !torch.vtensor<[3],f32>
  return %0, %1, %2, %3 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.vtensor<[3],si64>, !torch.vtensor<[2],f32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}
