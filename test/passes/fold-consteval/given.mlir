// RUN: tt-opt %s --lift-constants=min-bytes=8 --hoist-consteval -o %t.mlir --save-parameters=%t.safetensors
// RUN: tt-opt %t.mlir --parameters=%t.safetensors --fold-consteval --save-parameters=%t.folded.safetensors | filecheck %s
// RUN: %python -c "import sys, safetensors.numpy as s; [print(n, a.dtype, a.tolist()) for n, a in sorted(s.load_file(sys.argv[1]).items())]" %t.folded.safetensors | filecheck %s --check-prefix=VALUES
// RUN: sed s/2xf32/3xf32/g %t.mlir > %t.other.mlir
// RUN: not tt-opt %t.other.mlir --parameters=%t.safetensors 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: not tt-opt %t.mlir --parameters=%t.none.safetensors 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not tt-opt %t.mlir --parameters=%t.safetensors --save-parameters=%t.safetensors 2>&1 | filecheck %s --check-prefix=SAME

// The weights of a module that was written before come from the file that was written with it.
// CHECK: func.func @main(%arg0: tensor<2xf32> {ttir.name = "x"}, %[[T:.+]]: tensor<2xf32> {{{.*}}ttir.folded_from = ["w"], ttir.name = "main_const_eval_0.0"})
// CHECK-NEXT: "ttir.add"(%arg0, %[[T]])

// VALUES: main_const_eval_0.0 float32 [2.0, 4.0]
// VALUES-NOT: w

// OTHER: safetensors: error: `w` is tensor<2xf32> here and tensor<3xf32> in the program
// NONE: none.safetensors: error: cannot read: no such file or directory
// SAME: safetensors: error: cannot write: it is an input too
func.func @main(%x: tensor<2xf32> {ttir.name = "x"}) -> tensor<2xf32> {
  %w = "ttir.constant"() {value = dense_resource<w> : tensor<2xf32>} : () -> tensor<2xf32>
  %0 = "ttir.add"(%w, %w) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "ttir.add"(%x, %0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F00000040"
    }
  }
#-}
