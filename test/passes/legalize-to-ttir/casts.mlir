// tt-mlir folds a chain of casts into one, unless one of them says that it must not.

// RUN: tt-opt %s --legalize-to-ttir | filecheck %s

// A cast that only widens may be folded.
// CHECK-LABEL: @widening
// CHECK: "ttir.typecast"(%{{.*}}) : (tensor<2xbf16>) -> tensor<2xf32>
func.func @widening(%x: !torch.vtensor<[2],bf16>) -> !torch.vtensor<[2],f32> {
  %f32 = torch.constant.int 6
  %no = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.to.dtype %x, %f32, %no, %no, %none : !torch.vtensor<[2],bf16>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}

// A truncation to integers stays, even if it is cast back.
// CHECK-LABEL: @truncation
// CHECK: %[[INT:.*]] = "ttir.typecast"(%{{.*}}) {conservative_folding = true} : (tensor<2xf32>) -> tensor<2xi32>
// CHECK: "ttir.typecast"(%[[INT]]) {conservative_folding = true} : (tensor<2xi32>) -> tensor<2xf32>
func.func @truncation(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %i32 = torch.constant.int 3
  %f32 = torch.constant.int 6
  %no = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.to.dtype %x, %i32, %no, %no, %none : !torch.vtensor<[2],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],si32>
  %1 = torch.aten.to.dtype %0, %f32, %no, %no, %none : !torch.vtensor<[2],si32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],f32>
  return %1 : !torch.vtensor<[2],f32>
}

// A bool is what is not zero: on the device, a cast to i1 would keep 2.5.
// CHECK-LABEL: @to_bool
// CHECK: %[[ZERO:.*]] = "ttir.full"() {fill_value = 0.000000e+00 : f32, shape = array<i32>} : () -> tensor<f32>
// CHECK: "ttir.ne"(%{{.*}}, %[[ZERO]]) : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
func.func @to_bool(%x: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],i1> {
  %bool = torch.constant.int 11
  %no = torch.constant.bool false
  %none = torch.constant.none
  %0 = torch.aten.to.dtype %x, %bool, %no, %no, %none : !torch.vtensor<[2],f32>, !torch.int, !torch.bool, !torch.bool, !torch.none -> !torch.vtensor<[2],i1>
  return %0 : !torch.vtensor<[2],i1>
}
