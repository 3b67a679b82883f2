// An op that TTIR cannot say is reported with the reason; so is a value that a rule rejects.

// RUN: not tt-opt %s --legalize-to-ttir 2>&1 | filecheck %s

// CHECK: model.py:3:4: error: 'torch.aten.gcd': cannot be said in TTIR: Euclid's algorithm takes a number of steps that depends on the values (1 use)
// CHECK-NEXT: model.py:4:4: error: 'torch.aten.polygamma': `n=2`: derivatives beyond trigamma take a sum of unknown length
// CHECK-NEXT: model.py:5:4: error: 'torch.aten.view.dtype': a view of f32 as i1 may have bits that are neither true nor false
func.func @main(%i: !torch.vtensor<[2],si64>, %x: !torch.vtensor<[2],f32>) -> (!torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[8],i1>) {
  %two = torch.constant.int 2
  %0 = torch.operator "torch.aten.gcd"(%i, %i) : (!torch.vtensor<[2],si64>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[2],si64> loc("model.py":3:4)
  %1 = torch.operator "torch.aten.polygamma"(%two, %x) : (!torch.int, !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> loc("model.py":4:4)
  %2 = torch.aten.view.dtype %x, %two : !torch.vtensor<[2],f32>, !torch.int -> !torch.vtensor<[8],i1> loc("model.py":5:4)
  return %0, %1, %2 : !torch.vtensor<[2],si64>, !torch.vtensor<[2],f32>, !torch.vtensor<[8],i1>
}
