// A pass that fails leaves the IR before it, what it made of it, and the command that shows it again.

// RUN: not tt-opt %s --pass-pipeline="builtin.module(cse,func.func(torch-finalizing-backend-type-conversion))" --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | filecheck %s --check-prefix=ERROR
// ERROR: reproducer.mlir:15:8: error: failed to legalize operation 'torch.aten.relu'
// ERROR: note: the IR before the pass is in [[FILE:.*\.mlir]], what it left is in {{.*}}.failed.mlir
// ERROR: note: to see it again: tt-opt [[FILE]] '--pass-pipeline=builtin.module(func.func(torch-finalizing-backend-type-conversion))'
// RUN: not tt-opt %t.mlir --pass-pipeline="builtin.module(func.func(torch-finalizing-backend-type-conversion))" 2>&1 | filecheck %s --check-prefix=AGAIN
// AGAIN: reproducer.mlir:15:8: error: failed to legalize operation 'torch.aten.relu'

// Without a failure there is no file.
// RUN: tt-opt %s --cse --mlir-pass-pipeline-crash-reproducer=%t.none -o %t.out
// RUN: not %python -c "open(r'%t.none')"

func.func @main(%arg0: !torch.vtensor<[2],f32>) -> !torch.vtensor<[2],f32> {
  %0 = torch.aten.relu %arg0 : !torch.vtensor<[2],f32> -> !torch.vtensor<[2],f32>
  return %0 : !torch.vtensor<[2],f32>
}
