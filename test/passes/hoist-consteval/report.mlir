// RUN: tt-opt %s --hoist-consteval=report -o %t.mlir 2>&1 | filecheck %s

// CHECK: const-eval function ops bytes in bytes out
// CHECK-NEXT: f_const_eval_0 2 8 16
func.func @f(%w: tensor<4xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<4xf32> {
  %0 = "ttir.typecast"(%w) : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = "ttir.neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
