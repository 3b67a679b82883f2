// RUN: tt-opt %s --hoist-consteval=report -o %t.mlir 2>&1 | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:const-eval function  ops  bytes in  bytes out
// CHECK-NEXT:f_const_eval_0         2         8         16
// CHECK-NEXT:f_const_eval_1         1         0     16,384
// CHECK-NEXT:in all                 3         8     16,400
func.func @f(%w: tensor<4xbf16> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> (tensor<4xf32>, tensor<4096xf32>) {
  %0 = "ttir.typecast"(%w) : (tensor<4xbf16>) -> tensor<4xf32>
  %1 = "ttir.neg"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "ttir.zeros"() {shape = array<i32: 4096>} : () -> tensor<4096xf32>
  return %1, %2 : tensor<4xf32>, tensor<4096xf32>
}
