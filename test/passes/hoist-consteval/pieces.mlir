// RUN: tt-opt %s --hoist-consteval | filecheck %s
// RUN: tt-opt %s --hoist-consteval --hoist-consteval | filecheck %s

// CHECK: func.func private @forward_const_eval_0(%[[A:.+]]: tensor<4x8xf32>) -> tensor<8x4xf32> attributes {tt.function_type = "const_eval"}
// CHECK-NEXT: %[[P:.+]] = "ttir.permute"(%[[A]])
// CHECK-NEXT: return %[[P]]
// CHECK: func.func private @forward_const_eval_1() -> tensor<1xf32> attributes {tt.function_type = "const_eval"}
// CHECK-NEXT: "ttir.full"()
// CHECK: func.func @forward(
// CHECK-NEXT: %[[T:.+]] = "ttcore.load_cached"(%{{.+}}) {callee = @forward_const_eval_0} : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[H:.+]] = "ttcore.load_cached"() {callee = @forward_const_eval_1} : () -> tensor<1xf32>
// CHECK-NEXT: %[[M:.+]] = "ttir.matmul"(%{{.+}}, %[[T]])
// CHECK-NEXT: %[[R:.+]] = "ttir.multiply"(%[[M]], %[[H]])
// CHECK-NEXT: return %[[R]], %[[T]], %{{.+}}
// CHECK-NOT: const_eval
func.func @forward(%x: tensor<2x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<4x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
  %t = "ttir.permute"(%w) {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %h = "ttir.full"() {shape = array<i32: 1>, fill_value = 0.5 : f32} : () -> tensor<1xf32>
  %m = "ttir.matmul"(%x, %t) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %r = "ttir.multiply"(%m, %h) : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
  return %r, %t, %w : tensor<2x4xf32>, tensor<8x4xf32>, tensor<4x8xf32>
}
