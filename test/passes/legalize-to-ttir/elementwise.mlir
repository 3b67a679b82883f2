// What tt-mlir's canonicalization would change is written so that it does not; whole ops stay whole.

// RUN: tt-opt %s --legalize-to-ttir | filecheck %s

// `ne(x, x)` would be folded to false.
// CHECK-LABEL: @isnan
// CHECK: %[[SIZE:.*]] = "ttir.abs"(%arg0)
// CHECK: %[[INFINITE:.*]] = "ttir.eq"(%[[SIZE]], %{{.*}})
// CHECK: %[[FINITE:.*]] = "ttir.isfinite"(%arg0) : (tensor<2xf32>) -> tensor<2xi1>
// CHECK: %[[NUMBER:.*]] = "ttir.logical_or"(%[[FINITE]], %[[INFINITE]])
// CHECK: "ttir.logical_not"(%[[NUMBER]]) : (tensor<2xi1>) -> tensor<2xi1>
func.func @isnan(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],i1> {
  %0 = torch.aten.ne.Tensor %x, %x : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}

// CHECK-LABEL: @hardtanh_is_relu6
// CHECK: "ttir.relu6"(%arg0)
func.func @hardtanh_is_relu6(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %zero = torch.constant.int 0
  %six = torch.constant.int 6
  %0 = torch.aten.hardtanh %x, %zero, %six : !torch.vtensor<[2],f32>, !torch.int, !torch.int -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: @gelu_of_erf
// CHECK-NEXT: "ttir.gelu"
func.func @gelu_of_erf(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %none = torch.constant.str "none"
  %0 = torch.aten.gelu %x, %none : !torch.vtensor<[2],f32>, !torch.str -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: @gelu_of_tanh
// CHECK-NOT: "ttir.gelu"
// CHECK: "ttir.tanh"
func.func @gelu_of_tanh(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %tanh = torch.constant.str "tanh"
  %0 = torch.aten.gelu %x, %tanh : !torch.vtensor<[2],f32>, !torch.str -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// The bounds of `ttir.clamp_scalar` are f32: those of f64 tensors may need more digits.
// CHECK-LABEL: @clamp_f64
// CHECK: "ttir.constant"() {value = dense<1.000000e-01> : tensor<f64>} : () -> tensor<f64>
// CHECK-NOT: clamp_scalar
// CHECK: "ttir.maximum"
func.func @clamp_f64(%x: !torch.vtensor<[2],f64>) -> !torch.vtensor<[2],f64> {
  %low = torch.constant.float 0.1
  %0 = torch.aten.clamp_min %x, %low : !torch.vtensor<[2],f64>, !torch.float -> !torch.vtensor<[2],f64>
  return %0 : !torch.vtensor<[2],f64>
}

// PyTorch multiplies bf16 by a number in f32, and rounds once.
// CHECK-LABEL: @scaled_bf16
// CHECK: %[[WIDE:.*]] = "ttir.typecast"(%arg0) : (tensor<2xbf16>) -> tensor<2xf32>
// CHECK: %[[PRODUCT:.*]] = "ttir.multiply"(%[[WIDE]], %{{.*}}) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK: "ttir.typecast"(%[[PRODUCT]]) {conservative_folding = true} : (tensor<2xf32>) -> tensor<2xbf16>
func.func @scaled_bf16(%x: !torch.vtensor<[2],bf16>) -> !torch.vtensor<[2],bf16> {
  %tenth = torch.constant.float 0.1
  %0 = torch.aten.mul.Scalar %x, %tenth : !torch.vtensor<[2],bf16>, !torch.float -> !torch.vtensor<[2],bf16>
  return %0 : !torch.vtensor<[2],bf16>
}

// A literal's si64 elements are i64 in TTIR; one value is a `ttir.full`.
// CHECK-LABEL: @literals
// CHECK: "ttir.constant"() {value = dense<[1, 2]> : tensor<2xi64>} : () -> tensor<2xi64>
// CHECK: "ttir.full"() {fill_value = 7 : i32, shape = array<i32: 2>} : () -> tensor<2xi64>
func.func @literals() -> !torch.vtensor<[2],si64> {
  %one = torch.constant.int 1
  %0 = torch.vtensor.literal(dense<[1, 2]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %1 = torch.vtensor.literal(dense<7> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
  %2 = torch.aten.add.Tensor %0, %1, %one : !torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor<[2],si64>
  return %2 : !torch.vtensor<[2],si64>
}
