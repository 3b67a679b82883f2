// RUN: tt-opt %s --lift-constants=min-bytes=8 --hoist-consteval --fold-consteval -o %t.mlir --save-parameters=%t.safetensors
// RUN: filecheck %s --input-file=%t.mlir
// RUN: %python -c "import sys, safetensors.numpy as s; [print(n, a.dtype, a.tolist()) for n, a in sorted(s.load_file(sys.argv[1]).items())]" %t.safetensors | filecheck %s --check-prefix=VALUES
// RUN: tt-opt %t.mlir --lift-constants --hoist-consteval --fold-consteval 2>&1 | filecheck %s

// Const-eval functions are gone, and the weight `w` that only they used; `b` is used besides. A
// returned weight is passed through. The names of the weights are on what came of them.
// CHECK-NOT: const_eval(
// CHECK: func.func @main(%[[X:.+]]: tensor<2xf32> {ttir.name = "x"}, %[[B:.+]]: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "b"}, %[[T:.+]]: tensor<2xf32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.folded_from = ["w", "b"], ttir.name = "main_const_eval_0.0"}, %[[H:.+]]: tensor<2xi32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.folded_from = [], ttir.name = "main_const_eval_1.0"})
// CHECK-NEXT: %[[A:.+]] = "ttir.add"(%[[X]], %[[T]])
// CHECK-NEXT: return %[[A]], %[[B]], %[[H]]
// CHECK-NOT: load_cached

// VALUES: b float32 [0.5, 2.0]
// VALUES-NEXT: main_const_eval_0.0 float32 [1.5, 4.0]
// VALUES-NEXT: main_const_eval_1.0 int32 [7, 7]
// VALUES-NOT: w
func.func @main(%x: tensor<2xf32> {ttir.name = "x"}) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>) {
  %w = "ttir.constant"() {value = dense_resource<w> : tensor<2xf32>} : () -> tensor<2xf32>
  %b = "ttir.constant"() {value = dense_resource<b> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ttir.add"(%w, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.add"(%x, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "ttir.full"() {shape = array<i32: 2>, fill_value = 7 : i32} : () -> tensor<2xi32>
  return %1, %b, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040",
      b: "0x040000000000003F00000040"
    }
  }
#-}
