// A program as ttmlir-opt prints it, in the wrapper of a device: read, checked, and printed in the
// generic form. A misspelled op is an error at its line.

// RUN: tt-opt %s | filecheck %s
// RUN: %python -c "print(open(r'%s').read().replace('ttir.permute', 'ttir.premute'))" > %t.mlir
// RUN: not tt-opt %t.mlir 2>&1 | filecheck %s --check-prefix=OP
// RUN: %python -c "print(open(r'%s').read().replace('ttir.matmul', 'ttri.matmul'))" > %t.mlir
// RUN: not tt-opt %t.mlir 2>&1 | filecheck %s --check-prefix=DIALECT
// RUN: tt-opt %t.mlir --allow-unregistered-dialect | filecheck %s --check-prefix=ALLOWED

// OP: .mlir:31:14: error: 'ttir.premute': unknown op
// OP-NEXT: note: did you mean `ttir.permute`?
// DIALECT: .mlir:36:14: error: 'ttri.matmul': unknown op (1 use)
// DIALECT-NEXT: note: did you mean `ttir.matmul`?
// ALLOWED: "ttri.matmul"

// CHECK: module {
// CHECK-NEXT: func.func private @f_const_eval_0(%arg0: tensor<4x8xf32>) -> tensor<8x4xf32> attributes {tt.function_type = "const_eval"} {
// CHECK-NEXT: "ttir.permute"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK: func.func @f(%arg0: tensor<2x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"},
// CHECK-NEXT: "ttcore.load_cached"(%arg1) {callee = @f_const_eval_0} : (tensor<4x8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: "ttir.matmul"

#device = #ttcore.grid<8x8, (d0, d1) -> (0, d0, d1)>
module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host}], [0], [3 : i32]>} {
  ttcore.device_module {
    builtin.module {
      ttcore.device @default_device = <workerGrid = #device, chipIds = [0]>

      func.func private @f_const_eval_0(%a: tensor<4x8xf32>) -> tensor<8x4xf32> attributes {tt.function_type = "const_eval"} {
        %0 = "ttir.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
        return %0 : tensor<8x4xf32>
      }
      func.func @f(%x: tensor<2x8xf32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"}, %w: tensor<4x8xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"}) -> tensor<2x4xf32> attributes {tt.function_type = "forward_device"} {
        %0 = ttcore.load_cached(@f_const_eval_0, [%w]) : (tensor<4x8xf32>) -> tensor<8x4xf32>
        %1 = "ttir.matmul"(%x, %0) <{transpose_a = false, transpose_b = false}> : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
        return %1 : tensor<2x4xf32>
      }
    }
  }
}
