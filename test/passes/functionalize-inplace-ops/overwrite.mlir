// RUN: tt-opt %s --functionalize-inplace-ops | filecheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.+]]: !torch.vtensor<[2],f32> {ttir.name = "arg0"}) -> (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32> {ttir.updates = "arg0"})
// CHECK-NOT: torch.copy
// CHECK: %[[W:.+]] = torch.aten.add.Tensor %[[A]], %[[A]]
// CHECK-NEXT: return %[[W]], %[[W]]
func.func @main(%a: !torch.tensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %i1 = torch.constant.int 1
  %v = torch.copy.to_vtensor %a : !torch.vtensor<[2],f32>
  %w = torch.aten.add.Tensor %v, %v, %i1 : !torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[2],f32>
  torch.overwrite.tensor.contents %w overwrites %a : !torch.vtensor<[2],f32>, !torch.tensor<[2],f32>
  return %w : !torch.vtensor<[2],f32>
}

// The last of two overwrites wins, and a copy between them sees the first.
// CHECK-LABEL: func.func @twice(
// CHECK: %[[ONE:.+]] = torch.aten.relu %arg0
// CHECK: %[[TWO:.+]] = torch.aten.tanh %[[ONE]]
// CHECK: return %[[ONE]], %[[TWO]]
func.func @twice(%a: !torch.tensor<[2],f32> {ttir.name = "state"}) -> !torch.vtensor<[2],f32> {
  %0 = torch.copy.to_vtensor %a : !torch.vtensor<[2],f32>
  %1 = torch.aten.relu %0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  torch.overwrite.tensor.contents %1 overwrites %a : !torch.vtensor<[2],f32>, !torch.tensor<[2],f32>
  %2 = torch.copy.to_vtensor %a : !torch.vtensor<[2],f32>
  %3 = torch.aten.tanh %2 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  torch.overwrite.tensor.contents %3 overwrites %a : !torch.vtensor<[2],f32>, !torch.tensor<[2],f32>
  return %2 : !torch.vtensor<[2],f32>
}

// A tensor made of a value is a new one; lists and optionals change their types too.
// CHECK-LABEL: func.func @made(
// CHECK-SAME: -> !torch.vtensor<[4],f32> {
// CHECK: %[[RELU:.+]] = torch.aten.relu %arg0
// CHECK: %[[LIST:.+]] = torch.prim.ListConstruct %[[RELU]], %arg0 : (!torch.vtensor<[2],f32>, !torch.vtensor<[2],f32>) -> !torch.list<vtensor<[2],f32>>
// CHECK: %[[CAT:.+]] = torch.aten.cat %[[LIST]], %{{.+}} : !torch.list<vtensor<[2],f32>>, !torch.int -> !torch.vtensor<[4],f32>
// CHECK: return %[[CAT]]
func.func @made(%v: !torch.vtensor<[2],f32>) -> !torch.tensor<[4],f32> {
  %0 = torch.copy.to_tensor %v : !torch.tensor<[2],f32>
  %1 = torch.copy.to_tensor %v : !torch.tensor<[2],f32>
  %2 = torch.aten.relu_ %0 : !torch.tensor<[2],f32> -> !torch.tensor<[2],f32>
  %3 = torch.prim.ListConstruct %0, %1 : (!torch.tensor<[2],f32>, !torch.tensor<[2],f32>) -> !torch.list<tensor<[2],f32>>
  %int0 = torch.constant.int 0
  %4 = torch.aten.cat %3, %int0 : !torch.list<tensor<[2],f32>>, !torch.int -> !torch.tensor<[4],f32>
  return %4 : !torch.tensor<[4],f32>
}
