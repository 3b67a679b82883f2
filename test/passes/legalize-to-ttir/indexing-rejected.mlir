// Shapes that depend on data, and arguments out of range, are rejected by name and value.

// RUN: not tt-opt %s --legalize-to-ttir 2>&1 | filecheck %s

// CHECK: model.py:1:4: error: 'torch.aten.masked_select': cannot be said in TTIR: the shape of the result depends on data, and TTIR's shapes are static (1 use)
// CHECK-NEXT: model.py:2:4: error: 'torch.aten.index.Tensor_hacked_twin': the shape of the result depends on the elements of a mask, and TTIR's shapes are static
// CHECK-NEXT: model.py:3:4: error: 'torch.aten.select.int': index 4 is out of range for size 4
// CHECK-NEXT: model.py:4:4: error: 'torch.aten.split_with_sizes': split sizes [1, 2] do not add up to 4
// CHECK-NEXT: model.py:5:4: error: 'torch.aten.as_strided': element 4 of the storage is not in the operand, which has 4
// CHECK-NEXT: model.py:6:4: error: 'torch.aten.as_strided': it reads the operand's storage, and the operand may not be contiguous
// CHECK-NEXT: model.py:7:4: error: 'torch.aten.resize': it makes 5 elements of 4, and the new ones have no values
// CHECK-NEXT: model.py:8:4: error: 'torch.aten.scatter_reduce.two': reduction `median` is not one of sum, add, prod, multiply, amax, amin, mean
// CHECK-NEXT: model.py:9:4: error: 'torch.aten.meshgrid.indexing': indexing `ji` is neither `ij` nor `xy`
func.func @main(%x: !torch.vtensor<[4],f32>, %y: !torch.vtensor<[2,2],f32>, %m: !torch.vtensor<[4],i1>, %i: !torch.vtensor<[4],si64>) -> !torch.vtensor<[4],f32> {
  %none = torch.constant.none
  %true = torch.constant.bool true
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %4 = torch.constant.int 4
  %5 = torch.constant.int 5
  %median = torch.constant.str "median"
  %ji = torch.constant.str "ji"
  %mask = torch.prim.ListConstruct %m : (!torch.vtensor<[4],i1>) -> !torch.list<vtensor>
  %sizes = torch.prim.ListConstruct %1, %2 : (!torch.int, !torch.int) -> !torch.list<int>
  %two = torch.prim.ListConstruct %2 : (!torch.int) -> !torch.list<int>
  %four = torch.prim.ListConstruct %4 : (!torch.int) -> !torch.list<int>
  %five = torch.prim.ListConstruct %5 : (!torch.int) -> !torch.list<int>
  %xs = torch.prim.ListConstruct %x : (!torch.vtensor<[4],f32>) -> !torch.list<vtensor>
  %a = torch.operator "torch.aten.masked_select"(%x, %m) : (!torch.vtensor<[4],f32>, !torch.vtensor<[4],i1>) -> !torch.vtensor<[2],f32> loc("model.py":1:4)
  %b = torch.aten.index.Tensor_hacked_twin %x, %mask : !torch.vtensor<[4],f32>, !torch.list<vtensor> -> !torch.vtensor<[2],f32> loc("model.py":2:4)
  %c = torch.aten.select.int %x, %0, %4 : !torch.vtensor<[4],f32>, !torch.int, !torch.int -> !torch.vtensor<[],f32> loc("model.py":3:4)
  %d = torch.aten.split_with_sizes %x, %sizes, %0 : !torch.vtensor<[4],f32>, !torch.list<int>, !torch.int -> !torch.list<vtensor> loc("model.py":4:4)
  %e = torch.aten.as_strided %x, %two, %four, %0 : !torch.vtensor<[4],f32>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[2],f32> loc("model.py":5:4)
  %t = torch.aten.t %y : !torch.vtensor<[2,2],f32> -> !torch.vtensor<[2,2],f32>
  %f = torch.aten.as_strided %t, %two, %two, %0 : !torch.vtensor<[2,2],f32>, !torch.list<int>, !torch.list<int>, !torch.int -> !torch.vtensor<[2],f32> loc("model.py":6:4)
  %g = torch.operator "torch.aten.resize"(%x, %five, %none) : (!torch.vtensor<[4],f32>, !torch.list<int>, !torch.none) -> !torch.vtensor<[5],f32> loc("model.py":7:4)
  %h = torch.aten.scatter_reduce.two %x, %0, %i, %x, %median, %true : !torch.vtensor<[4],f32>, !torch.int, !torch.vtensor<[4],si64>, !torch.vtensor<[4],f32>, !torch.str, !torch.bool -> !torch.vtensor<[4],f32> loc("model.py":8:4)
  %j = torch.operator "torch.aten.meshgrid.indexing"(%xs, %ji) : (!torch.list<vtensor>, !torch.str) -> !torch.list<vtensor> loc("model.py":9:4)
  return %h : !torch.vtensor<[4],f32>
}
