// RUN: tt-opt %s --recognize-composites | filecheck %s --check-prefix=STRICT
// RUN: tt-opt %s --recognize-composites=relaxed=true | filecheck %s

// In bf16 each step rounds, and the op rounds once: another number, if a better one.
// STRICT-LABEL: func.func @silu
// STRICT: ttir.sigmoid
// CHECK-LABEL: func.func @silu
// CHECK-NEXT: "ttir.silu"(%arg0)
func.func @silu(%x: tensor<4xbf16>) -> tensor<4xbf16> {
  %0 = "ttir.sigmoid"(%x) : (tensor<4xbf16>) -> tensor<4xbf16>
  %1 = "ttir.multiply"(%0, %x) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
  return %1 : tensor<4xbf16>
}

// The norm is exact in f32; the weight, which is multiplied in bf16, is not part of it.
// STRICT-LABEL: func.func @llama
// STRICT-NEXT: %[[X:.+]] = "ttir.typecast"(%arg0)
// STRICT-NEXT: %[[N:.+]] = "ttir.rms_norm"(%[[X]]) {{.+}} -> tensor<4x8xf32>
// STRICT-NEXT: %[[Y:.+]] = "ttir.typecast"(%[[N]])
// STRICT-NEXT: "ttir.multiply"(%arg1, %[[Y]])
// CHECK-LABEL: func.func @llama
// CHECK-NEXT: "ttir.rms_norm"(%arg0, %arg1) {{.+}} -> tensor<4x8xbf16>
func.func @llama(%x: tensor<4x8xbf16>, %w: tensor<8xbf16>) -> tensor<4x8xbf16> {
  %0 = "ttir.typecast"(%x) : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %1 = "ttir.square"(%0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = "ttir.mean"(%1) {dim_arg = [1 : i32], keep_dim = true} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %e = "ttir.full"() {fill_value = 0.5 : f32, shape = array<i32>} : () -> tensor<f32>
  %3 = "ttir.add"(%2, %e) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %4 = "ttir.rsqrt"(%3) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %5 = "ttir.multiply"(%0, %4) : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %6 = "ttir.typecast"(%5) {conservative_folding = true} : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %7 = "ttir.multiply"(%w, %6) : (tensor<8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return %7 : tensor<4x8xbf16>
}
