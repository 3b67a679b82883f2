// RUN: tt-opt %s --hoist-consteval | filecheck %s
// RUN: tt-opt %s --hoist-consteval --hoist-consteval | filecheck %s

// A function that is constant throughout calls its const-eval function and returns; a const-eval
// function that nothing calls goes; a creation op that feeds both sides moves and is returned too.
// CHECK-NOT: orphan
// CHECK: func.func private @all_const_eval_0(%[[W:.+]]: tensor<2xf32>) -> tensor<2xf32> attributes {tt.function_type = "const_eval"}
// CHECK-NEXT: %[[M:.+]] = "ttir.add"(%[[W]], %[[W]])
// CHECK-NEXT: return %[[M]]
// CHECK: func.func @all(
// CHECK-NEXT: %[[C:.+]] = "ttcore.load_cached"(%{{.+}}) {callee = @all_const_eval_0}
// CHECK-NEXT: return %[[C]]
func.func private @orphan_const_eval_0() -> tensor<1xf32> attributes {tt.function_type = "const_eval"} {
  %0 = "ttir.zeros"() {shape = array<i32: 1>} : () -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
func.func @all(%w: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<2xf32> {
  %0 = "ttir.add"(%w, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: func.func private @both_const_eval_0(%[[W:.+]]: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
// CHECK-NEXT: %[[Z:.+]] = "ttir.ones"()
// CHECK-NEXT: %[[A:.+]] = "ttir.add"(%[[W]], %[[Z]])
// CHECK-NEXT: return %[[Z]], %[[A]]
// CHECK: func.func @both(%[[X:[a-z0-9]+]]: tensor<2xf32>
// CHECK-NEXT: %[[C:.+]]:2 = "ttcore.load_cached"(%{{.+}}) {callee = @both_const_eval_0}
// CHECK-NEXT: %[[R:.+]] = "ttir.add"(%[[X]], %[[C]]#0)
// CHECK-NEXT: return %[[R]], %[[C]]#1
func.func @both(%x: tensor<2xf32>, %w: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = "ttir.ones"() {shape = array<i32: 2>} : () -> tensor<2xf32>
  %1 = "ttir.add"(%w, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.add"(%x, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2, %1 : tensor<2xf32>, tensor<2xf32>
}
