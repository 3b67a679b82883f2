// RUN: tt-opt %s --functionalize-inplace-ops | filecheck %s
// RUN: tt-opt %s | filecheck %s --check-prefix=READ

// What torch-mlir's FX importer prints for a graph with in-place ops: they stand on value tensors,
// which MLIR itself does not read.
// READ: torch.operator "torch.aten.add_.Tensor"(%{{.+}}, %{{.+}}, %{{.+}}) : (!torch.vtensor<[3],f32>, !torch.vtensor<[],f32>, !torch.int) -> !torch.vtensor<[3],f32>
// READ: torch.operator "torch.aten.copy_"
// READ: torch.operator "torch.aten.relu_"

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.+]]: !torch.vtensor<[2,3],f32> {ttir.name = "arg0"}, %[[Y:.+]]: !torch.vtensor<[2,3],f32>) -> (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32> {ttir.updates = "arg0"})
// CHECK-NOT: _.Tensor
// CHECK: %[[RELU:.+]] = torch.aten.relu %[[Y]]
// CHECK: %[[SUM:.+]] = torch.aten.add.Scalar %[[RELU]]
// CHECK: return %[[SUM]], %[[RELU]]
"builtin.module"() ({
  "func.func"() <{function_type = (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>, sym_name = "main"}> ({
  ^bb0(%arg0: !torch.vtensor<[2,3],f32>, %arg1: !torch.vtensor<[2,3],f32>):
    %0 = "torch.constant.int"() <{value = 0 : i64}> : () -> !torch.int
    %2 = "torch.aten.select.int"(%arg0, %0, %0) : (!torch.vtensor<[2,3],f32>, !torch.int, !torch.int) -> !torch.vtensor<[3],f32>
    %3 = "torch.constant.float"() <{value = 1.000000e+00 : f64}> : () -> !torch.float
    %4 = "torch.prim.NumToTensor.Scalar"(%3) : (!torch.float) -> !torch.vtensor<[],f32>
    %5 = "torch.constant.int"() <{value = 1 : i64}> : () -> !torch.int
    %6 = "torch.aten.add_.Tensor"(%2, %4, %5) : (!torch.vtensor<[3],f32>, !torch.vtensor<[],f32>, !torch.int) -> !torch.vtensor<[3],f32>
    %7 = "torch.constant.bool"() <{value = false}> : () -> !torch.bool
    %8 = "torch.aten.copy_"(%arg0, %arg1, %7) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>, !torch.bool) -> !torch.vtensor<[2,3],f32>
    %9 = "torch.aten.relu_"(%8) : (!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>
    %10 = "torch.aten.add.Scalar"(%9, %5, %5) : (!torch.vtensor<[2,3],f32>, !torch.int, !torch.int) -> !torch.vtensor<[2,3],f32>
    "func.return"(%10) : (!torch.vtensor<[2,3],f32>) -> ()
  }) : () -> ()
}) : () -> ()
