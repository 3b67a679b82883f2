// What is TTIR already goes through unchanged, however often.

// RUN: tt-opt %s --torch-to-ttir | filecheck %s
// RUN: tt-opt %s --torch-to-ttir --torch-to-ttir | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"})
// CHECK-NEXT: %0 = "ttir.add"(%arg0, %arg1)
// CHECK-NEXT: return %0
func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"}) -> tensor<2xf32> {
  %0 = "ttir.add"(%x, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
