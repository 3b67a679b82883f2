// RUN: tt-opt %s --functionalize-inplace-ops | filecheck %s
// RUN: tt-opt %s --functionalize-inplace-ops --functionalize-inplace-ops | filecheck %s

// New values of arguments come after the user's results, in the order of the arguments. A written
// buffer is an input; an argument without a name gets one that no other has.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W:.+]]: !torch.vtensor<[2],f32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"},
// CHECK-SAME: %[[B:.+]]: !torch.vtensor<[2],f32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "arg2"},
// CHECK-SAME: %[[X:.+]]: !torch.vtensor<[2],f32> {ttir.name = "arg2_"})
// CHECK-SAME: -> (!torch.vtensor<[2],f32> {ttir.note}, !torch.vtensor<[2],f32> {ttir.updates = "arg2"}, !torch.vtensor<[2],f32> {ttir.updates = "arg2_"})
// CHECK: %[[RELU:.+]] = torch.aten.relu %[[X]]
// CHECK: return %[[W]], %[[W]], %[[RELU]]
func.func @main(
  %w: !torch.vtensor<[2],f32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w"},
  %b: !torch.vtensor<[2],f32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "arg2"},
  %x: !torch.vtensor<[2],f32>
) -> (!torch.vtensor<[2],f32> {ttir.note}) {
  %false = torch.constant.bool false
  %0 = torch.operator "torch.aten.relu_"(%x) : (!torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32>
  %1 = torch.operator "torch.aten.copy_"(%b, %w, %false) : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.bool) -> !torch.vtensor<[2],f32>
  return %w : !torch.vtensor<[2],f32>
}

// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME: -> (!torch.vtensor<[4,2],f32>, !torch.vtensor<[2],f32> {ttir.updates = "mean"}, !torch.vtensor<[2],f32> {ttir.updates = "var"})
// CHECK: %[[BATCH_MEAN:.+]] = torch.aten.mean.dim %arg0
// CHECK: %[[KEPT_MEAN:.+]] = torch.aten.mul.Scalar %arg1
// CHECK: %[[MEAN:.+]] = torch.aten.add.Tensor %[[KEPT_MEAN]], %[[BATCH_MEAN]]
// CHECK: %[[BATCH_VAR:.+]] = torch.aten.var.correction %arg0
// CHECK: %[[KEPT_VAR:.+]] = torch.aten.mul.Scalar %arg2
// CHECK: %[[VAR:.+]] = torch.aten.add.Tensor %[[KEPT_VAR]], %[[BATCH_VAR]]
// CHECK: %[[Y:.+]] = torch.aten.batch_norm %arg0, %[[NONE:[a-z0-9_]+]], %[[NONE]], %[[NONE]], %[[NONE]], %true
// CHECK: return %[[Y]], %[[MEAN]], %[[VAR]]
func.func @batch_norm(
  %x: !torch.vtensor<[4,2],f32>,
  %mean: !torch.vtensor<[2],f32> {ttir.name = "mean"},
  %var: !torch.vtensor<[2],f32> {ttir.name = "var"}
) -> !torch.vtensor<[4,2],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %momentum = torch.constant.float 1.000000e-01
  %eps = torch.constant.float 1.000000e-05
  %0 = torch.aten.batch_norm %x, %none, %none, %mean, %var, %true, %momentum, %eps, %true : !torch.vtensor<[4,2],f32>, !torch.none, !torch.none, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[4,2],f32>
  return %0 : !torch.vtensor<[4,2],f32>
}

// In evaluation it writes nothing.
// CHECK-LABEL: func.func @evaluation(
// CHECK: torch.aten.batch_norm %arg0, %none, %none, %arg1, %arg2, %false
// CHECK-NEXT: return
func.func @evaluation(%x: !torch.vtensor<[4,2],f32>, %mean: !torch.vtensor<[2],f32>, %var: !torch.vtensor<[2],f32>) -> !torch.vtensor<[4,2],f32> {
  %none = torch.constant.none
  %false = torch.constant.bool false
  %momentum = torch.constant.float 1.000000e-01
  %eps = torch.constant.float 1.000000e-05
  %0 = torch.aten.batch_norm %x, %none, %none, %mean, %var, %false, %momentum, %eps, %false : !torch.vtensor<[4,2],f32>, !torch.none, !torch.none, !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.bool, !torch.float, !torch.float, !torch.bool -> !torch.vtensor<[4,2],f32>
  return %0 : !torch.vtensor<[4,2],f32>
}
