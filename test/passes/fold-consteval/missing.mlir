// RUN: not tt-opt %s --fold-consteval 2>&1 | filecheck %s

// A file of MLIR has no weights: those that are needed are named, all of them.
// CHECK: missing.mlir:11:8: error: 'ttcore.load_cached': `@main_const_eval_0` needs the values of `layer.w`, `arg1`
// CHECK-NEXT: note: weights have values in the run that imports the program
// CHECK-NEXT: note: in pass 'fold-consteval'
// CHECK-NOT: error
func.func @main(%w: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "layer.w"}, %b: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // An input is no weight: its call stays.
  %1 = "ttcore.load_cached"(%x, %b) {callee = @main_const_eval_0} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = "ttcore.load_cached"(%w, %b) {callee = @main_const_eval_0} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
func.func private @main_const_eval_0(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> attributes {tt.function_type = "const_eval"} {
  %0 = "ttir.add"(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
