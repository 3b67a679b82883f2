// RUN: tt-opt %s --verify-ops | filecheck %s

// Unknown sizes, lists of tensors and ops that are PyTorch's no more are passed over.
// CHECK-LABEL: func.func @valid
func.func @valid(%a: !torch.vtensor<[4,3],f32>, %d: !torch.vtensor<[?,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[?,3],f32>) {
  %zero = torch.constant.int 0
  %two = torch.constant.int 2
  %list = torch.aten.split.Tensor %a, %two, %zero : !torch.vtensor<[4,3],f32>, !torch.int, !torch.int -> !torch.list<vtensor>
  %0:2 = torch.prim.ListUnpack %list : !torch.list<vtensor> -> !torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>
  %1 = torch.aten.relu %d : !torch.vtensor<[?,3],f32> -> !torch.vtensor<[?,3],f32>
  %2 = torch.operator "torch.mine.op"(%a) : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32>
  return %0#0, %1 : !torch.vtensor<[2,3],f32>, !torch.vtensor<[?,3],f32>
}
